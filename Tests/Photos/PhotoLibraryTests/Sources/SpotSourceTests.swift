import CivilTime
import PhotoMetadata
import Spatial
import StoreSupport
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// The contract of every source of spots.
@Suite struct SpotSourceTests {
  /// Each kind of source, with own places or without.
  enum Kind: String, CaseIterable, Sendable {
    case memory, mapped, overlay, joined

    var hasPlaces: Bool { self == .overlay || self == .joined }
  }

  /// A source of spots, and the owner of its storage.
  private struct Made {
    let source: any SpotSource
    var folder: TemporaryFolder?
    #if Postgres
      var database: SpotDatabase?
    #endif
  }

  private static func make(
    _ kind: Kind, of photos: PhotoIndex, _ places: [OwnPlace], clusterRadius: Double
  ) throws -> Made {
    let memory = SpotIndex(photos, clusterRadius: clusterRadius)
    switch kind {
    case .memory: return Made(source: SpotIndex(spots: Array(memory.spots)))
    case .overlay: return Made(source: memory.joined(with: places, clusterRadius: clusterRadius))
    case .joined:
      return Made(source: JoinedSpots(memory, with: places, clusterRadius: clusterRadius))
    case .mapped:
      let folder = TemporaryFolder()
      let cache = PhotoIndexCache(path: folder.path("index.json"))
      try cache.save(photos, clusterRadius: clusterRadius)
      let opened = try #require(try cache.open(clusterRadius: clusterRadius)?.index)
      #expect(opened.mapping != nil)
      return Made(source: SpotIndex(opened, clusterRadius: clusterRadius), folder: folder)
    }
  }

  /// The values of a spot except its paths and its photos' row numbers, which a source need not
  /// have.
  private struct Facts: Equatable {
    let id: String
    let coordinates: [Coordinate]
    let radiusMeters: Double
    let counts: [Int]
    let times: [CaptureTime?]
    let place: OwnPlace?
    let isOwnPlace: Bool

    init(_ spot: PhotoSpot) {
      id = spot.id
      coordinates = [spot.coordinate, spot.anchor]
      radiusMeters = spot.radiusMeters
      counts = [spot.photoCount, spot.favoriteCount, spot.undatedCount]
      times = [spot.firstCaptured, spot.lastCaptured]
      place = spot.place
      isOwnPlace = spot.isOwnPlace
    }
  }

  /// The paths of a spot. They are compared in one query of each kind only, since making them is
  /// most of the time of a test.
  private struct Paths: Equatable {
    let cover: FilePath?
    let album: FilePath?

    init(_ spot: PhotoSpot) { (cover, album) = (spot.cover, spot.album) }
  }

  /// A query result, for comparison.
  private struct Found: Equatable {
    let facts: Facts
    let distanceMeters: Double

    init(_ spot: PhotoSpot, _ distanceMeters: Double) {
      (facts, self.distanceMeters) = (Facts(spot), distanceMeters)
    }
  }

  private static func found(_ neighbors: [SpotIndex.Neighbor]) -> [Found] {
    neighbors.map { Found($0.spot, $0.distanceMeters) }
  }

  private static let reaches = [
    -1, 0, 1e-6, 15, 100, 1111.95, 5000, 300_000, 10_020_000, 19_000_000, 20_037_508, .infinity,
  ]

  @Test(arguments: Kind.allCases, SpotLayout.allCases)
  func `every query agrees with a full scan`(kind: Kind, layout: SpotLayout) throws {
    try expectFullScan(layout, hasPlaces: kind.hasPlaces) { photos, places, radius in
      try Self.make(kind, of: photos, places, clusterRadius: radius)
    }
  }

  #if Postgres
    @Test(
      .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"),
      arguments: SpotLayout.allCases, [false, true])
    func `every query of a database store agrees with a full scan`(
      layout: SpotLayout, hasPlaces: Bool
    ) throws {
      try expectFullScan(layout, hasPlaces: hasPlaces) { photos, places, radius in
        let database = try SpotDatabase()
        let spots = try database.spots(of: "anna", photos, clusterRadius: radius)
        // Spots of other owners are not included.
        _ = try database.spots(of: "ben", layout.photos(50, seed: 1), clusterRadius: radius)
        let source: any SpotSource =
          hasPlaces ? JoinedSpots(spots, with: places, clusterRadius: radius) : spots
        return Made(source: source, database: database)
      }
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"))
    func `a database store without spots finds nothing`() throws {
      let database = try SpotDatabase()
      try expectNothing(in: database.spots(of: "anna", PhotoIndex(), clusterRadius: 15))
    }
  #endif

  @Test(arguments: Kind.allCases) func `a source without spots finds nothing`(kind: Kind) throws {
    try expectNothing(in: Self.make(kind, of: PhotoIndex(), [], clusterRadius: 15).source)
  }

  private func expectNothing(in source: any SpotSource) throws {
    let center = Coordinate(latitude: 90, longitude: 0)!
    #expect(try source.spots(within: .infinity, of: center).isEmpty)
    #expect(try source.nearest(.max, to: center).isEmpty)
    #expect(try source.nearest(1, to: center).isEmpty)
    #expect(try Array(source.listed(in: nil)).isEmpty)
    #expect(try source.spots(withIDStarting: "", limit: .max).isEmpty)
  }

  private func expectFullScan(
    _ layout: SpotLayout, hasPlaces: Bool,
    _ make: (PhotoIndex, [OwnPlace], Double) throws -> Made
  ) throws {
    let seed = UInt64(SpotLayout.allCases.firstIndex(of: layout) ?? 0) + 900
    let radius = layout == .town ? 50.0 : 15
    let photos = layout.photos(Effort.isThorough ? 240 : 100, seed: seed)
    let memory = SpotIndex(photos, clusterRadius: radius)
    let places =
      hasPlaces ? layout.places(Effort.isThorough ? 90 : 40, around: memory, seed: seed + 1) : []
    let all = Array(memory.joined(with: places, clusterRadius: radius).spots)
    let made = try make(photos, places, radius)
    let source = made.source
    var generator = SeededGenerator(seed: seed + 2)
    var centers = (0..<Effort.scaled(12)).map { _ in layout.position(&generator) }
    centers += (0..<Effort.scaled(6)).compactMap { _ in
      all.randomElement(using: &generator)?.coordinate
    }
    for (latitude, longitude) in [
      (90.0, 10.0), (-90, 0), (0, 180), (0, -180), (0, 0), (0.01, 0.01),
    ] {
      centers.append(Coordinate(latitude: latitude, longitude: longitude)!)
    }
    for center in centers {
      let ranked = all.map { ($0, center.distance(to: $0.coordinate)) }
        .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }
      let scan = ranked.map { Found($0.0, $0.1) }
      // The edge is inclusive.
      let edges = [ranked.first, ranked.last, ranked[ranked.count / 2]].compactMap { $0?.1 }
      for reach in Self.reaches + edges {
        let inside = scan.filter { $0.distanceMeters <= reach }
        let comment: Comment = "seed \(seed), \(reach) m of \(center)"
        #expect(try Self.found(source.spots(within: reach, of: center)) == inside, comment)
        let region = try source.region(within: reach, of: center)
        #expect(Self.found(region.spots(within: reach, of: center)) == inside, comment)
      }
      for count in [-1, 0, 1, 7, all.count, .max] {
        #expect(
          try Self.found(source.nearest(count, to: center)) == Array(scan.prefix(max(count, 0))),
          "seed \(seed), \(count) nearest to \(center)")
      }
      let odd = scan.filter { $0.facts.counts[0] % 2 == 1 }
      for count in [0, 3, .max] {
        #expect(
          try Self.found(
            source.nearest(count, to: center) { $0.photoCount % 2 == 1 })
            == Array(odd.prefix(count)))
      }
    }
    try expectPaths(in: source, all, centers[0], seed)
    try expectListings(of: source, all, layout, seed)
    try expectIDs(of: source, all, seed)
  }

  private func expectPaths(
    in source: any SpotSource, _ all: [PhotoSpot], _ center: Coordinate, _ seed: UInt64
  ) throws {
    let comment: Comment = "seed \(seed)"
    let paths = Dictionary(uniqueKeysWithValues: all.map { ($0.id, Paths($0)) })
    func expect(_ spots: [PhotoSpot]) {
      #expect(spots.count == all.count, comment)
      #expect(spots.map(Paths.init) == spots.map { paths[$0.id] }, comment)
    }
    expect(try source.spots(within: .infinity, of: center).map(\.spot))
    expect(
      try source.region(within: .infinity, of: center).spots(within: .infinity, of: center)
        .map(\.spot))
    expect(try source.nearest(.max, to: center).map(\.spot))
    expect(try source.nearest(.max, to: center) { _ in true }.map(\.spot))
    expect(try Array(source.listed(in: nil)))
    expect(try source.spots(withIDStarting: "", limit: .max))
    for spot in all.prefix(3) {
      #expect(try source.spot(ofID: spot.id).map(Paths.init) == Paths(spot))
    }
  }

  private func expectListings(
    of source: any SpotSource, _ all: [PhotoSpot], _ layout: SpotLayout, _ seed: UInt64
  ) throws {
    let latest = Instant(millisecondsSince1970: .max)
    let sorted = all.sorted { left, right in
      if left.photoCount != right.photoCount { return left.photoCount > right.photoCount }
      let times = [left, right].map { $0.firstCaptured?.instant ?? latest }
      return times[0] != times[1] ? times[0] < times[1] : left.id < right.id
    }
    #expect(try source.listed(in: nil).map(Facts.init) == sorted.map(Facts.init), "seed \(seed)")
    var generator = SeededGenerator(seed: seed + 3)
    var boxes = [
      BoundingBox(south: -90, west: -180, north: 90, east: 180)!,
      BoundingBox(south: 89, west: 170, north: 90, east: -170)!,
      BoundingBox(south: -90, west: 0, north: -89.5, east: 0)!,
      BoundingBox(south: -60, west: 180, north: 60, east: -180)!,
      BoundingBox(south: -60, west: -180, north: 60, east: -180)!,
    ]
    for _ in 0..<Effort.scaled(12) {
      let (one, other) = (layout.position(&generator), layout.position(&generator))
      boxes.append(
        BoundingBox(
          south: min(one.latitude, other.latitude), west: one.longitude,
          north: max(one.latitude, other.latitude), east: other.longitude)!)
    }
    for box in boxes {
      let inside = sorted.filter { box.contains($0.coordinate) }
      #expect(
        try source.listed(in: box).map(Facts.init) == inside.map(Facts.init),
        "seed \(seed), \(box)")
    }
  }

  private func expectIDs(of source: any SpotSource, _ all: [PhotoSpot], _ seed: UInt64) throws {
    let sorted = all.map(Facts.init).sorted { $0.id < $1.id }
    var generator = SeededGenerator(seed: seed + 4)
    var prefixes = ["", "0", "zzzzzzzzzzzzz", "l", "É", "ABC", "%", "gone"]
    for _ in 0..<20 {
      let id = all.randomElement(using: &generator)?.id ?? ""
      prefixes += [1, 2, 4, 11, 12, 13, 16].map { String(id.prefix($0)) } + [id + "0"]
      #expect(try source.spot(ofID: id).map(Facts.init) == sorted.first { $0.id == id })
    }
    for prefix in prefixes {
      let matches = sorted.filter { $0.id.hasPrefix(prefix) }
      for limit in [-1, 0, 1, 5, .max] {
        #expect(
          try source.spots(withIDStarting: prefix, limit: limit).map(Facts.init)
            == Array(matches.prefix(max(limit, 0))), "seed \(seed), \(limit) of '\(prefix)'")
      }
    }
  }
}
