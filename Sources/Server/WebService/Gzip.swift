import Compression

/// Compresses answers in the gzip format (RFC 1952).
enum Gzip {
  /// Compresses bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to compress.
  ///   - level: 1, the fastest, to 9, the smallest.
  /// - Returns: The compressed bytes; `nil` where compression saves less than a tenth.
  static func packed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    Deflate.packed(bytes, as: .gzip, level: level, upTo: bytes.count - bytes.count / 10)
  }

  /// Returns whether the header Accept-Encoding accepts gzip (RFC 9110, section 12.5.3).
  static func isAccepted(_ field: String?) -> Bool {
    var isOther = false
    for part in (field ?? "").lowercased().split(separator: ",") {
      let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      let isRefused = words.dropFirst().contains { word in
        word.hasPrefix("q=") && Double(word.dropFirst(2)) == 0
      }
      if words.first == "gzip" || words.first == "x-gzip" { return !isRefused }
      if words.first == "*" { isOther = !isRefused }
    }
    return isOther
  }
}
