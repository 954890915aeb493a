/// Sorting by whole numbers, digit by digit from the lowest, which keeps equal ones in order.
package enum RadixSort {
  /// A number, and its place among those that are sorted.
  private struct Numbered: BitwiseCopyable {
    let number: UInt64
    let place: Int32
  }

  /// Returns the places of numbers in ascending order, equal ones in the order in which they are.
  ///
  /// A million times of capture, of 40 bits, take four passes.
  ///
  /// - Precondition: There are fewer than 2³¹ numbers.
  /// - Complexity: O(*n*) for *n* numbers.
  package static func order(of numbers: [Int64]) -> [Int32] {
    guard let least = numbers.min(), let greatest = numbers.max() else { return [] }
    // By how much each is above the least, which may be more than an Int64 holds.
    var numbered = ContiguousArray<Numbered>()
    numbered.reserveCapacity(numbers.count)
    for (place, number) in numbers.enumerated() {
      numbered.append(
        Numbered(number: UInt64(bitPattern: number &- least), place: Int32(place)))
    }
    let range = UInt64(bitPattern: greatest &- least)
    sort(&numbered, bits: 0..<64 - range.leadingZeroBitCount) { $0.number }
    return numbered.map(\.place)
  }

  /// Sorts elements by some bits of their keys.
  ///
  /// - Parameters:
  ///   - elements: Fewer than 2³¹.
  ///   - bits: The bits that are looked at, 0 the lowest. The bits above them may be looked at too,
  ///     so they are zero.
  ///   - digitBits: How many bits are sorted by in a pass. 11 are fewest passes for many elements;
  ///     8 keep the counts in the first cache for few.
  ///   - key: Returns the key of an element.
  @inline(__always)
  static func sort<Element: BitwiseCopyable>(
    _ elements: inout ContiguousArray<Element>, bits: Range<Int>, digitBits: Int = 11,
    by key: (Element) -> UInt64
  ) {
    guard let first = elements.first else { return }
    var sorted = ContiguousArray(repeating: first, count: elements.count)
    for shift in stride(from: bits.lowerBound, to: bits.upperBound, by: digitBits) {
      if sort(elements.span, by: UInt64(shift), digitBits, into: &sorted, key) {
        swap(&elements, &sorted)
      }
    }
  }

  /// Sorts by one digit; returns false, and sorts nothing, where all have the same.
  @inline(__always)
  private static func sort<Element: BitwiseCopyable>(
    _ elements: Span<Element>, by shift: UInt64, _ digitBits: Int,
    into sorted: inout ContiguousArray<Element>, _ key: (Element) -> UInt64
  ) -> Bool {
    let mask: UInt64 = 1 << UInt64(digitBits) - 1
    var starts = ContiguousArray<Int32>(repeating: 0, count: 1 << digitBits)
    var counts = starts.mutableSpan
    for place in elements.indices { counts[Int(key(elements[place]) >> shift & mask)] &+= 1 }
    if Int(counts[Int(key(elements[0]) >> shift & mask)]) == elements.count { return false }
    var sum: Int32 = 0
    for digit in counts.indices {
      let count = counts[digit]
      counts[digit] = sum
      sum &+= count
    }
    var places = sorted.mutableSpan
    for place in elements.indices {
      let digit = Int(key(elements[place]) >> shift & mask)
      places[Int(counts[digit])] = elements[place]
      counts[digit] &+= 1
    }
    return true
  }
}
