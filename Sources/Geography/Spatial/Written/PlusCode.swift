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
  /// Whether the code is relative to a place nearby.
  let isShort: Bool
  /// The number of digits that a short code omits.
  private let omitted: Int

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
    omitted = Self.digitsBeforePlus - plus
    // 180° of latitude are nine steps of 20°, and 360° of longitude eighteen.
    guard isShort || digits[0] < 9 && digits[1] < 18 else { return nil }
    self.digits = digits
  }

  private init(digits: [Int]) { (self.digits, isShort, omitted) = (digits, false, 0) }

  /// Returns the centre of the cell nearest to a place that a short code designates.
  func center(near place: Coordinate) throws(WrittenPositionError) -> Coordinate {
    guard isShort, omitted > 0 else { return try center() }
    // The omitted digits of the place itself, and of the cells around it.
    var (steps, height) = ([Int](), 400.0)
    var (south, west) = (min(place.latitude, 89.999_999) + 90, place.longitude + 180)
    if west >= 360 { west -= 360 }
    for _ in 0..<omitted / 2 {
      height /= 20
      for value in [south, west] { steps.append(Int(saturating: value / height)) }
      south -= Double(steps[steps.count - 2]) * height
      west -= Double(steps[steps.count - 1]) * height
    }
    let code = try PlusCode(digits: steps + digits).center()
    var best = code
    for north in [-height, 0, height] {
      for east in [-height, 0, height] {
        var longitude = code.longitude + east
        if longitude < -180 { longitude += 360 } else if longitude > 180 { longitude -= 360 }
        guard let other = Coordinate(latitude: code.latitude + north, longitude: longitude),
          place.distance(to: other) < place.distance(to: best)
        else { continue }
        best = other
      }
    }
    return best
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
