import CLibrary
import SpotService
import Synchronization

/// The current lookups of keys and feed tokens that were never found valid. Their number is
/// limited, so that guesses cannot take all connections to the store; one address has half of them
/// at most, so that it cannot keep others from logging in.
final class OpenLookups: Sendable {
  /// The maximum number of such lookups at the same time.
  static let maximumCount = 8
  /// The maximum number of them from one address.
  static let maximumCountOfAddress = 4

  private struct State {
    var count = 0
    var ofAddresses: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Begins a lookup for a client at an address, `nil` if unknown.
  ///
  /// - Throws: A problem if there are too many.
  func begin(from address: String?) throws(Problem) {
    let group = Self.group(address)
    let isAllowed = state.withLock { state in
      let ofAddress = state.ofAddresses[group] ?? 0
      guard state.count < Self.maximumCount, ofAddress < Self.maximumCountOfAddress else {
        return false
      }
      state.count += 1
      state.ofAddresses[group] = ofAddress + 1
      return true
    }
    guard isAllowed else { throw Problem(.busy, "Too many keys are being checked; try again.") }
  }

  /// Ends a lookup that was begun for a client at the same address.
  func end(from address: String?) {
    let group = Self.group(address)
    state.withLock { state in
      state.count -= 1
      let ofAddress = (state.ofAddresses[group] ?? 1) - 1
      state.ofAddresses[group] = ofAddress > 0 ? ofAddress : nil
    }
  }

  /// Returns what counts as one address: an IPv4 address, also where it is mapped to IPv6
  /// (RFC 4291, section 2.5.5.2), or the /64 network of an IPv6 address, which one customer has.
  static func group(_ address: String?) -> String {
    guard let address else { return "" }
    var bytes = in6_addr()
    let text = address.prefix { $0 != "%" }
    guard inet_pton(AF_INET6, String(text), &bytes) == 1 else { return address }
    return withUnsafeBytes(of: bytes) { bytes in
      let isMapped =
        bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      if isMapped { return bytes.suffix(4).map { "\($0)" }.joined(separator: ".") }
      return bytes.prefix(8).map { "\($0)" }.joined(separator: ":")
    }
  }
}
