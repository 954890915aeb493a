import Codecs
import Interchange

/// The secret key that grants access, and the session cookie derived from it.
///
/// The description contains neither.
public struct SessionKey: Sendable, CustomStringConvertible {
  /// The number of random bytes in a key.
  public static let byteCount = 16
  /// The name of the cookie.
  static let cookieName = "photospots"
  /// The lifetime of the cookie in seconds: 90 days.
  static let cookieSeconds = 90 * 86_400

  /// The key as used in URLs; it needs no escaping.
  public let text: String
  /// The value of the cookie, from which the key cannot be derived.
  private let cookie: String

  /// Creates a key from its stored text.
  ///
  /// - Parameter text: The text of letters, digits, `-` and `_`. The result is `nil` for other
  ///   texts, and for fewer than 22 characters, which could not hold 128 bits.
  public init?(_ text: String) {
    let isPlain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    guard isPlain, (22...256).contains(text.utf8.count) else { return nil }
    self.text = text
    cookie = Hexadecimal.text(
      SHA256.authenticationCode(of: Array("photospots session".utf8), key: Array(text.utf8)))
  }

  /// Creates a key from random bytes.
  ///
  /// - Parameter random: At least ``byteCount`` unpredictable bytes; the result is `nil` for fewer.
  public init?(random: [UInt8]) {
    guard random.count >= Self.byteCount else { return nil }
    self.init(Hexadecimal.text(random))
  }

  /// A constant text, without the key.
  public var description: String { "a key" }

  /// Returns whether a text is the key, in a time that does not depend on their common part.
  func isKey(_ shown: String) -> Bool { Self.isSame(shown, text) }

  /// Returns whether a request presents the key as `Authorization: Bearer` (RFC 6750, section 2.1).
  func isShown(by request: ServiceRequest) -> Bool {
    guard let authorization = request.field("Authorization") else { return false }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" && isKey(String(parts[1]))
  }

  /// Returns whether a request presents the key as its password, with any user name, as
  /// `Authorization: Basic` (RFC 7617, section 2).
  func isPassword(of request: ServiceRequest) -> Bool {
    guard let authorization = request.field("Authorization") else { return false }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let pair = Base64.bytes(parts[1]), let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    return isKey(String(decoding: pair[(colon + 1)...], as: UTF8.self))
  }

  /// Returns whether a request has the key's cookie.
  func isSession(of request: ServiceRequest) -> Bool {
    var isFound = false
    for field in request.fields where field.name.lowercased() == "cookie" {
      for pair in field.value.split(separator: ";") {
        let parts = pair.trimmed.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == Self.cookieName else { continue }
        if Self.isSame(String(parts[1]), cookie) { isFound = true }
      }
    }
    return isFound
  }

  /// Returns the header field that sets the cookie.
  func cookieField(isSecure: Bool) -> (name: String, value: String) {
    Self.field(cookie, seconds: Self.cookieSeconds, isSecure: isSecure)
  }

  /// Returns the header field that deletes the cookie.
  static func endingField(isSecure: Bool) -> (name: String, value: String) {
    field("", seconds: 0, isSecure: isSecure)
  }

  private static func field(
    _ value: String, seconds: Int, isSecure: Bool
  ) -> (name: String, value: String) {
    (
      "Set-Cookie",
      "\(cookieName)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (isSecure ? "; Secure" : "")
    )
  }

  /// Compares hashes of both, so that the time depends on neither content nor length.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    let (left, right) = (SHA256.hash(Array(left.utf8)), SHA256.hash(Array(right.utf8)))
    var difference: UInt8 = 0
    for place in left.indices { difference |= left[place] ^ right[place] }
    return difference == 0
  }
}

extension Substring {
  /// The text without surrounding spaces and tabs.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
