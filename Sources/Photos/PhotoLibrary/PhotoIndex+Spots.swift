import CivilTime
import PhotoMetadata
import Spatial

extension PhotoIndex {
  /// Returns all spots in listing order: by number of photos, descending, then by earliest capture,
  /// then by id.
  ///
  /// - Parameter radiusMeters: The cluster radius: the maximum distance of a spot's photo from its
  ///   anchor.
  /// - Returns: The spots.
  /// - Complexity: O(*n*) for *n* photos, unless the index already has spots of this radius.
  public func spots(clusterRadius radiusMeters: Double) -> [PhotoSpot] {
    Array(SpotIndex(self, clusterRadius: radiusMeters).listed)
  }

  /// Returns the spots for a cluster radius, computing them if the index has none of this radius.
  func spotTable(clusterRadius radiusMeters: Double) -> SpotTable {
    if let computedSpots, computedSpots.clusterRadiusMeters == radiusMeters { return computedSpots }
    return SpotTable(of: self, clusterRadius: radiusMeters)
  }

  /// Returns the representative photos of shots in canonical order.
  func canonicalOrder() -> [PhotoID] {
    var (dated, undated, times): ([PhotoID], [PhotoID], [Int64]) = ([], [], [])
    dated.reserveCapacity(photos.count)
    times.reserveCapacity(photos.count)
    for photo in photos.ids where standsForShot(photo) {
      if let instant = photos.captured[photo.row] {
        dated.append(photo)
        times.append(instant.millisecondsSince1970)
      } else {
        undated.append(photo)
      }
    }
    // Sort by time first, as integers; only the few photos with the same time are then compared by
    // path.
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

  /// Returns whether a photo comes before another by the bytes of their paths.
  ///
  /// The order of the index differs: there `/a-b/c` comes after `/a/z`.
  private func precedes(_ left: PhotoID, _ right: PhotoID) -> Bool {
    let (left, right) = (photos.file[left.row], photos.file[right.row])
    return files.folder[left.row] == files.folder[right.row]
      ? name(of: left).lexicographicallyPrecedes(name(of: right))
      : pathBytes(of: left).lexicographicallyPrecedes(pathBytes(of: right))
  }

  /// Returns the centre of a spot from its members.
  func center(of members: [PhotoID]) -> Coordinate {
    let first = photos.coordinate(of: members[0])
    guard members.count > 1 else { return first }
    return Coordinate.centroid(of: members.map { photos.coordinate(of: $0) }) ?? first
  }

  /// Returns the representative file of a spot: that of the shot with the highest ``CoverRank``,
  /// the first of several.
  func cover(of members: [PhotoID]) -> FileID {
    // Most spots have one shot.
    if members.count == 1 { return onlyCover(of: members[0]) }
    let candidates = members.map { photo in
      Candidate(
        file: photos.file[photo.row], rating: rating(ofShotOf: photo) ?? 0,
        instant: photos.captured[photo.row] ?? Instant(millisecondsSince1970: .min))
    }
    // A spot has at least its anchor.
    let best =
      candidates.max { ($0.rating, $0.instant) < ($1.rating, $1.instant) } ?? candidates[0]
    // Mostly the latest of the highest rated is shown, and has the highest rank.
    let cover = representative(ofShotOf: best.file)
    if cover.suitability == .picture { return cover.file }
    let others = candidates.map { candidate in
      let other = representative(ofShotOf: candidate.file)
      let rank = CoverRank(
        rating: Int(candidate.rating), suitability: other.suitability,
        captured: candidate.instant.millisecondsSince1970)
      return (rank: rank, file: other.file)
    }
    return others.max { $0.rank < $1.rank }?.file ?? cover.file
  }

  /// Returns the representative file of a spot with a single shot.
  private func onlyCover(of photo: PhotoID) -> FileID {
    let file = photos.file[photo.row]
    return files.shot[file.row] == nil ? file : representative(ofShotOf: file).file
  }

  /// A photo considered as the representative of its spot.
  private struct Candidate {
    let file: FileID
    let rating: Int8
    let instant: Instant
  }

  /// Returns the folder of most of a spot's photos; of several, the first by path. Recreations of
  /// all spots are in one folder, so they count only where a spot has no other photos.
  func album(of members: [PhotoID]) -> FolderID {
    if members.count == 1 { return files.folder[photos.file[members[0].row].row] }
    let others = members.filter { !RecreatedFileName.matches(files.name[photos.file[$0.row].row]) }
    let folders = (others.isEmpty ? members : others)
      .map { files.folder[photos.file[$0.row].row] }.sorted()
    var (best, bestCount, start) = (folders[0], 0, 0)
    while start < folders.count {
      var end = start + 1
      while end < folders.count, folders[end] == folders[start] { end += 1 }
      if end - start > bestCount { (best, bestCount) = (folders[start], end - start) }
      start = end
    }
    return best
  }
}
