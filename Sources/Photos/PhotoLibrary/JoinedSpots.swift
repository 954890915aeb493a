public import Spatial

/// The spots of a source together with the user's places.
///
/// Queries return the same as ``SpotIndex/joined(with:clusterRadius:)`` over all spots of the
/// source, but only the spots that affect the result are fetched: the requested ones, and those to
/// which a place in the result may be pinned. Each photo attached to a place counts as one undated
/// photo, since the source does not know files.
public struct JoinedSpots: SpotSource {
  private let base: any SpotSource
  /// The places, the first of each id.
  private let places: [OwnPlace]
  private let clusterRadiusMeters: Double
  private let centers: SpatialIndex
  /// The indices of the pinned places, by the id of their spot.
  private let pinned: [String: [Int]]
  /// The indices of the pinned places, in the order of ``pinnedCenters``.
  private let pinnedPlaces: [Int]
  private let pinnedCenters: SpatialIndex

  /// Joins spots with places.
  ///
  /// - Parameters:
  ///   - base: The spots of photos.
  ///   - places: The places in any order; only the first of each id is used.
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

  /// Returns an index of the spots and places within a distance, and of the spots to which these
  /// places are pinned.
  public func region(within radiusMeters: Double, of center: Coordinate) throws -> SpotIndex {
    try joined(
      base.spots(within: radiusMeters, of: center).lazy.map(\.spot),
      centers.neighbors(within: radiusMeters, of: center).map(\.index))
  }

  /// Returns the spots and places nearest to a position, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) throws -> [SpotIndex.Neighbor] {
    guard count > 0 else { return [] }
    // Places are added to the spots and replace none. So the distance of the last of `count` spots
    // bounds the search.
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

  /// Joins some spots and places, after adding all others that affect which place is pinned to
  /// which spot.
  private func joined(_ asked: some Sequence<PhotoSpot>, _ places: [Int]) throws -> SpotIndex {
    var spots: [String: PhotoSpot] = [:]
    var chosen: Set<Int> = []
    var (newSpots, newPlaces) = (Array(asked), places)
    while !newSpots.isEmpty || !newPlaces.isEmpty {
      var rivals: [Int] = []
      for spot in newSpots where spots.updateValue(spot, forKey: spot.id) == nil {
        rivals += pinned[spot.id] ?? []
        // A place whose spot no longer exists is pinned to a spot within the cluster radius.
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
