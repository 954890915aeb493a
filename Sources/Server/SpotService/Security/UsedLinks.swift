public import CivilTime
public import Encodings

/// Notes which links in alerts were used, so that each works once.
public protocol UsedLinks: Sendable {
  /// Returns whether the link with a token was used.
  func contains(_ token: String) -> Bool

  /// Notes the use of a link.
  ///
  /// - Parameters:
  ///   - token: The token of the link.
  ///   - expiry: The end of its validity, after which the note is not needed.
  /// - Returns: Whether this was the first use.
  /// - Throws: A problem if the use cannot be stored.
  func use(_ token: String, until expiry: Instant) throws(Problem) -> Bool
}

/// The used links that are still valid, and their stored form.
///
/// Of each token only the SHA-256 hash is kept.
public struct UsedLinkList: Sendable {
  /// The maximum number of links; a further one replaces the one that expires first. A day has at
  /// most a few hundred alerts.
  public static let capacity = 2000
  private static let format = "photospots-used-links"
  private static let version: Int64 = 1

  /// The first line of the stored form.
  public static var signature: String { format }

  /// The ends of validity by the hashes of the tokens, in hexadecimal digits.
  private var expiries: [String: Instant] = [:]

  /// Creates an empty list.
  public init() {}

  /// Reads a stored list.
  ///
  /// - Throws: An error if the stored form is damaged or of a newer version.
  public init(json: [UInt8]) throws(JSONError) {
    let document = try JSONObject(document: json)
    try document.check(format: Self.format, version: Self.version, of: "a list of used links")
    let links = try document.array("links") { reader throws(JSONError) in
      try Self.link(try JSONObject(&reader))
    }
    guard links?.count ?? 0 <= Self.capacity else {
      throw document.error("there are too many links")
    }
    for (hash, expiry) in links ?? [] { expiries[hash] = expiry }
  }

  private static func link(
    _ link: JSONObject
  ) throws(JSONError) -> (hash: String, expiry: Instant) {
    let (hash, expiry) = (try link.string("hash") ?? "", try link.integer("expires") ?? 0)
    guard hash.utf8.count == 64, hash.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil })
    else {
      throw link.error("a link has no hash")
    }
    return (hash, Instant(millisecondsSince1970: expiry))
  }

  /// The stored form.
  public var json: [UInt8] {
    JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
      writer.array("links") { writer in
        for (hash, expiry) in expiries.sorted(by: { $0.key < $1.key }) {
          writer.object { writer in
            writer.member("hash", hash)
            writer.member("expires", expiry.millisecondsSince1970)
          }
        }
      }
    }
  }

  /// Returns whether the link with a token was used.
  public func contains(_ token: String) -> Bool { expiries[Self.hash(of: token)] != nil }

  /// Notes the use of a link, and forgets links that have expired.
  ///
  /// - Returns: Whether this was the first use.
  public mutating func use(_ token: String, until expiry: Instant, now: Instant) -> Bool {
    guard !contains(token) else { return false }
    expiries = expiries.filter { now < $0.value }
    while expiries.count >= Self.capacity,
      let first = expiries.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      expiries[first.key] = nil
    }
    expiries[Self.hash(of: token)] = expiry
    return true
  }

  private static func hash(of token: String) -> String {
    Hexadecimal.text(SHA256.hash(Array(token.utf8)))
  }
}
