package import Spatial

/// The centres of spots, as a library has them. The same count gives the same.
package enum SpotCenters {
  /// Half the photos of a library lie where others do already; this many more of them are enough.
  private static let photosPerSpot = 8

  /// Returns the centres of the first so many spots of a large library, in the order of their
  /// anchors.
  ///
  /// - Precondition: The library has so many.
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
