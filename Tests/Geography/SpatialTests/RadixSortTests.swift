import Spatial
import TestSupport
import Testing

@Suite struct RadixSortTests {
  @Test(arguments: [94, 95] as [UInt64])
  func `numbers are sorted stably`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let ranges: [ClosedRange<Int64>] = [
      0...0, -5...5, .min ... .max, 1_600_000_000_000...1_700_000_000_000, -2048...2047,
      0...2047, 0...2048, .max - 3 ... .max, .min ... .min + 3,
    ]
    for range in ranges {
      for count in [0, 1, 2, 1000] {
        let numbers = (0..<count).map { _ in Int64.random(in: range, using: &generator) }
        let expected = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
        #expect(RadixSort.order(of: numbers).map { Int($0) } == expected, "seed \(seed), \(range)")
      }
    }
  }
}
