public import CivilTime

/// The wrong codes of the last minute, which limit how many can be tried.
///
/// With 60 attempts a minute, guessing one of three codes of 60 bits within their ten minutes has a
/// probability below 10⁻¹⁴.
public struct WrongCodes: Sendable {
  /// The maximum number in a minute from one address.
  static let maximumOfAddress = 10
  /// The maximum number in a minute from all addresses.
  static let maximum = 60
  private static let seconds = 60.0

  private var recent: [(time: Instant, address: String?)] = []

  /// Creates an empty record.
  public init() {}

  /// Returns whether an address may try a code now.
  public mutating func allows(_ address: String?, now: Instant) -> Bool {
    // A clock that was set back forgets later ones.
    recent.removeAll { !(0..<Self.seconds).contains(now.seconds(since: $0.time)) }
    return recent.count < Self.maximum
      && recent.count { $0.address == address } < Self.maximumOfAddress
  }

  /// Notes a wrong code.
  public mutating func note(_ address: String?, now: Instant) { recent.append((now, address)) }
}
