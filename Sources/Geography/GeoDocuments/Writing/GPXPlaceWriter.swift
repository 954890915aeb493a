import CivilTime
import Encodings
import Spatial

/// Writes places as waypoints of GPX.
///
/// The alert radius becomes the proximity of Garmin's `WaypointExtension` (GpxExtensionsv3.xsd).
/// Collections become its categories; the first is also the `type`, which is the group of a
/// favourite in OsmAnd. Elements are in the order required by the schemas.
enum GPXPlaceWriter {
  private static let namespaces = [
    (prefix: "gpxx", name: "http://www.garmin.com/xmlschemas/GpxExtensions/v3"),
    ("osmand", "https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx"),
    ("ps", OwnElement.namespace),
  ]

  static func write<Failure: Error>(
    _ records: [PlaceRecord], _ write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try write(Array(GPXDocument.start(namespaces).utf8))
    try PlaceWriter.parts(records, write) { GPXWaypoint($0).text }
    try write(Array(GPXDocument.end.utf8))
  }
}

extension GPXWaypoint {
  fileprivate init(_ record: PlaceRecord) {
    self.init(at: record.coordinate)
    time = record.created
    name = record.name
    description = record.notes.map(\.text).joined(separator: PlaceRecord.noteSeparator)
    links = record.photos.map { FileLink.text($0) }
    symbol = record.kind ?? ""
    type = record.collections.first ?? ""
    extensions =
      Self.garmin(record) + Self.osmAnd(record) + OwnElement.text(record, indent: "      ")
  }

  private static func garmin(_ record: PlaceRecord) -> String {
    let radius = record.alertRadiusMeters.map { PlainNumber.text($0, decimals: 6) }
    let categories = record.collections.map {
      XMLLine.element("gpxx:Category", $0, indent: "          ")
    }.joined()
    let indent = "        "
    return "      <gpxx:WaypointExtension>\n"
      + XMLLine.element("gpxx:Proximity", radius ?? "", indent: indent)
      + XMLLine.element("gpxx:DisplayMode", "SymbolAndName", indent: indent)
      + (categories.isEmpty
        ? "" : "\(indent)<gpxx:Categories>\n\(categories)\(indent)</gpxx:Categories>\n")
      + "      </gpxx:WaypointExtension>\n"
  }

  private static func osmAnd(_ record: PlaceRecord) -> String {
    """
          <osmand:icon>\(PlaceIcon.icon(kind: record.kind))</osmand:icon>
          <osmand:background>circle</osmand:background>
          <osmand:color>#eecc22</osmand:color>

    """
  }
}
