/// Decides which connections to keep when a server has more than places for them.
///
/// Half of the places are reserved for admitted connections: those that presented a token, if one
/// is required. The others are for strangers, with a limit for each address. A stranger that has
/// held its place for ``ConnectionLimits/courtesyNanoseconds`` loses it to a new connection; before
/// that, the new connection is closed. One place is always left free, so that a new connection can
/// be accepted at any time.
struct ConnectionPlaces {
  /// The part of a sender's address by which senders are distinguished.
  enum Address: Hashable, Sendable {
    case ipv4(UInt32)
    /// The network's 64 bits; a sender chooses the others itself (RFC 4291, section 2.5.1).
    case ipv6(UInt64)
    case unknown
  }

  private struct Connection {
    let address: Address
    var isAdmitted = false
    /// Whether an admitted request is being answered.
    var isBusy = false
    /// The time of its opening, or of the start or end of its latest admitted request.
    var nanoseconds: UInt64
  }

  /// The maximum number of open connections with an admitted request.
  let admittedCount: Int
  private let strangerPlaces: Int
  private let addressPlaces: Int
  private let courtesyNanoseconds: UInt64
  private var connections: [Int: Connection] = [:]
  /// The number of strangers by address; addresses without any have no entry.
  private var strangers: [Address: Int] = [:]
  private var strangerCount = 0
  /// The number of connections examined so far in the search for one to close: the cost, for tests.
  private(set) var stepCount = 0

  /// Creates free places.
  ///
  /// - Parameters:
  ///   - count: The number of places, at least 3.
  ///   - addressPlaces: The maximum number of places for strangers of one address, at least 1.
  ///   - courtesyNanoseconds: The time during which a stranger cannot lose its place.
  init(count: Int, addressPlaces: Int, courtesyNanoseconds: UInt64) {
    self.courtesyNanoseconds = courtesyNanoseconds
    strangerPlaces = max((count - 1) / 2, 1)
    admittedCount = max(count - 1 - strangerPlaces, 1)
    self.addressPlaces = addressPlaces
  }

  /// Assigns a place to a new connection.
  ///
  /// - Returns: The connection to close, which may be the new one; `nil` if there is room.
  /// - Complexity: O(1) where there is room, otherwise O(*n*), where *n* is the number of
  ///   connections.
  mutating func open(_ id: Int, from address: Address, at now: UInt64) -> Int? {
    let neighbors = strangers[address] ?? 0
    let oldest: (id: Int, nanoseconds: UInt64)?
    if neighbors >= addressPlaces {
      oldest = Self.leastRecent(of: connections, &stepCount) {
        !$0.isAdmitted && $0.address == address
      }
    } else if strangerCount >= strangerPlaces {
      // One of the addresses with the most connections loses one.
      let (strangers, most) = (strangers, strangers.values.max() ?? 0)
      oldest = Self.leastRecent(of: connections, &stepCount) {
        !$0.isAdmitted && strangers[$0.address] == most
      }
    } else {
      add(id, address, now)
      return nil
    }
    guard let oldest, now - min(oldest.nanoseconds, now) >= courtesyNanoseconds else { return id }
    close(oldest.id)
    add(id, address, now)
    return oldest.id
  }

  /// Moves a connection to a place for admitted ones, when its first request is admitted.
  ///
  /// - Returns: The connection to close: the least recently used admitted one, preferably one that
  ///   is not busy; `nil` if there is room.
  mutating func admit(_ id: Int, at now: UInt64) -> Int? {
    guard let connection = connections[id] else { return nil }
    if !connection.isAdmitted { removeStranger(connection.address) }
    connections[id]?.isAdmitted = true
    connections[id]?.nanoseconds = now
    guard connections.count - strangerCount > admittedCount else { return nil }
    let others = connections.lazy.filter { $0.value.isAdmitted && $0.key != id }
    let closed =
      Self.leastRecent(of: others, &stepCount) { !$0.isBusy }
      ?? Self.leastRecent(of: others, &stepCount) { _ in true }
    if let closed { close(closed.id) }
    return closed?.id
  }

  /// Records that the answer to an admitted request begins or ends.
  mutating func touch(_ id: Int, at now: UInt64, isBusy: Bool = false) {
    connections[id]?.nanoseconds = now
    connections[id]?.isBusy = isBusy
  }

  /// Frees the place of a connection that was closed.
  mutating func close(_ id: Int) {
    guard let connection = connections.removeValue(forKey: id), !connection.isAdmitted else {
      return
    }
    removeStranger(connection.address)
  }

  private mutating func add(_ id: Int, _ address: Address, _ now: UInt64) {
    connections[id] = Connection(address: address, nanoseconds: now)
    strangers[address, default: 0] += 1
    strangerCount += 1
  }

  private mutating func removeStranger(_ address: Address) {
    strangerCount -= 1
    let count = (strangers[address] ?? 1) - 1
    strangers[address] = count > 0 ? count : nil
  }

  private static func leastRecent(
    of connections: some Sequence<(key: Int, value: Connection)>, _ stepCount: inout Int,
    where isRival: (Connection) -> Bool
  ) -> (id: Int, nanoseconds: UInt64)? {
    var least: (id: Int, nanoseconds: UInt64)?
    for (id, connection) in connections {
      stepCount += 1
      guard isRival(connection) else { continue }
      if let known = least, (known.nanoseconds, known.id) < (connection.nanoseconds, id) {
        continue
      }
      least = (id, connection.nanoseconds)
    }
    return least
  }
}
