import CivilTime
import Encodings
import GeoDocuments
import KeptPlaces
import PlaceTransfer
import ProcessControl
import Spatial
import SystemPackage
import TestSupport
import Testing

/// The program's own exports, imported again as they are and after an edit.
@Suite(.timeLimit(.minutes(30))) struct OwnExportTests {
  static let now = Instant(secondsSince1970: 1_795_176_000)
  static let formats: [PlaceFormat] = [.csv, .gpx, .kml, .kmz, .geojson, .json, .zip]

  let folder = TemporaryFolder()
  let interruption: Interruption
  private let pipe: (readEnd: FileDescriptor, writeEnd: FileDescriptor)

  init() throws {
    pipe = try FileDescriptor.pipe()
    interruption = Interruption(pipe.readEnd)
  }

  private func text(_ document: PlaceDocument, as format: PlaceFormat) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let export = PlaceExport(
      document: document, format: format, roots: [], orUntil: interruption)
    _ = try export.write { bytes += $0 }
    return bytes
  }

  /// Imports a file; returns what was taken.
  @discardableResult
  private func take(
    _ bytes: [UInt8], as format: PlaceFormat, into document: inout PlaceDocument,
    _ preference: PlaceTaking.Preference = .newest, restoring: Bool = false, now: Instant = now
  ) throws -> PlaceImport.Outcome {
    let path = folder.path("places.\(format.rawValue)")
    try folder.write(bytes, to: path)
    let file = try PlaceImport(path, .init(), orUntil: interruption)
    let photos = try ArchivedPhotos(file, folder: nil, asks: false)
    return try file.apply(
      to: &document, photos: photos, preference: preference, restoresRemoved: restoring,
      radiusMeters: 50, now: now)
  }

  // MARK: - Odd texts

  /// Text that one format or rule might change.
  private static func oddText(_ generator: inout SeededGenerator) -> String {
    let pieces = [
      "a", "Z", "  ", " ", "\t", "\n", "\n\n", "\r\n", "\u{2028}", "\u{85}", "\u{A0}", "\u{3000}",
      "\u{200C}", "\u{200D}", "\u{200B}", "\u{202E}", "\u{FEFF}", "\u{FFFE}", "\u{FFFD}", "\u{0}",
      "\u{1B}[31m", "\u{7F}", "&", "&amp;", "&#10;", "&lt;b&gt;", "<br>", "<br/>", "<p>", "</p>",
      "<img src=x>", "]]>", "<![CDATA[", "-->", "\"", "'", "''", "|", "\\", "\\|", ",", ";", "=1+1",
      "+", "-", "@", "[", "]", "[] ", "[2020-01-01T00:00:00.000Z] ", "e\u{301}", "é", "漢字", "😀",
      "👨\u{200D}👩", "خانه\u{200C}ها", "%41", "{", "}", "null", "0x", "sep=;", "place",
    ]
    return (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      pieces.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private static func document(seed: UInt64, count: Int) throws -> PlaceDocument {
    var generator = SeededGenerator(seed: seed)
    var document = PlaceDocument()
    for number in 0..<count {
      let time = now.advanced(bySeconds: Double(-number))
      var fields = PlaceFields(
        coordinate: Coordinate(latitude: Double(number % 80), longitude: Double(number % 170))!)
      fields.name = oddText(&generator)
      fields.kind = String(oddText(&generator).prefix(30))
      let texts = (0..<2).map { "\($0)" + oddText(&generator) }
      fields.notes = texts.enumerated().map { place, text in
        PlaceNote(text: text, time: time.advanced(bySeconds: Double(place)))
      }
      fields.collections = texts.map { "c" + $0 }
      let path = "/photos/\(number) \(texts[0])".replacing("\u{0}", with: "0")
      fields.photos = [FilePath(path)]
      try document.add(fields, id: .random(using: &generator), now: time)
    }
    return document
  }

  @Test(arguments: formats)
  func `importing an own export of odd texts changes nothing`(format: PlaceFormat) throws {
    for seed in Effort.seeds(8) {
      let document = try Self.document(seed: seed, count: 1250)
      var again = document
      let outcome = try take(try text(document, as: format), as: format, into: &again)
      #expect(outcome.changed == 0 && outcome.differing.isEmpty, "seed \(seed)")
      #expect(outcome.unchanged == document.count, "seed \(seed)")
      #expect(again == document, "seed \(seed)")
    }
  }

  @Test func `an own export makes the same places on another machine`() throws {
    for format in Self.formats {
      let document = try Self.document(seed: 77, count: 200)
      var other = PlaceDocument()
      let outcome = try take(try text(document, as: format), as: format, into: &other)
      #expect(outcome.added == document.count, "\(format)")
      for place in document.places {
        let made = try #require(other[place.id], "\(format)")
        #expect(values(made) == values(place), "\(format)")
        #expect(made.photos == place.photos && made.coordinate == place.coordinate)
      }
    }
  }

  // MARK: - Edits

  private func mill() throws -> PlaceDocument {
    var document = PlaceDocument()
    var fields = PlaceFields(coordinate: Coordinate(latitude: 48.8584, longitude: 2.2945)!)
    (fields.name, fields.kind, fields.alertRadiusMeters) = ("Mill", "viewpoint", 100)
    fields.notes = [
      PlaceNote(text: "dusk", time: Self.now),
      PlaceNote(text: "wheel broken", time: Self.now.advanced(bySeconds: -60)),
    ]
    fields.collections = ["Paris", "Walks"]
    try document.add(fields, now: Self.now)
    return document
  }

  /// Edits as another program makes them, and the values that the place must have then.
  private static let edits: [(format: PlaceFormat, old: String, new: String, value: String)] = [
    (.csv, "dusk", "dawn", "notes dawn, wheel broken"),
    (.csv, "Paris|Walks", "Rome|Walks", "collections Rome, Walks"),
    (.csv, "Paris|Walks", "Walks", "collections Walks"),
    (.geojson, "\"text\":\"dusk\"", "\"text\":\"dawn\"", "notes dawn, wheel broken"),
    (.geojson, "\"Paris\"", "\"Rome\"", "collections Rome, Walks"),
    (.kml, "<description>dusk", "<description>dawn", "notes dawn, wheel broken"),
    (.kml, "wheel broken</description>", "wheel mended</description>", "notes dusk, wheel mended"),
    (.kml, "<name>Paris</name>", "<name>Rome</name>", "collections Rome, Walks"),
    (.gpx, "<desc>dusk", "<desc>dawn", "notes dawn, wheel broken"),
    (.gpx, "<type>Paris", "<type>Rome", "collections Rome, Walks"),
    (.gpx, "<sym>viewpoint", "<sym>bench", "kind bench"),
    (.gpx, "Proximity>100", "Proximity>50", "radius 50.0"),
    (.gpx, "Category>Walks", "Category>Rome", "collections Paris, Rome"),
    (.json, "\"dusk\"", "\"dawn\"", "notes dawn, wheel broken"),
    (.json, "\"Mill\"", "\"Abbey\"", "name Abbey"),
    (.json, "\"Mill\"", "\"Windmill\"", "name Windmill"),
  ]

  private func values(_ place: KeptPlace) -> [String] {
    [
      "name \(place.name)", "kind \(place.kind)", "radius \(place.alertRadiusMeters ?? 0)",
      "notes \(place.notes.map(\.text).joined(separator: ", "))",
      "collections \(place.collections.joined(separator: ", "))",
    ]
  }

  @Test(arguments: edits.indices)
  func `an edit in an exported file is taken in place`(number: Int) throws {
    let (format, old, new, value) = Self.edits[number]
    let document = try mill()
    let written = String(decoding: try text(document, as: format), as: UTF8.self)
    let edited = Array(written.replacing(old, with: new, maxReplacements: 1).utf8)
    #expect(edited != Array(written.utf8), "\(format) \(old)")
    let later = Self.now.advanced(bySeconds: 600)
    var taken = document
    let outcome = try take(edited, as: format, into: &taken, now: later)
    #expect(outcome.changed == 1 && outcome.differing.isEmpty, "\(format) \(old)")
    let before = values(document.places[0])
    let after = values(taken.places[0])
    #expect(after.contains(value), "\(format) \(old): \(after)")
    #expect(zip(before, after).count { $0 != $1 } == 1, "\(format) \(old): \(after)")
    #expect(taken.count == 1)
    // Once more, nothing changes; the older export does not take the edit back.
    let settled = taken
    try take(edited, as: format, into: &taken, now: later.advanced(bySeconds: 600))
    #expect(taken == settled, "\(format) \(old)")

    // A later change here stays, unless the file is preferred.
    var changed = document
    try changed.change(document.places[0].id, now: later) { fields throws(PlaceError) in
      (fields.name, fields.kind, fields.alertRadiusMeters) = ("Fort", "fort", 10)
      for place in fields.notes.indices { fields.notes[place].text += ", later" }
    }
    let mine = changed
    if !value.hasPrefix("collections") {
      let kept = try take(edited, as: format, into: &changed, now: later)
      #expect(changed == mine && kept.differing.count == 1, "\(format) \(old)")
    }
    try take(edited, as: format, into: &changed, .file, now: later)
    #expect(values(changed.places[0]).contains(value), "\(format) \(old)")
    var own = document
    let refused = try take(edited, as: format, into: &own, .mine, now: later)
    if !value.hasPrefix("collections") { #expect(own == document, "\(format) \(old)") }
    #expect(refused.differing.count == 1, "\(format) \(old)")
  }

  /// Fields that are empty in a file now, by the text before and after it.
  private static let removals: [(format: PlaceFormat, old: String, new: String, field: String)] = [
    (.csv, ",Mill,", ",,", "name"), (.csv, ",100,", ",,", "radius"),
    (.csv, "|[2026-11-20T11:59:00.000Z] wheel broken", "", "notes"),
    (.geojson, #""radius":100,"#, "", "radius"),
    (.geojson, #""name":"Mill","#, "", "name"),
    (.gpx, "<name>Mill</name>", "", "name"), (.kml, "<name>Mill</name>", "", "name"),
    (.gpx, "<gpxx:Proximity>100</gpxx:Proximity>", "", "radius"),
    (.kml, #" radius="100""#, "", "radius"),
    (.gpx, "<desc>dusk&#10;&#10;wheel broken</desc>", "", "notes"),
    (
      .kml, "<description>dusk&lt;br/&gt;&lt;br/&gt;wheel broken</description>", "", "notes"
    ),
  ]

  @Test(arguments: removals.indices)
  func `a field that was emptied in a file is named, and emptied here on request`(
    number: Int
  ) throws {
    let (format, old, new, field) = Self.removals[number]
    let document = try mill()
    let written = String(decoding: try text(document, as: format), as: UTF8.self)
    let edited = Array(written.replacing(old, with: new, maxReplacements: 1).utf8)
    #expect(edited != Array(written.utf8), "\(format) \(old): \(written)")
    let later = Self.now.advanced(bySeconds: 600)
    var kept = document
    let outcome = try take(edited, as: format, into: &kept, now: later)
    #expect(kept == document && outcome.unchanged == 1, "\(format) \(field)")
    #expect(outcome.differing.map(\.fields) == [[field]], "\(format) \(field)")
    var emptied = document
    let asked = try take(edited, as: format, into: &emptied, .file, now: later)
    #expect(asked.changed == 1 && asked.differing.isEmpty, "\(format) \(field)")
    #expect(zip(values(document.places[0]), values(emptied.places[0])).count { $0 != $1 } == 1)

    // Values that were given here later are not reported. Map files also hold these fields in this
    // program's element, whose older values are reported as different.
    let isHeldTwice = field == "notes" && format != .csv || field == "radius" && format == .gpx
    guard !isHeldTwice else { return }
    var younger = document
    try younger.change(document.places[0].id, now: later) { fields throws(PlaceError) in
      (fields.name, fields.alertRadiusMeters) = ("Fort", 10)
      for place in fields.notes.indices {
        // The table still holds the first note.
        if place == 1 { fields.notes[place].text += ", later" }
      }
    }
    let mine = younger
    let again = try take(edited, as: format, into: &younger, now: later)
    #expect(younger == mine && again.differing.allSatisfy { !$0.fields.contains(field) })
  }

  @Test func `a row that was copied to make another place of it is left out and counted`() throws {
    var document = try mill()
    let before = document
    let table = String(decoding: try text(document, as: .csv), as: UTF8.self)
    let row = table.split(separator: "\n").last ?? ""
    for copy in [row.replacing(",Mill,", with: ",Abbey,"), row.replacing("48.8584", with: "49")] {
      let path = folder.path("copied.csv")
      try folder.write(Array((table + copy + "\n").utf8), to: path)
      let file = try PlaceImport(path, .init(), orUntil: interruption)
      guard case .places(let places) = file.content else {
        Issue.record("no places")
        return
      }
      #expect(places.skipped.map(\.reason) == [.contradicting] && places.repeatedCount == 0)
      #expect(places.skipped.map(\.count) == [2] && places.records.isEmpty)
      let header = table.prefix { $0 != "\n" }
      for rows in [table + copy + "\n", "\(header)\n\(copy)\n\(row)\n"] {
        try take(Array(rows.utf8), as: .csv, into: &document)
        #expect(document == before)
      }
    }
  }

  @Test func `a table of this program is known by its ids where most columns were removed`() throws
  {
    var document = try mill()
    let before = document
    let id = document.places[0].id
    for table in [
      "id,name,latitude,longitude\n\(id),Mill,48.8584,2.2945\n",
      "longitude;id;latitude\n2,2945;\(id);48,8584\n",
      "id , name , latitude , longitude\n \(id) , Mill , 48.8584 , 2.2945 \n",
    ] {
      let outcome = try take(Array(table.utf8), as: .csv, into: &document)
      #expect(outcome.unchanged == 1 && document == before, "\(table)")
    }
    let edited = "id,name,latitude,longitude\n\(id),Abbey,48.8584,2.2945\n"
    try take(Array(edited.utf8), as: .csv, into: &document, .file)
    #expect(document.places.map(\.name) == ["Abbey"])
    let further = "id,name,latitude,longitude\nnew,Oak,49,3\n\(id),Abbey,48.8584,2.2945\n"
    try take(Array(further.utf8), as: .csv, into: &document)
    #expect(Set(document.places.map(\.name)) == ["Abbey", "Oak"] && document.count == 2)
    let foreign = "id,name,latitude,longitude\n17,Mill,48.8584,2.2945\n"
    try take(Array(foreign.utf8), as: .csv, into: &document)
    #expect(document.count == 3)
  }

  @Test func `a table whose ids were sorted alone changes nothing`() throws {
    var document = try mill()
    let later = Self.now.advanced(bySeconds: 60)
    var fields = PlaceFields(coordinate: Coordinate(latitude: 50, longitude: 3)!)
    fields.name = "Oak"
    try document.add(fields, now: later)
    let before = document
    let ids = document.places.map { "\($0.id)" }
    let table = String(decoding: try text(document, as: .csv), as: UTF8.self)
      .replacing(ids[0], with: "@").replacing(ids[1], with: ids[0]).replacing("@", with: ids[1])
    let outcome = try take(Array(table.utf8), as: .csv, into: &document, now: later)
    #expect(document == before && outcome.unchanged == 2)
    #expect(outcome.differing.map(\.fields) == [["created"], ["created"]])
  }

  @Test func `notes that another program left out come along to another machine`() throws {
    var document = try mill()
    let before = document
    let written = String(decoding: try text(document, as: .gpx), as: UTF8.self)
    let edited = written.replacing("<desc>dusk&#10;&#10;wheel broken</desc>", with: "")
    var other = PlaceDocument()
    try take(Array(edited.utf8), as: .gpx, into: &other)
    #expect(other.places.map { $0.notes.map(\.text) } == [["dusk", "wheel broken"]])
    // Of a shorter description, the notes in it are left.
    let shorter = written.replacing("&#10;&#10;wheel broken</desc>", with: "</desc>")
    let outcome = try take(Array(shorter.utf8), as: .gpx, into: &document)
    #expect(document == before && outcome.differing.map(\.fields) == [["notes"]])
  }

  @Test(arguments: ["", "2199-01-01T00:00:00Z", "yesterday"])
  func `a table without usable times leaves the creation time as it is`(changed: String) throws {
    var document = try mill()
    let before = document
    let id = document.places[0].id
    let table = """
      id,name,latitude,longitude,kind,created,changed
      \(id),Abbey,48.8584,2.2945,viewpoint,,\(changed)

      """
    let outcome = try take(Array(table.utf8), as: .csv, into: &document)
    #expect(outcome.unchanged == 1 && outcome.differing.map(\.fields) == [["name"]])
    #expect(document == before && document.places[0].createdTime == Self.now)
    var other = PlaceDocument()
    let whole = table.replacing("viewpoint,,", with: "viewpoint,2020-05-01T10:00:00Z,")
    try take(Array(whole.utf8), as: .csv, into: &other)
    #expect(other.places[0].createdTime == Instant(iso8601: "2020-05-01T10:00:00Z"))
  }

  // MARK: - Removed places

  @Test(arguments: formats)
  func `a place that was removed long ago comes back from a file`(format: PlaceFormat) throws {
    var document = try mill()
    let place = document.places[0]
    let file = try text(document, as: format)
    let removed = Self.now.advanced(bySeconds: 60)
    try document.remove(place.id, now: removed)
    let later = removed.advanced(bySeconds: 40 * 86_400)
    document.dropRemoved(now: later)
    let other = document
    let plain = try take(file, as: format, into: &document, now: later)
    #expect(plain.removed == 1 && document.count == 0)
    document.dropRemoved(now: later)
    let outcome = try take(file, as: format, into: &document, restoring: true, now: later)
    #expect(outcome.restored == 1 && outcome.changed == 1, "\(format)")
    #expect(values(document.places[0]) == values(place), "\(format)")
    // Another machine's removal is older.
    document.merge(other)
    #expect(document.count == 1, "\(format)")
    let again = try take(file, as: format, into: &document, restoring: true, now: later)
    #expect(again.restored == 0, "\(format)")
  }
}
