import Spatial

/// The parsing of numbers with units.
package enum Quantity {
  /// Parses a length in metres, for example `100`, `100 m`, `1.5km`, `500 ft` or `2mi`.
  package static func meters(_ text: String) -> Double? {
    number(
      text,
      units: [
        "": 1, "m": 1, "km": 1000, "ft": LengthUnits.metersPerFoot,
        "yd": 3 * LengthUnits.metersPerFoot, "mi": LengthUnits.metersPerMile,
      ])
  }

  /// Parses a duration in seconds, for example `90`, `90 s`, `15min`, `24 h`, `7d` or `1y`.
  package static func seconds(_ text: String) -> Double? {
    number(
      text,
      units: [
        "": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_557_600,
      ])
  }

  /// Parses a speed in kilometres per hour, for example `30` or `30 km/h`.
  static func kilometersPerHour(_ text: String) -> Double? {
    number(text, units: ["": 1, "km/h": 1, "kmh": 1])
  }

  private static func number(_ text: String, units: [String: Double]) -> Double? {
    let text = text.filter { !$0.isWhitespace }.lowercased()
    let digits = text.prefix { $0.isNumber || "+-.".contains($0) }
    guard let unit = units[String(text.dropFirst(digits.count))], let value = Double(digits),
      value.isFinite
    else { return nil }
    return value * unit
  }
}
