import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite struct JoinedSpotsTests {
  /// Positions in a street, around the antimeridian and around both poles, some of them equal.
  private func position(_ generator: inout SeededGenerator) -> Coordinate {
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    let (latitude, longitude): (Double, Double) =
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: (48.8584, 2.2945)
      case 1: (-17.5 + random(-2e-3...2e-3), 180 - random(0...2e-3))
      case 2: (-17.5 + random(-2e-3...2e-3), -180 + random(0...2e-3))
      case 3: (90 - random(0...3e-3), random(-180...180))
      case 4: (-90 + random(0...3e-3), random(-180...180))
      default: (48.85 + random(0...1e-2), 2.29 + random(0...1e-2))
      }
    return Coordinate(latitude: latitude, longitude: longitude)!
  }

  private func id(_ generator: inout SeededGenerator) -> String {
    let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    let bits = (generator.next(), generator.next())
    return String(unsafeUninitializedCapacity: 16) { text in
      for place in 0..<16 {
        let half = place < 8 ? bits.0 : bits.1
        text[place] = digits[Int(half >> UInt64(5 * (place % 8)) & 31)]
      }
      return 16
    }
  }

  private func places(_ count: Int, seed: UInt64) -> [OwnPlace] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      OwnPlace(
        id: id(&generator), name: "Place \(number)", coordinate: position(&generator),
        alertRadiusMeters: number % 3 == 0
          ? .random(in: 10...5000, using: &generator) : nil,
        photos: number % 5 == 0 ? (0..<number % 4).map { FilePath("/photos/\($0).jpg") } : [])
    }
  }

  /// An index of photos, mapped or not, and its spots.
  private func base(_ count: Int, seed: UInt64) throws -> SpotIndex {
    var generator = SeededGenerator(seed: seed)
    let rows = (0..<count).map { number in
      PhotoRow(
        name: "\(number).jpg", coordinate: position(&generator),
        captured: number % 7 == 0
          ? nil : Instant(secondsSince1970: .random(in: 1...1_700_000_000, using: &generator)),
        rating: nil)
    }
    return SpotIndex(try index(of: rows), clusterRadius: 15)
  }

  /// Returns all entries by a full scan, ordered by id.
  private func naive(_ base: SpotIndex, _ places: [OwnPlace]) -> [PhotoSpot] {
    (Array(base.spots) + Array(SpotIndex(spots: []).joined(with: places, clusterRadius: 15).spots))
      .sorted { $0.id < $1.id }
  }

  @Test(arguments: Effort.inputs([1, 2, 3, 4] as [UInt64], quick: [1, 2]))
  func `every query agrees with a full scan over spots and places`(seed: UInt64) throws {
    let base = try base(300, seed: seed)
    let places = places(200, seed: seed + 100)
    let joined = base.joined(with: places, clusterRadius: 15)
    let all = naive(base, places)
    #expect(joined.spots.map(\.id) == all.map(\.id), "seed \(seed)")
    #expect(joined.spots.map(\.coordinate) == all.map(\.coordinate), "seed \(seed)")
    for number in all.indices {
      #expect(joined.place(ofID: all[number].id) == number)
    }
    var generator = SeededGenerator(seed: seed + 200)
    for _ in 0..<Effort.scaled(160) {
      let center = position(&generator)
      let radius: Double = [0, 50, 400, 3000, 25_000_000].randomElement(using: &generator)!
      let ranked = all.map { ($0.id, center.distance(to: $0.coordinate)) }
        .sorted { $0.1 != $1.1 ? $0.1 < $1.1 : $0.0 < $1.0 }
      let near = joined.spots(within: radius, of: center)
      #expect(near.map(\.spot.id) == ranked.filter { $0.1 <= radius }.map(\.0), "seed \(seed)")
      #expect(near.map(\.distanceMeters) == ranked.filter { $0.1 <= radius }.map(\.1))
      var each: Set<Int> = []
      joined.forEachPlace(within: radius, of: center) { number, standpoint in
        #expect(standpoint.coordinate.distance(to: all[number].coordinate) < 0.1)
        #expect(each.insert(number).inserted)
      }
      #expect(each.map { all[$0].id }.sorted() == near.map(\.spot.id).sorted())
      for count in [0, 1, 7, 120, 1000] {
        #expect(joined.nearest(count, to: center).map(\.spot.id) == ranked.prefix(count).map(\.0))
      }
      let odd = try joined.nearest(5, to: center) { $0.photoCount == 0 }
      let empty = Set(all.lazy.filter { $0.photoCount == 0 }.map(\.id))
      #expect(odd.map(\.spot.id) == ranked.map(\.0).filter(empty.contains).prefix(5).map(\.self))
      let other = position(&generator)
      let box = BoundingBox(
        south: min(center.latitude, other.latitude), west: center.longitude,
        north: max(center.latitude, other.latitude), east: other.longitude)!
      let inside = all.filter { box.contains($0.coordinate) }.map(\.id)
      #expect(joined.spots(in: box).map(\.id) == inside, "seed \(seed)")
      #expect(joined.listed(in: box).map(\.id).sorted() == inside, "seed \(seed)")
    }
  }

  @Test(arguments: [5, 6] as [UInt64])
  func `spots and places are listed by photo count, then first capture, then id`(seed: UInt64)
    throws
  {
    let base = try base(300, seed: seed)
    let joined = base.joined(with: places(150, seed: seed), clusterRadius: 15)
    let latest = Instant(millisecondsSince1970: .max)
    let sorted = joined.spots.sorted { left, right in
      if left.photoCount != right.photoCount { return left.photoCount > right.photoCount }
      let times = [left, right].map { $0.firstCaptured?.instant ?? latest }
      return times[0] != times[1] ? times[0] < times[1] : left.id < right.id
    }
    #expect(joined.listed.map(\.id) == sorted.map(\.id), "seed \(seed)")
    let globe = BoundingBox(south: -90, west: -180, north: 90, east: 180)!
    #expect(joined.listed(in: globe).map(\.id) == sorted.map(\.id), "seed \(seed)")
  }

  @Test(arguments: [7, 8] as [UInt64])
  func `entries with their own alert radius are found within it`(seed: UInt64) throws {
    let joined = try base(100, seed: seed)
      .joined(with: places(300, seed: seed), clusterRadius: 15)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let center = position(&generator)
      var found: Set<Int> = []
      joined.forEachPlace(alertingWithin: 30, of: center) { number, _, radius in
        #expect(joined.alertRadius(ofPlace: number) == radius)
        #expect(found.insert(number).inserted)
      }
      for number in joined.spots.indices {
        guard let radius = joined.alertRadius(ofPlace: number) else { continue }
        let distance = center.distance(to: joined.spots[number].coordinate)
        if distance <= radius + 30 { #expect(found.contains(number), "seed \(seed)") }
        // Radii of one class differ by less than a factor of two.
        if distance > 2 * radius + 30 { #expect(!found.contains(number), "seed \(seed)") }
      }
    }
  }

  @Test func `a place joins its pinned spot by id, else the nearest spot within the radius`() throws
  {
    let here = Coordinate(latitude: 48.8584, longitude: 2.2945)!
    let there = Coordinate(latitude: 48.8684, longitude: 2.2945)!
    let base = SpotIndex(
      try index(of: [
        PhotoRow(name: "a.jpg", coordinate: here), PhotoRow(name: "b.jpg", coordinate: there),
      ]), clusterRadius: 15)
    let id = try #require(base.nearest(1, to: there).first?.spot.id)
    func place(_ id: String, at coordinate: Coordinate, pinned: String?) -> OwnPlace {
      OwnPlace(
        id: id, name: "Oak", coordinate: coordinate, alertRadiusMeters: 500, pinnedSpotID: pinned)
    }
    // Matched by id at any distance.
    let far = base.joined(
      with: [place("p", at: Coordinate(latitude: 0, longitude: 0)!, pinned: id)], clusterRadius: 15)
    #expect(far.spots.count == 2)
    let spot = try #require(far.place(ofID: id).map { far.spots[$0] })
    #expect(spot.place?.name == "Oak" && spot.coordinate == there && !spot.isOwnPlace)
    #expect(spot.placeName == "Oak" && spot.photoCount == 1)
    #expect(far.alertRadius(ofPlace: try #require(far.place(ofID: id))) == 500)
    // Matched by position if the id no longer exists.
    let near = Coordinate(latitude: 48.8584 + 10 / 111_195, longitude: 2.2945)!
    let moved = base.joined(with: [place("p", at: near, pinned: "gone")], clusterRadius: 15)
    #expect(moved.spots.count == 2)
    #expect(moved.nearest(1, to: here).first?.spot.place?.id == "p")
    // Beyond the radius it is a separate entry, as is the second of two places for one spot.
    #expect(
      base.joined(with: [place("p", at: near, pinned: "gone")], clusterRadius: 9).spots.count == 3)
    let two = base.joined(
      with: [place("q", at: here, pinned: id), place("p", at: here, pinned: id)], clusterRadius: 15)
    #expect(two.spots.count == 3 && two.spots.first { $0.isOwnPlace }?.id == "q")
    #expect(two.joined(with: [], clusterRadius: 15).spots.map(\.place) == [nil, nil])
  }

  @Test(arguments: Effort.inputs([11, 12, 13] as [UInt64], quick: [11]))
  func `a spot is found at the position of its pinned place too, as a full scan finds it`(
    seed: UInt64
  ) throws {
    let base = try base(200, seed: seed)
    var generator = SeededGenerator(seed: seed)
    let places = places(60, seed: seed + 1).enumerated().map { number, place in
      OwnPlace(
        id: place.id, name: place.name, coordinate: place.coordinate,
        pinnedSpotID: number % 3 == 0 ? nil : base.spots.randomElement(using: &generator)?.id)
    }
    let joined = base.joined(with: places, clusterRadius: 15)
    #expect(joined.spots.contains { $0.place != nil && !$0.isOwnPlace })
    let sources: [any SpotSource] = [joined, JoinedSpots(base, with: places, clusterRadius: 15)]
    var centers = places.prefix(Effort.scaled(40)).map(\.coordinate)
    centers += (0..<Effort.scaled(20)).map { _ in position(&generator) }
    for center in centers {
      let ranked = joined.spots.map { spot -> (String, Double) in
        let pin = spot.place.map { center.distance(to: $0.coordinate) } ?? .infinity
        return (spot.id, min(center.distance(to: spot.coordinate), pin))
      }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
      for source in sources {
        for radius in [-1, 0, 50, 3000, .infinity] as [Double] {
          let found = try source.spots(orPinsWithin: radius, of: center)
          let expected = ranked.filter { $0.1 <= radius }
          #expect(found.map(\.spot.id) == expected.map(\.0), "seed \(seed), \(radius) m")
          #expect(found.map(\.distanceMeters) == expected.map(\.1), "seed \(seed)")
        }
        for count in [-1, 0, 1, 7, 1000] {
          let found = try source.nearest(count, orPinsTo: center) { _ in true }
          #expect(
            found.map(\.spot.id) == ranked.prefix(max(count, 0)).map(\.0),
            "seed \(seed), \(count) nearest")
        }
      }
    }
  }

  @Test func `a place has its attached photos, and their captures from the index`()
    throws
  {
    let here = Coordinate(latitude: 48.8584, longitude: 2.2945)!
    let away = Coordinate(latitude: 10, longitude: 10)!
    let index = try index(of: [
      PhotoRow(
        name: "a.jpg", coordinate: here, captured: Instant(iso8601: "2016-05-01T10:00:00Z")!,
        rating: 5),
      PhotoRow(
        name: "b.jpg", coordinate: here, captured: Instant(iso8601: "2012-05-01T10:00:00Z")!,
        rating: nil),
    ])
    let paths = (0..<2).map { index.photo(at: $0).path }
    let place = OwnPlace(
      id: "p", name: " Old\u{202E}\n oak_1 ", coordinate: away,
      photos: ["/gone.jpg"] + paths + paths)
    let empty = OwnPlace(id: "q", name: "\u{200B}", coordinate: away)
    let joined = SpotIndex(index, clusterRadius: 15).joined(
      with: [empty, place], clusterRadius: 15)
    let spot = try #require(joined.place(ofID: "p").map { joined.spots[$0] })
    #expect(spot.photoCount == 3 && spot.undatedCount == 1)
    #expect(spot.firstCaptured?.instant.iso8601.hasPrefix("2012") == true)
    #expect(spot.lastCaptured?.instant.iso8601.hasPrefix("2016") == true)
    #expect(spot.cover == "/gone.jpg" && spot.members.count == 2 && spot.placeName == "Old oak_1")
    #expect(SpotPasts(of: joined)["p"]?.days.map(\.year) == [2012, 2016])
    let other = try #require(joined.place(ofID: "q").map { joined.spots[$0] })
    #expect(other.cover == nil && other.photoCount == 0 && other.firstCaptured == nil)
    #expect(SpotPasts(of: joined)["q"]?.days == [])
    // The name has no visible characters, so the town's name is used.
    #expect(other.placeName != nil && other.placeName != "\u{200B}")
    // The data of photos is the same as without the places.
    let bare = SpotIndex(index, clusterRadius: 15)
    #expect(joined.spotID(ofFileAt: paths[0]) == bare.spots.first?.id)
    #expect(joined.withoutPlaces.spots.map(\.id) == bare.spots.map(\.id))
    let id = try #require(bare.spots.first?.id)
    #expect(SpotPasts(of: joined)[id] == SpotPasts(of: bare)[id])
  }

  @Test func `alert radii are clamped, and the first of places with equal ids is kept`() {
    let here = Coordinate(latitude: 1, longitude: 1)!
    let radii = [-5, 3, 100, 9e9, .infinity, .nan].map {
      OwnPlace(id: "p", name: "", coordinate: here, alertRadiusMeters: $0).alertRadiusMeters
    }
    #expect(radii == [10, 10, 100, 5000, 5000, nil])
    let same = ["a", "b"].map { OwnPlace(id: "p", name: $0, coordinate: here) }
    let joined = SpotIndex(spots: []).joined(with: same, clusterRadius: 15)
    #expect(joined.spots.map { $0.place?.name } == ["a"])
  }

  @Test func `20 000 places join an index`() throws {
    let (base, places) = (try base(50, seed: 9), places(20_000, seed: 10))
    let joined = base.joined(with: places, clusterRadius: 15)
    #expect(joined.spots.count == base.spots.count + places.count)
    #expect(joined.spots.map(\.id) == (base.spots.map(\.id) + places.map(\.id)).sorted())
  }
}
