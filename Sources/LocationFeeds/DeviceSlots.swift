/// Gives each of a bounded number of devices a slot, a number from zero, for what is kept of it
/// elsewhere.
///
/// When all slots are taken a new device gets that of the least recently used one. The devices are
/// a doubly linked list in the order of their use, so every step takes constant time, however many
/// there are.
package struct DeviceSlots: Hashable, Sendable {
  /// What a device got.
  package enum Assignment: Hashable, Sendable {
    /// The slot that it has had.
    case known(Int)
    /// The next slot, which nobody has had.
    case new(Int)
    /// The slot of the least recently used device, which has none any more.
    case reused(Int, evicted: String?)

    /// The slot.
    package var slot: Int {
      switch self {
      case .known(let slot), .new(let slot), .reused(let slot, _): slot
      }
    }
  }

  private struct Link: Hashable {
    var name: String?
    /// The slots of the devices that were used next before and next after; -1 at the ends.
    var older: Int
    var newer: Int
  }

  /// How many devices there may be.
  package let capacity: Int
  /// How many links were looked at or changed so far: the cost, for tests.
  package private(set) var stepCount = 0
  private var slots: [String?: Int] = [:]
  private var links: [Link] = []
  private var oldest = -1
  private var newest = -1

  /// Creates slots without devices.
  ///
  /// - Parameter capacity: How many devices there may be, at least one.
  package init(capacity: Int) {
    precondition(capacity > 0, "there must be a slot")
    self.capacity = capacity
  }

  /// The number of devices that have a slot.
  package var count: Int { links.count }

  /// The slot of the least recently used device; `nil` where there is none.
  package var leastRecent: Int? { links.isEmpty ? nil : oldest }

  /// The slot of a device, without using it; `nil` where it has none.
  package func slot(of name: String?) -> Int? { slots[name] }

  /// Uses a device, which gets a slot where it has none.
  ///
  /// - Complexity: O(1) on average.
  package mutating func use(_ name: String?) -> Assignment {
    if let slot = slots[name] {
      if slot != newest {
        unlink(slot)
        linkAsNewest(slot)
      }
      return .known(slot)
    }
    if links.count < capacity {
      links.append(Link(name: name, older: -1, newer: -1))
      slots[name] = links.count - 1
      linkAsNewest(links.count - 1)
      return .new(links.count - 1)
    }
    let slot = oldest
    let evicted = links[slot].name
    slots[evicted] = nil
    unlink(slot)
    links[slot].name = name
    slots[name] = slot
    linkAsNewest(slot)
    return .reused(slot, evicted: evicted)
  }

  private mutating func unlink(_ slot: Int) {
    let (older, newer) = (links[slot].older, links[slot].newer)
    if older >= 0 { links[older].newer = newer } else { oldest = newer }
    if newer >= 0 { links[newer].older = older } else { newest = older }
    stepCount += 3
  }

  private mutating func linkAsNewest(_ slot: Int) {
    links[slot].older = newest
    links[slot].newer = -1
    if newest >= 0 { links[newest].newer = slot } else { oldest = slot }
    newest = slot
    stepCount += 2
  }
}
