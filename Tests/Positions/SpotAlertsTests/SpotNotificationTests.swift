import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing
import WatchScenes

@testable import SpotAlerts
@testable import SpotWatcher

@Suite struct SpotNotificationTests {
  private func roundTrip(_ notification: SpotNotification) throws -> SpotNotification {
    var reader = JSONReader(notification.ndjson)
    return try SpotNotification(from: &reader)
  }

  @Test func `a notification can be written to JSON and read, even with a cover not in UTF-8`()
    throws
  {
    let cover = FilePath(
      bytes: Array("/photos/caf".utf8) + [0xE9, 0x0A, 0xFF] + Array(".jpg".utf8))
    let sent = notification(also: ["b", "c"], cover: cover)
    #expect(try roundTrip(sent) == sent)
    #expect(try roundTrip(notification(device: nil)) == notification(device: nil))
    #expect(try roundTrip(sent).spot.cover?.bytes.contains(0xE9) == true)
  }

  @Test func `a fix that is read back has its cause and the region`() throws {
    for cause in [
      LocationFix.Cause(.enter, region: "home"), LocationFix.Cause(.leave), nil,
    ] {
      var fix = notification().fix
      fix.cause = cause
      let sent = SpotNotification(
        id: "x", time: noon, device: nil, distanceMeters: 1, bearingDegrees: 2,
        spot: notification().spot, alsoNear: [], fix: fix)
      #expect(try roundTrip(sent).fix.cause == cause)
      #expect(try roundTrip(sent) == sent)
    }
  }

  @Test func `keeps the UTC offset of a capture time, including an unknown one`() throws {
    for offset in [nil, 0, 120, -570] as [Int?] {
      let time = CaptureTime(instant: noon, utcOffsetMinutes: offset)
      let spot = NotifiedSpot(
        id: "a", coordinate: .tower, distanceMeters: 1, photoCount: 1, firstCaptured: time,
        lastCaptured: time, cover: "/a")
      let sent = SpotNotification(
        id: "x", time: noon, device: nil, distanceMeters: 1, bearingDegrees: 2, spot: spot,
        alsoNear: [], fix: notification().fix)
      #expect(try roundTrip(sent) == sent)
    }
  }

  @Test func `a capture time without a known offset was written as UTC`() throws {
    func spot(_ first: CaptureTime, _ last: CaptureTime) -> SpotNotification {
      let spot = NotifiedSpot(
        id: "a", coordinate: .tower, distanceMeters: 1, photoCount: 2, firstCaptured: first,
        lastCaptured: last, cover: "/a")
      return SpotNotification(
        id: "x", time: noon, device: nil, distanceMeters: 1, bearingDegrees: 2, spot: spot,
        alsoNear: [], fix: notification().fix)
    }
    let sent = spot(
      CaptureTime(instant: noon), CaptureTime(instant: noon, utcOffsetMinutes: 120))
    let written = String(decoding: sent.ndjson, as: UTF8.self)
    #expect(written.contains(#""firstCaptured":"2026-11-20T12:00:00.000","#))
    #expect(written.contains(#""lastCaptured":"2026-11-20T14:00:00.000+02:00","#))
    // The history of earlier versions has `Z`.
    let before = written.replacing(
      #""firstCaptured":"2026-11-20T12:00:00.000","#,
      with: #""firstCaptured":"2026-11-20T12:00:00.000Z","#)
    var reader = JSONReader(Array(before.utf8))
    #expect(try SpotNotification(from: &reader) == sent)
  }

  @Test func `the JSON has the documented members in order`() throws {
    var reader = JSONReader(notification(also: ["b"]).ndjson)
    var keys: [String] = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      keys.append(key)
      try reader.skipValue()
    }
    #expect(
      keys == [
        "id", "type", "time", "device", "distance", "bearing", "spot", "alsoNear", "fix",
      ])
  }

  @Test func `an id depends on the device, the spot and the time`() {
    let id = SpotNotification.makeID(device: "phone", spotID: "a", time: noon)
    #expect(id == SpotNotification.makeID(device: "phone", spotID: "a", time: noon))
    #expect(id.utf8.count == 13)
    var ids: Set<String> = [id]
    ids.insert(SpotNotification.makeID(device: "phon", spotID: "ea", time: noon))
    ids.insert(SpotNotification.makeID(device: nil, spotID: "a", time: noon))
    for millisecond in 1...10_000 {
      let time = Instant(millisecondsSince1970: noon.millisecondsSince1970 + Int64(millisecond))
      ids.insert(SpotNotification.makeID(device: "phone", spotID: "a", time: time))
    }
    #expect(ids.count == 10_003)
  }

  @Test func `the text has distance, direction, number of photos and years`() {
    #expect(notification().text == "120 m north-east: 14 photos, 2016–2024.")
    #expect(
      notification(also: ["b", "c"]).text
        == "120 m north-east: 14 photos, 2016–2024, and 2 more spots.")
    func text(_ distance: Double, _ bearing: Double, photos: Int = 1) -> String {
      SpotNotification(
        id: "x", time: noon, device: nil, distanceMeters: distance, bearingDegrees: bearing,
        spot: NotifiedSpot(
          id: "a", coordinate: .tower, distanceMeters: distance, photoCount: photos,
          firstCaptured: nil, lastCaptured: nil, cover: "/a"),
        alsoNear: [], fix: notification().fix
      ).text
    }
    #expect(text(3, 0) == "Right here: 1 photo.")
    #expect(text(42.4, 359.9) == "42 m north: 1 photo.")
    #expect(text(994, 91) == "990 m east: 1 photo.")
    #expect(text(1249, 225, photos: 2) == "1.2 km south-west: 2 photos.")
  }

  @Test func `of several spots, one that has a name of its own is named`() {
    func text(_ names: [String?], in language: AlertLanguage = .english) -> String {
      let others = names.enumerated().map { number, name in
        NotifiedSpot(
          id: "s\(number)", coordinate: .tower, distanceMeters: 20, photoCount: 1,
          firstCaptured: nil, lastCaptured: nil, cover: "/a",
          place: name.map { NotifiedPlace(id: "p", name: $0, kind: OwnPlace.unnamedKind) })
      }
      let sent = notification()
      return SpotNotification(
        id: sent.id, time: sent.time, device: nil, distanceMeters: 120, bearingDegrees: 45,
        spot: sent.spot, alsoNear: others, fix: sent.fix
      ).text(in: language)
    }
    let start = "120 m north-east: 14 photos, 2016–2024"
    #expect(text(["Bench"]) == start + ", also Bench.")
    #expect(text([nil, "Bench"]) == start + ", also Bench, and 1 more spot.")
    #expect(text(["Bench", "Oak", nil]) == start + ", also Bench, and 2 more spots.")
    #expect(text([nil, nil]) == start + ", and 2 more spots.")
    let spanish = "120 m al noreste: 14 fotos, 2016–2024"
    #expect(text(["Banco"], in: .spanish) == spanish + ", también Banco.")
    #expect(text(["Banco", nil], in: .spanish) == spanish + ", también Banco y 1 lugar más.")
    #expect(
      text(["Banco", nil, nil], in: .spanish) == spanish + ", también Banco y 2 lugares más.")
    // A long name is shortened.
    let long = text([String(repeating: "W", count: 100), nil])
    #expect(long == "\(start), also \(String(repeating: "W", count: 27))…, and 1 more spot.")
  }

  @Test func `the text begins with the place's name and ends with heading and focal length`() {
    func text(_ place: String?, meters: Double = 95) -> String {
      var sent = SpotNotification(
        id: "x", time: noon, device: nil, distanceMeters: meters, bearingDegrees: 135,
        spot: NotifiedSpot(spot("a", photos: 3, first: "2019-05-01T10:00:00Z"), distanceMeters: 95),
        alsoNear: [], fix: notification().fix)
      sent.memory = SpotMemory(
        sinceLatest: .init(years: 2, days: 10), anniversary: .init(years: 7, daysAway: 2),
        yearCount: 3, headingDegrees: 315,
        focalLength: FocalLength(millimeters: 4.2, millimetersOn35mmFilm: 26), place: place)
      return sent.text
    }
    #expect(
      text("Arezzo")
        == "Arezzo, 95 m south-east: 3 photos, 2019–2024, 7 years ago this week. Face north-west, 26 mm."
    )
    #expect(text("Arezzo", meters: 2).hasPrefix("Arezzo, right here: 3 photos, "))
    #expect(text(nil).hasPrefix("95 m south-east: 3 photos, "))
    // The name is shortened first, then the least useful parts are dropped.
    let long = text("The long way up to the castle of the counts of Poppi in the Casentino")
    #expect(
      long
        == "The long way up to the castle of th…, 95 m south-east: 3 photos, 2019–2024. Face north-west, 26 mm."
        || long.hasSuffix("7 years ago this week. Face north-west, 26 mm."))
  }

  /// Random names of various characters and lengths, and numbers of any size.
  @Test func `no text exceeds 120 characters or contains invisible characters`() {
    var generator = SeededGenerator(seed: 20_261_122)
    let letters: [Unicode.Scalar] = [
      "a", "Ä", "ß", "山", "🏔", "é", "\u{301}", "\u{200D}", "\u{202E}", "\u{7}", " ", "_", "'", "1",
    ]
    for round in 0..<(Effort.isThorough ? 5000 : 150) {
      func any(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }
      func maybe<Value>(_ value: Value) -> Value? { any(0..<4) == 0 ? nil : value }
      var name = String.UnicodeScalarView()
      for _ in 0..<any(0..<200) { name.append(letters[any(0..<letters.count)]) }
      let count = any(0..<8) == 0 ? Int.max : any(0..<100_000)
      let meters = any(0..<8) == 0 ? 20_037_508.0 : Double(any(0..<3000))
      var sent = SpotNotification(
        id: "x", time: noon, device: nil, distanceMeters: meters,
        bearingDegrees: Double(any(0..<360)),
        spot: NotifiedSpot(spot("a", photos: count), distanceMeters: meters),
        alsoNear: (0..<any(0..<12)).map {
          NotifiedSpot(spot("b\($0)"), distanceMeters: meters)
        }, fix: notification().fix)
      sent.memory = SpotMemory(
        sinceLatest: maybe(.init(years: any(0..<200), days: any(0..<366))),
        anniversary: maybe(.init(years: any(1..<200), daysAway: any(0..<7))), yearCount: 3,
        headingDegrees: maybe(Double(any(0..<360))),
        focalLength: maybe(FocalLength(millimeters: 5, millimetersOn35mmFilm: any(1..<65_536)))
          .flatMap(\.self),
        place: maybe(String(name)))
      let text = sent.text
      #expect(text.unicodeScalars.count <= 120, "round \(round): \(text)")
      #expect(TerminalText.escaped(text.utf8) == text, "round \(round)")
      var reader = JSONReader(sent.ndjson)
      #expect((try? SpotNotification(from: &reader))?.text == text, "round \(round)")
    }
  }

  @Test(arguments: [
    (12.0, "39 ft"), (29.0, "95 ft"), (31.0, "100 ft"), (95.0, "310 ft"), (303.0, "990 ft"),
    (304.0, "0.2 mi"), (1609.0, "1.0 mi"), (2500.0, "1.6 mi"),
  ])
  func `distances are in feet, and from 1000 in miles, if that is set`(
    meters: Double, text: String
  ) {
    #expect(AlertWords.english.distance(meters, .imperial) == text)
    #expect(AlertWords.spanish.distance(2500, .imperial) == "1,6 mi")
    let sent = SpotNotification(
      id: "x", time: noon, device: nil, distanceMeters: meters, bearingDegrees: 135,
      spot: NotifiedSpot(spot("a", photos: 3), distanceMeters: meters), alsoNear: [],
      fix: notification().fix)
    let line = Alert(.spot(sent), in: .english, units: .imperial).text
    #expect(line.contains(AlertWords.english.distance(meters, .imperial)) && !line.contains(" m "))
  }

  @Test(arguments: ["47xjsbmtz9sp", "\u{1B}[31mX", "", "Ä", "a b"])
  func `the label is the spot's id if it is valid`(id: String) {
    let label = notification(spotID: id).spot.label
    #expect(label == (id == "47xjsbmtz9sp" ? " [\(id)]" : ""))
    #expect(!notification(spotID: id).text.contains("47xj"))
  }

  @Test(arguments: [
    "{}", "[]", "{\"id\":1}", "{\"id\":\"x\",\"type\":\"leave\"}",
    "{\"id\":\"x\",\"type\":\"enter\",\"time\":\"yesterday\"}", "",
  ])
  func `rejects JSON that is not a notification`(text: String) {
    var reader = JSONReader(Array(text.utf8))
    #expect(throws: JSONError.self) { try SpotNotification(from: &reader) }
  }
}
