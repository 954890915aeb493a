/// Positions as two angles: numbers of degrees, or degrees, minutes and seconds, with or without
/// letters for the hemispheres.
enum AngleNotation {
  static func coordinate(_ text: String) throws(WrittenPositionError) -> Coordinate {
    guard let tokens = tokens(of: withoutParentheses(text)) else { throw .unreadable }
    if tokens.allSatisfy(\.isPlain) { return try pair(tokens) }
    return try angles(tokens)
  }

  /// Reads two decimal numbers with a comma between them and perhaps spaces, as addresses of maps
  /// have them; `nil` where the text is something else.
  static func decimalPair(_ text: some StringProtocol) -> (latitude: Double, longitude: Double)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = decimal(parts[0].trimmingSpace),
      let longitude = decimal(parts[1].trimmingSpace)
    else { return nil }
    return (latitude, longitude)
  }

  /// Reads a number of decimal digits with a sign and a point: no exponent, no `nan`, no
  /// hexadecimal.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.contains(where: { !$0.isEmpty }), parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) })
    else { return nil }
    return Double(text)
  }

  // MARK: - Tokens

  private enum Token: Equatable {
    /// Digits with at most one point or comma, and a sign.
    case number(String)
    /// 0 for degrees, 1 for minutes, 2 for seconds.
    case unit(Int)
    case hemisphere(Character)
    /// A comma or semicolon between angles.
    case separator(Character)
    case space

    /// Whether it may stand between two plain numbers of degrees.
    var isPlain: Bool {
      switch self {
      case .number, .separator, .space: true
      case .unit, .hemisphere: false
      }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isDigit(_ character: Character?) -> Bool {
    character?.utf8.count == 1 && character?.utf8.first.map(isDigit) == true
  }

  private static func withoutParentheses(_ text: String) -> String {
    guard text.hasPrefix("("), text.hasSuffix(")") else { return text }
    return text.dropFirst().dropLast().trimmingSpace
  }

  private static func tokens(of text: String) -> [Token]? {
    var tokens: [Token] = []
    var rest = text[...]
    while let character = rest.first {
      if let number = number(&rest) {
        tokens.append(.number(number))
        continue
      }
      rest = rest.dropFirst()
      switch character {
      case "°", "º", "˚": tokens.append(.unit(0))
      case "'", "′", "’":
        // Two single signs are a double one.
        if rest.first == character {
          rest = rest.dropFirst()
          tokens.append(.unit(2))
        } else {
          tokens.append(.unit(1))
        }
      case "\"", "″", "”", "“": tokens.append(.unit(2))
      case "N", "S", "E", "W", "n", "s", "e", "w":
        tokens.append(.hemisphere(Character(character.uppercased())))
      case ",", ";": tokens.append(.separator(character))
      case _ where character.isWhitespace: if tokens.last != .space { tokens.append(.space) }
      default: return nil
      }
    }
    return tokens
  }

  /// Takes a sign and digits; a point or a comma belongs to them where a digit follows. The minus
  /// is `-`.
  private static func number(_ rest: inout Substring) -> String? {
    var ahead = rest
    var number = ""
    if let sign = ahead.first, "+-−".contains(sign) {
      number = sign == "+" ? "+" : "-"
      ahead = ahead.dropFirst()
    }
    guard isDigit(ahead.first) || ahead.first == "." && isDigit(ahead.dropFirst().first) else {
      return nil
    }
    while let character = ahead.first {
      let isMark = character == "." || character == "," && isDigit(ahead.dropFirst().first)
      guard isDigit(character) || isMark else { break }
      number.append(character)
      ahead = ahead.dropFirst()
    }
    rest = ahead
    return number
  }

  // MARK: - Two numbers

  /// Two numbers of degrees. A comma is between them, or it is the mark of decimals in both.
  private static func pair(_ tokens: [Token]) throws(WrittenPositionError) -> Coordinate {
    var numbers: [String] = []
    var separatorsInARow = 0
    for token in tokens {
      switch token {
      case .number(let number):
        numbers.append(number)
        separatorsInARow = 0
      case .separator:
        separatorsInARow += 1
        guard numbers.count == 1, separatorsInARow == 1 else { throw .unreadable }
      default: break
      }
    }
    // `48.8584,2.2945` and `48,2` are one run of digits and marks.
    if numbers.count == 1, let degrees = decimalPair(numbers[0]) {
      return try Coordinate(writtenLatitude: degrees.latitude, longitude: degrees.longitude)
    }
    guard numbers.count == 2 else {
      throw numbers.count > 2 || numbers.contains { $0.contains(",") } ? .ambiguous : .unreadable
    }
    let marks = numbers.map { number in number.count { $0 == "," } }
    guard marks == [0, 0] || marks == [1, 1] else { throw .ambiguous }
    guard let latitude = degrees(numbers[0]), let longitude = degrees(numbers[1]) else {
      throw .unreadable
    }
    return try Coordinate(writtenLatitude: latitude, longitude: longitude)
  }

  /// Reads a number with a point or a comma for decimals.
  private static func degrees(_ number: String) -> Double? {
    if number.contains(","), number.contains(".") { return nil }
    return decimal(number.replacing(",", with: "."))
  }

  // MARK: - Angles

  private struct Angle {
    var degrees: Double
    var letter: Character?
    var usesComma: Bool
    var usesPoint: Bool
    var isOfLatitude: Bool? { letter.map { "NS".contains($0) } }
  }

  private static func angles(_ tokens: [Token]) throws(WrittenPositionError) -> Coordinate {
    var rest = tokens.filter { $0 != .space }[...]
    guard let first = try angle(&rest) else { throw .unreadable }
    if case .separator? = rest.first { rest.removeFirst() }
    // Half of what is there tells no position: the rest might be its minutes.
    guard !rest.isEmpty else { throw first.letter == nil ? .unreadable : .ambiguous }
    guard let second = try angle(&rest), rest.isEmpty else { throw .unreadable }
    if first.usesComma || second.usesComma, first.usesPoint || second.usesPoint {
      throw .ambiguous
    }
    switch (first.isOfLatitude, second.isOfLatitude) {
    case (nil, nil), (true, false):
      return try Coordinate(writtenLatitude: first.degrees, longitude: second.degrees)
    case (false, true):
      return try Coordinate(writtenLatitude: second.degrees, longitude: first.degrees)
    case (nil, _), (_, nil): throw .ambiguous
    default: throw .unreadable
    }
  }

  /// Takes an angle: a letter before or behind, and up to three numbers, whose units may be left
  /// out where there is a letter.
  private static func angle(
    _ rest: inout ArraySlice<Token>
  ) throws(WrittenPositionError) -> Angle? {
    var letter = takeLetter(&rest)
    let isBefore = letter != nil
    var numbers: [String] = []
    var hasUnits = false
    while case .number(let number)? = rest.first, numbers.count < 3 {
      if case .unit(let unit)? = rest.dropFirst().first {
        // The degrees of the next angle.
        if hasUnits, unit == 0 { break }
        guard unit >= numbers.count, unit == 0 || hasUnits else { throw .unreadable }
        while numbers.count < unit { numbers.append("0") }
        hasUnits = true
        rest = rest.dropFirst(2)
      } else {
        // `48° 51.5 N`: the letter tells that a number without a sign is not the next angle.
        if hasUnits, !isBefore, !isLastBeforeLetter(rest) { break }
        rest = rest.dropFirst()
      }
      numbers.append(number)
    }
    if !isBefore { letter = takeLetter(&rest) }
    guard !numbers.isEmpty else { return nil }
    // Numbers in a row are degrees and minutes only where a letter holds them together.
    guard hasUnits || letter != nil else { throw .ambiguous }
    return try angle(of: numbers, letter)
  }

  private static func isLastBeforeLetter(_ rest: ArraySlice<Token>) -> Bool {
    if case .hemisphere? = rest.dropFirst().first { true } else { false }
  }

  private static func takeLetter(_ rest: inout ArraySlice<Token>) -> Character? {
    guard case .hemisphere(let letter)? = rest.first else { return nil }
    rest.removeFirst()
    return letter
  }

  private static func angle(
    of numbers: [String], _ letter: Character?
  ) throws(WrittenPositionError) -> Angle {
    var total = 0.0
    for (place, number) in numbers.enumerated() {
      guard let value = degrees(number) else { throw .unreadable }
      let isLast = place == numbers.count - 1
      let isWhole = !number.contains(".") && !number.contains(",")
      // A fraction of a degree and minutes beside it say two things.
      guard isLast || isWhole || numbers[(place + 1)...].allSatisfy({ $0 == "0" }) else {
        throw .ambiguous
      }
      if place > 0 {
        guard let first = number.first, isDigit(first), value < 60 else { throw .unreadable }
      }
      total += abs(value) / [1, 60, 3600][place]
    }
    let hasMinus = numbers[0].hasPrefix("-")
    // A sign and a letter would say it twice.
    guard !hasMinus || letter == nil else { throw .ambiguous }
    let isNegative = hasMinus || letter == "S" || letter == "W"
    return Angle(
      degrees: isNegative ? -total : total, letter: letter,
      usesComma: numbers.contains { $0.contains(",") },
      usesPoint: numbers.contains { $0.contains(".") })
  }
}
