public import KeptPlaces
public import PhotoLibrary
import Spatial
import Synchronization

/// The places of one's own as they are served, with the spots of the index that they are pinned to.
///
/// Another takes its place when the document or the index changes.
public final class ServedPlaces: Sendable {
  /// The places as they are kept.
  public let document: PlaceDocument
  /// The spots of the index and the places together.
  public let spots: SpotIndex
  /// The places in the order of their ids.
  let all: [KeptPlace]
  /// Their positions.
  let centers: SpatialIndex
  /// The rank of each by its name, then its id; worked out when it is asked for first.
  private let knownRanks = Mutex<[Int32]?>(nil)

  /// Joins a document with the spots of an index.
  ///
  /// - Parameters:
  ///   - document: The places.
  ///   - spots: The spots of photos.
  ///   - radiusMeters: The cluster radius.
  public init(_ document: PlaceDocument, spots: SpotIndex, clusterRadius radiusMeters: Double) {
    self.document = document
    all = document.places
    centers = SpatialIndex(all.map(\.coordinate))
    self.spots = spots.joined(with: all.map { OwnPlace($0) }, clusterRadius: radiusMeters)
  }

  /// The ranks of the places in a list by name: the same in capitals and small letters, then by id.
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

  /// The place that is pinned to a spot of photos, by the spot's place in the index.
  func place(pinnedToSpotAt row: Int) -> OwnPlace? { spots.place(pinnedToSpotAt: row) }

  /// A place that is not pinned to a spot, by its id, as spots are; `nil` where there is none.
  func spot(ofPlace id: String) -> PhotoSpot? {
    guard let number = spots.place(ofID: id) else { return nil }
    let spot = spots.spots[number]
    return spot.isOwnPlace ? spot : nil
  }
}

extension KeptPlace {
  /// The name; of one without, that of its town.
  var title: String { name.isEmpty ? PlaceName.title(of: coordinate) : name }
}
