import CivilTime
import PhotoMetadata
import Spatial

/// All spots of an index for one cluster radius, sorted by id, and the search tree over their
/// centres.
struct SpotTable: DeclaredTable {
  /// The cluster radius of the spots in metres.
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
  /// The centres, in row order.
  var centers = SpatialIndex([])

  typealias Row = Rows.Spots

  static let columns: [ColumnSchema<SpotTable>] = [
    .init("id", { $1(&$0.id) }, "twelve digits of base32", places: .writtenOnly),
    .init("latitude", { $1(&$0.latitude) }, "of the centre, degrees north", places: .writtenOnly),
    .init("longitude", { $1(&$0.longitude) }, "of the centre, degrees east", places: .writtenOnly),
    .init(
      "radius", { $1(&$0.radius) }, "metres from the centre to the photo farthest from it",
      places: .writtenOnly),
    .init("photoCount", { $1(&$0.photoCount) }, "the number of shots", places: .writtenOnly),
    .init(
      "favoriteCount", { $1(&$0.favoriteCount) }, "the number of favourites", places: .writtenOnly),
    .init(
      "undatedCount", { $1(&$0.undatedCount) }, "the number of undated shots", places: .writtenOnly),
    .init(
      "firstCaptured", { $1(&$0.firstCaptured) }, "the earliest, ms since 1970",
      places: .writtenOnly),
    .init("firstOffset", { $1(&$0.firstOffset) }, "its minutes ahead of UTC", places: .writtenOnly),
    .init(
      "lastCaptured", { $1(&$0.lastCaptured) }, "the latest, ms since 1970", places: .writtenOnly),
    .init("lastOffset", { $1(&$0.lastOffset) }, "its minutes ahead of UTC", places: .writtenOnly),
    .init(
      "cover", { $1(&$0.cover) }, "the representative file, an index into files",
      places: .writtenOnly),
    .init(
      "album", { $1(&$0.album) }, "the folder of most of its photos, an index into folders",
      places: .writtenOnly),
    .init(
      "members", { $1(&$0.members) },
      "the representative photos of its shots, as indices into photos; the first is the anchor",
      places: .writtenOnly),
    .init(
      "listing", { $1(&$0.listing) }, "the rows in listing order", places: .mappedOnly),
  ]

  var count: Int { id.count }

  /// Creates an empty table.
  init() {}

  /// Clusters all shots of an index into spots.
  ///
  /// The representative photos of shots are processed in canonical order: by capture instant,
  /// undated ones last, then by the bytes of their paths. So the same photos give the same spots,
  /// whatever the order in which they were found.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - radiusMeters: The cluster radius: the maximum distance of a spot's photo from its anchor.
  /// - Complexity: O(*n*) for *n* photos, if most have distinct times.
  init(of index: PhotoIndex, clusterRadius radiusMeters: Double) {
    clusterRadiusMeters = radiusMeters
    let order = index.canonicalOrder()
    let clustering = GreedyClusterer(radiusMeters: radiusMeters)
      .clusters(of: order.map { index.photos.coordinate(of: $0) })
    // First in the order of the anchors, which reads the photos roughly in memory order.
    var members: [PhotoID] = []
    for cluster in 0..<clustering.count {
      members.removeAll(keepingCapacity: true)
      for place in clustering.members(of: cluster) { members.append(order[Int(place)]) }
      append(members, of: index)
    }
    reorder(by: RadixSort.order(of: id.storedValues))
    centers = SpatialIndex(indices.map { center(of: $0) })
    listing = Column(own: listingOrder())
  }

  /// Appends the spot of some photos, which are in canonical order with the anchor first.
  private mutating func append(_ members: [PhotoID], of index: PhotoIndex) {
    let center = index.center(of: members)
    var (favorites, undated, reach) = (Int32(0), Int32(0), 0.0)
    for member in members {
      if index.isFavorite(shotOf: member) { favorites += 1 }
      if index.photos.captured[member.row] == nil { undated += 1 }
      reach = max(reach, index.photos.coordinate(of: member).distance(to: center))
    }
    let dated = members.prefix(members.count - Int(undated))
    id.append(
      SpotID(
        coordinate: index.photos.coordinate(of: members[0]),
        captured: index.photos.captured(of: members[0])?.stated?.instant))
    latitude.append(center.latitude)
    longitude.append(center.longitude)
    radius.append(reach)
    photoCount.append(Int32(truncatingIfNeeded: members.count))
    favoriteCount.append(favorites)
    undatedCount.append(undated)
    let (first, last) = (dated.first, dated.last)
    firstCaptured.append(first.flatMap { index.photos.captured[$0.row] })
    firstOffset.append(first.flatMap { index.photos.utcOffset[$0.row] })
    lastCaptured.append(last.flatMap { index.photos.captured[$0.row] })
    lastOffset.append(last.flatMap { index.photos.utcOffset[$0.row] })
    cover.append(index.cover(of: members))
    album.append(index.album(of: members))
    self.members.append(members)
  }

  /// Reorders the rows of all columns of the document.
  private mutating func reorder(by rows: [Int32]) {
    for schema in Self.columns where schema.places != .mappedOnly {
      schema.set(&self, schema.get(self).taking(rows))
    }
  }

  /// Returns the rows in listing order: by number of photos, descending, then by earliest capture,
  /// then by id, which is the order of rows.
  private func listingOrder() -> [Int32] {
    let latest = Instant(millisecondsSince1970: .max)
    let byTime = RadixSort.order(
      of: indices.map { (firstCaptured[$0] ?? latest).millisecondsSince1970 })
    let byCount = RadixSort.order(of: byTime.map { -Int64(photoCount[Int($0)]) })
    return byCount.map { byTime[Int($0)] }
  }

  /// Returns the row of the spot with an id; `nil` if there is none.
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

  /// Returns the centre of a spot.
  @inline(__always)
  func center(of row: Int) -> Coordinate {
    Coordinate(latitude: latitude[row], longitude: longitude[row])
      ?? Coordinate(uncheckedLatitude: 0, longitude: 0)
  }

  /// Returns the earliest capture time of a spot.
  @inline(__always)
  func firstCaptured(of row: Int) -> CaptureTime? { time(firstCaptured, firstOffset, row) }

  /// Returns the latest capture time of a spot.
  @inline(__always)
  func lastCaptured(of row: Int) -> CaptureTime? { time(lastCaptured, lastOffset, row) }

  @inline(__always)
  private func time(
    _ instants: Column<Instant?>, _ offsets: Column<OffsetMinutes?>, _ row: Int
  ) -> CaptureTime? {
    instants[row].map {
      CaptureTime(instant: $0, storedOffset: offsets[row].map { Int($0.stored) })
    }
  }
}

/// The shots with several files; every other file is a shot of its own.
struct ShotTable: Sendable, Equatable {
  /// The files of each shot, the representative file first.
  var members = ListColumn<FileID>()

  /// The number of shots.
  var count: Int { members.count }
  /// All shots.
  var ids: some RandomAccessCollection<ShotID> { (0..<count).lazy.map { ShotID($0) } }
  /// The files of all shots, concatenated.
  var files: Column<FileID> { members.elements }

  /// The files of a shot, the representative file first.
  subscript(shot: ShotID) -> Slice<Column<FileID>> { members[shot.row] }

  /// Appends a shot.
  mutating func append(_ shot: some Collection<FileID>) { members.append(shot) }
}
