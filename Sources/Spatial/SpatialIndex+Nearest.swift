extension SpatialIndex {
  /// Returns the nearest positions to a place, nearest first.
  ///
  /// Positions at the same distance are in the order of the array that the index was made from, and where
  /// not all of them fit, the earlier ones are returned.
  ///
  /// - Parameters:
  ///   - count: How many to return at most.
  ///   - center: The place to search around.
  /// - Returns: As many as asked for, or all where there are fewer; none for a count below one.
  /// - Complexity: O(log *n* + *count* log *count*) for *n* positions, as they mostly lie.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    let count = min(count, self.count)
    guard count > 0 else { return [] }
    guard count <= NearestSearch.most else { return nearestOfCircles(count, center) }
    let none = Candidate(haversine: .infinity, index: -1)
    return withScratch(repeating: none, count: count) { candidates in
      withScratch(repeating: 0.0, count: PositionStore.blockSize) { scratch in
        var search = NearestSearch(index: self, center: center)
        search.run(&candidates, &scratch)
      }
      var neighbors: [Neighbor] = []
      neighbors.reserveCapacity(count)
      for place in candidates.indices { neighbors.append(candidates[place].neighbor) }
      return neighbors
    }
  }

  /// Returns the nearest positions within a distance of a place, nearest first: the first of what
  /// ``neighbors(within:of:)`` returns, without the time that the others take.
  ///
  /// - Parameters:
  ///   - radiusMeters: How far to search along the ground, edge included; a negative radius finds none.
  ///   - center: The place to search around.
  ///   - limit: How many to return at most; none for a limit below one.
  /// - Returns: The matches with their distances.
  /// - Complexity: O(log *n* + *limit* log *limit*) for *n* positions, as they mostly lie.
  public func neighbors(
    within radiusMeters: Double, of center: Coordinate, limit: Int
  ) -> [Neighbor] {
    let count = min(limit, count)
    guard count > 0, radiusMeters >= 0 else { return [] }
    guard count <= NearestSearch.most else {
      return nearestOfCircles(count, center, within: radiusMeters)
    }
    return nearest(count, to: center).filter { $0.distanceMeters <= radiusMeters }
  }

  /// Many are searched in circles of doubling radius until one holds enough, or all that lie near enough.
  private func nearestOfCircles(
    _ count: Int, _ center: Coordinate, within greatestMeters: Double = .infinity
  ) -> [Neighbor] {
    // What lies within the greatest distance of all is everything there is.
    let greatestMeters = min(greatestMeters, Earth.greatestDistanceMeters + 1)
    var radiusMeters = nearest(NearestSearch.most, to: center).last?.distanceMeters ?? 0
    while true {
      radiusMeters = min(max(radiusMeters * 2, 1), greatestMeters)
      let found = neighbors(within: radiusMeters, of: center)
      if found.count >= count || radiusMeters == greatestMeters {
        return Array(found.prefix(count))
      }
    }
  }
}

/// A search for the nearest that looks at first where they are likely to be, and then at whatever may be
/// as close as what it has found.
private struct NearestSearch {
  /// Candidates are kept in order, and one more moves those behind it: not for any number of them.
  static let most = 64

  private let index: SpatialIndex
  /// Around the nearest that were found; as large as can be until there are enough of them.
  private var circle: Circle
  /// The limit of the circle for which the window was made.
  private var windowLimit = Double.infinity

  init(index: SpatialIndex, center: Coordinate) {
    self.index = index
    circle = Circle(center: center, radiusMeters: .infinity)
  }

  mutating func run(
    _ candidates: inout MutableSpan<Candidate>, _ scratch: inout MutableSpan<Double>
  ) {
    let likely = index.positions.block(at: CurveOrder.key(circle.center))
    let seen = lookAround(likely, &candidates, &scratch)
    var window = SearchWindow(circle)
    drawIn(&window)
    index.tree.forEachBlock(in: &window) { block, window in
      guard !seen.contains(block) else { return }
      look(at: block, &candidates, &scratch)
      drawIn(&window)
    }
  }

  /// Looks at a block and those before and after it, and at more until there are as many positions as are
  /// wanted. Returns the blocks.
  private mutating func lookAround(
    _ block: Int, _ candidates: inout MutableSpan<Candidate>, _ scratch: inout MutableSpan<Double>
  ) -> Range<Int> {
    var (start, end) = (block, block + 1)
    look(at: block, &candidates, &scratch)
    repeat {
      if end < index.positions.blocks {
        look(at: end, &candidates, &scratch)
        end += 1
      }
      if start > 0 {
        start -= 1
        look(at: start, &candidates, &scratch)
      }
    } while candidates[candidates.count - 1].index < 0
    return start..<end
  }

  private mutating func look(
    at block: Int, _ candidates: inout MutableSpan<Candidate>, _ scratch: inout MutableSpan<Double>
  ) {
    let last = candidates.count - 1
    index.positions.forEach(in: block, near: circle, scratch: &scratch) { index, haversine in
      let candidate = Candidate(haversine: haversine, index: index)
      guard candidate.precedes(candidates[last]) else { return }
      var place = last
      while place > 0, candidate.precedes(candidates[place - 1]) {
        candidates[place] = candidates[place - 1]
        place -= 1
      }
      candidates[place] = candidate
    }
    circle.shrink(toHaversine: candidates[last].haversine)
  }

  /// Makes the window smaller where that is worth while: it takes the time of looking at two blocks.
  private mutating func drawIn(_ window: inout SearchWindow) {
    guard circle.haversineLimit < 0.5 * windowLimit else { return }
    circle = circle.redrawn()
    window = SearchWindow(circle)
    windowLimit = circle.haversineLimit
  }
}

/// A position that may be among the nearest.
private struct Candidate: BitwiseCopyable {
  let haversine: Double
  /// Negative for none, which is farther away than any.
  let index: Int32

  /// By distance, then by index.
  ///
  /// Haversines are in the order of their distances, but two that differ by a rounding error may have
  /// the same distance; so distances are taken where it is close.
  @inline(__always)
  func precedes(_ other: Candidate) -> Bool {
    let difference = other.haversine - haversine
    if abs(difference) > 1e-14 * haversine { return difference > 0 }
    return SpatialIndex.Neighbor.precedes(neighbor, other.neighbor)
  }

  var neighbor: SpatialIndex.Neighbor {
    SpatialIndex.Neighbor(index: Int(index), distanceMeters: Haversine.meters(haversine))
  }
}
