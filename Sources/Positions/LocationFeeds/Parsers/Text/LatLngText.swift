import Encodings

/// A latitude and a longitude in one text, as in Google's Timeline and in queries: `48.8606°,
/// 2.3376°`, the same without degree signs, `48.8606 2.3376`, or `geo:48.8606,2.3376`.
struct LatLngText {
  var latitude: Double
  var longitude: Double

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    let plain = bytes.starts(with: "geo:".utf8) ? bytes[4...] : bytes[...]
    var parts = plain.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if parts.count == 1 { parts = plain.split(whereSeparator: \.isSpace) }
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  private static func degrees(_ text: ArraySlice<UInt8>) -> Double? {
    let trimmed = text.trimmed
    // The degree sign in UTF-8.
    return Double(
      decimal: trimmed.suffix(2).elementsEqual([0xC2, 0xB0]) ? trimmed.dropLast(2) : trimmed)
  }
}
