import Spatial
import TestSupport
import Testing

@Suite struct SpatialIndexTests {
  /// The expected results of ``SpatialIndex``, by scanning all positions.
  private struct FullScan {
    let positions: [Coordinate]

    /// Returns all positions, nearest first.
    func all(from center: Coordinate) -> [SpatialIndex.Neighbor] {
      positions.enumerated()
        .map { .init(index: $0.offset, distanceMeters: $0.element.distance(to: center)) }
        .sorted { ($0.distanceMeters, $0.index) < ($1.distanceMeters, $1.index) }
    }
  }

  /// Returns query positions: positions of the layout, positions near them, and special positions
  /// of the globe.
  private func centers(_ layout: Layout, seed: UInt64) -> [Coordinate] {
    let corners = [
      (90.0, 0.0), (90, 123), (-90, -180), (0, 180), (0, -180), (0, 0), (89.9999, -30),
      (10, 179.9999),
    ]
    return layout.positions(count: 12, seed: seed)
      + Layout.uniform.positions(count: 3, seed: seed + 1)
      + corners.map { Coordinate(latitude: $0.0, longitude: $0.1)! }
  }

  @Test(arguments: Layout.allCases, Effort.seeds(3))
  func `a radius query agrees with a full scan`(layout: Layout, seed: UInt64) {
    let positions = layout.positions(count: 600, seed: seed)
    let index = SpatialIndex(positions)
    let scan = FullScan(positions: positions)
    for center in centers(layout, seed: seed + 100) {
      let all = scan.all(from: center)
      let someDistance = positions[7].distance(to: center)
      let radii = [
        0, 0.5, 15, 50, 1112, 5000, 200_000, 9_000_000, 20_037_508, someDistance,
        someDistance.nextDown,
      ]
      for radius in radii {
        #expect(
          index.neighbors(within: radius, of: center)
            == all.filter { $0.distanceMeters <= radius },
          "\(layout) seed \(seed), \(radius) m of \(center)")
      }
    }
  }

  @Test(arguments: Layout.allCases, Effort.seeds(2))
  func `a nearest query agrees with a full scan`(layout: Layout, seed: UInt64) {
    let positions = layout.positions(count: 600, seed: seed)
    let index = SpatialIndex(positions)
    let scan = FullScan(positions: positions)
    for center in centers(layout, seed: seed + 200) {
      let all = scan.all(from: center)
      for count in Effort.inputs(
        [1, 2, 10, 64, 65, 333, 599, 600, 5000], quick: [1, 10, 64, 65, 600])
      {
        #expect(
          index.nearest(count, to: center) == Array(all.prefix(count)),
          "\(layout) seed \(seed), \(count) nearest to \(center)")
      }
    }
  }

  @Test(arguments: Layout.allCases)
  func `a box query agrees with a full scan`(layout: Layout) {
    let positions = layout.positions(count: 600, seed: 5)
    let index = SpatialIndex(positions)
    let corners = centers(layout, seed: 6)
    for (number, first) in corners.enumerated() {
      // In a quick test, each corner has six others.
      let others = Effort.inputs(
        Array(corners.indices), quick: Array(stride(from: number % 4, to: corners.count, by: 4)))
      for second in others.map({ corners[$0] }) {
        let (south, north) = (
          min(first.latitude, second.latitude), max(first.latitude, second.latitude)
        )
        let box = BoundingBox(
          south: south, west: first.longitude, north: north, east: second.longitude)!
        let expected = positions.indices.filter { box.contains(positions[$0]) }
        #expect(index.indices(in: box) == expected, "\(layout) \(box)")
        #expect(placesByBlocks(index, in: box).sorted() == expected, "\(layout) \(box)")
      }
    }
  }

  /// The positions in a box, from whole blocks and single positions.
  private func placesByBlocks(_ index: SpatialIndex, in box: BoundingBox) -> [Int] {
    var places: [Int] = []
    index.forEach(in: box) { block in
      index.forEachPlace(inBlock: block) { places.append($0) }
    } position: {
      places.append($0)
    }
    return places
  }

  @Test(arguments: [(-80.0, -170.0, 80.0, 170.0), (-80, 20, 80, 10)])
  func `most positions in a wide box are reported as whole blocks`(
    south: Double, west: Double, north: Double, east: Double
  ) throws {
    let index = SpatialIndex(Layout.uniform.positions(count: 20_000, seed: 9))
    let box = try #require(BoundingBox(south: south, west: west, north: north, east: east))
    var (blocks, positions) = (0, 0)
    index.forEach(in: box) { _ in
      blocks += 1
    } position: { _ in
      positions += 1
    }
    #expect(blocks * 16 > positions * 4, "\(blocks) blocks, \(positions) positions")
    #expect(index.blockCount == 1250)
  }

  @Test func `an empty index finds nothing`() {
    let index = SpatialIndex([])
    let center = Coordinate(latitude: 1, longitude: 2)!
    #expect(index.neighbors(within: 1e9, of: center).isEmpty)
    #expect(index.nearest(3, to: center).isEmpty)
    let globe = BoundingBox(south: -90, west: -180, north: 90, east: 180)!
    #expect(index.indices(in: globe).isEmpty)
    #expect(index.blockCount == 0 && placesByBlocks(index, in: globe).isEmpty)
    index.forEachPosition(within: 1e9, of: center) { place, _ in Issue.record("\(place)") }
  }

  @Test func `a negative count or radius finds nothing`() {
    let index = SpatialIndex(Layout.identical.positions(count: 3, seed: 1))
    let center = Coordinate(latitude: 48.8584, longitude: 2.2945)!
    #expect(index.nearest(-1, to: center).isEmpty)
    #expect(index.neighbors(within: -1, of: center).isEmpty)
    #expect(index.neighbors(within: .nan, of: center).isEmpty)
    #expect(index.neighbors(within: 0, of: center).map(\.index) == [0, 1, 2])
    for radius in [-1, .nan] as [Double] {
      index.forEachPosition(within: radius, of: center) { place, _ in Issue.record("\(place)") }
    }
    #expect(index.neighbors(within: .infinity, of: center).count == 3)
  }

  @Test func `a box may cross the antimeridian`() throws {
    let box = try #require(BoundingBox(south: -1, west: 179, north: 1, east: -179))
    for (longitude, isInside) in [
      (180.0, true), (-180, true), (179.5, true), (0, false), (178, false),
    ] {
      let coordinate = try #require(Coordinate(latitude: 0, longitude: longitude))
      #expect(box.contains(coordinate) == isInside)
      #expect(SpatialIndex([coordinate]).indices(in: box) == (isInside ? [0] : []))
    }
    #expect(BoundingBox(south: 1, west: 0, north: 0, east: 1) == nil)
  }
}
