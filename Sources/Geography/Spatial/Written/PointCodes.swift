import Encodings

/// Codes of short links that contain a position.
enum PointCodes {
  /// Returns the centre of the cell of a geohash (G. Niemeyer, 2008): each character of 32 holds
  /// five bits, which halve the longitude and the latitude in turn. `nil` for another text.
  static func geohash(_ text: some StringProtocol) -> String? {
    let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz")
    let digits = text.lowercased().compactMap { alphabet.firstIndex(of: $0) }
    guard digits.count == text.count, (6...12).contains(digits.count) else { return nil }
    var cell = Cell()
    for digit in digits {
      for shift in (0..<5).reversed() { cell.halve(digit >> shift & 1 == 1) }
    }
    return cell.text
  }

  /// Returns the centre of the cell of a code of OpenStreetMap: each character holds three bits of
  /// the longitude and of the latitude (wiki.openstreetmap.org/wiki/Shortlink).
  static func openStreetMap(_ text: some StringProtocol) -> String? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@")
    let code = String(text).replacing("~", with: "@").prefix { $0 != "-" && $0 != "=" }
    let digits = code.compactMap { alphabet.firstIndex(of: $0) }
    guard digits.count == code.count, (2...10).contains(digits.count) else { return nil }
    var cell = Cell()
    for digit in digits {
      for shift in (0..<6).reversed() { cell.halve(digit >> shift & 1 == 1) }
    }
    return cell.text
  }

  /// Returns the centre of the cell of a ge0 code (Organic Maps, `ge0/parser.cpp`): after a
  /// character for the scale, each one holds three bits of the latitude and of the longitude. The
  /// latitude's highest number is the pole itself.
  static func ge0(_ text: some StringProtocol) -> String? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let digits = text.compactMap { alphabet.firstIndex(of: $0) }
    guard digits.count == text.count, (8...10).contains(digits.count) else { return nil }
    var (latitude, longitude) = (0, 0)
    for digit in digits.dropFirst() {
      for shift in [4, 2, 0] {
        longitude = longitude << 1 | digit >> shift & 1
        latitude = latitude << 1 | digit >> (shift + 1) & 1
      }
    }
    let size = Double(1 << (3 * (digits.count - 1)))
    let unit = 1 / Double(1 << 30)
    let (north, east) = (Double(latitude) / size, Double(longitude) / size)
    let half = 0.5 / size
    let full = Degrees.text((north + half) / (1 - unit) * 180 - 90)
    return "\(full), \(Degrees.text((east + half) * 360 - 180))"
  }

  /// A cell of the world that is halved in turn from west to east and from south to north.
  private struct Cell {
    var (west, south) = (-180.0, -90.0)
    var (width, height) = (360.0, 180.0)
    var isLongitude = true

    mutating func halve(_ isUpper: Bool) {
      if isLongitude {
        width /= 2
        if isUpper { west += width }
      } else {
        height /= 2
        if isUpper { south += height }
      }
      isLongitude.toggle()
    }

    var text: String {
      "\(Degrees.text(south + height / 2)), \(Degrees.text(west + width / 2))"
    }
  }
}
