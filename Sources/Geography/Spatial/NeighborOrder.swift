/// Sorts neighbors by distance, then by index.
enum NeighborOrder {
  typealias Neighbor = SpatialIndex.Neighbor

  static func sort(_ neighbors: inout [Neighbor]) {
    switch neighbors.count {
    case ...maximumInserted: settle(&neighbors, neighbors.indices)
    case ...maximumRanked: rank(&neighbors)
    default: sortByDigits(&neighbors)
    }
  }

  // The measured sizes at which the next algorithm becomes faster.
  private static let maximumInserted = 12
  private static let maximumRanked = 64

  /// Sorts by computing each neighbor's rank: the number of neighbors before it.
  ///
  /// Counting needs no branch that depends on the distances, and takes a third of the time of a
  /// comparison sort for a few dozen neighbors.
  private static func rank(_ neighbors: inout [Neighbor]) {
    var farthest = 0.0
    for neighbor in neighbors { farthest = max(farthest, neighbor.distanceMeters) }
    // Distances become 25-bit integers. The index in the lowest six bits makes all keys different.
    let stepsPerMeter = farthest > 1e-200 ? 0x1FF_FFFF / farthest : 0
    withScratch(repeating: neighbors[0], count: neighbors.count) { unsorted in
      // Padded to whole vectors with keys that are greater than all others.
      let room = (neighbors.count + 7) / 8 * 8
      withScratch(repeating: Int32.max, count: room) { keys in
        for place in unsorted.indices {
          unsorted[place] = neighbors[place]
          // At most 25 bits, because the distance is at most `farthest`.
          let step = Int(bounded: neighbors[place].distanceMeters * stepsPerMeter)
          keys[place] = Int32(truncatingIfNeeded: step << 6 | place)
        }
        var sorted = neighbors.mutableSpan
        for place in unsorted.indices {
          let key = keys[place]
          var rank: Int32 = 0
          for other in keys.indices { if keys[other] < key { rank &+= 1 } }
          sorted[Int(rank)] = unsorted[place]
        }
      }
    }
    settle(&neighbors, neighbors.indices)
  }

  /// Sorts quantized distances with a radix sort, and then the neighbors with equal quantized
  /// distances.
  private static func sortByDigits(_ neighbors: inout [Neighbor]) {
    let bits = neighbors.count <= 2048 ? 16 : 22
    var sorted = steps(neighbors, bits: bits)
    RadixSort.sort(&sorted, bits: 32..<32 + bits, digitBits: bits / 2) { $0 }
    let keys = sorted.span
    let unsorted = neighbors
    gather(unsorted.span, keys, into: &neighbors)
    var first = 0
    for place in 1..<keys.count where keys[place] >> 32 != keys[first] >> 32 {
      if place - first > 1 { settleStep(&neighbors, first..<place) }
      first = place
    }
    settleStep(&neighbors, first..<keys.count)
  }

  private static func gather(
    _ unsorted: Span<Neighbor>, _ keys: Span<UInt64>, into neighbors: inout [Neighbor]
  ) {
    var sorted = neighbors.mutableSpan
    for place in keys.indices {
      sorted[place] = unsorted[Int(truncatingIfNeeded: keys[place] & 0xFFFF_FFFF)]
    }
  }

  /// Sorts neighbors with equal quantized distances; there are many if many have the same distance.
  private static func settleStep(_ neighbors: inout [Neighbor], _ range: Range<Int>) {
    if range.count > maximumRanked {
      neighbors[range].sort(by: Neighbor.precedes)
    } else {
      settle(&neighbors, range)
    }
  }

  /// Returns the quantized distance of each neighbor in the high 32 bits, and its index in the low
  /// ones.
  private static func steps(_ neighbors: [Neighbor], bits: Int) -> ContiguousArray<UInt64> {
    let neighbors = neighbors.span
    var (least, greatest) = (Double.infinity, 0.0)
    for place in neighbors.indices {
      let distance = neighbors[place].distanceMeters
      if distance < least { least = distance }
      if distance > greatest { greatest = distance }
    }
    let range = greatest - least
    // Nearly equal distances get one quantized value, and are sorted afterwards.
    let stepsPerMeter = range > 1e-200 ? Double(1 << bits - 1) / range : 0
    var keys = ContiguousArray<UInt64>(repeating: 0, count: neighbors.count)
    var steps = keys.mutableSpan
    for place in neighbors.indices {
      // Adding 2⁵² to a Double rounds it to an integer in its lowest bits.
      let step = (neighbors[place].distanceMeters - least) * stepsPerMeter + 0x1p52
      steps[place] = step.bitPattern << 32 | UInt64(place)
    }
    return keys
  }

  /// Sorts neighbors that are nearly in order.
  static func settle(_ neighbors: inout [Neighbor]) { settle(&neighbors, neighbors.indices) }

  /// Sorts by insertion: few neighbors, or an almost sorted range.
  @inline(__always)
  private static func settle(_ neighbors: inout [Neighbor], _ range: Range<Int>) {
    guard range.count > 1 else { return }
    var neighbors = neighbors.mutableSpan
    for place in range.dropFirst() {
      let neighbor = neighbors[place]
      var free = place
      while free > range.lowerBound, Neighbor.precedes(neighbor, neighbors[free - 1]) {
        neighbors[free] = neighbors[free - 1]
        free -= 1
      }
      if free < place { neighbors[free] = neighbor }
    }
  }
}
