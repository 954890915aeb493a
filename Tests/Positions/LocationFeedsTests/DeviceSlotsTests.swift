import TestSupport
import Testing

@testable import LocationFeeds

@Suite struct DeviceSlotsTests {
  /// Slots that find the least recently used one by a full scan.
  private struct Twin {
    var names: [String?] = []
    var uses: [Int] = []
    var time = 0
    let capacity: Int

    mutating func use(_ name: String?) -> DeviceSlots.Assignment {
      time += 1
      if let slot = names.firstIndex(of: name) {
        uses[slot] = time
        return .known(slot)
      }
      if names.count < capacity {
        names.append(name)
        uses.append(time)
        return .new(names.count - 1)
      }
      let slot = uses.indices.min { uses[$0] < uses[$1] } ?? 0
      defer { (names[slot], uses[slot]) = (name, time) }
      return .reused(slot, evicted: names[slot])
    }
  }

  @Test(arguments: [1, 2, 3, 7, 50])
  func `evicts the least recently used device, like a linear search`(capacity: Int) {
    var generator = SeededGenerator(seed: UInt64(capacity))
    var slots = DeviceSlots(capacity: capacity)
    var twin = Twin(capacity: capacity)
    for step in 0..<3000 {
      let number = Int.random(in: 0...2 * capacity, using: &generator)
      let name = number == 0 ? nil : "\(number)"
      #expect(slots.use(name) == twin.use(name), "seed \(capacity), step \(step)")
      #expect(slots.slot(of: name) == twin.names.firstIndex(of: name))
      #expect(slots.leastRecent == twin.uses.indices.min { twin.uses[$0] < twin.uses[$1] })
      #expect(slots.count == twin.names.count)
    }
  }

  @Test func `the steps for a new name do not depend on the number of devices`() {
    func steps(capacity: Int) -> Int {
      var slots = DeviceSlots(capacity: capacity)
      for number in 0..<capacity { _ = slots.use("\(number)") }
      let before = slots.stepCount
      for number in 0..<50_000 { _ = slots.use("x\(number)") }
      return slots.stepCount - before
    }
    #expect(steps(capacity: 4096) == steps(capacity: 16))
    #expect(steps(capacity: 4096) <= 5 * 50_000)
  }
}
