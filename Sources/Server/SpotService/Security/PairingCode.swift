public import CivilTime
import Encodings

/// A code with which one browser can begin a session, once and for a limited time.
///
/// It has 60 random bits as 12 characters of Crockford's base32
/// (https://www.crockford.com/base32.html), which leaves out letters that look like digits.
public struct PairingCode: Hashable, Sendable, CustomStringConvertible {
  /// The time in seconds for which a code is valid: ten minutes.
  public static let lifetimeSeconds = 600.0
  /// The maximum number of valid codes.
  public static let maximumCount = 3
  /// The number of characters.
  public static let length = 12

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// The code, in upper case.
  public let text: String
  /// The end of its validity.
  public let expires: Instant
  /// The name of the phone that is added when the code is used; `nil` for a browser alone.
  public let phone: String?

  /// Creates a code from 60 random bits, for a phone of a name or for a browser alone.
  public init(random: UInt64, now: Instant, phone: String? = nil) {
    self.phone = phone
    let places = stride(from: 55, through: 0, by: -5)
    text = String(
      decoding: places.map { Self.alphabet[Int((random >> UInt64($0)) & 31)] }, as: UTF8.self)
    expires = now.advanced(bySeconds: Self.lifetimeSeconds)
  }

  /// Returns a code as it was meant, from a text that a person may have typed: in upper case,
  /// without spaces and hyphens, and with digits for the letters that look like them; `nil` if it
  /// cannot be a code.
  public static func normalized(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    var bytes: [UInt8] = []
    for byte in text.uppercased().utf8 {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"): continue
      case UInt8(ascii: "O"): bytes.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "L"): bytes.append(UInt8(ascii: "1"))
      case _ where alphabet.contains(byte): bytes.append(byte)
      default: return nil
      }
    }
    return bytes.count == length ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// The SHA-256 hash of a normalized code, by which it is stored: 64 hexadecimal digits.
  public static func hash(of normalized: String) -> String {
    Hexadecimal.text(SHA256.hash(Array(normalized.utf8)))
  }

  /// A constant text, without the code.
  public var description: String { "a code" }
}
