import Encodings

/// The SHA-256 hashes of a key and of its session cookie, which suffice to recognize both.
///
/// A key has at least 128 random bits, so neither can be derived from its hash, and the hash needs
/// no salt.
public struct KeyHashes: Hashable, Sendable {
  /// The hash of the key: 32 bytes.
  public let key: [UInt8]
  /// The hash of the value of the session cookie: 32 bytes.
  public let session: [UInt8]

  /// Creates hashes from their stored form; `nil` unless each has 32 bytes.
  public init?(key: [UInt8], session: [UInt8]) {
    guard key.count == 32, session.count == 32 else { return nil }
    (self.key, self.session) = (key, session)
  }

  /// Hashes a key and the value of its session cookie.
  init(ofKey key: [UInt8], session: [UInt8]) {
    (self.key, self.session) = (SHA256.hash(key), SHA256.hash(session))
  }

  /// Returns whether a text is the key, in a time that does not depend on their common part.
  public func isKey(_ shown: String) -> Bool { Self.isHash(key, of: shown) }

  /// Returns whether a text is the value of the session cookie, in such a time.
  public func isSession(_ shown: String) -> Bool { Self.isHash(session, of: shown) }

  /// Returns whether a secret of a request is the key or its session cookie.
  public func recognizes(_ credential: ServiceRequest.Credential) -> Bool {
    switch credential {
    case .key(let text): isKey(text)
    case .session(let text): isSession(text)
    }
  }

  /// Returns whether a request presents the key as `Authorization: Bearer`.
  func isShown(by request: ServiceRequest) -> Bool {
    request.bearerToken.map(isKey) ?? false
  }

  /// Returns whether a request presents the key as its password.
  func isPassword(of request: ServiceRequest) -> Bool {
    request.password.map(isKey) ?? false
  }

  /// Returns the token that changes need in addition to a cookie: the HMAC-SHA256 (RFC 2104) of the
  /// cookie with the hash of the key.
  ///
  /// Servers on other ports of the host receive the cookie, but neither the token, which the page
  /// stores for its own origin, nor the hash.
  func changeToken(ofSession cookie: String) -> String {
    Hexadecimal.text(
      SHA256.authenticationCode(of: Array("photospots change \(cookie)".utf8), key: key))
  }

  /// Returns whether a text is the token of a session, in a time that does not depend on their
  /// common part.
  func isChangeToken(_ shown: String, ofSession cookie: String) -> Bool {
    Self.isHash(SHA256.hash(Array(changeToken(ofSession: cookie).utf8)), of: shown)
  }

  private static func isHash(_ hash: [UInt8], of shown: String) -> Bool {
    let other = SHA256.hash(Array(shown.utf8))
    var difference: UInt8 = 0
    for place in other.indices { difference |= other[place] ^ hash[place] }
    return difference == 0
  }
}
