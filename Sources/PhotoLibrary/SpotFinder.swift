public import Spatial

/// The spots of an index and the answer to "which are near", for a question or two.
///
/// It clusters, and knows no more of a spot than its photos. A centre lies within the cluster radius of the anchor,
/// so a look at all anchors tells which spots a question may mean, and only of those it works out the centre, the
/// id and the rest. ``SpotIndex`` has all spots made, for many questions.
public struct SpotFinder {
  private let photos: PhotoIndex
  /// The photos that stand for shots, in canonical order.
  private let order: [Int32]
  private let clustering: Clustering
  /// The anchor of each cluster.
  private let anchors: [Coordinate]
  private let clusterRadiusMeters: Double
  private let isIncluded: (ArraySlice<Int32>) -> Bool

  /// Clusters all shots of an index into spots, as ``PhotoIndex/spots(clusterRadius:)`` does.
  ///
  /// - Parameters:
  ///   - photos: The index.
  ///   - radiusMeters: How far from the anchor a photo may be and belong to its spot.
  ///   - isIncluded: Whether a spot may be found, given the places of its photos, earliest first.
  /// - Precondition: `radiusMeters` is at most 1000 km.
  public init(
    _ photos: PhotoIndex, clusterRadius radiusMeters: Double,
    where isIncluded: @escaping (ArraySlice<Int32>) -> Bool = { _ in true }
  ) {
    // The centre is near the anchor because a circle of less than a quarter of the globe is convex.
    precondition(radiusMeters <= 1e6)
    self.photos = photos
    self.isIncluded = isIncluded
    clusterRadiusMeters = radiusMeters
    order = photos.canonicalOrder()
    clustering = photos.clusters(of: order, radiusMeters: radiusMeters)
    // Clusters are numbered in the order of their anchors, which are their first photos.
    var anchors: [Coordinate] = []
    anchors.reserveCapacity(clustering.count)
    for (place, cluster) in zip(order, clustering.clusters) where cluster == anchors.count {
      anchors.append(photos.photos[Int(place)].coordinate)
    }
    self.anchors = anchors
  }

  /// Returns the spots whose centre lies within a distance of a place; see ``SpotIndex/spots(within:of:)``.
  ///
  /// - Complexity: O(*n* + *k* log *k*) for *n* spots and *k* photos in those that are found.
  public func spots(within radiusMeters: Double, of center: Coordinate) -> [SpotIndex.Neighbor] {
    candidates(within: radiusMeters, of: center).map(neighbor)
  }

  /// Returns the spots nearest to a place, nearest first, then by id.
  public func nearest(_ count: Int, to center: Coordinate) -> [SpotIndex.Neighbor] {
    var radiusMeters = 1000.0
    while true {
      let found = candidates(within: radiusMeters, of: center)
      if found.count >= count || radiusMeters > Earth.greatestDistanceMeters {
        return found.prefix(max(0, count)).map(neighbor)
      }
      radiusMeters *= 4
    }
  }

  /// A spot that is near, before it is made.
  private struct Candidate {
    let members: [Int32]
    let id: SpotID
    let center: Coordinate
    let distanceMeters: Double
  }

  private func candidates(
    within radiusMeters: Double, of place: Coordinate
  ) -> [Candidate] {
    // A metre is more than all rounding.
    let reachMeters = radiusMeters + clusterRadiusMeters + 1
    // Along a meridian a distance is the difference of the latitudes, and nothing is shorter.
    let reachDegrees = reachMeters / Earth.meanRadiusMeters * 180 / Double.pi
    var found: [Candidate] = []
    for (cluster, anchor) in anchors.enumerated() {
      guard abs(anchor.latitude - place.latitude) <= reachDegrees,
        anchor.distance(to: place) <= reachMeters
      else { continue }
      let members = clustering.members(of: cluster).map { order[Int($0)] }
      let center = photos.center(of: members)
      let distanceMeters = place.distance(to: center)
      guard distanceMeters <= radiusMeters, isIncluded(members[...]) else { continue }
      let id = SpotID(coordinate: anchor, captured: photos.photos[Int(members[0])].instant)
      found.append(
        Candidate(members: members, id: id, center: center, distanceMeters: distanceMeters))
    }
    return found.sorted {
      ($0.distanceMeters, $0.id.bits) < ($1.distanceMeters, $1.id.bits)
    }
  }

  private func neighbor(_ candidate: Candidate) -> SpotIndex.Neighbor {
    SpotIndex.Neighbor(
      spot: photos.spot(candidate.members, center: candidate.center),
      distanceMeters: candidate.distanceMeters)
  }
}
