package import Spatial

/// Synthetic centers of spots. They depend only on the count.
package enum SpotCenters {
  /// The number of photos generated per spot. Half the photos of a library lie in existing spots,
  /// so this is more than enough.
  private static let photosPerSpot = 8

  /// Returns the centers of the first spots of a large library, in the order of their anchors.
  ///
  /// - Precondition: The library has at least `count` spots.
  package static func make(_ count: Int) -> [Coordinate] {
    let photos = PhotoPositions(count: photosPerSpot * count).positions
    let clustering = GreedyClusterer(radiusMeters: 15).clusters(of: photos)
    precondition(clustering.count >= count, "only \(clustering.count) spots")
    return (0..<count).map { cluster in
      let members = clustering.members(of: cluster)
      return Coordinate.centroid(of: members.map { photos[Int($0)] })
        ?? photos[Int(members.first ?? 0)]
    }
  }
}
