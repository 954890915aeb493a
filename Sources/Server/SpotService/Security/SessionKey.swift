import Encodings

/// The secret key that grants access, and the session cookie derived from it.
///
/// The description contains neither.
public struct SessionKey: Sendable, CustomStringConvertible {
  /// The number of random bytes in a key.
  public static let byteCount = 16
  /// The lifetime of the cookie in seconds: 400 days, the most that browsers allow (RFC 6265bis).
  private static let cookieSeconds = 400 * 86_400

  /// The key as used in URLs; it needs no escaping.
  public let text: String
  /// The value of a derived cookie: the HMAC-SHA256 (RFC 2104) of `photospots session` with the
  /// key, from which the key cannot be derived; for the key of an account, preceded by its name.
  let cookie: String

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
    // The cookie of an account's key names the same account and key.
    let name = AccountKeyName(of: text).map { "\($0)-" } ?? ""
    cookie =
      name
      + Hexadecimal.text(
        SHA256.authenticationCode(of: Array("photospots session".utf8), key: Array(text.utf8)))
  }

  /// Creates a key from random bytes.
  ///
  /// - Parameters:
  ///   - name: The account and number of the key; `nil` for the key of a program with one user.
  ///   - random: At least ``byteCount`` unpredictable bytes, and at most 48; the result is `nil`
  ///     for other numbers.
  public init?(name: AccountKeyName? = nil, random: [UInt8]) {
    guard (Self.byteCount...48).contains(random.count) else { return nil }
    self.init((name.map { "\($0)-" } ?? "") + Hexadecimal.text(random))
  }

  /// A constant text, without the key.
  public var description: String { "a key" }

  /// The hashes by which the key and its sessions are recognized.
  public var hashes: KeyHashes {
    KeyHashes(ofKey: Array(text.utf8), session: Array(cookie.utf8))
  }

  /// Returns the header field that sets the cookie of the server that a request is for.
  static func cookieField(
    _ cookie: String, for request: ServiceRequest
  ) -> (name: String, value: String) {
    field(cookie, seconds: cookieSeconds, for: request)
  }

  /// Returns the header field that deletes the cookie.
  static func endingField(for request: ServiceRequest) -> (name: String, value: String) {
    field("", seconds: 0, for: request)
  }

  private static func field(
    _ value: String, seconds: Int, for request: ServiceRequest
  ) -> (name: String, value: String) {
    (
      "Set-Cookie",
      "\(request.cookieName)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
        + (request.isSecure ? "; Secure" : "")
    )
  }
}
