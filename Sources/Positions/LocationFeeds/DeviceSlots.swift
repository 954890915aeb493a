/// Assigns each of a bounded number of devices a slot: a number from zero, an index into state that
/// is stored elsewhere.
///
/// When all slots are taken, a new device gets the slot of the least recently used one. The devices
/// form a doubly linked list in the order of their use, so each step takes constant time regardless
/// of their number.
package struct DeviceSlots: Hashable, Sendable {
  /// The slot assigned to a device.
  package enum Assignment: Hashable, Sendable {
    /// The slot that the device already had.
    case known(Int)
    /// The next free slot.
    case new(Int)
    /// The slot of the least recently used device, which loses it.
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
    /// The slots of the devices used just before and just after this one; -1 at the ends.
    var older: Int
    var newer: Int
  }

  /// The greatest number of devices.
  package let capacity: Int
  /// The number of links read or changed so far: the cost, for tests.
  package private(set) var stepCount = 0
  private var slots: [String?: Int] = [:]
  private var links: [Link] = []
  private var oldest = -1
  private var newest = -1

  /// Creates slots without devices.
  ///
  /// - Parameter capacity: The greatest number of devices, at least one.
  package init(capacity: Int) {
    precondition(capacity > 0, "there must be a slot")
    self.capacity = capacity
  }

  /// The number of devices that have a slot.
  package var count: Int { links.count }

  /// The slot of the least recently used device; `nil` where there is none.
  package var leastRecent: Int? { links.isEmpty ? nil : oldest }

  /// Returns the slot of a device without using it; `nil` where it has none.
  package func slot(of name: String?) -> Int? { slots[name] }

  /// Marks a device as the most recently used one, and assigns it a slot if it has none.
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
