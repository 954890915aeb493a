import CivilTime
import Encodings
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import KeptPlaces

@Suite struct MergeTests {
  private func histories(_ seed: UInt64) throws -> PlaceHistories {
    var histories = PlaceHistories(seed: seed)
    for _ in 0..<60 { try histories.step() }
    return histories
  }

  private func merged(_ documents: [PlaceDocument]) -> PlaceDocument {
    documents.reduce(into: PlaceDocument()) { $0.merge($1) }
  }

  @Test func `any order, grouping and repetition of merges gives the same places`() throws {
    for seed in Effort.seeds(300) {
      let machines = try histories(seed).machines
      let (a, b, c) = (machines[0], machines[1], machines[2])
      let expected = merged([a, b, c])
      for order in [[c, b, a], [b, a, c], [a, a, b, b, c, c, a], [c, a, b, c]] {
        #expect(merged(order) == expected, "seed \(seed)")
      }
      var right = b
      right.merge(c)
      #expect(merged([a, right]) == expected, "seed \(seed)")
      #expect(merged([expected, a, expected]) == expected, "seed \(seed)")
      // The bytes are the same too, so that machines come to rest.
      #expect(merged([c, b, a]).json == expected.json, "seed \(seed)")
    }
  }

  @Test func `a merged field is the latest of all, and merging again changes nothing`()
    throws
  {
    for seed in Effort.seeds(100) {
      let machines = try histories(seed).machines
      var all = merged(machines)
      for place in machines.flatMap(\.table.rows) {
        let whole = try #require(all.table[place.id])
        #expect(whole.removal.time >= place.removal.time, "seed \(seed)")
        guard let contents = place.contents, let merged = whole.contents else { continue }
        #expect(merged.name.time >= contents.name.time, "seed \(seed)")
        for note in contents.notes.elements {
          let kept = merged.notes.elements.first { $0.key == note.key }
          #expect(kept.map { $0.register.time >= note.register.time } == true, "seed \(seed)")
        }
      }
      let revision = all.revision
      for machine in machines { all.merge(machine) }
      #expect(all.revision == revision, "seed \(seed)")
    }
  }

  @Test func `documents round-trip through JSON`() throws {
    for seed in Effort.seeds(100) {
      for document in try histories(seed).machines {
        let read = try PlaceDocument(json: document.json)
        #expect(read == document && read.json == document.json, "seed \(seed)")
      }
    }
  }

  @Test func `an edit is later than the version it changes, even with a wrong clock`() throws {
    let (early, late) = (
      PlaceHistories.start, PlaceHistories.start.advanced(bySeconds: 365 * 86_400)
    )
    var there = PlaceDocument()
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    let id = try there.add(PlaceFields(coordinate: coordinate, name: "Old"), now: late).id
    var here = there
    try here.change(id, now: early) { $0.name = "New" }
    there.merge(here)
    #expect(there[id]?.name == "New")
    try here.remove(id, now: early)
    there.merge(here)
    #expect(there[id] == nil)
    try there.restore(id, now: early)
    here.merge(there)
    #expect(here[id]?.name == "New" && here == there)
  }

  @Test func `edits of different fields on two machines are both kept`() throws {
    let now = PlaceHistories.start
    var here = PlaceDocument()
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    let first = PlaceNote(text: "first", time: now)
    let id = try here.add(
      PlaceFields(coordinate: coordinate, notes: [first], collections: ["One"]), now: now
    ).id
    var there = here
    try here.change(id, now: now.advanced(bySeconds: 5)) { fields in
      fields.name = "Bench"
      fields.notes[0].text = "first, corrected"
      fields.photos = ["/a.jpg"]
    }
    try there.change(id, now: now.advanced(bySeconds: 9)) { fields in
      fields.alertRadiusMeters = 40
      fields.notes.append(PlaceNote(text: "second", time: now))
      fields.collections = ["Two"]
    }
    here.merge(there)
    let place = try #require(here[id])
    #expect(place.name == "Bench" && place.alertRadiusMeters == 40)
    #expect(Set(place.notes.map(\.text)) == ["first, corrected", "second"])
    #expect(place.photos == ["/a.jpg"] && place.collections == ["Two"])
    #expect(place.changedTime == now.advanced(bySeconds: 9))
  }

  // MARK: - Removal

  @Test func `a removed place can be restored for thirty days and is then forgotten`() throws {
    let now = PlaceHistories.start
    let day = 86_400.0
    var document = PlaceDocument()
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    let id = try document.add(PlaceFields(coordinate: coordinate, name: "A"), now: now).id
    let removed = now.advanced(bySeconds: day)
    try document.remove(id, now: removed)
    #expect(document.places.isEmpty && document.count == 0)
    let last = removed.advanced(bySeconds: 30 * day - 1)
    #expect(document.removedPlace(id, now: last)?.removedTime == removed)
    document.dropRemoved(now: last)
    var restored = document
    #expect(try restored.restore(id, now: last).name == "A")
    #expect(restored[id]?.removedTime == nil)
    let end = removed.advanced(bySeconds: 30 * day)
    #expect(document.removedPlaces(now: end).isEmpty)
    #expect(throws: PlaceError.notRemoved(id)) { try document.restore(id, now: end) }
    let before = document
    document.dropRemoved(now: end)
    #expect(document != before && !document.json.contains("\"latitude\""))
    // Another copy does not bring it back, nor does an import.
    document.merge(before)
    #expect(document.places.isEmpty && document.removedPlaces(now: end).isEmpty)
    let fields = PlaceFields(coordinate: coordinate)
    #expect(try document.upsert(fields, id: id, time: end, now: end) == .removed)
    #expect(document[id] == nil)
  }

  @Test func `forgetting removed places does not change merges, and restored places stay`() throws {
    for seed in Effort.seeds(100) {
      let histories = try histories(seed)
      let end = PlaceHistories.start.advanced(bySeconds: histories.seconds + 500 * 86_400)
      let whole = merged(histories.machines)
      var dropped = histories.machines
      for machine in dropped.indices {
        dropped[machine].dropRemoved(now: end)
        let once = dropped[machine]
        dropped[machine].dropRemoved(now: end)
        #expect(dropped[machine] == once, "seed \(seed)")
      }
      let later = merged(dropped)
      #expect(later.places.map(\.id) == whole.places.map(\.id), "seed \(seed)")
      #expect(
        later.removedPlaces(now: end) == whole.removedPlaces(now: end), "seed \(seed)")
      // Places that no machine has forgotten are unchanged.
      let forgotten = Set(dropped.flatMap { $0.table.rows.filter { $0.contents == nil } }.map(\.id))
      for place in whole.places where !forgotten.contains(place.id) {
        #expect(later[place.id] == place, "seed \(seed)")
      }
    }
  }

  // MARK: - Imports

  @Test func `importing twice changes nothing and never overwrites a later edit`() throws {
    let now = PlaceHistories.start
    let written = now.advanced(bySeconds: -1000)
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    let id = PlaceID(hashing: "gpx:1".utf8)
    #expect(id == PlaceID(hashing: "gpx:1".utf8) && id != PlaceID(hashing: "gpx:2".utf8))
    for time in [nil, written, now.advanced(bySeconds: 1e9)] {
      var document = PlaceDocument()
      let fields = PlaceFields(
        coordinate: coordinate, name: String(repeating: "n", count: 300), kind: "bench",
        notes: [PlaceNote(text: "text", time: now)], collections: ["A", "A", ""])
      #expect(try document.upsert(fields, id: id, time: time, now: now) == .added)
      #expect(document[id]?.name.count == 200 && document[id]?.collections == ["A"])
      let once = document
      #expect(try document.upsert(fields, id: id, time: time, now: now) == .unchanged)
      #expect(document == once && document.revision == once.revision)
      try document.change(id, now: now.advanced(bySeconds: 1)) { fields in
        fields.name = "Mine"
        fields.alertRadiusMeters = 70
        fields.notes = []
      }
      let edited = document
      let again = now.advanced(bySeconds: 1)
      #expect(try document.upsert(fields, id: id, time: time, now: now) == .unchanged)
      #expect(document[id]?.name == "Mine" && document[id]?.alertRadiusMeters == 70)
      #expect(document[id]?.notes.isEmpty == true)
      // Members missing in the record keep their values.
      _ = try document.upsert(
        PlaceFields(coordinate: coordinate), id: id, time: again, now: again)
      #expect(document[id]?.fields == edited[id]?.fields)
      try document.remove(id, now: again)
      #expect(try document.upsert(fields, id: id, time: time, now: again) == .removed)
    }
  }

  @Test(arguments: [180.0, -180], PlaceTaking.Preference.allCases)
  func `a position on the antimeridian that a format writes otherwise is not changed`(
    longitude: Double, preference: PlaceTaking.Preference
  ) throws {
    let now = PlaceHistories.start
    let id = PlaceID(hashing: "gpx:1".utf8)
    var document = PlaceDocument()
    let known = try #require(Coordinate(latitude: -17, longitude: longitude))
    let written = try #require(Coordinate(latitude: -17, longitude: -longitude))
    try document.upsert(PlaceFields(coordinate: known), id: id, time: now, now: now)
    var rules = PlaceTaking()
    rules.preference = preference
    let outcome = try document.upsert(
      PlaceFields(coordinate: written), id: id, time: now, by: rules,
      now: now.advanced(bySeconds: 60))
    #expect(outcome == .unchanged && document[id]?.coordinate == known)
  }

  @Test(arguments: ["Abbey", "Windmill"], [49.0, 47])
  func `a value edited in a file is taken whatever its order, and a later change here stays`(
    name: String, latitude: Double
  ) throws {
    let written = PlaceHistories.start
    let now = written.advanced(bySeconds: 1000)
    let id = PlaceID(hashing: "gpx:1".utf8)
    var document = PlaceDocument()
    var fields = PlaceFields(
      coordinate: try #require(Coordinate(latitude: 48, longitude: 2)), name: "Mill",
      alertRadiusMeters: 100)
    try document.upsert(fields, id: id, time: written, now: now)
    fields.name = name
    fields.coordinate = try #require(Coordinate(latitude: latitude, longitude: 2))
    #expect(try document.upsert(fields, id: id, time: written, now: now) == .changed)
    #expect(document[id]?.name == name && document[id]?.coordinate == fields.coordinate)
    #expect(document[id]?.changedTime == now)
    fields.name = "Older"
    fields.alertRadiusMeters = latitude
    // The radius was not written since.
    #expect(try document.upsert(fields, id: id, time: written, now: now) == .changed)
    #expect(document[id]?.name == name && document[id]?.alertRadiusMeters == latitude)
  }

  @Test func `a record from the future counts as undated at each import`() throws {
    let now = PlaceHistories.start
    let id = PlaceID(hashing: "gpx:1".utf8)
    let coordinate = try #require(Coordinate(latitude: 48, longitude: 2))
    let fields = PlaceFields(coordinate: coordinate, name: "WP001")
    let future = now.advanced(bySeconds: 1e9)
    var document = PlaceDocument()
    try document.upsert(fields, id: id, time: future, now: now)
    try document.change(id, now: now.advanced(bySeconds: 1)) { $0.name = "Gate" }
    for day in [2.0, 3, 4] {
      let later = now.advanced(bySeconds: day * 86_400)
      #expect(try document.upsert(fields, id: id, time: future, now: later) == .unchanged)
    }
    #expect(document[id]?.name == "Gate")
  }
}

extension [UInt8] {
  /// Whether the bytes hold a text.
  func contains(_ text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}
