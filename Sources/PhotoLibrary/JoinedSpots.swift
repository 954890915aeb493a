public import Spatial

/// The spots of a source together with places of one's own.
///
/// The answers are those of ``SpotIndex/joined(with:clusterRadius:)`` over all spots of the source.
/// Only the spots that an answer depends on are fetched: those asked for, and those that a place
/// among them may be pinned to. The photos attached to a place count one each and are undated,
/// since the source does not know files.
public struct JoinedSpots: SpotSource {
  private let base: any SpotSource
  /// Each id once; the first of equal ones.
  private let places: [OwnPlace]
  private let clusterRadiusMeters: Double
  private let centers: SpatialIndex
  /// The places that are pinned, by the id of their spot.
  private let pinned: [String: [Int]]
  /// The pinned places, in the order of ``pinnedCenters``.
  private let pinnedPlaces: [Int]
  private let pinnedCenters: SpatialIndex

  /// Joins spots with places.
  ///
  /// - Parameters:
  ///   - base: The spots of photos.
  ///   - places: The places in any order; of places with the same id the first counts.
  ///   - radiusMeters: The cluster radius.
  public init(_ base: any SpotSource, with places: [OwnPlace], clusterRadius radiusMeters: Double) {
    self.base = base
    clusterRadiusMeters = radiusMeters
    var known: Set<String> = []
    let places = places.filter { known.insert($0.id).inserted }
    self.places = places
    centers = SpatialIndex(places.map(\.coordinate))
    pinnedPlaces = places.indices.filter { places[$0].pinnedSpotID != nil }
    pinned = Dictionary(grouping: pinnedPlaces) { places[$0].pinnedSpotID ?? "" }
    pinnedCenters = SpatialIndex(pinnedPlaces.map { places[$0].coordinate })
  }

  /// Returns the spots and places within a distance, with all that they are pinned to.
  public func region(within radiusMeters: Double, of center: Coordinate) throws -> SpotIndex {
    try joined(
      base.spots(within: radiusMeters, of: center).lazy.map(\.spot),
      centers.neighbors(within: radiusMeters, of: center).map(\.index))
  }

  /// Returns the spots and places nearest to a position, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) throws -> [SpotIndex.Neighbor] {
    guard count > 0 else { return [] }
    // A place replaces no spot, so that as many spots alone reach as far or farther.
    let reaches = try base.nearest(count, to: center)
    let radius = reaches.count == count ? reaches[count - 1].distanceMeters : .infinity
    return Array(try spots(within: radius, of: center).prefix(count))
  }

  /// Returns spots and places in listing order.
  public func listed(in box: BoundingBox?) throws -> AnySequence<PhotoSpot> {
    try joined(base.listed(in: box), box.map { centers.indices(in: $0) } ?? Array(places.indices))
      .listed(in: box)
  }

  /// Returns the spots and places whose ids begin with a text, in the order of their ids.
  public func spots(withIDStarting prefix: String, limit: Int) throws -> [PhotoSpot] {
    try joined(
      base.spots(withIDStarting: prefix, limit: limit),
      places.indices.filter { places[$0].id.hasPrefix(prefix) }
    ).spots(withIDStarting: prefix, limit: limit)
  }

  /// Joins some spots and places with all others that decide which place is pinned to which spot.
  private func joined(_ asked: some Sequence<PhotoSpot>, _ places: [Int]) throws -> SpotIndex {
    var spots: [String: PhotoSpot] = [:]
    var chosen: Set<Int> = []
    var (newSpots, newPlaces) = (Array(asked), places)
    while !newSpots.isEmpty || !newPlaces.isEmpty {
      var rivals: [Int] = []
      for spot in newSpots where spots.updateValue(spot, forKey: spot.id) == nil {
        rivals += pinned[spot.id] ?? []
        // The heir of a place whose spot is gone lies within the cluster radius.
        rivals += pinnedCenters.neighbors(within: clusterRadiusMeters, of: spot.coordinate)
          .map { pinnedPlaces[$0.index] }
      }
      newSpots = []
      for number in newPlaces + rivals where chosen.insert(number).inserted {
        let place = self.places[number]
        guard let id = place.pinnedSpotID, spots[id] == nil else { continue }
        if let spot = try base.spot(ofID: id) {
          newSpots.append(spot)
        } else {
          newSpots += try base.spots(within: clusterRadiusMeters, of: place.coordinate)
            .map(\.spot)
        }
      }
      newPlaces = []
    }
    return SpotIndex(spots: Array(spots.values))
      .joined(with: chosen.sorted().map { self.places[$0] }, clusterRadius: clusterRadiusMeters)
  }
}
