import CivilTime
import LocationFeeds
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import SpotExport

/// Exported trails of devices.
@Suite struct TrailTests {
  private static func fix(
    _ seconds: Int64?, _ latitude: Double, _ longitude: Double, altitude: Double? = nil,
    accuracy: Double? = nil, speed: Double? = nil
  ) -> LocationFix {
    LocationFix(
      time: seconds.map { Instant(secondsSince1970: 1_780_000_000 + $0) }, latitude: latitude,
      longitude: longitude, altitudeMeters: altitude, horizontalAccuracyMeters: accuracy,
      speedMetersPerSecond: speed, device: "phone")
  }

  /// Two walks with a pause of more than an hour between, and a position without a time.
  private static let trail = Trail(
    name: "Jan's <phone> & \"watch\"",
    fixes: [
      fix(0, 48.8583736, 2.2944813, altitude: 35.25, accuracy: 5, speed: 1.4),
      fix(60, 48.8584, 2.2945, altitude: -3), fix(3660, -90, 180), fix(7261, 0, 0.0000001),
      fix(nil, 90, -180),
    ])

  @Test func `an exported trail matches the golden files`() throws {
    let (gpx, geoJSON) = (Self.trail.gpx, Self.trail.geoJSON)
    #expect(try gpx == GoldenFile.text("trail.gpx", for: Array(gpx.utf8)))
    #expect(
      try String(decoding: geoJSON, as: UTF8.self)
        == GoldenFile.text("trail.geojson", for: geoJSON))
  }

  @Test func `a trail is split at pauses of more than an hour`() {
    let text = Self.trail.gpx
    #expect(text.ranges(of: "<trkseg>").count == 2)
    // A pause of exactly an hour does not cut it.
    let lines = text.split(separator: "\n")
    let segments = lines.split { $0 == "<trkseg>" || $0 == "</trkseg>" }
      .map { part in part.count { $0.hasPrefix("<trkpt") } }
    #expect(segments.filter { $0 > 0 } == [3, 2])
  }

  @Test(arguments: ["gpx", "geojson"]) func `other programs read the same trail`(
    _ format: String
  ) throws {
    let folder = TemporaryFolder()
    let file = folder.path("trail.\(format)")
    try folder.write(
      format == "gpx" ? Array(Self.trail.gpx.utf8) : Self.trail.geoJSON, to: file)
    let expected = try Self.trail.fixes.map { fix -> ReadBackPlace in
      let place = try #require(fix.coordinate)
      // The longitudes of GPX end below 180.
      let east = format == "gpx" && place.longitude == 180 ? -180 : place.longitude
      return ReadBackPlace(
        try #require(Coordinate(latitude: place.latitude, longitude: east)), name: "",
        time: fix.time?.iso8601)
    }
    let readers: [ReadBack.Reader] = format == "gpx" ? [.xml, .gpxpy, .ogr] : [.json, .ogr]
    for reader in readers {
      guard let found = try ReadBack.places(in: file, by: reader) else {
        print("skipped: \(reader) is not installed")
        continue
      }
      #expect(found == expected, "\(reader)")
    }
  }
}
