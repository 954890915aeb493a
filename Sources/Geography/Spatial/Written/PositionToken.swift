/// A part of a written position.
enum PositionToken: Equatable {
  /// Digits with an optional sign and decimal mark.
  case number(String)
  /// A unit sign: 0 for degrees, 1 for minutes, 2 for seconds.
  case unit(Int)
  /// A word, and whether it begins with a capital.
  case word(PositionWord, isCapital: Bool)
  /// A comma, semicolon, slash or word between the angles.
  case separator

  var number: String? { if case .number(let number) = self { number } else { nil } }
  var word: PositionWord? { if case .word(let word, _) = self { word } else { nil } }

  /// Splits a text into tokens; `nil` if it contains an unknown sign or word. A comma between two
  /// digits belongs to a number if `isDecimalComma`.
  static func tokens(of text: String, isDecimalComma: Bool) -> [PositionToken]? {
    var tokens: [PositionToken] = []
    var rest = unwrapped(text)[...]
    var colons = 0
    while let character = rest.first {
      if let number = number(&rest, isDecimalComma) {
        tokens.append(.number(number))
        continue
      }
      rest = rest.dropFirst()
      switch character {
      case " ": break
      case WrittenText.degree: tokens.append(.unit(0))
      case WrittenText.minute: tokens.append(.unit(1))
      case WrittenText.second: tokens.append(.unit(2))
      case ",", ";", "/", "|": tokens.append(.separator)
      case "=": guard tokens.last?.word != nil else { return nil }
      case ":":
        if tokens.isEmpty || tokens.last?.word != nil { break }
        // `48:51:30`.
        guard tokens.last?.number != nil, isDigit(rest.first) else { return nil }
        colons = tokens.dropLast().last == .unit(0) && colons == 1 ? 2 : 1
        tokens.append(.unit(colons - 1))
      default:
        guard character.isLetter, let words = words(character, &rest) else { return nil }
        tokens += words
      }
    }
    while tokens.last == .separator { tokens.removeLast() }
    return tokens
  }

  /// Returns the tokens without the commas before letters in `4851.504,N,00217.670,E`.
  static func withoutFieldSeparators(_ tokens: [PositionToken]) -> [PositionToken] {
    guard tokens.count(where: { $0 == .separator }) == 3, tokens.count == 7,
      tokens[1] == .separator, tokens[5] == .separator,
      tokens[2].word ?? tokens[0].word != nil
    else { return tokens }
    return [tokens[0], tokens[2], tokens[3], tokens[4], tokens[6]]
  }

  private static func isDigit(_ character: Character?) -> Bool {
    character.map { ("0"..."9").contains($0) && $0.utf8.count == 1 } ?? false
  }

  /// Returns a text without spaces and a pair of brackets around it, and without a final full stop.
  private static func unwrapped(_ text: String) -> String {
    var text = text.trimmingSpace
    // A number that has its point already ends before the full stop of a sentence.
    if text.last == ".", text.dropLast().last.map(isDigit) == true,
      text.dropLast().reversed().first(where: { !isDigit($0) }) == "."
    {
      text.removeLast()
    }
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")] {
      guard text.hasPrefix(open), text.hasSuffix(close), text.utf8.count > 1 else { continue }
      text = text.dropFirst().dropLast().trimmingSpace
    }
    return text
  }

  /// Parses a sign and digits; a point or comma is included, a comma only if it is between digits.
  private static func number(_ rest: inout Substring, _ isDecimalComma: Bool) -> String? {
    var ahead = rest
    var number = ""
    if let sign = ahead.first, sign == "+" || sign == "-" {
      number = String(sign)
      ahead = ahead.dropFirst()
      if ahead.first == " " { ahead = ahead.drop { $0 == " " } }
    }
    guard isDigit(ahead.first) || ahead.first == "." && isDigit(ahead.dropFirst().first) else {
      return nil
    }
    while let character = ahead.first {
      let isMark =
        character == "."
        || isDecimalComma && character == "," && isDigit(ahead.dropFirst().first)
      guard isDigit(character) || isMark else { break }
      number.append(character)
      ahead = ahead.dropFirst()
    }
    rest = ahead
    return number
  }

  /// Takes the rest of a run of letters, with points inside abbreviations, and splits it into
  /// words; `nil` if they are unknown.
  private static func words(_ first: Character, _ rest: inout Substring) -> [PositionToken]? {
    var run = [first]
    while let character = rest.first {
      if character == ".", rest.dropFirst().first?.isLetter == true {
        rest = rest.dropFirst()
      } else if character.isLetter {
        run.append(character)
        rest = rest.dropFirst()
      } else {
        break
      }
      guard run.count <= 4 * PositionWords.maximumLength else { return nil }
    }
    if rest.first == ".", !isDigit(rest.dropFirst().first) {
      rest = rest.dropFirst()
      // `с. ш.` and `n. Br.` are one word each.
      let ahead = rest.drop { $0 == " " }
      let second = ahead.prefix { $0.isLetter }
      let joined = (String(run) + second).lowercased()
      if !second.isEmpty, second.count <= PositionWords.maximumLength,
        PositionWords.all[joined] != nil
      {
        run += second
        rest = ahead.dropFirst(second.count)
        if rest.first == ".", !isDigit(rest.dropFirst().first) { rest = rest.dropFirst() }
      }
    }
    var tokens: [PositionToken] = []
    var letters = run[...]
    while !letters.isEmpty {
      let lengths = (1...min(letters.count, PositionWords.maximumLength)).reversed()
      let known = lengths.first { length in
        PositionWords.all[String(letters.prefix(length)).lowercased()] != nil
      }
      guard let known,
        let word = PositionWords.all[String(letters.prefix(known)).lowercased()]
      else { return nil }
      if word.isSeparator {
        tokens.append(.separator)
      } else if !word.isFiller {
        tokens.append(.word(word, isCapital: letters.first?.isUppercase == true))
      }
      letters = letters.dropFirst(known)
    }
    return tokens
  }
}
