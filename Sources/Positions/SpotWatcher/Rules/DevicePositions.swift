package import Spatial

/// The positions of recently notified devices, by ``DeviceState/key``.
///
/// Watchers on several threads share them, so that each knows where all devices are now and none
/// copies them for every fix.
enum DevicePositions: Sendable {
  /// The positions of a watcher of its own.
  case own([Int: Standpoint])
  /// The positions that several watchers change.
  case shared(any PositionStore)

  /// Whether several watchers change the positions.
  var areShared: Bool {
    if case .shared = self { true } else { false }
  }

  /// All positions.
  var all: [Int: Standpoint] {
    switch self {
    case .own(let positions): positions
    case .shared(let store): store.all
    }
  }

  /// The number of positions.
  var count: Int {
    switch self {
    case .own(let positions): positions.count
    case .shared(let store): store.count
    }
  }

  /// Returns the position of a device; `nil` if it was not notified recently.
  func position(of key: Int) -> Standpoint? {
    switch self {
    case .own(let positions): positions[key]
    case .shared(let store): store.position(of: key)
    }
  }

  /// Changes the positions.
  mutating func change(_ body: (inout [Int: Standpoint]) -> Void) {
    switch self {
    case .own(var positions):
      self = .own([:])
      body(&positions)
      self = .own(positions)
    case .shared(let store): store.change(body)
    }
  }
}

/// Shared positions are equal if they are the same.
extension DevicePositions: Hashable {
  static func == (left: DevicePositions, right: DevicePositions) -> Bool {
    switch (left, right) {
    case (.own(let left), .own(let right)): left == right
    case (.shared(let left), .shared(let right)): left === right
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .own(let positions): hasher.combine(positions)
    case .shared(let store): hasher.combine(ObjectIdentifier(store))
    }
  }
}

/// The storage of positions that watchers on several threads share.
package protocol PositionStore: AnyObject, Sendable {
  /// All positions.
  var all: [Int: Standpoint] { get }

  /// The number of positions.
  var count: Int { get }

  /// Returns the position with a key; `nil` if there is none.
  func position(of key: Int) -> Standpoint?

  /// Changes the positions.
  func change(_ body: (inout [Int: Standpoint]) -> Void)
}
