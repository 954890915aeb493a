/// A reader of positions written as two angles: decimal degrees, or degrees, minutes and seconds,
/// with or without hemisphere letters or words.
///
/// The text is read in every way in which its signs can be divided into two angles. It is a
/// position if all ways that make sense give the same one.
enum AngleNotation {
  /// The greatest number of numbers, signs and words of a position.
  private static let maximumTokens = 48

  /// Reads a position from a text that ``WrittenText/plain(_:)`` returned.
  ///
  /// A dash between spaces separates two angles with letters. Between two numbers it may also be a
  /// minus sign.
  static func coordinate(_ text: String) throws(WrittenPositionError) -> Coordinate {
    let halves = text.split(separator: " - ").map(String.init)
    guard halves.count == 2 else { return try angles(text) }
    let separated = try angles("\(halves[0]); \(halves[1])")
    if halves.allSatisfy({ $0.contains(where: \.isLetter) }) { return separated }
    guard let signed = try? angles("\(halves[0]); -\(halves[1])"), signed != separated else {
      return separated
    }
    throw .ambiguous([separated, signed])
  }

  /// Reads latitude and longitude in degrees with decimal points, separated by a comma or space, in
  /// which only one reading is possible.
  ///
  /// It is the most frequent notation, and takes a fraction of the time of ``coordinate(_:)``.
  ///
  /// - Returns: The position; `nil` for another notation, and where an angle is out of range.
  static func plainDegrees(_ text: String) -> Coordinate? {
    guard let separator = text.firstIndex(where: { $0 == "," || $0 == " " }) else { return nil }
    var rest = text[separator...].dropFirst()
    if text[separator] == ",", rest.hasPrefix(" ") { rest = rest.dropFirst() }
    guard let latitude = plainDecimal(text[..<separator]), let longitude = plainDecimal(rest) else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func plainDecimal(_ text: Substring) -> Double? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text
    let parts = digits.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isPlain =
      parts.count == 2 && (1...3).contains(parts[0].count) && (1...15).contains(parts[1].count)
      && parts.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
    return isPlain ? Double(text) : nil
  }

  /// Reads two angles that no dash between spaces separates.
  private static func angles(_ text: String) throws(WrittenPositionError) -> Coordinate {
    var found: [Coordinate] = []
    var errors: [WrittenPositionError] = []
    for isDecimalComma in [true, false] {
      guard let tokens = PositionToken.tokens(of: text, isDecimalComma: isDecimalComma),
        tokens.count <= maximumTokens
      else { continue }
      let hasComma = tokens.contains { $0.number?.contains(",") == true }
      if isDecimalComma, !hasComma { continue }
      read(PositionToken.withoutFieldSeparators(tokens), &found, &errors)
    }
    return try only(found, errors)
  }

  /// Parses a decimal number with an optional sign and point; an exponent, `nan` and hexadecimal
  /// digits are rejected.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.contains(where: { !$0.isEmpty }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(text)
  }

  /// Returns the position if all readings agree, and otherwise throws the most telling error.
  private static func only(
    _ found: [Coordinate], _ errors: [WrittenPositionError]
  ) throws(WrittenPositionError) -> Coordinate {
    guard let first = found.first else { throw errors.min { $0.rank < $1.rank } ?? .unreadable }
    guard found.allSatisfy({ $0 == first }) else { throw .ambiguous(found) }
    return first
  }

  /// Adds the readings of two angles and an altitude: latitude first, and longitude first as in
  /// KML, unless signs, words or ranges decide.
  private static func readWithAltitude(
    _ tokens: [PositionToken], _ separators: [Int], _ found: inout [Coordinate],
    _ errors: inout [WrittenPositionError]
  ) {
    let altitude = tokens[(separators[1] + 1)...]
    guard altitude.first?.number != nil, altitude.count <= 2 else {
      return errors.append(.unreadable)
    }
    do throws(WrittenPositionError) {
      guard let first = try WrittenAngle(tokens[..<separators[0]]),
        let second = try WrittenAngle(tokens[(separators[0] + 1)..<separators[1]])
      else { return errors.append(.unreadable) }
      found.append(try WrittenAngle.position(first, second))
      guard first.isBare, second.isBare else { return }
      do throws(WrittenPositionError) {
        found.append(try WrittenAngle.position(second, first))
      } catch { return }
    } catch { errors.append(error) }
  }

  /// Adds the readings of a list of tokens, or the errors of those that make no sense.
  private static func read(
    _ tokens: [PositionToken], _ found: inout [Coordinate], _ errors: inout [WrittenPositionError]
  ) {
    if tokens.contains(where: { ($0.number?.count { $0 == "," } ?? 0) > 1 }) {
      return errors.append(.ambiguous([]))
    }
    let separators = tokens.indices.filter { tokens[$0] == .separator }
    if separators.count == 2, separators[0] < separators[1] - 1 {
      return readWithAltitude(tokens, separators, &found, &errors)
    }
    guard separators.count <= 1 else {
      let isFourNumbers = separators.count == 3 && tokens.count == 7
      return errors.append(isFourNumbers ? .ambiguous([]) : .unreadable)
    }
    let splits = separators.first.map { [$0] } ?? Array(tokens.indices.dropFirst())
    for split in splits {
      let right = tokens[(split + separators.count)...]
      do throws(WrittenPositionError) {
        guard let first = try WrittenAngle(tokens[..<split]), let second = try WrittenAngle(right)
        else { continue }
        found.append(try WrittenAngle.position(first, second))
      } catch { errors.append(error) }
    }
    guard separators.isEmpty else { return }
    do throws(WrittenPositionError) {
      guard let alone = try WrittenAngle(tokens[...]) else { return }
      // `N48 51.5` is 48° 51.5' without a longitude, or two angles.
      errors.append(alone.isUnmarked ? .ambiguous([]) : .oneAngle)
    } catch { errors.append(error) }
  }
}
