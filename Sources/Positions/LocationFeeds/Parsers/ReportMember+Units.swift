/// The units that are written behind values.
extension ReportMember.Column {
  /// Reads a number with the unit that it has in the text, such as `5.120 km/h` or `47 m from MSL`,
  /// whatever the unit of the column is.
  ///
  /// - Returns: The number in the unit of a ``PositionReport``, and a column of that unit; `nil`
  ///   for text without a number, or with a unit that the member does not have.
  func measured(_ text: ArraySlice<UInt8>) -> (Double, Self)? {
    let text = text.trimmed
    let digits = text.prefix { byte in
      (0x30...0x39).contains(byte) || [0x2B, 0x2C, 0x2D, 0x2E].contains(byte)
    }
    guard text.count <= 64, let number = Double(pointOrComma: digits) else { return nil }
    let word = text[digits.endIndex...].trimmed.prefix { !$0.isSpace }
    let unit = String(decoding: word, as: UTF8.self).lowercased()
    guard let factor = Self.units(of: member)?[unit] else { return nil }
    return (number * factor, Self(ofBaseUnit: member))
  }

  private static func units(of member: ReportMember) -> [String: Double]? {
    switch member {
    case .altitude, .accuracy, .estimate: lengths
    case .speed: speeds
    case .course: ["°": 1, "deg": 1, "degrees": 1]
    case .battery: ["%": 0.01]
    default: nil
    }
  }

  private static let lengths: [String: Double] = [
    "m": 1, "meter": 1, "meters": 1, "metres": 1, "km": 1000, "ft": 0.3048, "feet": 0.3048,
  ]

  private static let speeds: [String: Double] = [
    "m/s": 1, "mps": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6,
    "mph": 1609.344 / 3600, "kn": PositionReport.metersPerSecondPerKnot,
    "kt": PositionReport.metersPerSecondPerKnot, "kts": PositionReport.metersPerSecondPerKnot,
    "knots": PositionReport.metersPerSecondPerKnot,
  ]
}
