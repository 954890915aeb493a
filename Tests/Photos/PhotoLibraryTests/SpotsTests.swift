import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct SpotsTests {
  /// Returns photos scattered over some streets, two villages at the antimeridian, and one pole.
  /// Many have the same time, some are undated, and some have the same position.
  func rows(_ count: Int, seed: UInt64) -> [PhotoRow] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
      let (latitude, longitude): (Double, Double) =
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: (48.8584, 2.2945)
        case 1: (-17.5 + random(-2e-4...2e-4), 180 - random(0...2e-4))
        case 2: (-17.5 + random(-2e-4...2e-4), -180 + random(0...2e-4))
        case 3: (90 - random(0...3e-4), random(-180...180))
        default: (48.85 + random(0...1e-3), 2.29 + random(0...1e-3))
        }
      let seconds = Int64.random(in: 1_600_000_000...1_600_000_200, using: &generator)
      return PhotoRow(
        name: "\(UInt32.random(in: 0...UInt32.max, using: &generator))-\(number).jpg",
        coordinate: Coordinate(latitude: latitude, longitude: longitude)!,
        captured: number % 9 == 0 ? nil : Instant(secondsSince1970: seconds),
        rating: Int.random(in: 0...9, using: &generator) < 2 ? 5 : nil)
    }
  }

  /// Capture instant, undated last, then the bytes of the path.
  private func precedes(_ left: PhotoLocation, _ right: PhotoLocation) -> Bool {
    switch (left.captured?.instant, right.captured?.instant) {
    case (let first?, let second?) where first != second: first < second
    case (_?, nil): true
    case (nil, _?): false
    default: left.path.string.utf8.lexicographicallyPrecedes(right.path.string.utf8)
    }
  }

  /// Returns the spots by a literal implementation of the definition.
  private func naiveSpots(_ photos: [PhotoLocation], radius: Double) -> [[PhotoLocation]] {
    var left = photos.sorted(by: precedes)
    var spots: [[PhotoLocation]] = []
    while let anchor = left.first {
      spots.append(left.filter { $0.coordinate.distance(to: anchor.coordinate) <= radius })
      left.removeAll { $0.coordinate.distance(to: anchor.coordinate) <= radius }
    }
    return spots
  }

  @Test(arguments: [5, 15, 50] as [Double], [51, 52, 53] as [UInt64])
  func `spots agree with a naive greedy clustering`(
    radius: Double, seed: UInt64
  ) throws {
    let index = try index(of: rows(500, seed: seed))
    let spots = index.spots(clusterRadius: radius)
    let naive = naiveSpots(index.allPhotos, radius: radius)
    #expect(spots.count == naive.count, "seed \(seed)")
    let byAnchor = Dictionary(grouping: naive) { $0[0].coordinate }
    for spot in spots {
      let members = spot.members.map { index.photo(at: Int($0)) }
      #expect(byAnchor[spot.anchor] == [members], "seed \(seed), \(spot.id)")
      #expect(spot.photoCount == members.count)
      #expect(spot.undatedCount == members.count { $0.captured == nil })
      #expect(spot.firstCaptured == members.compactMap(\.captured).first)
      #expect(spot.lastCaptured == members.compactMap(\.captured).last)
      let reach = members.map { $0.coordinate.distance(to: spot.coordinate) }.max()
      #expect(spot.radiusMeters == reach)
      #expect(spot.coordinate.distance(to: spot.anchor) <= radius)
      let best = members.map { $0.rating ?? 0 }.max()
      let candidates = members.filter { ($0.rating ?? 0) == best }
      let latest = candidates.compactMap { $0.captured?.instant }.max()
      let covers = candidates.filter { $0.captured?.instant == latest }.map(\.path)
      #expect(covers.contains { $0 == spot.cover }, "seed \(seed), \(spot.id)")
    }
  }

  @Test func `spots are listed by count, then first capture, then id, undated last`() throws {
    let spots = try index(of: rows(800, seed: 54)).spots(clusterRadius: 5)
    for (one, next) in zip(spots, spots.dropFirst()) {
      #expect(one.photoCount >= next.photoCount)
      guard one.photoCount == next.photoCount else { continue }
      switch (one.firstCaptured?.instant, next.firstCaptured?.instant) {
      case (let first?, let second?):
        #expect(first < second || (first == second && one.id < next.id))
      case (nil, _?): Issue.record("an undated spot before a dated one")
      case (nil, nil): #expect(one.id < next.id)
      case (_?, nil): break
      }
    }
  }

  @Test func `spot ids are unique and have twelve base32 digits`() throws {
    let spots = try index(of: rows(800, seed: 55)).spots(clusterRadius: 5)
    #expect(Set(spots.map(\.id)).count == spots.count)
    for spot in spots {
      #expect(spot.id.count == 12)
      #expect(spot.id.allSatisfy { "0123456789abcdefghjkmnpqrstvwxyz".contains($0) })
    }
  }

  @Test func `a spot's id is the same on every machine and in every version`() throws {
    let place = Coordinate(latitude: 48.8584, longitude: -2.2945)!
    let time = Instant(secondsSince1970: 1_600_000_000)
    let dated = try index(of: [PhotoRow(name: "a", coordinate: place, captured: time)])
    #expect(dated.spots(clusterRadius: 15).map(\.id) == ["ttmbwz54sw8f"])
    let undated = try index(of: [PhotoRow(name: "a", coordinate: place)])
    #expect(undated.spots(clusterRadius: 15).map(\.id) == ["h6z1b43q077e"])
  }

  @Test func `ids do not change when files are moved or renamed, or newer ones added`() throws {
    var generator = SeededGenerator(seed: 56)
    var photos = rows(300, seed: 56)
    // Each at its own second, so that no order depends on a name.
    for place in photos.indices {
      photos[place].captured = Instant(secondsSince1970: 1_600_000_000 + Int64(place))
    }
    func anchors(_ index: PhotoIndex) -> [String: Coordinate] {
      Dictionary(
        uniqueKeysWithValues: index.spots(clusterRadius: 15).map { ($0.id, $0.anchor) })
    }
    let before = try anchors(index(of: photos))
    var renamed = photos.shuffled(using: &generator)
    for place in renamed.indices { renamed[place].name = "new-\(place).jpg" }
    #expect(try anchors(index(of: renamed, folder: "/elsewhere")) == before)
    var newer = rows(300, seed: 57)
    for place in newer.indices {
      newer[place].name = "0" + newer[place].name
      newer[place].captured = Instant(secondsSince1970: 1_700_000_000 + Int64(place))
    }
    let after = try anchors(index(of: photos + newer))
    #expect(after.count > before.count)
    for (id, anchor) in before { #expect(after[id] == anchor) }
  }

  @Test func `the order of scans and the number of threads do not affect the spots`() throws {
    var library = try Library()
    for number in 0..<40 { try library.add("\(number % 4)/\(number).jpg", number / 3) }
    try library.scan(settings: .init(jobs: 1))
    let expected = library.index.spots(clusterRadius: 15)
    #expect(expected.count == 14)
    library.index = PhotoIndex()
    for folder in [3, 1, 0, 2] {
      try library.scan([library.photos.appending("\(folder)")], settings: .init(jobs: 8))
    }
    #expect(library.index.spots(clusterRadius: 15) == expected)
  }

  @Test func `the centre of a spot across the antimeridian lies inside it`() throws {
    let time = Instant(secondsSince1970: 1_600_000_000)
    let spots = try index(of: [
      PhotoRow(
        name: "a", coordinate: Coordinate(latitude: 0, longitude: 179.99995)!, captured: time),
      PhotoRow(name: "b", coordinate: Coordinate(latitude: 0, longitude: -179.99999)!),
    ]).spots(clusterRadius: 15)
    #expect(spots.count == 1)
    let center = try #require(spots.first).coordinate
    #expect(abs(center.longitude - 179.99998) < 1e-9)
    #expect(abs(center.latitude) < 1e-9)
  }

  @Test func `an undated photo is not the anchor if a dated one is nearby`() throws {
    let place = Coordinate(latitude: 10, longitude: 20)!
    let spots = try index(of: [
      PhotoRow(name: "a-undated", coordinate: Coordinate(latitude: 10.00001, longitude: 20)!),
      PhotoRow(name: "z", coordinate: place, captured: Instant(secondsSince1970: 4_000_000_000)),
    ]).spots(clusterRadius: 15)
    #expect(spots.map(\.anchor) == [place])
    #expect(spots.map(\.undatedCount) == [1])
    #expect(spots.first?.cover == "/photos/z")
  }

  @Test func `an index without photos has no spots`() {
    #expect(PhotoIndex().spots(clusterRadius: 15).isEmpty)
    #expect(SpotIndex(spots: []).nearest(3, to: Coordinate(latitude: 1, longitude: 2)!).isEmpty)
  }
}

@Suite struct TestSpotsTests {
  @Test(arguments: [5, 15, 50] as [Double], [71, 72] as [UInt64])
  func `a spot index of rows agrees with one of values`(
    radius: Double, seed: UInt64
  ) throws {
    let photos = try index(of: SpotsTests().rows(500, seed: seed))
    let rows = SpotIndex(photos, clusterRadius: radius)
    let all = photos.spots(clusterRadius: radius)
    let values = SpotIndex(spots: all)
    #expect(Array(rows.listed) == all && Array(rows.spots) == Array(values.spots))
    #expect(Array(values.listed) == all)
    let pole = try #require(Coordinate(latitude: -90, longitude: 12))
    for place in all.map(\.coordinate).prefix(20) + [pole] {
      for reach in [-1, 0, 30, 200, 1e7, .infinity] {
        #expect(
          rows.spots(within: reach, of: place) == values.spots(within: reach, of: place),
          "seed \(seed), \(reach) m")
      }
      for count in [0, 1, 7, all.count, .max] {
        #expect(rows.nearest(count, to: place) == values.nearest(count, to: place), "seed \(seed)")
      }
    }
  }

  @Test func `finds the nearest spots that meet a condition`() throws {
    let photos = try index(of: SpotsTests().rows(500, seed: 73))
    let spots = SpotIndex(photos, clusterRadius: 15)
    let place = try #require(spots.spots.first).coordinate
    let isIncluded: (PhotoSpot) -> Bool = { $0.photoCount % 2 == 1 }
    let all = spots.nearest(.max, to: place).filter { isIncluded($0.spot) }
    for count in [0, 1, 5, all.count, all.count + 1] {
      #expect(
        try spots.nearest(count, to: place, where: isIncluded) == Array(all.prefix(count)))
    }
    #expect(!all.isEmpty && all.count < spots.spots.count)
  }

  @Test func `finds spots by the beginning of an id, and in a box in listing order`() throws {
    let photos = try index(of: SpotsTests().rows(500, seed: 74))
    let spots = SpotIndex(photos, clusterRadius: 15)
    for spot in spots.spots.prefix(50) {
      for length in [0, 1, 4, 12] {
        let prefix = String(spot.id.prefix(length))
        let all = spots.spots.filter { $0.id.hasPrefix(prefix) }
        #expect(spots.spots(withIDStarting: prefix, limit: .max) == all)
        #expect(spots.spots(withIDStarting: prefix, limit: 2) == Array(all.prefix(2)))
      }
    }
    #expect(spots.spots(withIDStarting: "zzzzzzzzzzzzz", limit: 5).isEmpty)
    let box = try #require(BoundingBox(south: -90, west: -180, north: 48.86, east: 180))
    #expect(Array(spots.listed(in: box)) == spots.listed.filter { box.contains($0.coordinate) })
  }

  @Test func `a spot's album is the folder of most of its photos`() throws {
    let photos = PhotoIndex([
      ShotRow("a/1.JPG"), ShotRow("b/2.JPG", size: 2).later(60),
      ShotRow("b/3.JPG", size: 3).later(120),
    ])
    #expect(photos.spots(clusterRadius: 15).map(\.album) == ["/photos/b"])
  }

  @Test func `pictures taken again keep the album of the old photo`() throws {
    let again = [
      ShotRow("again/2026-11-22 10.15.03 b (2008).jpg", size: 2).later(60),
      ShotRow("again/2026-11-22 10.15.03 b (2008) 2.jpg", size: 3).later(120),
    ]
    let photos = PhotoIndex([ShotRow("b/1.JPG")] + again)
    #expect(photos.spots(clusterRadius: 15).map(\.album) == ["/photos/b"])
    #expect(PhotoIndex(again).spots(clusterRadius: 15).map(\.album) == ["/photos/again"])
  }
}

@Suite struct SpotIndexTests {
  /// Spots of which several are at the same place.
  private func spots(seed: UInt64) -> [PhotoSpot] {
    var generator = SeededGenerator(seed: seed)
    return (0..<200).map { number in
      let place = Coordinate(
        latitude: Double(Int.random(in: -5...5, using: &generator)) / 1000,
        longitude: 179.998 + Double(Int.random(in: 0...1, using: &generator)) / 1000)!
      return PhotoSpot(
        id: "\(UInt32.random(in: 0...UInt32.max, using: &generator))-\(number)", coordinate: place,
        anchor: place, radiusMeters: 0, photoCount: 1, firstCaptured: nil, lastCaptured: nil,
        cover: "/a.jpg")
    }
  }

  @Test(arguments: [61, 62] as [UInt64])
  func `spots near a position are ordered by distance, then id`(seed: UInt64) {
    let spots = spots(seed: seed)
    let index = SpotIndex(spots: spots)
    for center in [
      Coordinate(latitude: 0, longitude: 180)!, Coordinate(latitude: 0, longitude: -179.999)!,
      spots[0].coordinate,
    ] {
      let all = spots.map { ($0, $0.coordinate.distance(to: center)) }
        .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }
      for radius in [0, 120, 300, 1e6] {
        let found = index.spots(within: radius, of: center)
        let expected = all.filter { $0.1 <= radius }
        #expect(found.map(\.spot.id) == expected.map(\.0.id), "seed \(seed), \(radius) m")
        #expect(found.map(\.distanceMeters) == expected.map(\.1))
      }
      for count in [1, 7, 199, 500] {
        #expect(
          index.nearest(count, to: center).map(\.spot.id) == all.prefix(count).map(\.0.id),
          "seed \(seed), \(count) nearest")
      }
    }
  }

  @Test func `spots in a box are ordered by id`() throws {
    let spots = spots(seed: 63)
    let box = try #require(BoundingBox(south: -0.003, west: 179.9985, north: 0.004, east: -170))
    let found = SpotIndex(spots: spots.shuffled()).spots(in: box).map(\.id)
    #expect(found == spots.filter { box.contains($0.coordinate) }.map(\.id).sorted())
    #expect(!found.isEmpty && found.count < spots.count)
  }
}
