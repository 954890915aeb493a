import Encodings

/// Parses lengths as people write them: `50`, `50 m`, `0,5 km`, `1.5mi`, `50 ft`, `50'`.
enum WrittenLength {
  /// The length of each unit in metres. The international foot, yard and mile are exact (Federal
  /// Register 59-5442, 1959), as is the nautical mile.
  private static let units: [String: Double] = {
    let table: [(Double, String)] = [
      (1, "m meter meters metre metres metri metros mètre mètres metr metry meter mtr м m."),
      (1000, "km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetros км"),
      (0.01, "cm"), (0.3048, "ft feet foot ' ′ ft."), (0.9144, "yd yard yards yds"),
      (1609.344, "mi mile miles"), (1852, "nm nmi"),
    ]
    var units: [String: Double] = [:]
    for (meters, names) in table {
      for name in names.split(separator: " ") { units[String(name)] = meters }
    }
    return units
  }()

  /// Returns a length in metres; `nil` where the text is not one. A number without a unit is in
  /// metres. The mark of decimals is a point or a comma.
  static func meters(_ text: String) -> Double? {
    let line = PlaceText.line(text, limit: 64)
    let number = line.prefix { $0.isASCII && ($0.isNumber || "+-.,".contains($0)) }
    var rest = line.dropFirst(number.count)
    var exponent = ""
    if let mark = rest.first, mark == "e" || mark == "E" {
      let digits = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == "+") }
      if !digits.isEmpty {
        exponent = "e" + digits
        rest = rest.dropFirst(digits.count + 1)
      }
    }
    guard let value = WrittenDegrees.number(number + exponent) else { return nil }
    let unit = StoredText.trimmed(String(rest)).lowercased()
    guard !unit.isEmpty else { return value }
    return units[unit].map { value * $0 }
  }
}
