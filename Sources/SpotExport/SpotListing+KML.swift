import CivilTime
import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial
import Storage
import SystemPackage

extension SpotListing {
  /// Returns rows as placemarks of a KML 2.2 document (OGC 07-147r2), for Earth viewers.
  ///
  /// A placemark's name contains the number of photos, and its time span is from the first to the
  /// last one. If photos are included, the description lists them, one per line, each followed by
  /// its other files after a plus sign. One of the user's places adds its name, and its notes
  /// before the photos.
  public static func kml(_ listings: [SpotListing]) -> String {
    let placemarks = listings.map(\.placemark).joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document>
      \(placemarks)</Document>
      </kml>

      """
  }

  /// Returns a path as one line. Control characters, most of which XML does not allow, are written
  /// as `NameText` too.
  private static func line(_ path: FilePath) -> String {
    NameText.text(of: path.shown) { $0 < 0x20 || $0 == 0x7F }
  }

  private var placemark: String {
    // An XML id begins with a letter.
    var lines = [
      "  <Placemark id=\"\(spot.isOwnPlace ? "place" : "spot")-\(spot.id)\">",
      "    <name>\(XMLText.escaped(title))</name>",
    ]
    if photos != nil || notes != nil {
      let paths = (photos ?? []).flatMap { shot in
        [Self.line(shot.photo.path)] + shot.otherFiles.map { "+ " + Self.line($0) }
      }
      let text = ((notes.map { [$0] } ?? []) + paths).map(XMLText.escaped)
        .joined(separator: "\n")
      lines.append("    <description>\(text)</description>")
    }
    if let first = spot.firstCaptured, let last = spot.lastCaptured {
      lines.append(
        "    <TimeSpan><begin>\(first.iso8601)</begin><end>\(last.iso8601)</end></TimeSpan>")
    }
    // Longitude comes first: section 10.5.
    lines.append(
      "    <Point><coordinates>\(Degrees.text(spot.coordinate.longitude)),\(Degrees.text(spot.coordinate.latitude))</coordinates></Point>"
    )
    lines.append("  </Placemark>\n")
    return lines.joined(separator: "\n")
  }
}
