public import CivilTime
import Encodings
import SpotWatcher

/// The secret that signs the actions of links in alerts.
///
/// A token permits its holder one action on one spot until it expires, once where the server notes
/// its use. It permits nothing else and reveals nothing about the secret.
///
///     mute.47xjsbmtz9sp.1795438303.5c0d…
///
/// The parts are the action, the spot, the expiry in seconds since 1970, and a signature in
/// hexadecimal digits: the HMAC-SHA256 (RFC 2104) of `photospots`, a space and the first three
/// parts.
public struct AlertActionKey: Hashable, Sendable, CustomStringConvertible {
  /// The permission of a valid token.
  public struct Grant: Hashable, Sendable {
    /// The permitted action.
    public let action: AlertAction
    /// The id of the spot.
    public let spotID: String
    /// The expiry of the token.
    public let expiry: Instant
  }

  /// A reason to refuse a token.
  public enum Refusal: Error, Hashable, Sendable {
    /// The token was not signed with this secret, or was altered.
    case unknown
    /// The token has expired.
    case expired
  }

  /// The lifetime of a token in seconds: a day.
  public static let validSeconds = 86_400.0
  /// The minimum length of a secret in bytes.
  public static let minimumByteCount = 16

  private let secret: [UInt8]

  /// Creates a key from a secret; `nil` if the secret is too short.
  public init?(_ secret: [UInt8]) {
    guard secret.count >= Self.minimumByteCount else { return nil }
    self.secret = secret
  }

  /// A placeholder, so that no log shows the secret.
  public var description: String { "a key" }

  /// Returns the token for an action.
  ///
  /// - Parameters:
  ///   - action: The permitted action.
  ///   - spotID: The id of the spot.
  ///   - expiry: The expiry; rounded down to the second.
  /// - Returns: The token; `nil` if the id is not a valid spot id.
  public func token(for action: AlertAction, spotID: String, until expiry: Instant) -> String? {
    guard NotifiedSpot.isPlain(id: spotID) else { return nil }
    let seconds = Int64(saturating: (Double(expiry.millisecondsSince1970) / 1000).rounded(.down))
    return token(action, spotID, seconds)
  }

  /// Verifies a token.
  ///
  /// The verification takes the same time however many characters of a wrong signature are correct.
  ///
  /// - Parameters:
  ///   - token: The token, which may come from anybody.
  ///   - now: The time; a token is expired at its expiry.
  /// - Returns: The permission.
  /// - Throws: ``Refusal/unknown`` for every text that is not exactly a token of this key;
  ///   ``Refusal/expired``.
  public func grant(of token: String, now: Instant) throws(Refusal) -> Grant {
    let parts = token.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
    guard token.utf8.count <= 200, parts.count == 4,
      let action = AlertAction(rawValue: "\(parts[0])"),
      NotifiedSpot.isPlain(id: "\(parts[1])"), let seconds = Int64(parts[2]),
      (0...Self.latestSecond).contains(seconds),
      Self.isSame(token, self.token(action, "\(parts[1])", seconds))
    else { throw .unknown }
    let expiry = Instant(secondsSince1970: seconds)
    guard now < expiry else { throw .expired }
    return Grant(action: action, spotID: "\(parts[1])", expiry: expiry)
  }

  /// The end of the year 9999, the latest time that can be written.
  private static let latestSecond: Int64 = 253_402_300_799

  private func token(_ action: AlertAction, _ spotID: String, _ seconds: Int64) -> String {
    let text = "\(action.rawValue).\(spotID).\(seconds)"
    let code = SHA256.authenticationCode(of: Array("photospots \(text)".utf8), key: secret)
    return "\(text).\(Hexadecimal.text(code))"
  }

  /// Returns whether two texts are equal, in a time that depends only on their lengths.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for place in left.indices { difference |= left[place] ^ right[place] }
    return difference == 0
  }
}
