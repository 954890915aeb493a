/// A stable radix sort by integer keys, least significant digit first.
package enum RadixSort {
  /// A number and its index in the input.
  private struct Numbered: BitwiseCopyable {
    let number: UInt64
    let place: Int32
  }

  /// Returns the indices of numbers in ascending order of the numbers; equal numbers keep their
  /// order.
  ///
  /// A million capture times, whose range has 40 bits, take four passes.
  ///
  /// - Precondition: There are fewer than 2³¹ numbers.
  /// - Complexity: O(*n*) for *n* numbers.
  package static func order(of numbers: [Int64]) -> [Int32] {
    guard let least = numbers.min(), let greatest = numbers.max() else { return [] }
    // The distance of each number from the smallest, which may exceed the range of Int64.
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

  /// Sorts elements by a range of bits of their keys.
  ///
  /// - Parameters:
  ///   - elements: The elements, fewer than 2³¹.
  ///   - bits: The bits to sort by, where 0 is the lowest. The last pass may read bits above them,
  ///     so these must be zero.
  ///   - digitBits: The number of bits per pass. 11 needs the fewest passes for many elements; 8
  ///     keeps the counts in the L1 cache for few elements.
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

  /// Sorts by one digit; returns `false` without sorting if all elements have the same digit.
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
