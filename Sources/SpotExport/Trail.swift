import CivilTime
import Interchange
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
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="photospots" xmlns="http://www.topografix.com/GPX/1/1">
      <trk>
      <name>\(XMLText.escaped(name))</name>

      """
    for part in parts {
      text += "<trkseg>\n"
      for fix in part {
        let (latitude, longitude) = (Degrees.text(fix.latitude), Degrees.text(fix.longitude))
        text += "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">"
        if let altitude = fix.altitudeMeters {
          text += "<ele>\(PlainNumber.text(altitude, decimals: 3))</ele>"
        }
        if let time = fix.time { text += "<time>\(time.iso8601)</time>" }
        text += "</trkpt>\n"
      }
      text += "</trkseg>\n"
    }
    return text + "</trk>\n</gpx>\n"
  }

  /// The trail as a GeoJSON FeatureCollection (RFC 7946) of points with a `time`, which `photospots
  /// fixes` can read.
  package var geoJSON: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "FeatureCollection")
      writer.array("features") { writer in
        for fix in fixes { Self.write(fix, to: &writer) }
      }
    }
    writer.newline()
    return writer.takeBytes()
  }

  private static func write(_ fix: LocationFix, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "Feature")
      writer.object("geometry") { writer in
        writer.member("type", "Point")
        // Longitude comes first: RFC 7946, section 3.1.1.
        writer.array("coordinates") { writer in
          writer.number(degrees: fix.longitude)
          writer.number(degrees: fix.latitude)
          if let altitude = fix.altitudeMeters { writer.number(altitude) }
        }
      }
      writer.object("properties") { writer in
        writer.member("time", fix.time?.iso8601)
        writer.member("horizontalAccuracy", fix.horizontalAccuracyMeters)
        writer.member("speed", fix.speedMetersPerSecond)
        writer.member("device", fix.device)
      }
    }
  }
}
