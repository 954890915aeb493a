/// The formats in which places are imported, and of those in ``written`` also exported.
package enum PlaceFormat: String, CaseIterable, Sendable {
  /// Comma-separated values, one place per line.
  case csv
  /// This program's own document of places.
  case json
  /// Waypoints of GPX 1.0 and 1.1.
  case gpx
  /// Placemarks of KML 2.2.
  case kml
  /// KML in a zip archive.
  case kmz
  /// Points of GeoJSON (RFC 7946).
  case geojson
  /// An archive of this program: places, photos and a manifest.
  case zip
  /// Points of TopoJSON.
  case topojson
  /// Elements of OpenStreetMap, in XML or as JSON of the Overpass API.
  case osm
  /// Waypoints of geocaching programs, in XML.
  case loc
  /// Points of interest of TomTom's devices.
  case ov2
  /// Geometries as well-known text, one per line.
  case wkt
  /// Objects with a position in JSON of any other structure.
  case objects

  /// The formats that are also written.
  package static let written: [PlaceFormat] = [.csv, .json, .gpx, .kml, .kmz, .geojson, .zip]

  /// The name of the format in messages.
  package var title: String {
    switch self {
    case .csv: "CSV"
    case .json: "places of PhotoSpots"
    case .gpx: "GPX"
    case .kml: "KML"
    case .kmz: "KMZ"
    case .geojson: "GeoJSON"
    case .zip: "archive of PhotoSpots"
    case .topojson: "TopoJSON"
    case .osm: "OpenStreetMap"
    case .loc: "LOC waypoints"
    case .ov2: "TomTom POI"
    case .wkt: "well-known text"
    case .objects: "JSON"
    }
  }
}
