#if Postgres
  import CivilTime
  import PhotoLibrary
  import Spatial

  /// Finds the spots whose anchors lie in some cells, as clustering all photos of the owner would.
  ///
  /// A photo is an anchor exactly if no earlier anchor lies within the cluster radius *r* of it,
  /// and it belongs to the earliest anchor within *r*. So the spots of some cells depend on their
  /// own photos; on foreign anchors within 2 *r* of these (a photo between may belong to such an
  /// anchor); and on foreign photos within *r*, which may belong to the cells' anchors. Influence
  /// runs only forward in canonical order. Hence, if cells whose neighbours' anchors changed are
  /// computed again until there are none, all spots equal those of clustering all photos: by
  /// induction over the anchors in canonical order, each is correct once those before it are.
  struct CellClustering {
    /// The role of a photo in the clustering of some cells.
    enum Role: UInt8 {
      /// A photo in the cells.
      case local
      /// A photo in another cell that is the anchor of a spot.
      case foreignAnchor
      /// A photo in another cell that is not an anchor.
      case foreign
    }

    private let photos: PhotoColumns
    private let roles: [Role]
    private let reach: ClusterReach

    /// Creates a clustering of photos, each with its role.
    init(_ photos: PhotoColumns, roles: [Role], reach: ClusterReach) {
      self.photos = photos
      self.roles = roles
      self.reach = reach
    }

    /// Returns the spots whose anchors are local, in the canonical order of the anchors.
    func spots() -> [StoredSpot] {
      let order = photos.canonicalOrder()
      let clusterer = GreedyClusterer(radiusMeters: reach.radiusMeters)
      func positions(_ rows: [Int32]) -> [Coordinate] { rows.map { photos.position[Int($0)] } }

      var tally = [Int32](repeating: 0, count: photos.folderCount)

      let deciding = order.filter { roles[Int($0)] != .foreign }
      let first = clusterer.clusters(of: positions(deciding))
      guard deciding.count < order.count || roles.contains(.foreignAnchor) else {
        return (0..<first.count).map { cluster in
          spot(of: first.members(of: cluster).map { deciding[Int($0)] }, &tally)
        }
      }
      var isAnchor = roles.map { $0 == .foreignAnchor }
      for cluster in 0..<first.count {
        let row = Int(deciding[Int(first.anchor(of: cluster))])
        if roles[row] == .local { isAnchor[row] = true }
      }
      // The anchors first, so that no photo near one becomes an anchor itself.
      let rows = order.filter { isAnchor[Int($0)] } + order.filter { !isAnchor[Int($0)] }
      let second = clusterer.clusters(of: positions(rows))
      var spots: [StoredSpot] = []
      for cluster in 0..<second.count {
        let anchor = Int(rows[Int(second.anchor(of: cluster))])
        guard roles[anchor] == .local, isAnchor[anchor] else { continue }
        spots.append(spot(of: second.members(of: cluster).map { rows[Int($0)] }, &tally))
      }
      return spots
    }

    /// Returns the spot of some photos in canonical order, the first of which is the anchor. It
    /// equals the spot that an index has for these photos. `tally` contains a zero for each folder,
    /// before and after the call.
    private func spot(of members: [Int32], _ tally: inout [Int32]) -> StoredSpot {
      let anchor = Int(members[0])
      let position = photos.position[anchor]
      var center = position
      if members.count > 1 {
        let positions = members.map { photos.position[Int($0)] }
        center = Coordinate.centroid(of: positions) ?? position
      }
      var (favorites, undated, radius) = (Int32(0), Int32(0), 0.0)
      for member in members {
        let row = Int(member)
        if photos.flags[row] & PhotoColumns.Flag.favorite != 0 { favorites += 1 }
        if photos.captured[row] == nil { undated += 1 }
        radius = max(radius, photos.position[row].distance(to: center))
      }
      let dated = members.prefix(members.count - Int(undated))
      let (first, last) = (dated.first.map { Int($0) }, dated.last.map { Int($0) })
      let cover = cover(of: members)
      let album = photos.folderPath(album(of: members, &tally))
      return StoredSpot(
        id: Int64(
          bitPattern: SpotID(
            coordinate: position,
            captured: photos.statedCaptured(anchor).map { Instant(millisecondsSince1970: $0) }
          ).bits),
        center: center, anchor: position, radius: radius,
        firstCaptured: first.flatMap { photos.captured[$0] },
        lastCaptured: last.flatMap { photos.captured[$0] }, anchorPhoto: photos.id[anchor],
        cell: photos.cell[anchor], photoCount: Int32(truncatingIfNeeded: members.count),
        favoriteCount: favorites, undatedCount: undated,
        firstOffset: first.map { photos.utcOffset[$0] } ?? PhotoColumns.unknownOffset,
        lastOffset: last.map { photos.utcOffset[$0] } ?? PhotoColumns.unknownOffset,
        isOnRim: reach.isRim(position), cover: Array(cover),
        album: album == PhotoColumns.folder(of: cover) ? [] : Array(album))
    }

    /// Returns the path of a spot's cover, which is that of the index for these photos: the file of
    /// the shot with the highest rank, the first of several.
    private func cover(of members: [Int32]) -> ArraySlice<UInt8> {
      func precedes(_ left: Int32, _ right: Int32) -> Bool {
        let (left, right) = (Int(left), Int(right))
        return photos.rating[left] != photos.rating[right]
          ? photos.rating[left] < photos.rating[right]
          : photos.captured[left] ?? .min < photos.captured[right] ?? .min
      }
      let best = members.count == 1 ? members[0] : members.max(by: precedes) ?? members[0]
      let cover = photos.representative(Int(best))
      if members.count == 1 || suitability(ofPath: cover) == .picture { return cover }
      let ranked = members.map { member in
        let row = Int(member)
        let path = photos.representative(row)
        let rank = CoverRank(
          rating: Int(photos.rating[row]), suitability: suitability(ofPath: path),
          captured: photos.captured[row])
        return (rank: rank, path: path)
      }
      return ranked.max { $0.rank < $1.rank }?.path ?? cover
    }

    private func suitability(ofPath path: ArraySlice<UInt8>) -> CoverSuitability {
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
      return CoverSuitability(
        ofFileNamed: path[(slash.map { $0 + 1 } ?? path.startIndex)...],
        in: PhotoColumns.folder(of: path))
    }

    /// Returns the folder of most photos of a spot; among several, the first by path.
    private func album(of members: [Int32], _ tally: inout [Int32]) -> Int32 {
      let first = photos.folder[Int(members[0])]
      // Most spots have photos of one folder.
      if members.allSatisfy({ photos.folder[Int($0)] == first }) { return first }
      var most: Int32 = 0
      for member in members {
        let folder = Int(photos.folder[Int(member)])
        tally[folder] += 1
        most = max(most, tally[folder])
      }
      var album: Int32?
      for member in members {
        let folder = photos.folder[Int(member)]
        guard tally[Int(folder)] == most, folder != album else { continue }
        let isFirst = album.map {
          photos.folderPath(folder).lexicographicallyPrecedes(photos.folderPath($0))
        }
        if isFirst ?? true { album = folder }
      }
      for member in members { tally[Int(photos.folder[Int(member)])] = 0 }
      return album ?? first
    }
  }
#endif
