import CLibrary
import Spatial
import TestSupport
import Testing

@Suite struct GreedyClustererTests {
  /// A literal implementation of the definition: the first unassigned position is an anchor, and
  /// every unassigned position within the radius of it joins.
  private func naiveClusters(of positions: [Coordinate], radiusMeters: Double) -> [Int32] {
    var clusters = [Int32](repeating: -1, count: positions.count)
    var count: Int32 = 0
    for anchor in positions.indices where clusters[anchor] < 0 {
      for member in positions.indices where clusters[member] < 0 {
        if positions[anchor].distance(to: positions[member]) <= radiusMeters {
          clusters[member] = count
        }
      }
      count += 1
    }
    return clusters
  }

  @Test(arguments: Layout.allCases, [5, 15, 50] as [Double])
  func `clusters agree with a naive greedy implementation`(layout: Layout, radius: Double) {
    for seed in Effort.seeds(3) {
      let positions = layout.positions(count: 700, seed: seed)
      let clustering = GreedyClusterer(radiusMeters: radius).clusters(of: positions)
      #expect(
        clustering.clusters == naiveClusters(of: positions, radiusMeters: radius),
        "\(layout) seed \(seed), radius \(radius) m")
    }
  }

  @Test(arguments: Layout.allCases)
  func `each of many positions joins the earliest anchor in its radius`(layout: Layout) {
    let count = layout == .identical ? 300 : Effort.isThorough ? 3000 : 1000
    let positions = layout.positions(count: count, seed: 6)
    let clusters = GreedyClusterer(radiusMeters: 15).clusters(of: positions).clusters
    let index = SpatialIndex(positions)
    var clusterCount: Int32 = 0
    var numbers: [Int: Int32] = [:]
    for (place, position) in positions.enumerated() {
      let anchors = index.neighbors(within: 15, of: position).filter { $0.index < place }
        .compactMap { numbers[$0.index] }
      if anchors.isEmpty {
        numbers[place] = clusterCount
        clusterCount += 1
      }
      #expect(clusters[place] == anchors.min() ?? clusterCount - 1, "\(layout), position \(place)")
    }
  }

  @Test func `positions around a pole are clustered like a naive greedy implementation`() {
    let positions = (0..<1000).map { step in
      let turn = Double(step) * 137.507764
      return Coordinate(
        latitude: -90 + Double(step) * 2e-6,
        longitude: turn.truncatingRemainder(dividingBy: 360) - 180)!
    }
    let clustering = GreedyClusterer(radiusMeters: 15).clusters(of: positions)
    #expect(clustering.clusters == naiveClusters(of: positions, radiusMeters: 15))
    #expect(clustering.count > 50)
  }

  /// Positions clearly near or far are decided by rounded numbers; these are all close to the
  /// limit.
  @Test(
    arguments: [0, 47.4, -71, 83.9, -84.2, 89.9, 89.99995], [0.01, 5, 15, 50, 250, 251] as [Double])
  func `positions close to the radius are assigned by their exact distance`(
    latitude: Double, radius: Double
  ) {
    var generator = SeededGenerator(seed: 11)
    let metersPerDegree = Earth.meanRadiusMeters * Double.pi / 180
    for longitude in [8.5, 179.9999999, -180] {
      var positions = [Coordinate(latitude: latitude, longitude: longitude)!]
      for _ in 0..<300 {
        let beyond = [0, 1e-6, 0.001, 0.01, 0.1].randomElement(using: &generator)!
        let distance = radius + .random(in: -1...1, using: &generator) * beyond
        let angle = Double.random(in: -Double.pi...Double.pi, using: &generator)
        let north = latitude + distance * cos(angle) / metersPerDegree
        let cosine = max(cos(latitude * .pi / 180), 1e-9)
        let east = longitude + distance * sin(angle) / metersPerDegree / cosine
        positions.append(
          Coordinate(
            latitude: min(max(north, -90), 90),
            longitude: east - 360 * ((east + 180) / 360).rounded(.down))!)
      }
      let clustering = GreedyClusterer(radiusMeters: radius).clusters(of: positions)
      #expect(
        clustering.clusters == naiveClusters(of: positions, radiusMeters: radius),
        "\(latitude), \(longitude), radius \(radius) m")
    }
  }

  @Test(arguments: [0, 1, 1000, 500_000, 30_000_000] as [Double])
  func `any radius gives the clusters of a naive greedy implementation`(radius: Double) {
    let positions =
      Layout.uniform.positions(count: 200, seed: 9) + Layout.poles.positions(count: 200, seed: 9)
      + Layout.identical.positions(count: 5, seed: 9)
    let clustering = GreedyClusterer(radiusMeters: radius).clusters(of: positions)
    #expect(clustering.clusters == naiveClusters(of: positions, radiusMeters: radius))
  }

  @Test func `members are listed by cluster, the anchor first`() {
    let positions = Layout.clumped.positions(count: 2000, seed: 4)
    let clustering = GreedyClusterer(radiusMeters: 15).clusters(of: positions)
    var seen = 0
    for cluster in 0..<clustering.count {
      let members = clustering.members(of: cluster)
      #expect(!members.isEmpty)
      #expect(Array(members) == members.sorted())
      #expect(members.allSatisfy { clustering.clusters[Int($0)] == cluster })
      seen += members.count
    }
    #expect(seen == positions.count)
  }

  @Test func `a position added at the end does not change earlier clusters`() {
    let positions = Layout.line.positions(count: 500, seed: 8)
    let all = GreedyClusterer(radiusMeters: 15).clusters(of: positions).clusters
    let fewer = GreedyClusterer(radiusMeters: 15).clusters(of: positions.dropLast(100)).clusters
    #expect(Array(all.prefix(400)) == fewer)
  }

  @Test func `no positions give no clusters`() {
    #expect(GreedyClusterer(radiusMeters: 15).clusters(of: []).count == 0)
  }
}
