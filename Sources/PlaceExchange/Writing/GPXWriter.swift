import CivilTime
import Codecs
import Interchange
import Spatial

/// Writes places as waypoints of GPX 1.1 (topografix.com/GPX/1/1).
///
/// The alert radius becomes the proximity of Garmin's `WaypointExtension` (GpxExtensionsv3.xsd).
/// Collections become its categories; the first is also the `type`, which is the group of a
/// favourite in OsmAnd. Elements are in the order required by the schemas.
enum GPXWriter {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="photospots" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3" \
    xmlns:osmand="https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx" \
    xmlns:ps="\(GPXPlaces.ownNamespace)">

    """

  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try write(Array(head.utf8))
    try PlaceWriter.parts(records, write, waypoint)
    try write(Array("</gpx>\n".utf8))
  }

  private static func waypoint(_ record: PlaceRecord) -> String {
    let (latitude, longitude) = (
      Degrees.text(record.coordinate.latitude), Degrees.text(record.coordinate.longitude)
    )
    var text = "  <wpt lat=\"\(latitude)\" lon=\"\(longitude)\">\n"
    if let created = record.created { text += "    <time>\(created.iso8601)</time>\n" }
    text += element("name", record.name)
    if !record.notes.isEmpty {
      text += element("desc", record.notes.map(\.text).joined(separator: "\n\n"))
    }
    for photo in record.photos {
      let address = "file://" + PercentEncoding.text(photo, keeping: "-._~/")
      text += "    <link href=\"\(address)\"/>\n"
    }
    if let kind = record.kind { text += element("sym", kind) }
    if let group = record.collections.first { text += element("type", group) }
    return text + "    <extensions>\n" + garmin(record) + osmAnd(record)
      + OwnElement.text(record, indent: "      ") + "    </extensions>\n  </wpt>\n"
  }

  private static func element(_ name: String, _ text: String) -> String {
    text.isEmpty ? "" : "    <\(name)>\(XMLText.escaped(text))</\(name)>\n"
  }

  private static func garmin(_ record: PlaceRecord) -> String {
    var text = "      <gpxx:WaypointExtension>\n"
    if let radius = record.alertRadiusMeters {
      text += "        <gpxx:Proximity>\(PlainNumber.text(radius, decimals: 6))</gpxx:Proximity>\n"
    }
    text += "        <gpxx:DisplayMode>SymbolAndName</gpxx:DisplayMode>\n"
    if !record.collections.isEmpty {
      text += "        <gpxx:Categories>\n"
      for name in record.collections {
        text += "          <gpxx:Category>\(XMLText.escaped(name))</gpxx:Category>\n"
      }
      text += "        </gpxx:Categories>\n"
    }
    return text + "      </gpxx:WaypointExtension>\n"
  }

  private static func osmAnd(_ record: PlaceRecord) -> String {
    """
          <osmand:icon>\(PlaceIcon.icon(kind: record.kind))</osmand:icon>
          <osmand:background>circle</osmand:background>
          <osmand:color>#eecc22</osmand:color>

    """
  }
}

/// Writes this program's own element in GPX and KML, which other programs ignore.
enum OwnElement {
  static func text(_ record: PlaceRecord, indent: String) -> String {
    var attributes: [(String, String)] = []
    if let id = record.ownID { attributes.append(("id", id)) }
    if let kind = record.kind { attributes.append(("kind", kind)) }
    if let radius = record.alertRadiusMeters {
      attributes.append(("radius", PlainNumber.text(radius, decimals: 6)))
    }
    if let created = record.created { attributes.append(("created", created.iso8601)) }
    if let changed = record.changed { attributes.append(("changed", changed.iso8601)) }
    let written = attributes.map { " \($0)=\"\(XMLText.escaped($1))\"" }.joined()
    var text = "\(indent)<ps:place\(written)>\n"
    for note in record.notes {
      let time = note.time.map { " time=\"\($0.iso8601)\"" } ?? ""
      text += "\(indent)  <ps:note\(time)>\(XMLText.escaped(note.text))</ps:note>\n"
    }
    for name in record.collections {
      text += "\(indent)  <ps:collection>\(XMLText.escaped(name))</ps:collection>\n"
    }
    for photo in record.photos {
      let path = NameText.text(of: photo) { $0 < 0x20 || $0 == 0x7F }
      text += "\(indent)  <ps:photo>\(XMLText.escaped(path))</ps:photo>\n"
    }
    return text + "\(indent)</ps:place>\n"
  }
}
