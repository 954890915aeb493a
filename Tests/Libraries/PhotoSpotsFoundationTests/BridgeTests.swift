import CivilTime
import Foundation
import LocationFeeds
import PhotoSpotsFoundation
import Spatial
import SystemPackage
import TestSupport
import Testing

@Suite struct BridgeTests {
  @Test func `dates and instants convert both ways with millisecond precision`() {
    // 1753-01-01, 1969-12-31T23:59:59.999Z, 1970-01-01, 2026-05-16T08:35:30.123Z, 9999-12-31.
    for milliseconds: Int64 in [
      -6_847_804_800_000, -1, 0, 1, 1_778_920_530_123, 253_402_300_799_999,
    ] {
      let instant = Instant(millisecondsSince1970: milliseconds)
      #expect(Instant(Date(instant)) == instant)
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<1000 {
      let instant = Instant(
        millisecondsSince1970: .random(
          in: -62_135_596_800_000...253_402_300_799_999, using: &random))
      #expect(Instant(Date(instant)) == instant)
    }
  }

  @Test func `dates out of range are clamped to instants`() {
    #expect(Instant(Date.distantFuture) > Instant(Date(timeIntervalSince1970: 0)))
    #expect(Instant(Date(timeIntervalSince1970: .infinity)) > Instant(Date.distantFuture))
    #expect(Instant(Date(timeIntervalSince1970: -.infinity)) < Instant(Date.distantPast))
    #expect(Instant(Date(timeIntervalSince1970: .nan)).millisecondsSince1970 == 0)
  }

  @Test func `file URLs and paths convert both ways for any characters`() throws {
    for path: FilePath in ["/photos/a b/%41?#ü.jpg", "/", "/photos/line\nfeed.jpg"] {
      let url = try #require(URL(path))
      #expect(url.isFileURL)
      #expect(FilePath(url) == path, "\(path)")
    }
    #expect(URL(FilePath("/photos/a b"))?.path == "/photos/a b")
    #expect(FilePath(URL(filePath: "/photos/album/")) == "/photos/album")
    #expect(FilePath(try #require(URL(string: "https://example.org/a.jpg"))) == nil)
  }

  @Test func `a path that is not UTF-8 has no URL`() {
    let name: [CChar] = [0x2F, 0x66, -1, -2, 0x2E, 0x6A, 0]
    let path = name.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
    #expect(URL(path) == nil)
  }

  @Test func `a Core Location value becomes a fix`() throws {
    let date = Date(timeIntervalSince1970: 1_778_920_530)
    let location = Location(
      coordinate: .init(latitude: 48.86194, longitude: 2.2883), horizontalAccuracy: 8,
      altitude: 71, verticalAccuracy: 4, speed: 1.4, course: 140, timestamp: date)
    let fix = try #require(LocationFix(location, device: "phone"))
    #expect(
      fix
        == LocationFix(
          time: Instant(date), latitude: 48.86194, longitude: 2.2883, altitudeMeters: 71,
          horizontalAccuracyMeters: 8, speedMetersPerSecond: 1.4, courseDegrees: 140,
          device: "phone"))
    #expect(Coordinate(location.coordinate) == fix.coordinate)
  }

  @Test func `values that Core Location marks as invalid are nil`() throws {
    var location = Location(
      coordinate: .init(latitude: 48.86194, longitude: 2.2883), horizontalAccuracy: 8,
      altitude: 71, verticalAccuracy: -1, speed: -1, course: -1,
      timestamp: Date(timeIntervalSince1970: 0))
    let fix = try #require(LocationFix(location))
    #expect(fix.altitudeMeters == nil && fix.speedMetersPerSecond == nil)
    #expect(fix.courseDegrees == nil && fix.device == nil)
    location.horizontalAccuracy = -1
    #expect(LocationFix(location) == nil)
    #expect(Coordinate(Location.Position(latitude: 91, longitude: 0)) == nil)
  }
}

private struct Location: DeviceLocation {
  struct Position: LatitudeLongitude {
    let latitude, longitude: Double
  }
  var coordinate: Position
  var horizontalAccuracy, altitude, verticalAccuracy, speed, course: Double
  var timestamp: Date
}
