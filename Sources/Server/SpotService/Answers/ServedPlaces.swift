public import KeptPlaces
public import PhotoLibrary
import Spatial
import Synchronization

/// The places of the user's own as served, with the spots of the index that they are pinned to.
///
/// When the document or the index changes, it is replaced by a new one.
public final class ServedPlaces: Sendable {
  /// The document of the places.
  public let document: PlaceDocument
  /// The spots of the index combined with the places.
  public let spots: SpotIndex
  /// The places, ordered by id.
  let all: [KeptPlace]
  /// The positions of the places.
  let centers: SpatialIndex
  private let clusterRadiusMeters: Double
  /// The cached ranks of the places by name and id.
  private let knownRanks = Mutex<[Int32]?>(nil)

  /// Combines a document with the spots of an index.
  ///
  /// - Parameters:
  ///   - document: The places.
  ///   - spots: The spots of photos.
  ///   - radiusMeters: The cluster radius.
  public init(_ document: PlaceDocument, spots: SpotIndex, clusterRadius radiusMeters: Double) {
    self.document = document
    clusterRadiusMeters = radiusMeters
    all = document.places
    centers = SpatialIndex(all.map(\.coordinate))
    self.spots = spots.joined(with: all.map { OwnPlace($0) }, clusterRadius: radiusMeters)
  }

  /// The rank of each place in a list ordered by name, ignoring case, then by id.
  var ranks: [Int32] {
    knownRanks.withLock { known in
      if let known { return known }
      let keys = all.map { $0.title.lowercased() }
      let order = all.indices.sorted { left, right in
        keys[left] != keys[right] ? keys[left] < keys[right] : left < right
      }
      var ranks = Array(repeating: Int32(0), count: all.count)
      for (rank, place) in order.enumerated() { ranks[place] = Int32(truncatingIfNeeded: rank) }
      known = ranks
      return ranks
    }
  }

  /// Returns the id of the spot that a place is pinned to.
  ///
  /// The spot of the stored id may have been replaced when photos came or went. Then it is the spot
  /// that carries the place now, or the stored id if no spot does.
  func spotID(of place: KeptPlace) -> String? {
    guard let id = place.spotID, spots.place(ofID: id) == nil else { return place.spotID }
    let near = spots.centers.neighbors(within: clusterRadiusMeters, of: place.coordinate)
    let heir = near.first { self.place(pinnedToSpotAt: $0.index)?.id == place.id.description }
    return heir.map { spots.withoutPlaces.spots[$0.index].id } ?? id
  }

  /// Returns the place that is pinned to a spot of photos, given the spot's index.
  func place(pinnedToSpotAt row: Int) -> OwnPlace? { spots.place(pinnedToSpotAt: row) }

  /// Returns a place that is not pinned to a spot, by its id, in the form of a spot; `nil` where
  /// there is none.
  func spot(ofPlace id: String) -> PhotoSpot? {
    guard let number = spots.place(ofID: id) else { return nil }
    let spot = spots.spots[number]
    return spot.isOwnPlace ? spot : nil
  }
}

extension KeptPlace {
  /// The name; for a place without one, that of its town.
  var title: String { name.isEmpty ? PlaceName.title(of: coordinate) : name }
}
