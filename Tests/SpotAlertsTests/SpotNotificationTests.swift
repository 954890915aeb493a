import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage
import Testing

@testable import SpotAlerts

@Suite struct SpotNotificationTests {
  private func roundTrip(_ notification: SpotNotification) throws -> SpotNotification {
    var reader = JSONReader(notification.ndjson)
    return try SpotNotification(from: &reader)
  }

  @Test func `survives the outbox, with a cover whose name is not UTF-8`() throws {
    let cover = FilePath(
      bytes: Array("/photos/caf".utf8) + [0xE9, 0x0A, 0xFF] + Array(".jpg".utf8))
    let sent = notification(also: ["b", "c"], cover: cover)
    #expect(try roundTrip(sent) == sent)
    #expect(try roundTrip(notification(device: nil)) == notification(device: nil))
    #expect(try roundTrip(sent).spot.cover.bytes.contains(0xE9))
  }

  @Test func `keeps the offset of a capture time, also an unknown one`() throws {
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

  @Test func `has the members that receivers rely on`() throws {
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

  @Test func `an id is of the device, the spot and the time`() {
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

  @Test func `says in a line what is where`() {
    #expect(notification().text == "120 m north-east: 14 photos, 2016–2024. Spot a")
    #expect(
      notification(also: ["b", "c"]).text
        == "120 m north-east: 14 photos, 2016–2024, and 2 more spots. Spot a")
    func text(_ distance: Double, _ bearing: Double, photos: Int = 1) -> String {
      SpotNotification(
        id: "x", time: noon, device: nil, distanceMeters: distance, bearingDegrees: bearing,
        spot: NotifiedSpot(
          id: "a", coordinate: .tower, distanceMeters: distance, photoCount: photos,
          firstCaptured: nil, lastCaptured: nil, cover: "/a"),
        alsoNear: [], fix: notification().fix
      ).text
    }
    #expect(text(3, 0) == "Right here: 1 photo. Spot a")
    #expect(text(42.4, 359.9) == "42 m north: 1 photo. Spot a")
    #expect(text(994, 91) == "990 m east: 1 photo. Spot a")
    #expect(text(1249, 225, photos: 2) == "1.2 km south-west: 2 photos. Spot a")
  }

  @Test(arguments: ["47xjsbmtz9sp", "\u{1B}[31mX", "", "Ä", "a b"])
  func `names the spot by its id, unless that is none`(id: String) {
    let text = notification(spotID: id).text
    #expect(text.hasSuffix(". Spot \(id)") == (id == "47xjsbmtz9sp"))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test(arguments: [
    "{}", "[]", "{\"id\":1}", "{\"id\":\"x\",\"type\":\"leave\"}",
    "{\"id\":\"x\",\"type\":\"enter\",\"time\":\"yesterday\"}", "",
  ])
  func `refuses what is no notification`(text: String) {
    var reader = JSONReader(Array(text.utf8))
    #expect(throws: JSONError.self) { try SpotNotification(from: &reader) }
  }
}
