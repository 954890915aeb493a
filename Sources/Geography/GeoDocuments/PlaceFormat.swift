/// The formats in which places are imported and exported.
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
    }
  }
}
