import TestSupport
import Testing

@testable import ThenAndNow

@Suite struct PhotoViewsTests {
  private static func views(_ count: Int, _ locks: [(Int, Int)]) -> [Int?] {
    PhotoViews.views(count: count, locks: locks)
  }

  @Test func `photos that match, directly or by a chain, share a view`() {
    #expect(Self.views(0, []) == [])
    #expect(Self.views(3, []) == [nil, nil, nil])
    #expect(Self.views(5, [(3, 4), (0, 2)]) == [1, nil, 1, 2, 2])
    #expect(Self.views(6, [(4, 5), (1, 3), (3, 4)]) == [nil, 1, nil, 1, 1, 1])
    #expect(Self.views(2, [(1, 1), (0, 0)]) == [nil, nil])
    #expect(Self.views(3, [(2, 1), (1, 2), (2, 1)]) == [nil, 1, 1])
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `views are the transitive closure of matches, numbered by their first photos`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...30, using: &random)
    let locks = (0..<Int.random(in: 0...30, using: &random)).map { _ in
      (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
    }
    let views = Self.views(count, locks)
    // Each photo takes the least number of its matches, until nothing changes.
    var numbers = Array(0..<count)
    for _ in 0..<count {
      for (one, other) in locks {
        let least = min(numbers[one], numbers[other])
        (numbers[one], numbers[other]) = (least, least)
      }
    }
    let firsts = Set(locks.filter { $0.0 != $0.1 }.map { numbers[$0.0] }).sorted()
    let expected = numbers.map { first in firsts.firstIndex(of: first).map { $0 + 1 } }
    #expect(views == expected, "seed \(seed)")
  }
}
