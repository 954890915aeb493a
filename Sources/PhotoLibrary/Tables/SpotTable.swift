import CivilTime
import PhotoMetadata
import Spatial

/// All spots of an index for one cluster radius, in the order of their ids, and the search tree
/// over their centres.
struct SpotTable: DeclaredTable {
  /// The cluster radius in metres that the spots were made with.
  var clusterRadiusMeters = 0.0
  var id = Column<SpotID>()
  var latitude = Column<Double>()
  var longitude = Column<Double>()
  var radius = Column<Double>()
  var photoCount = Column<Int32>()
  var favoriteCount = Column<Int32>()
  var undatedCount = Column<Int32>()
  var firstCaptured = Column<Instant?>()
  var firstOffset = Column<OffsetMinutes?>()
  var lastCaptured = Column<Instant?>()
  var lastOffset = Column<OffsetMinutes?>()
  var cover = Column<FileID>()
  var album = Column<FolderID>()
  var members = ListColumn<PhotoID>()
  var listing = Column<SpotRow>()
  /// The centres, in the order of the rows.
  var centers = SpatialIndex([])

  static let name = "spots"
  static let columns: [ColumnSchema<SpotTable>] = [
    .init("id", \.id, "twelve digits of base32", places: .writtenOnly),
    .init("latitude", \.latitude, "of the centre, degrees north", places: .writtenOnly),
    .init("longitude", \.longitude, "of the centre, degrees east", places: .writtenOnly),
    .init(
      "radius", \.radius, "metres from the centre to the photo farthest from it",
      places: .writtenOnly),
    .init("photoCount", \.photoCount, "how many shots", places: .writtenOnly),
    .init("favoriteCount", \.favoriteCount, "how many are favourites", places: .writtenOnly),
    .init("undatedCount", \.undatedCount, "how many have no time", places: .writtenOnly),
    .init("firstCaptured", \.firstCaptured, "the earliest, ms since 1970", places: .writtenOnly),
    .init("firstOffset", \.firstOffset, "its minutes ahead of UTC", places: .writtenOnly),
    .init("lastCaptured", \.lastCaptured, "the latest, ms since 1970", places: .writtenOnly),
    .init("lastOffset", \.lastOffset, "its minutes ahead of UTC", places: .writtenOnly),
    .init("cover", \.cover, "the file that stands for it, a place in files", places: .writtenOnly),
    .init(
      "album", \.album, "the folder of most of its photos, a place in folders",
      places: .writtenOnly),
    .init(
      "members", \.members,
      "the photos that stand for its shots, places in photos; the first is the anchor",
      places: .writtenOnly),
    .init(
      "listing", \.listing, "the rows in listing order", places: .mappedOnly),
  ]

  var count: Int { id.count }
  var indices: Range<Int> { 0..<count }

  /// Creates a table of no spots.
  init() {}

  /// Clusters all shots of an index into spots.
  ///
  /// The photos that stand for shots are taken in canonical order, by capture instant, undated ones
  /// last, then by the bytes of their paths. So the same photos make the same spots, in whatever
  /// order they were found.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - radiusMeters: How far from the anchor a photo may be and belong to its spot.
  /// - Complexity: O(*n*) for *n* photos, most of which have a time of their own.
  init(of index: PhotoIndex, clusterRadius radiusMeters: Double) {
    clusterRadiusMeters = radiusMeters
    let order = index.canonicalOrder()
    let clustering = GreedyClusterer(radiusMeters: radiusMeters)
      .clusters(of: order.map { index.photos.coordinate(of: $0) })
    let ids = (0..<clustering.count).map { cluster in
      let anchor = order[Int(clustering.members(of: cluster).first ?? 0)]
      return SpotID(
        coordinate: index.photos.coordinate(of: anchor), captured: index.photos.captured[anchor.row]
      )
    }
    var positions: [Coordinate] = []
    positions.reserveCapacity(ids.count)
    var members: [PhotoID] = []
    for cluster in RadixSort.order(of: ids.map(\.stored)) {
      members.removeAll(keepingCapacity: true)
      for place in clustering.members(of: Int(cluster)) { members.append(order[Int(place)]) }
      positions.append(append(ids[Int(cluster)], members, of: index))
    }
    centers = SpatialIndex(positions)
    listing = Column(own: listingOrder())
  }

  /// Appends a spot of photos in canonical order, the anchor first; returns its centre.
  private mutating func append(
    _ id: SpotID, _ members: [PhotoID], of index: PhotoIndex
  ) -> Coordinate {
    let photos = index.photos
    let center = index.center(of: members)
    var (favorites, undated, reach) = (Int32(0), Int32(0), 0.0)
    for member in members {
      if index.isFavorite(shotOf: member) { favorites += 1 }
      if photos.captured[member.row] == nil { undated += 1 }
      reach = max(reach, photos.coordinate(of: member).distance(to: center))
    }
    let dated = members.prefix(members.count - Int(undated))
    self.id.append(id)
    latitude.append(center.latitude)
    longitude.append(center.longitude)
    radius.append(reach)
    photoCount.append(Int32(truncatingIfNeeded: members.count))
    favoriteCount.append(favorites)
    undatedCount.append(undated)
    let (first, last) = (dated.first, dated.last)
    firstCaptured.append(first.flatMap { photos.captured[$0.row] })
    firstOffset.append(first.flatMap { photos.utcOffset[$0.row] })
    lastCaptured.append(last.flatMap { photos.captured[$0.row] })
    lastOffset.append(last.flatMap { photos.utcOffset[$0.row] })
    cover.append(index.cover(of: members))
    album.append(index.album(of: members))
    self.members.append(members)
    return center
  }

  /// Most photos first, then the earliest first capture, then the id.
  private func listingOrder() -> [Int32] {
    let latest = Instant(millisecondsSince1970: .max)
    let keys = indices.map { row in
      (count: photoCount[row], first: firstCaptured[row] ?? latest, row: Int32(row))
    }
    // Rows have the order of ids.
    return keys.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      return left.first != right.first ? left.first < right.first : left.row < right.row
    }.map(\.row)
  }

  /// The row of the spot with an id; `nil` where there is none.
  ///
  /// - Complexity: O(log *n*) for *n* spots.
  func row(of id: SpotID) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.id[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < count && self.id[low] == id ? low : nil
  }

  /// The centre of a spot.
  @inline(__always)
  func center(of row: Int) -> Coordinate {
    Coordinate(latitude: latitude[row], longitude: longitude[row])
      ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// The earliest capture of a spot.
  func firstCaptured(of row: Int) -> CaptureTime? { time(firstCaptured, firstOffset, row) }

  /// The latest capture of a spot.
  func lastCaptured(of row: Int) -> CaptureTime? { time(lastCaptured, lastOffset, row) }

  private func time(
    _ instants: Column<Instant?>, _ offsets: Column<OffsetMinutes?>, _ row: Int
  ) -> CaptureTime? {
    instants[row].map {
      CaptureTime(instant: $0, utcOffsetMinutes: offsets[row].map { Int($0.stored) })
    }
  }
}

/// The shots that have several files; every other file is a shot of its own.
struct ShotTable: Sendable, Equatable {
  /// The files of each shot, of which the first stands for it.
  var members = ListColumn<FileID>()

  /// How many shots there are.
  var count: Int { members.count }
  /// All shots.
  var ids: some RandomAccessCollection<ShotID> { (0..<count).lazy.map { ShotID($0) } }
  /// The files of all shots, one shot after another.
  var files: Column<FileID> { members.elements }

  /// The files of a shot, of which the first stands for it.
  subscript(shot: ShotID) -> Slice<Column<FileID>> { members[shot.row] }

  /// Appends a shot.
  mutating func append(_ shot: some Collection<FileID>) { members.append(shot) }
}
