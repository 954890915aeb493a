import CivilTime
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import KeptPlaces

@Suite struct DuplicateTests {
  private let now = PlaceHistories.start

  /// Places with few names around points, including the antimeridian and a pole.
  private func document(seed: UInt64) throws -> PlaceDocument {
    var generator = SeededGenerator(seed: seed)
    var document = PlaceDocument()
    let middles = [(48.0, 2.0), (0.0, 180.0), (90.0, 0.0)]
    for number in 0..<120 {
      let (latitude, longitude) = middles.randomElement(using: &generator)!
      let spread = 0.0005
      var east = longitude + Double.random(in: -spread...spread, using: &generator)
      if east > 180 { east -= 360 }
      if latitude == 90 { east = Double.random(in: -180...180, using: &generator) }
      let north = min(90, latitude + Double.random(in: -spread...spread, using: &generator))
      var fields = PlaceFields(
        coordinate: try #require(Coordinate(latitude: north, longitude: east)),
        name: ["", "Bench", "bench ", "Tree"].randomElement(using: &generator)!)
      if Int.random(in: 0..<6, using: &generator) == 0 {
        fields.photos = [FilePath("/p\(Int.random(in: 0..<6, using: &generator))")]
      }
      try document.add(
        fields, id: .random(using: &generator), now: now.advanced(bySeconds: Double(number / 3)))
    }
    return document
  }

  /// Returns the duplicates found by comparing all pairs.
  private func pairs(_ document: PlaceDocument, radius: Double) -> [PlaceID: PlaceID] {
    func name(_ place: KeptPlace) -> String {
      place.name.lowercased().filter { $0 != " " }
    }
    var kept: [(place: KeptPlace, photos: Set<FilePath>)] = []
    var pairs: [PlaceID: PlaceID] = [:]
    let oldest = document.places.sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    for place in oldest {
      let match = kept.firstIndex { other in
        let isNear = other.place.coordinate.distance(to: place.coordinate) <= radius
        let (left, right) = (name(other.place), name(place))
        return isNear && (left == right || left.isEmpty || right.isEmpty)
          || !other.photos.isDisjoint(with: place.photos)
      }
      if let match {
        pairs[place.id] = kept[match].place.id
        kept[match].photos.formUnion(
          place.photos.filter { path in !kept.contains { $0.photos.contains(path) } })
      } else {
        kept.append((place, Set(place.photos)))
      }
    }
    return pairs
  }

  @Test func `duplicates match those of all pairs, at the antimeridian and poles too`() throws {
    for seed in 0..<40 as Range<UInt64> {
      let document = try document(seed: seed)
      let found = document.duplicates(within: 15)
      let expected = pairs(document, radius: 15)
      #expect(found.count == expected.count && !found.isEmpty, "seed \(seed)")
      for duplicate in found {
        #expect(expected[duplicate.newer] == duplicate.older, "seed \(seed)")
      }
    }
  }

  @Test func `joining duplicates keeps all notes, photos and collections`() throws {
    var document = PlaceDocument()
    let coordinate = try #require(Coordinate(latitude: 48, longitude: 2))
    let notes = ["old", "new"].map { PlaceNote(text: $0, time: now) }
    let older = try document.add(
      PlaceFields(
        coordinate: coordinate, name: "Bench", notes: [notes[0]], photos: ["/a.jpg"],
        collections: ["A"]), now: now)
    let newer = try document.add(
      PlaceFields(
        coordinate: coordinate, name: "bench", kind: "seat", alertRadiusMeters: 30,
        notes: notes, photos: ["/b.jpg"], collections: ["B"]),
      now: now.advanced(bySeconds: 1))
    try document.add(PlaceFields(coordinate: coordinate, name: "Tree"), now: now)
    let found = document.duplicates(within: 15)
    #expect(found.map(\.newer) == [newer.id] && found.map(\.older) == [older.id])
    #expect(found.map(\.reason) == [.sameName(meters: 0)])
    let end = now.advanced(bySeconds: 2)
    let joined = try document.join(newer.id, to: older.id, now: end)
    #expect(Set(joined.notes) == Set(notes) && joined.photos == ["/a.jpg", "/b.jpg"])
    #expect(joined.collections == ["A", "B"] && joined.name == "Bench")
    #expect(joined.kind == "seat" && joined.alertRadiusMeters == 30)
    #expect(document[newer.id] == nil && document.removedPlace(newer.id, now: end) != nil)
    #expect(document.duplicates(within: 15).isEmpty)
    #expect(throws: PlaceError.missing(older.id)) {
      try document.join(older.id, to: older.id, now: end)
    }
  }

  @Test func `finds 1499 duplicates among 3000 places at one position`() throws {
    var document = PlaceDocument()
    let coordinate = try #require(Coordinate(latitude: 48, longitude: 2))
    for number in 0..<3000 {
      try document.add(
        PlaceFields(coordinate: coordinate, name: number % 2 == 0 ? "same" : "\(number)"), now: now)
    }
    #expect(document.duplicates(within: 15).count == 1499)
  }
}
