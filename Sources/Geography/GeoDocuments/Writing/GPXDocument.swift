package import CivilTime
import Encodings
package import Spatial

/// The frame of documents in GPX 1.1 (topografix.com/GPX/1/1).
package enum GPXDocument {
  /// Returns the start of a document.
  ///
  /// - Parameter namespaces: The prefixes and names of the namespaces of extensions.
  /// - Returns: The text before the first waypoint or track.
  package static func start(_ namespaces: [(prefix: String, name: String)] = []) -> String {
    let others = namespaces.map { " xmlns:\($0.prefix)=\"\($0.name)\"" }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="photospots" xmlns="http://www.topografix.com/GPX/1/1"\(others)>

      """
  }

  /// The text after the last waypoint or track.
  package static let end = "</gpx>\n"

  /// Returns a longitude as written: `longitudeType` of GPX 1.1 is −180 to below 180.
  static func longitude(_ degrees: Double) -> String {
    let text = Degrees.text(degrees)
    return text == "180" ? "-180" : text
  }
}

/// A waypoint of a GPX document. Empty texts are left out.
package struct GPXWaypoint {
  /// The position.
  package var coordinate: Coordinate
  /// The time; `nil` where it is unknown.
  package var time: Instant?
  /// The name.
  package var name = ""
  /// The comment.
  package var comment = ""
  /// The description.
  package var description = ""
  /// The addresses of its links, such as those of photos.
  package var links: [String] = []
  /// The symbol.
  package var symbol = ""
  /// The type.
  package var type = ""
  /// The elements of the extensions, as lines of XML with an indentation of six spaces.
  package var extensions = ""

  /// Creates a waypoint with only a position.
  package init(at coordinate: Coordinate) { self.coordinate = coordinate }

  /// The element, with its elements in the order required by the schema.
  package var text: String {
    let (latitude, longitude) = (
      Degrees.text(coordinate.latitude), GPXDocument.longitude(coordinate.longitude)
    )
    var text = "  <wpt lat=\"\(latitude)\" lon=\"\(longitude)\">\n"
    text += XMLLine.element("time", time?.iso8601 ?? "")
    text += XMLLine.element("name", name)
    text += XMLLine.element("cmt", comment)
    text += XMLLine.element("desc", description)
    for link in links { text += "    <link href=\"\(XMLText.escaped(link))\"/>\n" }
    text += XMLLine.element("sym", symbol)
    text += XMLLine.element("type", type)
    if !extensions.isEmpty {
      text += "    <extensions>\n\(extensions)    </extensions>\n"
    }
    return text + "  </wpt>\n"
  }
}

/// A track of a GPX document.
package struct GPXTrack {
  /// A point of a track.
  package struct Point {
    /// The latitude in degrees.
    package var latitude: Double
    /// The longitude in degrees.
    package var longitude: Double
    /// The altitude in metres; `nil` where it is unknown.
    package var altitudeMeters: Double?
    /// The time; `nil` where it is unknown.
    package var time: Instant?

    /// Creates a point.
    package init(
      latitude: Double, longitude: Double, altitudeMeters: Double? = nil, time: Instant? = nil
    ) {
      (self.latitude, self.longitude) = (latitude, longitude)
      (self.altitudeMeters, self.time) = (altitudeMeters, time)
    }

    fileprivate var text: String {
      let east = GPXDocument.longitude(longitude)
      var text = "<trkpt lat=\"\(Degrees.text(latitude))\" lon=\"\(east)\">"
      if let altitudeMeters {
        text += "<ele>\(PlainNumber.text(altitudeMeters, decimals: 3))</ele>"
      }
      if let time { text += "<time>\(time.iso8601)</time>" }
      return text + "</trkpt>\n"
    }
  }

  /// The name.
  package var name: String
  /// The segments, each without a gap.
  package var segments: [[Point]]

  /// Creates a track.
  package init(name: String, segments: [[Point]]) {
    (self.name, self.segments) = (name, segments)
  }

  /// The element.
  package var text: String {
    let segments = segments.map { "<trkseg>\n\($0.map(\.text).joined())</trkseg>\n" }.joined()
    return "<trk>\n<name>\(XMLText.escaped(name))</name>\n\(segments)</trk>\n"
  }
}
