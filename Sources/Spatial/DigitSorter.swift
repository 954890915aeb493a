/// Sorts numbers by their high 32 bits, digit by digit from the lowest, which keeps equal ones in order.
struct DigitSorter {
  private(set) var keys: ContiguousArray<UInt64>

  init(keys: ContiguousArray<UInt64>) { self.keys = keys }

  /// - Parameter bits: How many of the high 32 bits are used, counted from the lowest; the others are zero.
  mutating func sort(bits: Int) {
    // Two tables of counts in the first cache for few keys, two passes for many.
    let digitBits = (bits + 1) / 2 <= 8 ? 8 : 11
    var other = ContiguousArray<UInt64>(repeating: 0, count: keys.count)
    for shift in stride(from: 32, to: 32 + bits, by: digitBits) {
      sort(by: UInt64(shift), digitBits: digitBits, into: &other)
      swap(&keys, &other)
    }
  }

  private func sort(by shift: UInt64, digitBits: Int, into other: inout ContiguousArray<UInt64>) {
    let mask: UInt64 = 1 << UInt64(digitBits) - 1
    let keys = keys.span
    var starts = ContiguousArray<Int32>(repeating: 0, count: 1 << digitBits)
    var counts = starts.mutableSpan
    for place in keys.indices { counts[Int(keys[place] >> shift & mask)] &+= 1 }
    var sum: Int32 = 0
    for digit in counts.indices {
      let count = counts[digit]
      counts[digit] = sum
      sum &+= count
    }
    var sorted = other.mutableSpan
    for place in keys.indices {
      let digit = Int(keys[place] >> shift & mask)
      sorted[Int(counts[digit])] = keys[place]
      counts[digit] &+= 1
    }
  }
}
