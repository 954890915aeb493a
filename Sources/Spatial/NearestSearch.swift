/// A search for the few positions that are nearest to a place.
///
/// The first step visits the blocks of the node that would hold the place, the nearest block first,
/// and mostly finds the answer. The second step visits every other block that may hold a position
/// as close, which are few.
struct NearestSearch {
  /// The most that may be searched for.
  static let most = 64

  private let index: IndexView
  /// Around the nearest that were found, once there are enough of them.
  private var circle: Circle
  private var candidates = Candidates()
  private let centerKey: UInt64
  /// The blocks that were looked at in the first step: all of these nodes, but of `firstNode` only
  /// those whose bits are set.
  private var nodes = 0..<0
  private var firstNode = 0
  private var blocksOfFirstNode: UInt32 = 0

  /// Returns the nearest positions, nearest first, and at the same distance in the order of their
  /// indices.
  ///
  /// - Precondition: `count` is at least 1 and at most ``most``.
  static func nearest(
    _ count: Int, to center: Coordinate, in index: IndexView
  ) -> [SpatialIndex.Neighbor] {
    withScratch(repeating: Candidate.none, count: Candidates.room(for: count)) { room in
      withScratch(repeating: Candidates.farthest, count: count) { nearest in
        let nearby = Circle(center: center, radiusMeters: Self.nearbyMeters)
        var search = NearestSearch(index, in: nearby)
        if nearby.isFlat, search.run(&room, &nearest) {
          return search.candidates.neighbors(&room, &nearest)
        }
        for place in nearest.indices { nearest[place] = Candidates.farthest }
        search = NearestSearch(index, in: Circle(center: center, radiusMeters: .infinity))
        _ = search.run(&room, &nearest)
        return search.candidates.neighbors(&room, &nearest)
      }
    }
  }

  /// Where most searches end, and distances take the least time.
  private static let nearbyMeters = 20_000.0

  private init(_ index: IndexView, in circle: Circle) {
    self.index = index
    self.circle = circle
    centerKey = CurveOrder.key(circle.center)
  }

  /// Returns whether there are enough in the circle.
  private mutating func run(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) -> Bool {
    withScratch(repeating: Int32.max, count: BoxTree.width) { distances in
      lookAround(&room, &nearest, &distances)
    }
    if !candidates.areEnough(nearest), !circle.isGlobe { return false }
    makeSure(&room, &nearest)
    return true
  }

  /// Looks at the blocks of the node that seems the nearest, and if these are too few, at those of
  /// the nodes before and after it.
  private mutating func lookAround(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>,
    _ distances: inout MutableSpan<Int32>
  ) {
    let viewpoint = BoxTree.Viewpoint(circle.center, cosine: circle.cosine)
    firstNode = index.directory.node(at: centerKey)
    index.tree.measure(firstNode, from: viewpoint, &distances)
    nodes = firstNode..<firstNode + 1
    while let child = BoxTree.nearestChild(distances) {
      if child.squaredDistance > viewpoint.squared(haversine: circle.haversineLimit) { return }
      look(at: firstNode * BoxTree.width + child.place, &room, &nearest)
      distances[child.place] = .max
      blocksOfFirstNode |= 1 << UInt32(child.place)
    }
    while !candidates.areEnough(nearest), circle.isGlobe, nodes.count < index.directory.count {
      if nodes.upperBound < index.directory.count {
        nodes = nodes.lowerBound..<nodes.upperBound + 1
        look(atNode: nodes.upperBound - 1, &room, &nearest)
      }
      if nodes.lowerBound > 0 {
        nodes = nodes.lowerBound - 1..<nodes.upperBound
        look(atNode: nodes.lowerBound, &room, &nearest)
      }
    }
  }

  private mutating func look(
    atNode node: Int, _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    let first = node * BoxTree.width
    for block in first..<min(first + BoxTree.width, index.positions.blocks) {
      look(at: block, &room, &nearest)
    }
  }

  /// Looks at every other block that may hold a position as close as what was found.
  private mutating func makeSure(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    circle = circle.redrawn()
    var window = SearchWindow(circle)
    var windowLimit = circle.haversineLimit
    index.directory.forEachRange(under: circle, centerKey: centerKey) { nodes in
      index.tree.forEachBlock(of: nodes, in: &window) { block, window in
        guard !wasLookedAt(block) else { return }
        look(at: block, &room, &nearest)
        // Smaller where that is worth while: it takes the time of looking at two blocks.
        guard circle.haversineLimit < 0.5 * windowLimit else { return }
        circle = circle.redrawn()
        window = SearchWindow(circle)
        windowLimit = circle.haversineLimit
      }
    }
  }

  @inline(__always)
  private func wasLookedAt(_ block: Int) -> Bool {
    let (node, child) = block.quotientAndRemainder(dividingBy: BoxTree.width)
    return nodes.contains(node)
      && (node != firstNode || blocksOfFirstNode >> UInt32(child) & 1 == 1)
  }

  private mutating func look(
    at block: Int, _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    candidates.makeRoom(&room, &nearest)
    index.positions.forEach(in: block, near: circle) { index, haversine in
      guard haversine <= circle.haversineLimit else { return }
      candidates.add(Candidate(haversine: haversine, index: index), &room, &nearest)
    }
    guard candidates.areEnough(nearest) else { return }
    let wasGlobe = circle.isGlobe
    circle.shrink(toHaversine: nearest[nearest.count - 1])
    if wasGlobe { circle = circle.redrawn() }
  }
}

/// A position that may be among the nearest.
private struct Candidate: BitwiseCopyable {
  let haversine: Double
  let index: Int32

  static let none = Candidate(haversine: .infinity, index: -1)

  var neighbor: SpatialIndex.Neighbor {
    SpatialIndex.Neighbor(index: Int(index), distanceMeters: Haversine.meters(haversine))
  }

  /// By distance, then by index.
  ///
  /// Haversines are in the order of their distances, but two that differ by a rounding error may
  /// have the same distance; so distances are taken where it is close.
  @inline(__always)
  func precedes(_ other: Candidate) -> Bool {
    let difference = other.haversine - haversine
    if abs(difference) > 1e-14 * haversine { return difference > 0 }
    return SpatialIndex.Neighbor.precedes(neighbor, other.neighbor)
  }
}

/// The positions found so far that may be among the nearest.
///
/// They are kept in a room of a few dozen candidates, and beside it is a sorted list of keys, as
/// many as are wanted. A key is a haversine whose lowest bits are replaced by the candidate's place
/// in the room. So a new key is inserted without a branch. Candidates whose keys are too close are
/// put in order exactly at the end.
private struct Candidates {
  /// How many are in the room.
  private var count = 0
  /// How many of them are in order, as many as are wanted at most, and nothing else came before
  /// them.
  private var settled = 0

  /// The key of none.
  static let farthest = Double.greatestFiniteMagnitude
  private static let placeBits: UInt64 = 127

  /// Room for those that are wanted and those of three blocks; at most 112.
  static func room(for wanted: Int) -> Int { wanted + 3 * PositionStore.blockSize }

  /// Whether there are as many as are wanted.
  @inline(__always)
  func areEnough(_ nearest: borrowing MutableSpan<Double>) -> Bool {
    nearest[nearest.count - 1] < Self.farthest
  }

  @inline(__always)
  private static func key(_ candidate: Candidate, _ place: Int) -> Double {
    let bits = candidate.haversine.bitPattern & ~placeBits
    return Double(bitPattern: bits | UInt64(truncatingIfNeeded: place))
  }

  /// Adds a candidate, for which there is room.
  @inline(__always)
  mutating func add(
    _ candidate: Candidate, _ room: inout MutableSpan<Candidate>,
    _ nearest: inout MutableSpan<Double>
  ) {
    room[count] = candidate
    Self.insert(Self.key(candidate, count), &nearest)
    count += 1
  }

  @inline(__always)
  private static func insert(_ key: Double, _ nearest: inout MutableSpan<Double>) {
    // From behind, each becomes the smaller of itself and what moves up to it.
    for place in stride(from: nearest.count - 1, to: 0, by: -1) {
      let before = nearest[place - 1]
      nearest[place] = smaller(nearest[place], before > key ? before : key)
    }
    nearest[0] = smaller(nearest[0], key)
  }

  @inline(__always)
  private static func smaller(_ one: Double, _ other: Double) -> Double {
    one < other ? one : other
  }

  /// Makes room for the positions of a block.
  @inline(__always)
  mutating func makeRoom(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    if count + PositionStore.blockSize > room.count { settle(&room, &nearest) }
  }

  /// Throws out all but the nearest and puts them in order.
  @inline(never)
  private mutating func settle(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    for place in settled..<count {
      let candidate = room[place]
      if settled == nearest.count {
        guard candidate.precedes(room[settled - 1]) else { continue }
      } else {
        settled += 1
      }
      var free = settled - 1
      while free > 0, candidate.precedes(room[free - 1]) {
        room[free] = room[free - 1]
        free -= 1
      }
      room[free] = candidate
    }
    count = settled
    for place in nearest.indices {
      nearest[place] = place < settled ? Self.key(room[place], place) : Self.farthest
    }
  }

  /// Returns the nearest in order.
  mutating func neighbors(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) -> [SpatialIndex.Neighbor] {
    // One that is as near as the last of the keys may come before it.
    let limit = nearest[nearest.count - 1] * (1 + 1e-12) + 1e-300
    var near = 0
    for place in 0..<count { near += room[place].haversine <= limit ? 1 : 0 }
    if near > nearest.count || !areEnough(nearest) { settle(&room, &nearest) }
    var neighbors = [SpatialIndex.Neighbor](capacity: min(count, nearest.count)) { neighbors in
      for place in nearest.indices where nearest[place] < Self.farthest {
        let place = Int(truncatingIfNeeded: nearest[place].bitPattern & Self.placeBits)
        neighbors.append(room[place].neighbor)
      }
    }
    NeighborOrder.settle(&neighbors)
    return neighbors
  }
}
