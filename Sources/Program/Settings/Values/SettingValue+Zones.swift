import Encodings
import Spatial
package import SpotWatcher

extension SettingValue {
  /// The range of a zone's radius. The maximum reaches around the globe.
  private static let zoneRadiusMeters = 0.0...20_037_508
  /// The maximum number of zones; each fix is compared with all of them.
  private static let maximumZoneCount = 1000

  /// Parses circles as `latitude,longitude,metres`, separated by semicolons, or `none`.
  package init(zones written: WrittenValue) throws(SettingsError) {
    var zones: [MutedZone] = []
    if written.folded != "none" {
      for zone in written.folded.split(separator: ";") {
        zones.append(try Self.zone(zone, written))
      }
    }
    guard zones.count <= Self.maximumZoneCount else {
      throw written.invalidValue(expected: "at most \(Self.maximumZoneCount) zones")
    }
    self = .zones(zones)
  }

  private static func zone(
    _ text: Substring, _ written: WrittenValue
  ) throws(SettingsError) -> MutedZone {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      let center = Coordinate(latitude: latitude, longitude: longitude),
      let radius = Quantity.meters(parts[2]), zoneRadiusMeters.contains(radius)
    else {
      throw written.invalidValue(
        expected:
          """
          latitude,longitude,metres, several with semicolons between, or none; the metres are \
          \(Self.text(zoneRadiusMeters.lowerBound, "m")) to \(Self.text(zoneRadiusMeters.upperBound, "m"))
          """)
    }
    return MutedZone(center: center, radiusMeters: radius)
  }

  /// Returns circles in the notation in which they are parsed.
  package static func text(_ zones: [MutedZone]) -> String {
    guard !zones.isEmpty else { return "none" }
    return zones.map { zone in
      let (latitude, longitude) = (zone.center.latitude, zone.center.longitude)
      return "\(Degrees.text(latitude)),\(Degrees.text(longitude)),\(text(zone.radiusMeters, "m"))"
    }.joined(separator: ";")
  }
}
