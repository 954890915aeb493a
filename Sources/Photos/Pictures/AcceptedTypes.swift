/// The picture types that a client accepts beyond the universally supported ones, according to its
/// `Accept` header (RFC 9110, section 12.5.1).
struct AcceptedTypes: Hashable, Sendable {
  /// Whether the header names HEIC, which few clients support.
  let heic: Bool
  /// Whether the header names AVIF.
  let avif: Bool

  init(heic: Bool, avif: Bool) { (self.heic, self.avif) = (heic, avif) }

  /// Parses the header; a type with quality 0 is not accepted, and `*/*` names no type.
  init(_ accept: String) {
    var named: Set<String> = []
    for range in accept.prefix(4096).split(separator: ",") {
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
      guard let type = parts.first, !parts.dropFirst().contains(where: Self.isZeroQuality) else {
        continue
      }
      named.insert(type)
    }
    heic = named.contains("image/heic") || named.contains("image/heif")
    avif = named.contains("image/avif")
  }

  private static func isZeroQuality(_ parameter: String) -> Bool {
    guard parameter.hasPrefix("q=0") else { return false }
    return parameter.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
  }
}
