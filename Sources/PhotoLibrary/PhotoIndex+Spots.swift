import Interchange
import PhotoMetadata
import Spatial

extension PhotoIndex {
  /// Clusters all shots into spots.
  ///
  /// The photos that stand for shots are taken in canonical order, by capture instant, undated ones last, then by the bytes of
  /// their paths. So the same photos make the same spots, in whatever order they were found.
  ///
  /// - Parameter radiusMeters: How far from the anchor a photo may be and belong to its spot.
  /// - Returns: The spots in listing order: most photos first, then the earliest capture, then the id.
  /// - Complexity: O(*n*) for *n* photos, most of which have a time of their own.
  public func spots(clusterRadius radiusMeters: Double) -> [PhotoSpot] {
    let order = canonicalOrder()
    let clustering = clusters(of: order, radiusMeters: radiusMeters)
    let spots = (0..<clustering.count).map { cluster in
      spot(clustering.members(of: cluster).map { order[Int($0)] })
    }
    // Spots are large: their numbers are sorted, and each spot is copied once.
    return spots.indices.sorted { PhotoSpot.isListedBefore(spots[$0], spots[$1]) }
      .map { spots[$0] }
  }

  /// Clusters photos that are given in canonical order.
  func clusters(of order: [Int32], radiusMeters: Double) -> Clustering {
    GreedyClusterer(radiusMeters: radiusMeters)
      .clusters(of: order.map { photos[Int($0)].coordinate })
  }

  /// The places of the photos that stand for shots, in canonical order.
  func canonicalOrder() -> [Int32] {
    var (dated, undated, times): ([Int32], [Int32], [Int64]) = ([], [], [])
    dated.reserveCapacity(photos.count)
    times.reserveCapacity(photos.count)
    for photo in 0..<Int32(photos.count) where standsForShot(photo) {
      if let instant = photos[Int(photo)].instant {
        dated.append(photo)
        times.append(instant.millisecondsSince1970)
      } else {
        undated.append(photo)
      }
    }
    // Times first, as whole numbers: photos of one instant are few, and their paths are compared afterwards.
    let sorted = RadixSort.order(of: times)
    var order = sorted.map { dated[Int($0)] }
    var start = 0
    while start < order.count {
      let time = times[Int(sorted[start])]
      var end = start + 1
      while end < order.count, times[Int(sorted[end])] == time { end += 1 }
      if end - start > 1 { order[start..<end].sort(by: precedes) }
      start = end
    }
    return order + undated.sorted(by: precedes)
  }

  /// Whether one photo comes before another by the bytes of their paths.
  ///
  /// That is not the order of the index, in which `/a-b/c` comes after `/a/z`.
  private func precedes(_ left: Int32, _ right: Int32) -> Bool {
    let (left, right) = (files[Int(photos[Int(left)].file)], files[Int(photos[Int(right)].file)])
    return left.folder == right.folder
      ? name(of: left).lexicographicallyPrecedes(name(of: right))
      : pathBytes(of: left).lexicographicallyPrecedes(pathBytes(of: right))
  }

  /// Makes a spot of photos in canonical order, the anchor first. Its centre is worked out where it is not given.
  func spot(_ members: [Int32], center: Coordinate? = nil) -> PhotoSpot {
    let photos = members.map(ratedPhoto)
    let anchor = photos[0]
    let center = center ?? self.center(of: members)
    let dated = photos.lazy.compactMap(\.captured)
    return PhotoSpot(
      id: SpotID(coordinate: anchor.coordinate, captured: anchor.instant).text,
      coordinate: center,
      anchor: anchor.coordinate,
      radiusMeters: photos.lazy.map { $0.coordinate.distance(to: center) }.max() ?? 0,
      photoCount: photos.count,
      favoriteCount: photos.count { $0.isFavorite },
      undatedCount: photos.count { $0.captured == nil },
      firstCaptured: dated.first,
      lastCaptured: dated.last,
      cover: path(of: files[Int(cover(of: photos))]),
      members: members)
  }

  /// The centre of a spot, by its members.
  func center(of members: [Int32]) -> Coordinate {
    let coordinates = members.map { photos[Int($0)].coordinate }
    return coordinates.count == 1
      ? coordinates[0] : Coordinate.centroid(of: coordinates) ?? coordinates[0]
  }

  /// The file that stands for a spot: the best rated, of those one that is a picture, of those the latest.
  private func cover(of photos: [Photo]) -> Int32 {
    let isWorse: (Photo, Photo) -> Bool = { $0.isWorseCover(than: $1) }
    guard let best = photos.max(by: isWorse) else { return 0 }
    if let picture = picture(ofShotOf: best.file) { return picture }
    let others = photos.filter {
      ($0.rating ?? 0) == (best.rating ?? 0) && picture(ofShotOf: $0.file) != nil
    }
    return others.max(by: isWorse).flatMap { picture(ofShotOf: $0.file) } ?? best.file
  }
}

extension PhotoIndex.Photo {
  /// The better rated photo is the better cover; of equals the later one.
  fileprivate func isWorseCover(than other: PhotoIndex.Photo) -> Bool {
    let (left, right) = (rating ?? 0, other.rating ?? 0)
    if left != right { return left < right }
    let earliest = Instant(millisecondsSince1970: .min)
    return captured?.instant ?? earliest < other.captured?.instant ?? earliest
  }
}

extension PhotoSpot {
  /// Most photos first, then the earliest first capture, then the id.
  static func isListedBefore(_ left: PhotoSpot, _ right: PhotoSpot) -> Bool {
    if left.photoCount != right.photoCount { return left.photoCount > right.photoCount }
    let latest = Instant(millisecondsSince1970: .max)
    let (first, second) = (
      left.firstCaptured?.instant ?? latest, right.firstCaptured?.instant ?? latest
    )
    return first != second ? first < second : left.id < right.id
  }
}
