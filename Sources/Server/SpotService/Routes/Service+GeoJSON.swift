import CivilTime
import Encodings
import GeoDocuments
import KeptPlaces
import PhotoLibrary
import PhotoMetadata
import Spatial
import SpotMap

extension Service {
  /// The default and the maximum number of features.
  private static let geoJSONLimits = (usual: 1000, most: 10_000)

  /// Answers with spots and places as a FeatureCollection of points (RFC 7946).
  ///
  /// Home Assistant's integration `geo_json_events` shows the property `title` of each feature and
  /// identifies it by `id` (home-assistant.io/integrations/geo_json_events). Filters select photos,
  /// so with a filter, places without a spot are left out.
  func spotsGeoJSON(_ call: Call) throws(Problem) -> ServiceResponse {
    let parameters = call.parameters
    let filter = try parameters.filter()
    let limit =
      try parameters.integer("limit", in: 1...Self.geoJSONLimits.most) ?? Self.geoJSONLimits.usual
    let (box, center) = (try parameters.box("box"), try parameters.coordinate("near"))
    let radius = try parameters.number("radius", in: 0...20_037_508)
    if center != nil, box != nil {
      throw Parameters.bad("box", "cannot be given together with 'near'")
    }
    guard radius == nil || center != nil else { throw Parameters.bad("radius", "needs 'near'") }
    let library = try sources.library()
    let places = try readablePlaces()
    let mapped = library.spots(passing: filter)
    var features: [Feature]
    if let center {
      features = mapped.nearest(limit, to: center, within: radius).neighbors.map {
        Feature(row: $0.index, $0.distanceMeters)
      }
      if filter.passesAll {
        let own = places.centers.neighbors(within: radius ?? Self.greatestMeters, of: center)
          .prefix(limit)
        features += own.compactMap { Self.feature(of: places, $0.index, $0.distanceMeters) }
        features.sort { $0.distanceMeters ?? 0 < $1.distanceMeters ?? 0 }
      }
    } else {
      let rows = box.map { mapped.places(in: $0) } ?? mapped.allPlaces
      let own = box.map { places.centers.indices(in: $0) } ?? Array(places.all.indices)
      // Places come first, since they are few and were created by the user.
      features = filter.passesAll ? own.compactMap { Self.feature(of: places, $0) } : []
      features += mapped.listed(rows).lazy.prefix(limit).map { Feature(row: $0) }
    }
    var response = ServiceResponse { writer in
      writer.featureCollection { writer in
        for feature in features.prefix(limit) {
          feature.write(mapped, library, places, to: &writer)
        }
      }
    }
    // The media type of RFC 7946, section 12.
    response.fields[0].value = "application/geo+json"
    return response
  }

  /// Returns the feature of a place; `nil` for a place that is pinned to a spot.
  private static func feature(
    of places: ServedPlaces, _ number: Int, _ distanceMeters: Double? = nil
  ) -> Feature? {
    places.spot(ofPlace: places.all[number].id.description).map {
      Feature(place: $0, distanceMeters)
    }
  }

  /// A spot of photos, by its index, or a place of the user's own.
  private struct Feature {
    let row: Int?
    let place: PhotoSpot?
    let distanceMeters: Double?

    init(row: Int, _ distanceMeters: Double? = nil) {
      (self.row, place, self.distanceMeters) = (row, nil, distanceMeters)
    }

    init(place: PhotoSpot, _ distanceMeters: Double?) {
      (row, self.place, self.distanceMeters) = (nil, place, distanceMeters)
    }

    func write(
      _ mapped: MappedSpots, _ library: ServedLibrary, _ places: ServedPlaces,
      to writer: inout JSONWriter
    ) {
      guard let spot = place ?? row.map({ library.spots.spots[$0] }) else { return }
      let own = spot.place ?? row.flatMap { places.place(pinnedToSpotAt: $0) }
      writer.feature(id: spot.id, at: spot.coordinate) { writer in
        writer.member("id", spot.id)
        writer.member("title", own.flatMap { PlaceName.line($0.name) } ?? spot.title)
        writer.member("kind", own?.kind ?? "spot")
        let count = row.map { Int(mapped.photoCount(ofPlace: $0)) }
        writer.member("photoCount", count ?? spot.photoCount)
        writer.member("firstCaptured", spot.firstCaptured?.localISO8601)
        writer.member("lastCaptured", spot.lastCaptured?.localISO8601)
        writer.member("place", own?.id)
        writer.member("distance", distanceMeters?.decimeters)
      }
    }
  }
}
