import CivilTime
import Interchange
import PhotoLibrary
import PhotoMetadata
public import Spatial

extension MappedSpots {
  /// Sorts places of spots in listing order: most photos that count first, then the earliest of
  /// their captures, then the id.
  ///
  /// - Parameter places: Places in the index of some of these spots.
  /// - Returns: The same in that order.
  /// - Complexity: O(*n* log *n*) for *n* places.
  public func listed(_ places: [Int]) -> [Int] {
    let keys = places.map { place in
      let first =
        filter.passesAll
        ? index.spots[place].firstCaptured?.instant.millisecondsSince1970
        : photos(ofPlace: place).first.flatMap { photos?.captured(of: $0) }?
          .instant.millisecondsSince1970
      return (count: photoCount(ofPlace: place), first: first ?? .max, place: place)
    }
    // Places have the order of ids.
    return keys.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      return left.first != right.first ? left.first < right.first : left.place < right.place
    }.map(\.place)
  }

  /// The places in the index of the nearest of these spots, nearest first, then by id.
  ///
  /// - Parameters:
  ///   - count: How many are asked for.
  ///   - center: The place to search around.
  ///   - radiusMeters: How far away a spot may be; `nil` for any distance.
  /// - Returns: At most so many, and how many there are in all.
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
