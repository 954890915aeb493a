/// One angle of a written position.
struct WrittenAngle {
  private var magnitude = 0.0
  /// The sign as written; `nil` if there is none.
  private var isNegative: Bool?
  /// The direction in each language that has the word.
  private var directions: [String: Direction]?
  private var isOfLatitude: Bool?
  private var usesComma = false
  private var usesPoint = false
  private var hasUnits = false
  private var numbers: [String] = []

  /// Whether several numbers follow each other without units.
  var isUnmarked: Bool { numbers.count > 1 && !hasUnits }

  /// Whether no word names the direction or the axis.
  var isBare: Bool { directions == nil && isOfLatitude == nil }

  /// Reads an angle: words, up to three numbers with units, words. Returns `nil` if the tokens are
  /// not one angle.
  init?(_ tokens: ArraySlice<PositionToken>) throws(WrittenPositionError) {
    var rest = tokens
    guard take(wordsFrom: &rest) else { return nil }
    var lastUnit = -1
    var hasLetterUnit = false
    while case .number(let number)? = rest.first {
      guard numbers.count < 3 else { return nil }
      rest.removeFirst()
      if let (unit, isLetter) = unit(rest, after: lastUnit, hasLetterUnit) {
        guard unit > lastUnit, unit == 0 || hasUnits, numbers.count <= unit else { return nil }
        while numbers.count < unit { numbers.append("0") }
        (lastUnit, hasUnits) = (unit, true)
        hasLetterUnit = hasLetterUnit || isLetter
        rest.removeFirst()
      } else if hasUnits {
        lastUnit += 1
      }
      numbers.append(number)
    }
    guard !numbers.isEmpty, numbers.count <= 3, take(wordsFrom: &rest), rest.isEmpty else {
      return nil
    }
    try setMagnitude()
  }

  /// Takes words of directions and axes; returns whether they agree.
  private mutating func take(wordsFrom rest: inout ArraySlice<PositionToken>) -> Bool {
    while let word = rest.first?.word {
      rest.removeFirst()
      if let isOfLatitude = word.isOfLatitude {
        guard self.isOfLatitude == nil else { return false }
        self.isOfLatitude = isOfLatitude
      } else if !word.directions.isEmpty {
        guard directions == nil else { return false }
        directions = word.directions
      } else {
        return false
      }
    }
    if let isOfLatitude, let all = directions {
      let fitting = all.filter { $0.value.isOfLatitude == isOfLatitude }
      guard !fitting.isEmpty else { return false }
      directions = fitting
    }
    return true
  }

  /// Returns the unit at the start of the rest. Letters that are also directions are units in
  /// lower case or before a number; `s` only after letters for other units.
  private func unit(
    _ rest: ArraySlice<PositionToken>, after last: Int, _ hasLetterUnit: Bool
  ) -> (Int, isLetter: Bool)? {
    if case .unit(let unit)? = rest.first { return (unit, false) }
    guard case .word(let word, let isCapital)? = rest.first, let unit = word.unit else {
      return nil
    }
    guard !word.directions.isEmpty else { return (unit, true) }
    let isBeforeNumber = rest.dropFirst().first?.number != nil
    if unit == 2 { return hasLetterUnit && last == 1 ? (2, true) : nil }
    return last < unit && (!isCapital || isBeforeNumber && !hasUnits) ? (unit, true) : nil
  }

  private mutating func setMagnitude() throws(WrittenPositionError) {
    usesComma = numbers.contains { $0.contains(",") }
    usesPoint = numbers.contains { $0.contains(".") }
    if numbers[0].hasPrefix("-") { isNegative = true }
    if numbers[0].hasPrefix("+") { isNegative = false }
    if numbers.count == 1, !hasUnits, directions != nil { unpack() }
    for (place, number) in numbers.enumerated() {
      guard !number.contains(",") || !number.contains("."),
        let value = AngleNotation.decimal(number.replacing(",", with: "."))
      else { throw .unreadable }
      let isLast = place == numbers.count - 1
      let isWhole = !number.contains(".") && !number.contains(",")
      // A fraction of a degree together with minutes is contradictory.
      guard isLast || isWhole || numbers[(place + 1)...].allSatisfy({ $0 == "0" }) else {
        throw .unreadable
      }
      if place > 0 {
        guard let first = number.first, first != "-", first != "+" else { throw .unreadable }
        // Programs that round seconds for display write 60.
        guard value <= 60 else { throw .sixtiethsOutOfRange }
      }
      magnitude += abs(value) / [1, 60, 3600][place]
    }
  }

  /// Splits the digits of `4851.504` and `485130.24` (NMEA 0183; ISO 6709, annex H).
  private mutating func unpack() {
    let sign = numbers[0].prefix { $0 == "-" || $0 == "+" }
    let digits = numbers[0].dropFirst(sign.count)
    let whole = digits.prefix { $0 != "." && $0 != "," }.count
    guard (4...7).contains(whole) else { return }
    let minuteDigits = whole < 6 ? 0 : 2
    let degrees = digits.prefix(whole - 2 - minuteDigits)
    let rest = digits.dropFirst(degrees.count)
    numbers = [String(sign + degrees)]
    if minuteDigits > 0 { numbers.append(String(rest.prefix(2))) }
    numbers.append(String(rest.dropFirst(minuteDigits)))
    hasUnits = true
  }

  // MARK: - Two angles

  /// Returns the position of two angles, latitude first unless words say otherwise.
  static func position(
    _ first: WrittenAngle, _ second: WrittenAngle
  ) throws(WrittenPositionError) -> Coordinate {
    let readings = try readings(first, second)
    if first.usesComma || second.usesComma, first.usesPoint || second.usesPoint {
      throw .ambiguous([])
    }
    let hasWords = first.directions != nil && second.directions != nil
    let isMarked = hasWords || first.hasUnits && second.hasUnits
    if !isMarked,
      first.isUnmarked || second.isUnmarked || first.hasUnits != second.hasUnits
        || first.usesComma != second.usesComma
    {
      throw .ambiguous([])
    }
    var positions: [Coordinate] = []
    var failure: WrittenPositionError?
    for reading in readings {
      do throws(WrittenPositionError) {
        let position = try Coordinate(writtenLatitude: reading.0, longitude: reading.1)
        if !positions.contains(position) { positions.append(position) }
      } catch { failure = error }
    }
    guard let position = positions.first else { throw failure ?? .unreadable }
    guard positions.count == 1 else { throw .ambiguous(positions) }
    return position
  }

  /// Returns the pairs of latitude and longitude that the angles can mean.
  private static func readings(
    _ first: WrittenAngle, _ second: WrittenAngle
  ) throws(WrittenPositionError) -> [(Double, Double)] {
    var readings: [(Double, Double)] = []
    let isPair = first.directions != nil && second.directions != nil
    for one in first.meanings(isPair: isPair) {
      for other in second.meanings(isPair: isPair) {
        if let a = one.language, let b = other.language, a != b { continue }
        switch (one.isOfLatitude, other.isOfLatitude) {
        case (true?, true?), (false?, false?): continue
        case (false?, _), (_, true?): readings.append((other.degrees, one.degrees))
        default: readings.append((one.degrees, other.degrees))
        }
      }
    }
    guard !readings.isEmpty else { throw .sameAxis }
    // A number without a direction beside one with a direction may be in either direction.
    if (first.directions == nil) != (second.directions == nil) {
      let bare = first.directions == nil ? first : second
      if bare.isNegative == nil, bare.isOfLatitude == nil {
        let isFirst = first.directions == nil
        for (latitude, longitude) in readings {
          let isBareLatitude = isFirst == ((isFirst ? second : first).meansLongitude)
          readings.append(
            isBareLatitude ? (-latitude, longitude) : (latitude, -longitude))
        }
      }
    }
    return readings
  }

  private var meansLongitude: Bool { meanings(isPair: false).first?.isOfLatitude == false }

  private struct Meaning {
    var degrees: Double
    var isOfLatitude: Bool?
    var language: String?
  }

  /// The possible meanings: one for each language, and two if a minus sign and a direction
  /// contradict each other. A letter without a partner is English if it can be.
  private func meanings(isPair: Bool) -> [Meaning] {
    let english = directions.flatMap { all in all["en"].map { ["en": $0] } }
    guard let directions = isPair ? directions : english ?? directions else {
      let degrees = isNegative == true ? -magnitude : magnitude
      return [Meaning(degrees: degrees, isOfLatitude: isOfLatitude)]
    }
    return directions.sorted { $0.key < $1.key }.flatMap { language, direction in
      let sign = direction.isNegative ? -1.0 : 1.0
      let meaning = Meaning(
        degrees: sign * magnitude, isOfLatitude: direction.isOfLatitude, language: language)
      guard isNegative == true else { return [meaning] }
      var opposite = meaning
      opposite.degrees = -meaning.degrees
      return [meaning, opposite]
    }
  }
}
