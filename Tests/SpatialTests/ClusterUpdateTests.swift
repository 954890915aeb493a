import Spatial
import TestSupport
import Testing

@Suite struct ClusterUpdateTests {
  /// Positions that are edited step by step, and their clustering, which is brought up to date.
  private struct Edited {
    var positions: [Coordinate]
    var clustering: Clustering
    let clusterer: GreedyClusterer

    init(_ positions: [Coordinate], radiusMeters: Double) {
      self.positions = positions
      clusterer = GreedyClusterer(radiusMeters: radiusMeters)
      clustering = clusterer.clusters(of: positions)
    }

    /// Removes the positions at some places, and inserts others before places.
    mutating func edit(removing removed: Set<Int>, inserting added: [Int: [Coordinate]])
      -> ClusterChanges
    {
      var (edited, newPlaces): ([Coordinate], [Int32]) = ([], [])
      for place in 0...positions.count {
        edited += added[place] ?? []
        guard place < positions.count else { break }
        newPlaces.append(removed.contains(place) ? -1 : Int32(edited.count))
        if !removed.contains(place) { edited.append(positions[place]) }
      }
      let anchors = (0..<clustering.count).map { positions[Int(clustering.anchor(of: $0))] }
      let earlier = EarlierClusters(
        clustering, newPlaces: newPlaces, positions: edited, centers: SpatialIndex(anchors),
        slackMeters: 0)
      let changes = earlier.changes(by: clusterer)
      clustering = earlier.clustering(after: changes)
      positions = edited
      return changes
    }

    /// Removes and inserts a few positions anywhere; one in two of the removed comes back at
    /// another place.
    mutating func editAnywhere(
      _ layout: Layout, using generator: inout SeededGenerator
    ) -> ClusterChanges {
      var (removed, added): (Set<Int>, [Int: [Coordinate]]) = ([], [:])
      for _ in 0..<Int.random(in: 0...4, using: &generator) where !positions.isEmpty {
        let place = Int.random(in: positions.indices, using: &generator)
        removed.insert(place)
        if Bool.random(using: &generator) {
          let other = Int.random(in: 0...positions.count, using: &generator)
          added[other, default: []].append(positions[place])
        }
      }
      let count = Int.random(in: 0...4, using: &generator)
      for position in layout.positions(count: count, seed: generator.next()) {
        let place = Int.random(in: 0...positions.count, using: &generator)
        added[place, default: []].append(position)
      }
      return edit(removing: removed, inserting: added)
    }
  }

  /// The definition, word for word.
  private func naiveClusters(of positions: [Coordinate], radiusMeters: Double) -> [Int32] {
    var clusters = [Int32](repeating: -1, count: positions.count)
    var count: Int32 = 0
    for anchor in positions.indices where clusters[anchor] < 0 {
      for member in anchor..<positions.count where clusters[member] < 0 {
        if positions[anchor].distance(to: positions[member]) <= radiusMeters {
          clusters[member] = count
        }
      }
      count += 1
    }
    return clusters
  }

  /// 1250 sequences of each of the eight layouts: 10 000.
  @Test(arguments: Layout.allCases)
  func `random edits give the clusters of the naive greedy`(layout: Layout) {
    var moves = 0
    for seed: UInt64 in 0..<1250 {
      var generator = SeededGenerator(seed: seed)
      let radius = [0, 5, 15, 50, 250, 2000, 1e7].randomElement(using: &generator)!
      let count = Int.random(in: 0...25, using: &generator)
      var edited = Edited(
        layout.positions(count: count, seed: generator.next()), radiusMeters: radius)
      for step in 1...2 {
        moves += edited.editAnywhere(layout, using: &generator).moves.count
        #expect(
          edited.clustering.clusters
            == naiveClusters(of: edited.positions, radiusMeters: radius),
          "\(layout) seed \(seed), radius \(radius) m, step \(step)")
      }
    }
    #expect(moves > 1000)
  }

  @Test(arguments: Layout.allCases)
  func `edits among thousands give the clustering of all`(layout: Layout) {
    var generator = SeededGenerator(seed: 77)
    let count = layout == .identical ? 500 : TwinSize.count
    var edited = Edited(layout.positions(count: count, seed: 12), radiusMeters: 15)
    for step in 1...20 {
      _ = edited.editAnywhere(layout, using: &generator)
      let all = edited.clusterer.clusters(of: edited.positions)
      #expect(edited.clustering.clusters == all.clusters, "\(layout), step \(step)")
      #expect(edited.clustering.count == all.count)
    }
  }

  @Test func `an anchor that disappears is felt along a whole chain of anchors`() {
    let positions = (0..<100).map { Coordinate(latitude: 45 + Double($0) * 9e-5, longitude: 7)! }
    var edited = Edited(positions, radiusMeters: 15)
    let changes = edited.edit(removing: [0], inserting: [:])
    #expect(changes.moves.count == 99)
    #expect(changes.moves.count { $0.founds } == 50)
    #expect(changes.moves.count { $0.dissolves } == 49)
    #expect(
      edited.clustering.clusters == naiveClusters(of: edited.positions, radiusMeters: 15))
  }

  @Test func `only what lies within reach of a change is looked at`() {
    let positions = Layout.uniform.positions(count: 3000, seed: 5)
    for place in [0, 1500, 3000] {
      var edited = Edited(positions, radiusMeters: 15)
      let changes = edited.edit(
        removing: [], inserting: [place: [Coordinate(latitude: 48.8584, longitude: 2.2945)!]])
      #expect(changes.moves.map(\.row) == [Int32(place)])
      #expect(changes.moves.allSatisfy { $0.founds && $0.formerAnchor == nil })
      #expect(changes.visits == 0)
    }
  }

  @Test func `removing a position that is no anchor moves nothing`() {
    var edited = Edited(Layout.identical.positions(count: 100, seed: 1), radiusMeters: 15)
    let changes = edited.edit(removing: [5, 50, 99], inserting: [:])
    #expect(changes.moves.isEmpty && changes.visits == 0)
    #expect(edited.clustering.members(of: 0).count == 97)
  }

  @Test func `no change changes nothing, and all may be removed and added`() {
    var edited = Edited(Layout.circle.positions(count: 50, seed: 3), radiusMeters: 15)
    let before = edited.clustering.clusters
    #expect(edited.edit(removing: [], inserting: [:]).moves.isEmpty)
    #expect(edited.clustering.clusters == before)
    #expect(edited.edit(removing: Set(0..<50), inserting: [:]).moves.isEmpty)
    #expect(edited.clustering.count == 0)
    let others = Layout.circle.positions(count: 50, seed: 4)
    _ = edited.edit(removing: [], inserting: [0: others])
    #expect(edited.clustering.clusters == naiveClusters(of: others, radiusMeters: 15))
  }

  /// Rows in another order than the canonical one, answered by looking at all of them.
  private struct ShuffledRows: ClusteredPositions {
    let positions: [Coordinate]
    /// The place of each row in canonical order.
    let ranks: [Int]
    var anchors: [Int32?]

    func position(of row: Int32) -> Coordinate { positions[Int(row)] }
    func precedes(_ left: Int32, _ right: Int32) -> Bool { ranks[Int(left)] < ranks[Int(right)] }
    func anchor(of row: Int32) -> Int32? { anchors[Int(row)] }
    // Without the anchor itself.
    func forEachMember(of anchor: Int32, _ body: (Int32) -> Void) {
      for row in anchors.indices where anchors[row] == anchor && row != anchor { body(Int32(row)) }
    }
    // With those that are too far away.
    func forEachAnchor(
      within meters: Double, of position: Coordinate, _ body: (Int32) -> Void
    ) {
      for row in anchors.indices where anchors[row] == Int32(row) { body(Int32(row)) }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `rows may be numbered in any order`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let positions = Layout.circle.positions(count: 60, seed: seed)
    let order = (0..<60).map { Int32($0) }.shuffled(using: &generator)
    let added = Set(order.shuffled(using: &generator).prefix(7))
    var ranks = [Int](repeating: 0, count: 60)
    for (rank, row) in order.enumerated() { ranks[Int(row)] = rank }
    func anchors(of order: [Int32]) -> [Int32?] {
      let clusters = naiveClusters(of: order.map { positions[Int($0)] }, radiusMeters: 15)
      var anchors = [Int32?](repeating: nil, count: 60)
      for (place, row) in order.enumerated() {
        anchors[Int(row)] = clusters.firstIndex(of: clusters[place]).map { order[$0] }
      }
      return anchors
    }
    var rows = ShuffledRows(
      positions: positions, ranks: ranks, anchors: anchors(of: order.filter { !added.contains($0) })
    )
    let changes = GreedyClusterer(radiusMeters: 15)
      .changes(to: rows, added: added, orphans: EmptyCollection())
    for move in changes.moves {
      #expect(rows.anchors[Int(move.row)] == move.formerAnchor)
      rows.anchors[Int(move.row)] = move.anchor
    }
    #expect(rows.anchors == anchors(of: order))
  }
}
