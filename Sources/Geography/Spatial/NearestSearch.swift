/// A search for the nearest positions to a given position.
///
/// The first step examines the blocks of the node that would contain the position, nearest block
/// first, and usually finds the result. The second step examines every other block that may contain
/// a position as close; there are few.
struct NearestSearch {
  /// The maximum number of positions to search for.
  static let maximumCount = 64

  private let index: IndexView
  /// The circle around the nearest positions found so far, once there are enough of them.
  private var circle: Circle
  private var candidates = Candidates()
  private let centerKey: UInt64
  /// The nodes whose blocks were examined in the first step. Of `firstNode`, only the blocks in
  /// `blocksOfFirstNode` were.
  private var nodes = 0..<0
  private var firstNode = 0
  private var blocksOfFirstNode: UInt32 = 0

  /// Returns the nearest positions, nearest first, then by index.
  ///
  /// - Precondition: `count` is in `1...maximumCount`.
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

  /// The radius in which most searches succeed, and in which distances are cheapest to compute.
  private static let nearbyMeters = 20_000.0

  private init(_ index: IndexView, in circle: Circle) {
    self.index = index
    self.circle = circle
    centerKey = CurveOrder.key(circle.center)
  }

  /// Runs the search; returns `false` if the circle contains too few positions.
  private mutating func run(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) -> Bool {
    withScratch(repeating: Int32.max, count: BoxTree.width) { distances in
      examineNearbyNodes(&room, &nearest, &distances)
    }
    if !candidates.areEnough(nearest), !circle.isGlobe { return false }
    examineRemainingBlocks(&room, &nearest)
    return true
  }

  /// Examines the blocks of the node that seems nearest and, if they contain too few positions, the
  /// blocks of the nodes before and after it.
  private mutating func examineNearbyNodes(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>,
    _ distances: inout MutableSpan<Int32>
  ) {
    let viewpoint = BoxTree.Viewpoint(circle.center, cosine: circle.cosine)
    firstNode = index.directory.node(at: centerKey)
    index.tree.measure(firstNode, from: viewpoint, &distances)
    nodes = firstNode..<firstNode + 1
    while let child = BoxTree.nearestChild(distances) {
      if child.squaredDistance > viewpoint.squared(haversine: circle.haversineLimit) { return }
      examine(at: firstNode * BoxTree.width + child.place, &room, &nearest)
      distances[child.place] = .max
      blocksOfFirstNode |= 1 << UInt32(child.place)
    }
    while !candidates.areEnough(nearest), circle.isGlobe, nodes.count < index.directory.count {
      if nodes.upperBound < index.directory.count {
        nodes = nodes.lowerBound..<nodes.upperBound + 1
        examine(atNode: nodes.upperBound - 1, &room, &nearest)
      }
      if nodes.lowerBound > 0 {
        nodes = nodes.lowerBound - 1..<nodes.upperBound
        examine(atNode: nodes.lowerBound, &room, &nearest)
      }
    }
  }

  private mutating func examine(
    atNode node: Int, _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    let first = node * BoxTree.width
    for block in first..<min(first + BoxTree.width, index.positions.blocks) {
      examine(at: block, &room, &nearest)
    }
  }

  /// Examines every other block that may contain a position as close as those found.
  private mutating func examineRemainingBlocks(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    circle = circle.redrawn()
    var window = SearchWindow(circle)
    var windowLimit = circle.haversineLimit
    index.directory.forEachRange(under: circle, centerKey: centerKey) { nodes in
      index.tree.forEachBlock(of: nodes, in: &window) { block, window in
        guard !wasExamined(block) else { return }
        examine(at: block, &room, &nearest)
        // Shrinking the window takes as long as examining two blocks, so it must be worthwhile.
        guard circle.haversineLimit < 0.5 * windowLimit else { return }
        circle = circle.redrawn()
        window = SearchWindow(circle)
        windowLimit = circle.haversineLimit
      }
    }
  }

  @inline(__always)
  private func wasExamined(_ block: Int) -> Bool {
    let (node, child) = block.quotientAndRemainder(dividingBy: BoxTree.width)
    return nodes.contains(node)
      && (node != firstNode || blocksOfFirstNode >> UInt32(child) & 1 == 1)
  }

  private mutating func examine(
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

  /// Orders candidates by distance, then by index.
  ///
  /// Haversines are ordered like distances. But two haversines that differ only by rounding may
  /// have equal distances, so distances are compared if the haversines are close.
  @inline(__always)
  func precedes(_ other: Candidate) -> Bool {
    let difference = other.haversine - haversine
    if abs(difference) > 1e-14 * haversine { return difference > 0 }
    return SpatialIndex.Neighbor.precedes(neighbor, other.neighbor)
  }
}

/// The nearest positions found so far.
///
/// Candidates are stored in a buffer of a few dozen. A sorted list has as many keys as results are
/// wanted. A key is a candidate's haversine, with its lowest bits replaced by the candidate's index
/// in the buffer, so that keys can be inserted without branches. Candidates with nearly equal keys
/// are sorted exactly at the end.
private struct Candidates {
  /// The number of candidates in the buffer.
  private var count = 0
  /// The number of candidates at the start of the buffer that are known to be the nearest, in
  /// order.
  private var settled = 0

  /// The key of an empty place.
  static let farthest = Double.greatestFiniteMagnitude
  private static let placeBits: UInt64 = 127

  /// Returns the size of the buffer: the wanted results and three blocks; at most 112.
  static func room(for wanted: Int) -> Int { wanted + 3 * PositionStore.blockSize }

  /// Whether as many candidates were found as are wanted.
  @inline(__always)
  func areEnough(_ nearest: borrowing MutableSpan<Double>) -> Bool {
    nearest[nearest.count - 1] < Self.farthest
  }

  @inline(__always)
  private static func key(_ candidate: Candidate, _ place: Int) -> Double {
    let bits = candidate.haversine.bitPattern & ~placeBits
    return Double(bitPattern: bits | UInt64(truncatingIfNeeded: place))
  }

  /// Adds a candidate; the buffer must have room for it.
  @inline(__always)
  mutating func add(
    _ candidate: Candidate, _ room: inout MutableSpan<Candidate>,
    _ nearest: inout MutableSpan<Double>
  ) {
    room[count] = candidate
    Self.insert(Self.key(candidate, count), &nearest)
    count += 1
  }

  /// Inserts a key into the ascending list of keys, whose greatest key is dropped.
  @inline(__always)
  private static func insert(_ key: Double, _ nearest: inout MutableSpan<Double>) {
    // From last to first, each key becomes the smaller of itself and the key shifted into its
    // place.
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

  /// Makes room in the buffer for the positions of a block.
  @inline(__always)
  mutating func makeRoom(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) {
    if count + PositionStore.blockSize > room.count { settle(&room, &nearest) }
  }

  /// Sorts the candidates and removes all but the nearest.
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

  /// Returns the results in order.
  mutating func neighbors(
    _ room: inout MutableSpan<Candidate>, _ nearest: inout MutableSpan<Double>
  ) -> [SpatialIndex.Neighbor] {
    // A candidate as near as the last key may precede it in the exact order.
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
