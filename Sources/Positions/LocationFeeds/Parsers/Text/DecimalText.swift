import Encodings

extension Double {
  /// Reads a decimal number in the usual written forms: `48.8584`, `+008.5155383`, `-.5`, `1.5e-3`.
  ///
  /// White space around the number, leading zeros, a plus sign and a missing digit on one side of
  /// the point are accepted. Returns `nil` for any other text, including `nan`, `0x1`, numbers too
  /// large for a `Double`, and exponents of more than four digits.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - mark: The decimal mark, a point or a comma.
  init?(decimal text: ArraySlice<UInt8>, mark: UInt8 = UInt8(ascii: ".")) {
    let text = text.trimmed
    var index = text.startIndex
    var isNegative = false
    if index < text.endIndex, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    var mantissa: UInt64 = 0
    var digits = 0
    var decimals = 0
    var isExact = true
    var isPastMark = false
    scanning: while index < text.endIndex {
      let byte = text[index]
      switch byte {
      case 0x30...0x39:
        if mantissa < 1 << 49 {
          mantissa = mantissa * 10 + UInt64(byte - 0x30)
        } else {
          isExact = false
        }
        digits += 1
        if isPastMark { decimals += 1 }
      case mark where !isPastMark: isPastMark = true
      default: break scanning
      }
      index += 1
    }
    guard digits > 0 else { return nil }
    if index == text.endIndex, isExact, decimals <= DecimalNumber.maximumDecimals {
      let value = DecimalNumber(mantissa: mantissa, decimals: decimals).value
      self = isNegative ? -value : value
    } else {
      self.init(written: text, mark: mark, afterDigits: index)
    }
  }

  /// Reads a decimal number with a point or a comma as its mark. A comma counts only without a
  /// point. Some programs write numbers in their user's language.
  init?(pointOrComma text: ArraySlice<UInt8>) {
    let comma = UInt8(ascii: ",")
    let point = UInt8(ascii: ".")
    self.init(
      decimal: text, mark: text.contains(comma) && !text.contains(point) ? comma : point)
  }

  /// Reads numbers with many digits or an exponent, by the standard library.
  private init?(written text: ArraySlice<UInt8>, mark: UInt8, afterDigits end: Int) {
    var rest = text[end...]
    if let letter = rest.popFirst() {
      guard letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") else { return nil }
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard (1...4).contains(rest.count), rest.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
    }
    guard text.count <= 400 else { return nil }
    let plain = text.map { $0 == mark ? UInt8(ascii: ".") : $0 }
    guard let value = Double(String(decoding: plain, as: UTF8.self)), value.isFinite else {
      return nil
    }
    self = value
  }
}

/// Marks in decimal numbers.
enum DecimalText {
  /// Returns a number without the marks that separate its thousands; other text is returned as it
  /// is.
  ///
  /// Two marks, as in `1,234.5`, or a repeated one tell which separates. Of `1,234` and `1.234` the
  /// decimal mark decides; without one the comma may be either.
  ///
  /// - Parameters:
  ///   - text: The number, which a unit may follow.
  ///   - decimalMark: The mark in other numbers of the same source; `nil` if it is unknown.
  /// - Returns: The text; `nil` for a number with a comma that may be either.
  static func ungrouped(_ text: ArraySlice<UInt8>, decimalMark: UInt8?) -> ArraySlice<UInt8>? {
    let (comma, point) = (UInt8(ascii: ","), UInt8(ascii: "."))
    let text = text.trimmed
    let number = text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
      .prefix { (0x30...0x39).contains($0) || $0 == comma || $0 == point }
    guard let mark = number.first(where: { $0 == comma || $0 == point }) else { return text }
    let groups = number.split(separator: mark, omittingEmptySubsequences: false)
    let other = mark == comma ? point : comma
    let fraction = (groups.last ?? []).split(separator: other, omittingEmptySubsequences: false)
    let whole = groups.dropLast() + [fraction.first ?? []]
    guard let first = whole.first, (1...3).contains(first.count), first.first != 0x30,
      fraction.count <= 2, whole.dropFirst().allSatisfy({ $0.count == 3 && !$0.contains(other) })
    else { return text }
    if fraction.count == 1, whole.count == 2, decimalMark != other {
      return decimalMark == mark || mark == point ? text : nil
    }
    let digits = whole.joined() + (fraction.count == 2 ? [other] + fraction[1] : [])
    return (text[..<number.startIndex] + digits + text[number.endIndex...])[...]
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without white space at both ends.
  var trimmed: ArraySlice<UInt8> {
    var slice = self
    while let first = slice.first, first.isSpace { slice.removeFirst() }
    while let last = slice.last, last.isSpace { slice.removeLast() }
    return slice
  }
}

extension UInt8 {
  /// Whether the byte is white space: a space, a tab, a line end or another of 0x09–0x0D.
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
