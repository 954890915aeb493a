import CivilTime
import Encodings
import GeoDocuments
package import LocationFeeds

/// The positions of a device over time, for export to other programs.
package struct Trail: Sendable {
  /// The device's name.
  let name: String
  /// The positions, in the order of time.
  let fixes: [LocationFix]

  /// The silence in seconds after which a new track segment begins, since the route in between is
  /// unknown.
  private static let longestPause = 3600.0

  private var parts: [ArraySlice<LocationFix>] {
    var parts: [ArraySlice<LocationFix>] = []
    var start = 0
    for index in fixes.indices.dropFirst() {
      guard let time = fixes[index].time, let before = fixes[index - 1].time,
        time.seconds(since: before) > Self.longestPause
      else { continue }
      parts.append(fixes[start..<index])
      start = index
    }
    return fixes.isEmpty ? [] : parts + [fixes[start...]]
  }

  /// Creates a trail.
  ///
  /// - Parameters:
  ///   - name: The device's name.
  ///   - fixes: The device's positions, in the order of time.
  package init(name: String, fixes: [LocationFix]) {
    self.name = name
    self.fixes = fixes
  }

  /// The trail as a track in a GPX 1.1 document (topografix.com/GPX/1/1).
  package var gpx: String {
    let segments = parts.map { part in
      part.map { fix in
        GPXTrack.Point(
          latitude: fix.latitude, longitude: fix.longitude, altitudeMeters: fix.altitudeMeters,
          time: fix.time)
      }
    }
    return GPXDocument.start() + GPXTrack(name: name, segments: segments).text + GPXDocument.end
  }

  /// The trail as a GeoJSON FeatureCollection (RFC 7946) of points with a `time`, which `photospots
  /// fixes` can read.
  package var geoJSON: [UInt8] {
    var writer = JSONWriter()
    writer.featureCollection { writer in
      for fix in fixes {
        writer.feature(
          latitude: fix.latitude, longitude: fix.longitude, altitudeMeters: fix.altitudeMeters
        ) { writer in
          writer.member("time", fix.time?.iso8601)
          writer.member("horizontalAccuracy", fix.horizontalAccuracyMeters)
          writer.member("speed", fix.speedMetersPerSecond)
          writer.member("device", fix.device)
        }
      }
    }
    writer.newline()
    return writer.takeBytes()
  }
}
