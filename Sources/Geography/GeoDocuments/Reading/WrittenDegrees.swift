import Spatial

/// Parses decimal degrees in attributes and elements.
enum WrittenDegrees {
  /// Parses a decimal number with optional exponent; returns `nil` for other text. A comma is the
  /// decimal mark of a number without a point, since some programs write numbers in their user's
  /// language.
  static func number(_ text: some StringProtocol) -> Double? {
    let line = PlaceText.line(String(text.prefix(64)), limit: 64)
    let trimmed = line.contains(".") ? line : line.replacing(",", with: ".", maxReplacements: 1)
    let isPlain = trimmed.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }
    guard isPlain, let number = Double(trimmed), number.isFinite else { return nil }
    return number
  }

  /// Parses a position; returns `nil` where a number is malformed or out of range.
  static func coordinate(_ latitude: String, _ longitude: String) -> Coordinate? {
    guard let latitude = number(latitude), let longitude = number(longitude) else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
