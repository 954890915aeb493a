/// The account and the number of a key. The key of an account begins with both: `7-2-…` is the
/// second key of the account 7.
///
/// Both are public. They allow looking up one row, so that no lookup compares a key with those of
/// other accounts.
public struct AccountKeyName: Hashable, Sendable, CustomStringConvertible {
  /// The number of the account, at least 1.
  public let account: Int64
  /// The number of the key among those of the account, at least 1.
  public let number: Int32

  /// Creates a name.
  ///
  /// - Precondition: Both numbers are at least 1.
  public init(account: Int64, number: Int32) {
    precondition(account >= 1 && number >= 1)
    (self.account, self.number) = (account, number)
  }

  /// Reads the name of a key, or of a session cookie; `nil` for other texts.
  ///
  /// - Parameter text: Two numbers in their shortest form and hexadecimal digits, separated by
  ///   hyphens.
  public init?(of text: String) {
    guard text.utf8.count <= 128 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, let account = Int64(Substring(parts[0])),
      let number = Int32(Substring(parts[1])), account >= 1, number >= 1
    else { return nil }
    let isSecret = parts[2].allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    // Signs and leading zeros would give one key several texts.
    guard isSecret, parts[2].count >= 2 * SessionKey.byteCount,
      text.hasPrefix("\(account)-\(number)-")
    else { return nil }
    (self.account, self.number) = (account, number)
  }

  /// The account and the number, separated by a hyphen.
  public var description: String { "\(account)-\(number)" }
}
