import CivilTime
import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import KeptPlaces

@Suite struct PlaceFieldTests {
  private let now = PlaceHistories.start

  private func fields(_ change: (inout PlaceFields) -> Void = { _ in }) throws -> PlaceFields {
    var fields = PlaceFields(
      coordinate: try #require(Coordinate(latitude: 48.858_400_04, longitude: -0.0)))
    change(&fields)
    return fields
  }

  private func kept(_ change: (inout PlaceFields) -> Void) throws -> KeptPlace {
    var document = PlaceDocument()
    return try document.add(try fields(change), now: now)
  }

  @Test func `text is kept without control characters`() throws {
    let place = try kept { fields in
      fields.name = " a\tname\n<img onerror>\u{1B}[31m "
      fields.kind = "\u{7}"
      fields.notes = [PlaceNote(text: "two\r\nlines\u{0}\n", time: now)]
      fields.collections = ["E\u{301}te\u{301}", "Été"]
    }
    #expect(place.name == "a name <img onerror>[31m" && place.kind == "place")
    #expect(place.notes.map(\.text) == ["two\nlines\n"])
    // Canonically equivalent names are one collection.
    #expect(place.collections.count == 1)
  }

  @Test func `positions are kept to a centimetre, and zero has no sign`() throws {
    let place = try kept { _ in }
    #expect(place.coordinate.latitude == 48.8584 && place.coordinate.longitude.sign == .plus)
  }

  @Test func `rejects fields that are empty or out of bounds`() throws {
    let long = String(repeating: "x", count: 201)
    let cases: [(PlaceError, (inout PlaceFields) -> Void)] = [
      (.tooLong(field: "the name", maximum: 200), { $0.name = long }),
      (.tooLong(field: "the kind", maximum: 60), { $0.kind = long }),
      (
        .tooLong(field: "a note", maximum: 10_000),
        { $0.notes = [PlaceNote(text: String(repeating: "x", count: 10_001), time: now)] }
      ),
      (.empty(field: "the note"), { $0.notes = [PlaceNote(text: " \n", time: now)] }),
      (.empty(field: "the name of a collection"), { $0.collections = [""] }),
      (
        .tooLong(field: "the name of a collection", maximum: 100),
        { $0.collections = [long] }
      ),
      (
        .tooMany(field: "collections", maximum: 100),
        { $0.collections = (0...100).map { "c\($0)" } }
      ),
      (
        .tooMany(field: "photos", maximum: 1000),
        { $0.photos = (0...1000).map { FilePath("/p\($0)") } }
      ),
      (.radius(9), { $0.alertRadiusMeters = 9 }), (.radius(5001), { $0.alertRadiusMeters = 5001 }),
      (.spotID, { $0.spotID = "47xjsbmtz9si" }), (.spotID, { $0.spotID = "" }),
      (.path, { $0.photos = ["a.jpg"] }),
    ]
    for (error, change) in cases {
      #expect(throws: error) { try kept(change) }
      #expect(!error.description.isEmpty)
    }
    #expect(try kept { $0.name = String(repeating: "x", count: 200) }.name.count == 200)
    #expect(throws: PlaceError.self) { try kept { $0.alertRadiusMeters = .nan } }
  }

  @Test func `an id is sixteen base32 digits and sorts like its text`() throws {
    var generator = SeededGenerator(seed: 1)
    var ids = (0..<200).map { _ in PlaceID.random(using: &generator) }
    for id in ids {
      #expect(id.description.utf8.count == 16 && PlaceID(id.description) == id)
    }
    ids.sort()
    #expect(ids.map(\.description) == ids.map(\.description).sorted())
    for text in [
      "", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeI", "0123456789abcdei",
    ] {
      #expect(PlaceID(text) == nil)
    }
  }

  @Test func `the index and alerts receive the place with its newest notes first`()
    throws
  {
    let place = try kept { fields in
      fields.notes = [
        PlaceNote(text: "old", time: now), PlaceNote(text: "new", time: now.advanced(bySeconds: 1)),
      ]
      fields.photos = ["/b.jpg", "/a.jpg"]
      fields.spotID = "47xjsbmtz9sp"
    }
    let own = OwnPlace(place)
    #expect(own.id == place.id.description && own.kind == "place" && !own.name.isEmpty)
    #expect(own.notes.map(\.text) == ["new", "old"] && own.photos == ["/a.jpg", "/b.jpg"])
    #expect(own.coordinate == place.coordinate && own.pinnedSpotID == "47xjsbmtz9sp")
  }

  @Test func `collections count only existing places`() throws {
    var document = PlaceDocument()
    let first = try document.add(try fields { $0.collections = ["A", "B"] }, now: now)
    try document.add(try fields { $0.collections = ["B"] }, now: now)
    #expect(document.collections.map(\.name) == ["A", "B"])
    #expect(document.collections.map(\.count) == [1, 2])
    try document.remove(first.id, now: now)
    #expect(document.collections.map(\.name) == ["B"])
    #expect(throws: PlaceError.missing(first.id)) { try document.remove(first.id, now: now) }
    #expect(throws: PlaceError.missing(first.id)) {
      try document.change(first.id, now: now) { $0.name = "x" }
    }
  }
}
