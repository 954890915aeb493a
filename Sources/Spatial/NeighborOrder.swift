/// Puts neighbors in order: by distance, then by index.
enum NeighborOrder {
  typealias Neighbor = SpatialIndex.Neighbor

  static func sort(_ neighbors: inout [Neighbor]) {
    switch neighbors.count {
    case ...mostInserted: settle(&neighbors, neighbors.indices)
    case ...mostRanked: rank(&neighbors)
    default: sortByDigits(&neighbors)
    }
  }

  // Where the next way becomes faster, as measured.
  private static let mostInserted = 12
  private static let mostRanked = 64

  /// Puts each where its rank says: the number of those before it. Counting needs no branch that
  /// depends on the distances, and for a few dozen takes a third of the time of a sort.
  private static func rank(_ neighbors: inout [Neighbor]) {
    var farthest = 0.0
    for neighbor in neighbors { farthest = max(farthest, neighbor.distanceMeters) }
    // Steps of 25 bits, and the place in the lowest six makes no two the same.
    let stepsPerMeter = farthest > 1e-200 ? 0x1FF_FFFF / farthest : 0
    withScratch(repeating: neighbors[0], count: neighbors.count) { unsorted in
      // Filled up to whole vectors with what is behind all.
      let room = (neighbors.count + 7) / 8 * 8
      withScratch(repeating: Int32.max, count: room) { keys in
        for place in unsorted.indices {
          unsorted[place] = neighbors[place]
          // 25 bits at most, as the farthest has them.
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

  /// Sorts by the distance cut into steps, digit by digit, and then what shares a step.
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

  /// Sorts neighbors that share a step; a great many do where a great many are at one distance.
  private static func settleStep(_ neighbors: inout [Neighbor], _ range: Range<Int>) {
    if range.count > mostRanked {
      neighbors[range].sort(by: Neighbor.precedes)
    } else {
      settle(&neighbors, range)
    }
  }

  /// The step of each distance in the high 32 bits, its place in the low ones.
  private static func steps(_ neighbors: [Neighbor], bits: Int) -> ContiguousArray<UInt64> {
    let neighbors = neighbors.span
    var (least, greatest) = (Double.infinity, 0.0)
    for place in neighbors.indices {
      let distance = neighbors[place].distanceMeters
      if distance < least { least = distance }
      if distance > greatest { greatest = distance }
    }
    let range = greatest - least
    // What is as good as the same is one step, and sorted as such.
    let stepsPerMeter = range > 1e-200 ? Double(1 << bits - 1) / range : 0
    var keys = ContiguousArray<UInt64>(repeating: 0, count: neighbors.count)
    var steps = keys.mutableSpan
    for place in neighbors.indices {
      // At 2⁵² the last bit of a Double counts ones: adding it rounds to a whole number.
      let step = (neighbors[place].distanceMeters - least) * stepsPerMeter + 0x1p52
      steps[place] = step.bitPattern << 32 | UInt64(place)
    }
    return keys
  }

  /// Puts neighbors in order that almost are.
  static func settle(_ neighbors: inout [Neighbor]) { settle(&neighbors, neighbors.indices) }

  /// Sorts by insertion: a few, or what is almost in order.
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
