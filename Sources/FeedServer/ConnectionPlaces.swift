/// Decides which connections a server keeps when there are more than it has places for.
///
/// Half of the places are reserved for admitted connections: those that showed a token, where one
/// is needed. The others are for strangers, with a limit for each address. A stranger that has had
/// its place for a given time loses it to a newcomer; before that, the newcomer is closed. One
/// place is always free, so that a newcomer can be accepted at any time.
struct ConnectionPlaces {
  /// The sender's address, as far as it tells senders apart.
  enum Address: Hashable, Sendable {
    case ipv4(UInt32)
    /// The network's 64 bits; a sender chooses the others itself (RFC 4291, section 2.5.1).
    case ipv6(UInt64)
    case unknown
  }

  private struct Connection {
    let address: Address
    var isAdmitted = false
    /// The time of its opening, or of the latest beginning or end of an admitted request.
    var nanoseconds: UInt64
  }

  private let admittedPlaces: Int
  private let strangerPlaces: Int
  private let addressPlaces: Int
  private let courtesyNanoseconds: UInt64
  private var connections: [Int: Connection] = [:]

  /// Creates free places.
  ///
  /// - Parameters:
  ///   - count: The number of places, at least 3.
  ///   - addressPlaces: The most places for strangers of one address, at least 1.
  ///   - courtesyNanoseconds: The time during which a stranger keeps its place in any case.
  init(count: Int, addressPlaces: Int, courtesyNanoseconds: UInt64) {
    self.courtesyNanoseconds = courtesyNanoseconds
    strangerPlaces = max((count - 1) / 2, 1)
    admittedPlaces = max(count - 1 - strangerPlaces, 1)
    self.addressPlaces = addressPlaces
  }

  /// Gives a place to a new connection.
  ///
  /// - Returns: The connection to close, which may be the new one; `nil` if there is room.
  mutating func open(_ id: Int, from address: Address, at now: UInt64) -> Int? {
    connections[id] = Connection(address: address, nanoseconds: now)
    let strangers = connections.filter { !$0.value.isAdmitted && $0.key != id }
    let neighbours = strangers.filter { $0.value.address == address }
    let rivals: [Int: Connection]
    if neighbours.count >= addressPlaces {
      rivals = neighbours
    } else if strangers.count >= strangerPlaces {
      // The address with the most connections gives one up.
      let counts = strangers.values.reduce(into: [:]) { $0[$1.address, default: 0] += 1 }
      let most = counts.values.max() ?? 0
      rivals = strangers.filter { counts[$0.value.address] == most }
    } else {
      return nil
    }
    let oldest = Self.leastRecent(of: rivals)
    let isDue = oldest.map { now - min($0.value.nanoseconds, now) >= courtesyNanoseconds }
    return remove(isDue == true ? oldest?.key ?? id : id)
  }

  /// Moves a connection to a place for admitted ones, when its first request is admitted.
  ///
  /// - Returns: The connection to close: the least recently used admitted one; `nil` if there is
  ///   room.
  mutating func admit(_ id: Int, at now: UInt64) -> Int? {
    guard connections[id] != nil else { return nil }
    connections[id]?.isAdmitted = true
    connections[id]?.nanoseconds = now
    let admitted = connections.filter(\.value.isAdmitted)
    guard admitted.count > admittedPlaces else { return nil }
    return Self.leastRecent(of: admitted.filter { $0.key != id }).flatMap { remove($0.key) }
  }

  /// Notes that a request of a connection has ended.
  mutating func touch(_ id: Int, at now: UInt64) { connections[id]?.nanoseconds = now }

  /// Frees the place of a connection that was closed.
  mutating func close(_ id: Int) { connections[id] = nil }

  private mutating func remove(_ id: Int) -> Int? {
    connections[id] = nil
    return id
  }

  private static func leastRecent(
    of connections: [Int: Connection]
  ) -> (key: Int, value: Connection)? {
    connections.min { ($0.value.nanoseconds, $0.key) < ($1.value.nanoseconds, $1.key) }
  }
}
