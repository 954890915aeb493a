import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
public import Spatial

extension MappedSpots {
  /// Sorts spots in listing order: by their number of counted photos, descending, then by the
  /// earliest capture among these, then by id.
  ///
  /// - Parameter places: Indices of some of these spots.
  /// - Returns: The sorted indices.
  /// - Complexity: O(*n* log *n*), where *n* is the number of given spots.
  public func listed(_ places: [Int]) -> [Int] {
    let keys = places.map { place in
      let first =
        filter.passesAll
        ? index.spots[place].firstCaptured?.instant.millisecondsSince1970
        : photos(ofPlace: place).first.flatMap { photos?.captured(of: $0) }?
          .instant.millisecondsSince1970
      return (count: photoCount(ofPlace: place), first: first ?? .max, place: place)
    }
    // Indices are in the order of ids.
    return keys.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      return left.first != right.first ? left.first < right.first : left.place < right.place
    }.map(\.place)
  }

  /// Returns the nearest of these spots, nearest first, then by id.
  ///
  /// - Parameters:
  ///   - count: The maximum number of spots.
  ///   - center: The position to search around.
  ///   - radiusMeters: The maximum distance of a spot; `nil` for any distance.
  /// - Returns: At most `count` neighbours, and the total number of spots within the radius.
  public func nearest(
    _ count: Int, to center: Coordinate, within radiusMeters: Double?
  ) -> (neighbors: [SpatialIndex.Neighbor], total: Int) {
    if let radiusMeters {
      let found = index.places(within: radiusMeters, of: center)
        .filter { contains(place: $0.index) }
      return (Array(found.prefix(count)), found.count)
    }
    var asked = count
    while true {
      let found = index.nearestPlaces(asked, to: center)
      let these = filter.passesAll ? found : found.filter { contains(place: $0.index) }
      if these.count >= count || found.count < asked {
        return (Array(these.prefix(count)), self.count)
      }
      asked = asked * 4 + 16
    }
  }
}
