/// A parser of positions written as two angles: decimal degrees, or degrees, minutes and seconds,
/// with or without hemisphere letters.
enum AngleNotation {
  /// Parses a position; parentheses around the text are ignored.
  static func coordinate(_ text: String) throws(WrittenPositionError) -> Coordinate {
    guard let tokens = tokens(of: withoutParentheses(text)) else { throw .unreadable }
    if tokens.allSatisfy(\.isPlain) { return try pair(tokens) }
    return try angles(tokens)
  }

  /// Parses two decimal numbers separated by a comma and optional spaces, as in map URLs; `nil` for
  /// any other text.
  static func decimalPair(_ text: some StringProtocol) -> (latitude: Double, longitude: Double)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = decimal(parts[0].trimmingSpace),
      let longitude = decimal(parts[1].trimmingSpace)
    else { return nil }
    return (latitude, longitude)
  }

  /// Parses a decimal number with an optional sign and point; an exponent, `nan` and hexadecimal
  /// digits are rejected.
  static func decimal(_ text: some StringProtocol) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.contains(where: { !$0.isEmpty }), parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) })
    else { return nil }
    return Double(text)
  }

  // MARK: - Tokens

  private enum Token: Equatable {
    /// Digits with an optional sign and at most one decimal mark, a point or comma.
    case number(String)
    /// A unit sign: 0 for degrees, 1 for minutes, 2 for seconds.
    case unit(Int)
    case hemisphere(Character)
    /// A comma or semicolon between the angles.
    case separator(Character)
    case space

    /// Whether the token may occur in a pair of plain decimal degrees.
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

  /// Splits a text into tokens; `nil` if it contains an unknown character.
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
        // Two single quotes mean a double quote.
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

  /// Parses a sign and digits; a point or comma is included, a comma only if a digit follows. The
  /// sign U+2212 becomes `-`.
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

  /// Parses two decimal numbers; a comma is either the separator or the decimal mark of both.
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
    // `48.8584,2.2945` and `48,2` are scanned as a single number token.
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

  /// Parses a number with a decimal point or comma.
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

  /// Parses two angles, latitude first unless the letters say otherwise; throws `ambiguous` if only
  /// one has a letter.
  private static func angles(_ tokens: [Token]) throws(WrittenPositionError) -> Coordinate {
    var rest = tokens.filter { $0 != .space }[...]
    guard let first = try angle(&rest) else { throw .unreadable }
    if case .separator? = rest.first { rest.removeFirst() }
    // A single angle gives no position; with a letter, its numbers might also be read as two
    // angles.
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

  /// Parses an angle: up to three numbers, with a letter before or after them. The units may be
  /// omitted if there is a letter. Returns `nil` if there is no number.
  private static func angle(
    _ rest: inout ArraySlice<Token>
  ) throws(WrittenPositionError) -> Angle? {
    var letter = takeLetter(&rest)
    let isBefore = letter != nil
    var numbers: [String] = []
    var hasUnits = false
    while case .number(let number)? = rest.first, numbers.count < 3 {
      if case .unit(let unit)? = rest.dropFirst().first {
        // This number begins the next angle.
        if hasUnits, unit == 0 { break }
        guard unit >= numbers.count, unit == 0 || hasUnits else { throw .unreadable }
        while numbers.count < unit { numbers.append("0") }
        hasUnits = true
        rest = rest.dropFirst(2)
      } else {
        // In `48° 51.5 N`, the letter shows that a number without a unit belongs to this angle.
        if hasUnits, !isBefore, !isLastBeforeLetter(rest) { break }
        rest = rest.dropFirst()
      }
      numbers.append(number)
    }
    if !isBefore { letter = takeLetter(&rest) }
    guard !numbers.isEmpty else { return nil }
    // Consecutive numbers mean degrees and minutes only if a letter belongs to them.
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
      // A fraction of a degree together with minutes is contradictory.
      guard isLast || isWhole || numbers[(place + 1)...].allSatisfy({ $0 == "0" }) else {
        throw .ambiguous
      }
      if place > 0 {
        guard let first = number.first, isDigit(first), value < 60 else { throw .unreadable }
      }
      total += abs(value) / [1, 60, 3600][place]
    }
    let hasMinus = numbers[0].hasPrefix("-")
    // A minus sign and a letter together are redundant or contradictory.
    guard !hasMinus || letter == nil else { throw .ambiguous }
    let isNegative = hasMinus || letter == "S" || letter == "W"
    return Angle(
      degrees: isNegative ? -total : total, letter: letter,
      usesComma: numbers.contains { $0.contains(",") },
      usesPoint: numbers.contains { $0.contains(".") })
  }
}
