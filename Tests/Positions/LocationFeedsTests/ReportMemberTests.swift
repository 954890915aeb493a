import CivilTime
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import LocationFeeds

/// The names of members, and numbers in the forms of other languages.
@Suite struct ReportMemberTests {
  /// The names that apps use, in every format that has free names.
  @Test(arguments: [
    ("tst", ReportMember.time), ("timestamp", .time), ("device", .device), ("direction", .course),
    ("bear", .course), ("dir", .course), ("hAcc", .accuracy), ("hacc", .accuracy),
    ("horizontal_accuracy", .accuracy), ("vel", .speed), ("spd", .speed), ("batt", .battery),
  ])
  func `a name has one meaning in every dialect`(name: String, member: ReportMember) {
    for dialect in [ReportMember.Dialect.common, .query, .ownTracks, .own] {
      #expect(ReportMember.Column(name: name.utf8, in: dialect)?.member == member)
    }
  }

  @Test func `no parser of phones, tables and tracks has names of its own`() throws {
    let folder = Repository.sources.appending("Positions/LocationFeeds/Parsers")
    // NMEA and gpsd define their names; the other parsers look them up.
    let paths = Corpus.paths(under: folder).filter { path in
      path.extension == "swift" && !path.string.contains("/NMEA/")
        && !["GPSDParser.swift", "ReportMember.swift"].contains(path.lastComponent?.string)
    }
    #expect(paths.count > 12)
    let names = [
      "lat", "lon", "acc", "accuracy", "vel", "speed", "bearing", "heading", "tst", "batt",
    ]
    for path in paths where path.lastComponent?.string != "GPXParser.swift" {
      let text = String(decoding: try Corpus.contents(of: path), as: UTF8.self)
      for name in names {
        #expect(!text.contains("case \"\(name)\""), "\(path.lastComponent?.string ?? ""): \(name)")
      }
    }
  }

  @Test func `a query is read with the names and units of its apps`() throws {
    let colota = try #require(
      fixes(in: "lat=48.8&lon=2.2&acc=6&alt=60&vel=1.3&batt=90&bs=1&tst=1795176000").first)
    #expect(colota.time == Instant(iso8601: "2026-11-20T12:00:00Z"))
    #expect(colota.horizontalAccuracyMeters == 6 && colota.speedMetersPerSecond == 1.3)
    #expect(colota.battery == 0.9)
    let traccar = try #require(
      fixes(in: "id=a&lat=48.8&lon=2.2&timestamp=1795176000&speed=10&hdop=7&direction=90").first)
    #expect(abs((traccar.speedMetersPerSecond ?? 0) - 5.144) < 0.001)
    #expect(traccar.horizontalAccuracyMeters == 7 && traccar.courseDegrees == 90)
    #expect(traccar.device == "a")
    let logger = try #require(
      fixes(in: "action=addpos&trackid=1&time=1795176000&lat=48.8&lon=2.2&speed=3.5&bearing=90")
        .first)
    #expect(logger.speedMetersPerSecond == 3.5 && logger.courseDegrees == 90)
    let torque = try #require(
      fixes(in: "v=9&session=1&id=a&time=1795176000000&kff1005=2.2&kff1006=48.8&kff1001=36").first)
    #expect(torque.speedMetersPerSecond == 10 && torque.latitude == 48.8)
  }

  @Test func `decimal commas in GPX are read, and Apple's accuracy`() throws {
    let fix = try #require(
      fixes(
        in: """
          <gpx version="1.1"><trk><trkseg><trkpt lat="48,86194" lon="-2,2883"><ele>61,5</ele>\
          <time>2026-11-20T12:00:00Z</time><extensions><hAcc>300,5</hAcc></extensions></trkpt>\
          </trkseg></trk></gpx>
          """
      ).first)
    #expect(fix.latitude == 48.86194 && fix.longitude == -2.2883)
    #expect(fix.altitudeMeters == 61.5 && fix.horizontalAccuracyMeters == 300.5)
  }

  @Test(arguments: [
    #"""
    {"timelineEdits":[{"deviceId":"1","rawSignal":{"signal":{"activityRecord":{"timestamp":"x"}}}},
    {"deviceId":"1","rawSignal":{"signal":{"position":{"point":{"latE7":488619400,"lngE7":22883000},
    "accuracyMm":14000,"timestamp":"2026-11-20T12:00:00Z"}}}}]}
    """#,
    #"""
    {"timelineObjects":[{"activitySegment":{"startLocation":{"latitudeE7":1,"longitudeE7":1},
    "simplifiedRawPath":{"points":[{"latE7":488619400,"lngE7":22883000,"accuracyMeters":14,
    "timestamp":"2026-11-20T12:00:00Z"}]}}},{"placeVisit":{"location":{"latitudeE7":2}}}]}
    """#,
    #"""
    {"timelineObjects":[{"activitySegment":{"simplifiedRawPath":{"points":[{"latE7":488619400,
    "lngE7":22883000,"accuracyMeters":14,"timestampMs":"1795176000000"}]}}}]}
    """#,
  ])
  func `Google's edits and semantic history give their timed points`(document: String) {
    #expect(
      fixes(in: document) == [
        LocationFix(
          time: Instant(iso8601: "2026-11-20T12:00:00Z"), latitude: 48.86194, longitude: 2.2883,
          horizontalAccuracyMeters: 14,
          // Edits name the device.
          device: document.contains("deviceId") ? "1" : nil)
      ])
  }
}
