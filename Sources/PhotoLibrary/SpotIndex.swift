public import Spatial

/// All spots, and the answer to "which are near".
public struct SpotIndex: Sendable {
  /// A spot that was found, and how far away its centre is.
  public struct Neighbor: Hashable, Sendable {
    /// The spot.
    public let spot: PhotoSpot
    /// The great-circle distance in metres from the centre of the query to the spot's centre.
    public let distanceMeters: Double
  }

  /// The spots in the order of their ids.
  public let spots: [PhotoSpot]
  private let index: SpatialIndex

  /// Creates an index over spots.
  public init(spots: [PhotoSpot]) {
    // In the order of their ids, so that spots at the same distance come out in that order.
    self.spots = spots.sorted { $0.id < $1.id }
    index = SpatialIndex(self.spots.map(\.coordinate))
  }

  /// Returns the spots whose centre lies within a distance of a place, nearest first, then by id.
  ///
  /// Exact as ``Spatial/SpatialIndex/neighbors(within:of:)``.
  public func spots(within radiusMeters: Double, of center: Coordinate) -> [Neighbor] {
    index.neighbors(within: radiusMeters, of: center).map(neighbor)
  }

  /// Returns the places in ``spots`` of the same, without the spots themselves.
  package func places(
    within radiusMeters: Double, of center: Coordinate
  ) -> [SpatialIndex.Neighbor] {
    index.neighbors(within: radiusMeters, of: center)
  }

  /// Calls a closure with the place in ``spots`` and the centre of every spot within a distance of a place, in
  /// no order.
  package func forEachPlace(
    within radiusMeters: Double, of center: Coordinate,
    _ body: (_ index: Int, _ center: Standpoint) -> Void
  ) {
    index.forEachPosition(within: radiusMeters, of: center, body)
  }

  /// Returns the spots nearest to a place, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) -> [Neighbor] {
    index.nearest(count, to: center).map(neighbor)
  }

  /// Returns the spots whose centre lies in a box, edges included, in the order of their ids.
  public func spots(in box: BoundingBox) -> [PhotoSpot] {
    index.indices(in: box).map { spots[$0] }
  }

  private func neighbor(_ found: SpatialIndex.Neighbor) -> Neighbor {
    Neighbor(spot: spots[found.index], distanceMeters: found.distanceMeters)
  }
}
