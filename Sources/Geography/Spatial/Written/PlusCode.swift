/// A Plus code: "Open Location Code Specification" (Google, github.com/google/open-location-code).
struct PlusCode {
  private static let alphabet = Array("23456789CFGHJMPQRVWX".utf8)
  /// The number of digits before the plus sign of a full code.
  private static let digitsBeforePlus = 8
  /// The number of digits that come in pairs, one for the latitude and one for the longitude.
  private static let pairedDigits = 10
  /// The number of digits that are used; further digits are finer than any practical need.
  private static let maximumDigits = 15

  /// The values of the digits, without padding zeros.
  private let digits: [Int]
  private let isShort: Bool

  /// Parses a code in upper or lower case; `nil` if the text is not a Plus code.
  init?(_ text: String) {
    let bytes = Array(text.uppercased().utf8)
    guard let plus = bytes.firstIndex(of: UInt8(ascii: "+")), plus <= Self.digitsBeforePlus,
      plus.isMultiple(of: 2)
    else { return nil }
    let after = bytes[(plus + 1)...]
    let padding = bytes[..<plus].reversed().prefix { $0 == UInt8(ascii: "0") }.count
    let before = bytes[..<(plus - padding)]
    let values = (before + after).map { Self.alphabet.firstIndex(of: $0) }
    let digits = values.compactMap { $0 }
    // A code never has exactly one digit after the plus sign. Padding occurs only in full codes,
    // with no digits after it.
    guard digits.count == values.count, after.count != 1, before.count + after.count > 0,
      padding == 0
        || plus == Self.digitsBeforePlus && padding.isMultiple(of: 2) && after.isEmpty
          && !before.isEmpty
    else { return nil }
    isShort = plus < Self.digitsBeforePlus
    // 180° of latitude are nine steps of 20°, and 360° of longitude eighteen.
    guard isShort || digits[0] < 9 && digits[1] < 18 else { return nil }
    self.digits = digits
  }

  /// Returns the centre of the cell that a full code designates.
  func center() throws(WrittenPositionError) -> Coordinate {
    guard !isShort else { throw .shortPlusCode }
    var south = -90.0
    var west = -180.0
    var height = 400.0
    var width = 400.0
    for (place, digit) in digits.prefix(Self.maximumDigits).enumerated() {
      if place < Self.pairedDigits {
        if place.isMultiple(of: 2) {
          height /= 20
          south += Double(digit) * height
        } else {
          width /= 20
          west += Double(digit) * width
        }
      } else {
        // Each further digit divides a cell into five rows and four columns.
        height /= 5
        width /= 4
        south += Double(digit / 4) * height
        west += Double(digit % 4) * width
      }
    }
    // Codes have an even number of digits up to the tenth, so a cell always has a defined height
    // and width.
    return try Coordinate(
      writtenLatitude: min(south + height / 2, 90), longitude: min(west + width / 2, 180))
  }
}
