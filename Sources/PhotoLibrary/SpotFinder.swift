public import Spatial

/// The spots of an index and the answer to "which are near", for a few questions.
///
/// It knows of each spot its id, centre and members, 32 bytes, and makes a ``PhotoSpot`` of them only for an answer: of tens of
/// thousands a question mostly asks for a handful. ``SpotIndex`` has them all made, for many questions.
public struct SpotFinder: Sendable {
  private let photos: PhotoIndex
  /// In the order of their ids.
  private let spots: [Row]
  private let members: [Int32]
  private let index: SpatialIndex

  private struct Row {
    let id: SpotID
    let coordinate: Coordinate
    /// Where its photos begin in `members`.
    let start: Int32
    let count: Int32
  }

  /// Clusters all shots of an index into spots, as ``PhotoIndex/spots(clusterRadius:)`` does.
  ///
  /// - Parameters:
  ///   - photos: The index.
  ///   - radiusMeters: How far from the anchor a photo may be and belong to its spot.
  ///   - isIncluded: Whether a spot may be found, given the places of its photos, earliest first.
  public init(
    _ photos: PhotoIndex, clusterRadius radiusMeters: Double,
    where isIncluded: (ArraySlice<Int32>) -> Bool = { _ in true }
  ) {
    let order = photos.canonicalOrder()
    let clustering = photos.clusters(of: order, radiusMeters: radiusMeters)
    var spots: [Row] = []
    var members: [Int32] = []
    members.reserveCapacity(order.count)
    for cluster in 0..<clustering.count {
      let start = members.count
      for place in clustering.members(of: cluster) { members.append(order[Int(place)]) }
      guard isIncluded(members[start...]) else {
        members.removeSubrange(start...)
        continue
      }
      let anchor = photos.photos[Int(members[start])]
      spots.append(
        Row(
          id: SpotID(coordinate: anchor.coordinate, captured: anchor.instant),
          coordinate: photos.center(of: members[start...]), start: Int32(start),
          count: Int32(members.count - start)))
    }
    self.photos = photos
    self.members = members
    self.spots = RadixSort.order(of: spots.map { Int64($0.id.bits) }).map { spots[Int($0)] }
    index = SpatialIndex(self.spots.map(\.coordinate))
  }

  /// How many spots there are.
  public var count: Int { spots.count }

  /// Returns the spots whose centre lies within a distance of a place; see ``SpotIndex/spots(within:of:)``.
  public func spots(within radiusMeters: Double, of center: Coordinate) -> [SpotIndex.Neighbor] {
    index.neighbors(within: radiusMeters, of: center).map(neighbor)
  }

  /// Returns the spots nearest to a place, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) -> [SpotIndex.Neighbor] {
    index.nearest(count, to: center).map(neighbor)
  }

  private func neighbor(_ found: SpatialIndex.Neighbor) -> SpotIndex.Neighbor {
    let row = spots[found.index]
    return SpotIndex.Neighbor(
      spot: photos.spot(Array(members[Int(row.start)..<Int(row.start + row.count)])),
      distanceMeters: found.distanceMeters)
  }
}
