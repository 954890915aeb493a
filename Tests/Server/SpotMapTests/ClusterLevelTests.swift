import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import SpotMap

@Suite struct ClusterLevelTests {
  /// Spots of one to nine photos, without an index.
  private static func spots(_ places: [Coordinate], seed: UInt64 = 1) -> MappedSpots {
    var random = SeededGenerator(seed: seed)
    return MappedSpots(
      SpotIndex(
        spots: places.enumerated().map { number, place in
          PhotoSpot(
            id: "\(100_000 + number)", coordinate: place, anchor: place, radiusMeters: 0,
            photoCount: Int.random(in: 1...9, using: &random), firstCaptured: nil,
            lastCaptured: nil, cover: "/p.jpg")
        }))
  }

  private static func places(
    _ count: Int, latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>, seed: UInt64
  ) -> [Coordinate] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      Coordinate(
        latitude: .random(in: latitudes, using: &random),
        longitude: .random(in: longitudes, using: &random))!
    }
  }

  private static let layouts: [(String, [Coordinate])] = [
    ("nothing", []),
    ("world", places(120, latitudes: -90...90, longitudes: -180...180, seed: 1)),
    ("city", places(120, latitudes: 48.8...48.9, longitudes: 2.25...2.4, seed: 2)),
    ("street", places(90, latitudes: 43.31...43.3105, longitudes: 11.32...11.34, seed: 3)),
    (
      "antimeridian",
      places(50, latitudes: -20...(-15), longitudes: 178...180, seed: 4)
        + places(50, latitudes: -20...(-15), longitudes: -180...(-178), seed: 5)
    ),
    ("poles", places(90, latitudes: 84...90, longitudes: -180...180, seed: 6)),
    ("one place", Array(repeating: Coordinate(latitude: 12, longitude: 13)!, count: 40)),
  ]

  /// Whether two pins of 52 pixels overlap at a zoom.
  private static func haveTouchingPins(_ clusters: [ClusterLevel.Cluster], zoom: Double) -> Bool {
    let world = Mercator.worldPixels(zoom: zoom)
    let points = clusters.map { Mercator.point(of: $0.coordinate) }
    return points.enumerated().contains { number, point in
      points[..<number].contains { other in
        let turn = abs(point.x - other.x)
        return min(turn, 1 - turn) * world < 52 && abs(point.y - other.y) * world < 52
      }
    }
  }

  /// Returns the same clusters as `ClusterLevel`, by comparing all pins.
  private static func bruteForce(_ spots: MappedSpots, zoom: Double) -> [Int: [Int]] {
    let list = Array(spots.index.spots)
    let points = list.map { Mercator.point(of: $0.coordinate) }
    let world = Mercator.worldPixels(zoom: zoom)
    let order = list.indices.sorted {
      (list[$1].photoCount, $0) < (list[$0].photoCount, $1)
    }
    func nearest(_ pins: [Int], to spot: Int) -> Int? {
      let near = pins.enumerated().compactMap { number, pin -> (Double, Int, Int)? in
        let turn = abs(points[pin].x - points[spot].x)
        let across = min(turn, 1 - turn) * world
        let down = abs(points[pin].y - points[spot].y) * world
        guard across < 60, down < 60 else { return nil }
        return (across * across + down * down, number, pin)
      }
      return near.min { ($0.0, $0.1) < ($1.0, $1.1) }?.2
    }
    var pins: [Int] = []
    for spot in order where nearest(pins, to: spot) == nil { pins.append(spot) }
    return Dictionary(grouping: list.indices) { nearest(pins, to: $0) ?? -1 }
  }

  @Test(arguments: layouts.map(\.0), [0.0, 1.5, 4, 8.5, 12, 15.5, 20])
  func `the grid's clusters match those of a brute-force search`(layout: String, zoom: Double) {
    let places = Self.layouts.first { $0.0 == layout }!.1
    let spots = Self.spots(places)
    let level = ClusterLevel(spots, zoom: zoom)
    let expected = Self.bruteForce(spots, zoom: zoom)
    let list = spots.index.spots
    let clusters = level.clusters(in: .world)
    #expect(
      clusters.map(\.place)
        == expected.keys.sorted { (list[$1].photoCount, $0) < (list[$0].photoCount, $1) })
    for cluster in clusters {
      let members = expected[cluster.place] ?? []
      #expect(cluster.spotCount == members.count)
      #expect(cluster.photoCount == members.reduce(0) { $0 + list[$1].photoCount })
      #expect(cluster.box == Self.narrowestBox(around: members.map { list[$0].coordinate }))
    }
  }

  @Test(arguments: layouts.map(\.0), [0.0, 1.5, 4, 8.5, 12, 15.5, 20])
  func `the spots of the pins in a box match those of a brute-force search`(
    layout: String, zoom: Double
  ) {
    let places = Self.layouts.first { $0.0 == layout }!.1
    let spots = Self.spots(places)
    let level = ClusterLevel(spots, zoom: zoom)
    let expected = Self.bruteForce(spots, zoom: zoom)
    for box in Self.boxes(around: places) {
      let pins = expected.keys.filter { box.contains(spots.index.spots[$0].coordinate) }
      #expect(
        level.places(ofPinsIn: box) == pins.flatMap { expected[$0] ?? [] }.sorted(),
        "zoom \(zoom) \(box)")
      #expect(Set(level.clusters(in: box).map(\.place)) == Set(pins), "zoom \(zoom) \(box)")
    }
  }

  @Test(arguments: layouts.map(\.0))
  func `spots and photos in a box are counted exactly`(layout: String) {
    let places = Self.layouts.first { $0.0 == layout }!.1
    let spots = Self.spots(places)
    for box in Self.boxes(around: places) {
      let inside = spots.index.spots.indices.filter {
        box.contains(spots.index.spots[$0].coordinate)
      }
      let counts = spots.counts(in: box)
      #expect(counts.spots == inside.count, "\(box)")
      #expect(
        counts.photos == inside.reduce(0) { $0 + spots.index.spots[$1].photoCount }, "\(box)")
      #expect(spots.places(in: box) == inside, "\(box)")
    }
  }

  /// The globe, boxes between some places, some across the antimeridian, and boxes of single
  /// places.
  private static func boxes(around places: [Coordinate]) -> [BoundingBox] {
    let corners = places.enumerated().filter { $0.offset % 13 == 0 }.map(\.element)
    return [.world]
      + corners.flatMap { first in
        corners.map { second in
          BoundingBox(
            south: min(first.latitude, second.latitude), west: first.longitude,
            north: max(first.latitude, second.latitude), east: second.longitude)!
        }
      }
  }

  /// The box around places, across the 180° meridian if it is narrower there.
  private static func narrowestBox(around places: [Coordinate]) -> BoundingBox? {
    let (latitudes, longitudes) = (places.map(\.latitude), places.map(\.longitude))
    guard let south = latitudes.min(), let north = latitudes.max(),
      let west = longitudes.min(), let east = longitudes.max()
    else { return nil }
    if let turnedWest = longitudes.filter({ $0 >= 0 }).min(),
      let turnedEast = longitudes.filter({ $0 < 0 }).max(),
      turnedEast + 360 - turnedWest < east - west
    {
      return BoundingBox(south: south, west: turnedWest, north: north, east: turnedEast)
    }
    return BoundingBox(south: south, west: west, north: north, east: east)
  }

  @Test(arguments: layouts.map(\.0))
  func `pins do not overlap at any zoom, each is at a spot, and the sums are exact`(layout: String)
  {
    let places = Self.layouts.first { $0.0 == layout }!.1
    let spots = Self.spots(places, seed: 9)
    let total = spots.index.spots.reduce(0) { $0 + $1.photoCount }
    for zoom in stride(from: 1.6, through: 17.7, by: 1.61) {
      let level = ClusterLevel(spots, zoom: zoom)
      #expect(level.zoom == (zoom * 2).rounded(.down) / 2)
      let clusters = level.clusters(in: .world)
      #expect(clusters.reduce(0) { $0 + $1.photoCount } == total, "zoom \(zoom)")
      #expect(clusters.reduce(0) { $0 + $1.spotCount } == places.count, "zoom \(zoom)")
      #expect(
        clusters.allSatisfy { spots.index.spots[$0.place].coordinate == $0.coordinate })
      #expect(!Self.haveTouchingPins(clusters, zoom: zoom), "zoom \(zoom)")
    }
  }

  @Test func `clusters do not depend on the requested box`() {
    let spots = Self.spots(Self.layouts[2].1)
    let level = ClusterLevel(spots, zoom: 13)
    let all = level.clusters(in: .world)
    let box = BoundingBox(south: 48.83, west: 2.3, north: 48.87, east: 2.35)!
    let some = level.clusters(in: box)
    #expect(!some.isEmpty && some.count < all.count)
    let expected = all.filter { box.contains($0.coordinate) }
    #expect(some.map(\.place) == expected.map(\.place))
    #expect(some.map(\.photoCount) == expected.map(\.photoCount))
    let inside = spots.index.spots.filter { box.contains($0.coordinate) }
    #expect(spots.counts(in: box).spots == inside.count)
    #expect(spots.counts(in: box).photos == inside.reduce(0) { $0 + $1.photoCount })
    #expect(spots.places(in: box).map { spots.index.spots[$0].id } == inside.map(\.id))
  }

  @Test func `a box around spots at the antimeridian is the narrower one`() {
    let spots = Self.spots([
      Coordinate(latitude: -17, longitude: 179.5)!, Coordinate(latitude: -16, longitude: -179.5)!,
    ])
    #expect(spots.box == BoundingBox(south: -17, west: 179.5, north: -16, east: -179.5))
    let level = ClusterLevel(spots, zoom: 3)
    #expect(level.clusters(in: .world).map(\.spotCount) == [2])
    #expect(Self.spots([]).box == nil)
  }

  @Test func `a zoom is rounded down to a half and clamped to the range of levels`() {
    for (zoom, level) in [
      (0.0, 0.0), (0.49, 0), (0.5, 0.5), (17.7, 17.5), (-3, 0), (99, 22), (22, 22),
    ] {
      #expect(ClusterLevel.level(of: zoom) == level)
    }
  }

  @Test func `the Mercator projection round-trips and is clamped at its edges`() {
    for place in Self.layouts[1].1 where abs(place.latitude) < 85 {
      let point = Mercator.point(of: place)
      let back = Mercator.coordinate(x: point.x, y: point.y)!
      #expect(abs(back.latitude - place.latitude) < 1e-9)
      #expect(abs(back.longitude - place.longitude) < 1e-9)
    }
    #expect(Mercator.point(of: Coordinate(latitude: 90, longitude: -180)!) == (0, 0))
    #expect(Mercator.point(of: Coordinate(latitude: -90, longitude: 180)!) == (1, 1))
  }
}

extension BoundingBox {
  /// The box of one position.
  init(at place: Coordinate) {
    self.init(
      south: place.latitude, west: place.longitude, north: place.latitude, east: place.longitude)!
  }
}
