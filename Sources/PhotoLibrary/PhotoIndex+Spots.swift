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
  /// - Complexity: O(*n* log *n*) for *n* photos.
  public func spots(clusterRadius radiusMeters: Double) -> [PhotoSpot] {
    let order = canonicalOrder()
    let clustering = GreedyClusterer(radiusMeters: radiusMeters)
      .clusters(of: order.map { photos[Int($0)].coordinate })
    let spots = (0..<clustering.count).map { cluster in
      spot(clustering.members(of: cluster).map { order[Int($0)] })
    }
    // Spots are large: their numbers are sorted, and each spot is copied once.
    return spots.indices.sorted { PhotoSpot.isListedBefore(spots[$0], spots[$1]) }
      .map { spots[$0] }
  }

  /// The places of the photos that stand for shots, in canonical order.
  func canonicalOrder() -> [Int32] {
    (0..<Int32(photos.count)).filter(standsForShot).sorted { left, right in
      let (first, second) = (photos[Int(left)], photos[Int(right)])
      // Undated photos come last.
      let firstTime = first.captured?.instant.millisecondsSince1970 ?? .max
      let secondTime = second.captured?.instant.millisecondsSince1970 ?? .max
      if firstTime != secondTime { return firstTime < secondTime }
      return precedes(files[Int(first.file)], files[Int(second.file)])
    }
  }

  private func precedes(_ left: File, _ right: File) -> Bool {
    left.folder == right.folder
      ? name(of: left).lexicographicallyPrecedes(name(of: right))
      : pathBytes(of: left).lexicographicallyPrecedes(pathBytes(of: right))
  }

  /// Makes a spot of photos in canonical order, the anchor first.
  private func spot(_ members: [Int32]) -> PhotoSpot {
    let photos = members.map(ratedPhoto)
    let anchor = photos[0]
    let center =
      Coordinate.centroid(of: photos.lazy.map(\.coordinate)) ?? anchor.coordinate
    let dated = photos.lazy.compactMap(\.captured)
    return PhotoSpot(
      id: SpotID.make(coordinate: anchor.coordinate, captured: anchor.captured?.instant),
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
