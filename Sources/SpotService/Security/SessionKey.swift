import Codecs
import Interchange

/// The secret that opens the program, and the cookie that a browser gets for it.
///
/// The description holds neither.
public struct SessionKey: Sendable, CustomStringConvertible {
  /// How many bytes of random a key is made of.
  public static let byteCount = 16
  /// The name of the cookie.
  static let cookieName = "photospots"
  /// How long a browser keeps the cookie, in seconds: 90 days.
  static let cookieSeconds = 90 * 86_400

  /// The key as it is shown in addresses: base32 without anything that an address would escape.
  public let text: String
  /// What the cookie holds, which does not tell the key.
  private let cookie: String

  /// Takes a key as it was kept.
  ///
  /// - Parameter text: Letters, digits, `-` and `_`; `nil` for anything else, and for fewer than 22
  ///   characters, which could not hold 128 bits.
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

  /// Makes a key of random bytes.
  ///
  /// - Parameter random: ``byteCount`` bytes or more that nobody can guess.
  public init?(random: [UInt8]) {
    guard random.count >= Self.byteCount else { return nil }
    self.init(Hexadecimal.text(random))
  }

  /// That there is a key.
  public var description: String { "a key" }

  /// Whether a text is the key; takes the same time whatever is the same in it.
  func isKey(_ shown: String) -> Bool { Self.isSame(shown, text) }

  /// Whether a request shows the key itself: `Authorization: Bearer` (RFC 6750, section 2.1).
  func isShown(by request: ServiceRequest) -> Bool {
    guard let authorization = request.field("Authorization") else { return false }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" && isKey(String(parts[1]))
  }

  /// Whether the key is the password of a request, whatever the user's name: `Authorization: Basic`
  /// (RFC 7617, section 2).
  func isPassword(of request: ServiceRequest) -> Bool {
    guard let authorization = request.field("Authorization") else { return false }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let pair = Base64.bytes(parts[1]), let colon = pair.firstIndex(of: UInt8(ascii: ":"))
    else { return false }
    return isKey(String(decoding: pair[(colon + 1)...], as: UTF8.self))
  }

  /// Whether a request has the cookie of the key.
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

  /// The header that gives a browser the cookie.
  func cookieField(isSecure: Bool) -> (name: String, value: String) {
    Self.field(cookie, seconds: Self.cookieSeconds, isSecure: isSecure)
  }

  /// The header that takes the cookie away.
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

  /// Compares hashes of both, so that neither content nor length tells by the time that it takes.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    let (left, right) = (SHA256.hash(Array(left.utf8)), SHA256.hash(Array(right.utf8)))
    var difference: UInt8 = 0
    for place in left.indices { difference |= left[place] ^ right[place] }
    return difference == 0
  }
}

extension Substring {
  /// The text without the spaces around it.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
