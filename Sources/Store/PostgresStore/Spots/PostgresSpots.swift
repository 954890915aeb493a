#if Postgres
  import CivilTime
  package import PhotoLibrary
  import PhotoMetadata
  package import Spatial
  import Storage
  import SystemPackage

  /// The spots of an owner in a store.
  ///
  /// The database returns the spots of some cells, and distances are computed here, so the results
  /// equal those of an index in memory to the last bit. Like its connection, it is used by one
  /// thread at a time. Every query throws `PostgresError`.
  package struct PostgresSpots: SpotSource {
    /// The connection, which acts for the owner.
    let connection: PostgresConnection
    /// The maximum distance in metres between a spot's centre and its anchor, whose cell has the
    /// row; includes a metre for rounding.
    let marginMeters: Double

    /// Creates the spots of an owner, for whom the connection then acts.
    package init(of owner: StoreOwner, _ connection: PostgresConnection) throws(PostgresError) {
      try connection.act(for: owner.id)
      self.connection = connection
      marginMeters = owner.clusterRadiusMeters + 1
    }

    /// Returns an index of the spots within a distance; it may contain spots some metres beyond.
    package func region(
      within radiusMeters: Double, of center: Coordinate
    ) throws(PostgresError) -> SpotIndex {
      guard radiusMeters >= 0 else { return SpotIndex(spots: []) }
      let rows = try rows(in: area(within: radiusMeters, of: center))
      return SpotIndex(try rows.packed(Array(0..<rows.count)))
    }

    /// Returns the spots within a distance, nearest first, then by id.
    package func spots(
      within radiusMeters: Double, of center: Coordinate
    ) throws(PostgresError) -> [SpotIndex.Neighbor] {
      guard radiusMeters >= 0 else { return [] }
      return try Self.neighbors(
        in: rows(in: area(within: radiusMeters, of: center)), within: radiusMeters, of: center)
    }

    /// The number of rows beyond the requested count that a search for the nearest spots may read
    /// before it tries a smaller circle.
    private static let surplus = 2000
    /// The radius of the first circle of such a search, in metres.
    private static let firstRadius = 500.0

    /// Returns the spots nearest to a position, nearest first, then by id.
    ///
    /// Reads circles of growing radius until one contains enough spots. If a circle contains far
    /// too many, a circle of a size between is read instead.
    package func nearest(
      _ count: Int, to center: Coordinate
    ) throws(PostgresError) -> [SpotIndex.Neighbor] {
      guard count > 0 else { return [] }
      let greatest = Earth.greatestDistanceMeters * 1.01
      let sum = count.addingReportingOverflow(Self.surplus)
      var limit = sum.overflow ? nil : sum.partialValue
      // The inner circle contains fewer than `count` spots, and the area of the outer one too many
      // rows.
      var (inner, radius, outer) = (
        0.0, limit == nil ? greatest : Self.firstRadius, Double.infinity
      )
      while true {
        let rows = try rows(in: area(within: radius, of: center), limit: limit)
        if limit.map({ rows.count < $0 }) ?? true {
          let found = try Self.neighbors(in: rows, within: radius, of: center)
          if found.count >= count || radius >= greatest { return Array(found.prefix(count)) }
          inner = radius
        } else {
          outer = radius
        }
        if limit != nil, outer > max(inner, 1) * 1.02 {
          let between = (max(inner, 1) * outer).squareRoot()
          radius = outer.isFinite ? between : min(radius * 4, greatest)
        } else {
          // Many spots are at about the same distance.
          limit = nil
          radius = min(max(inner * 1.5, outer.isFinite ? outer : 0), greatest)
        }
      }
    }

    /// Returns spots in listing order. All spots of the box are held in memory.
    package func listed(in box: BoundingBox?) throws(PostgresError) -> AnySequence<PhotoSpot> {
      let area =
        box.map { CellArea($0, marginMeters: marginMeters) }
        ?? CellArea(around: Coordinate(uncheckedLatitude: 0, longitude: 0), radiusMeters: .infinity)
      let rows = try rows(in: area)
      var spots: [PhotoSpot] = []
      for row in 0..<rows.count {
        if let box, try !box.contains(rows.coordinate(row, SpotColumn.center)) { continue }
        spots.append(try rows.spot(row))
      }
      return SpotIndex(spots: spots).listed
    }

    /// Returns the spots whose ids begin with a text, in the order of their ids.
    ///
    /// - Complexity: O(*n*) for the *n* spots of the owner: there is no index of ids, which would
    ///   need an eighth of the space of all spots.
    package func spots(
      withIDStarting prefix: String, limit: Int
    ) throws(PostgresError) -> [PhotoSpot] {
      guard limit > 0, let ids = SpotID.range(ofTextsStarting: prefix) else { return [] }
      let rows = try connection.query(
        SpotStatement.withIDs,
        [
          .int8(Int64(bitPattern: ids.lowerBound)), .int8(Int64(bitPattern: ids.upperBound)),
          .int8(Int64(limit)),
        ])
      var spots: [PhotoSpot] = []
      for row in 0..<rows.count { spots.append(try rows.spot(row)) }
      return spots
    }

    /// Counts the photos and spots of the owner, and the cells whose spots are not up to date.
    ///
    /// - Complexity: O(*n*) for the *n* photos.
    package func counts() throws(PostgresError) -> (photos: Int, spots: Int, waitingCells: Int) {
      func count(_ statement: SpotStatement) throws(PostgresError) -> Int {
        Int(try connection.query(statement).int8(0, 0))
      }
      return (try count(.photoCount), try count(.spotCount), try count(.waitingCellCount))
    }

    // MARK: - Candidates

    func area(within radiusMeters: Double, of center: Coordinate) -> CellArea {
      CellArea(around: center, radiusMeters: radiusMeters + marginMeters)
    }

    /// The greatest number of cells in a list; an area of 100 m mostly touches one to four.
    private static let greatestList = 16

    /// Returns the rows of an area, at most `limit` of them.
    func rows(in area: CellArea, limit: Int? = nil) throws(PostgresError) -> PostgresRows {
      let ranges = area.ranges
      let edges: [PostgresValue] = [
        .double(area.south), .double(area.north), .double(area.west), .double(area.east),
      ]
      // With a list of cells, the server seeks the latitudes within each cell in the index; with a
      // range, it reads all index entries of the cells.
      if limit == nil, let cells = area.cells(atMost: Self.greatestList) {
        return try connection.query(SpotStatement.inCells, edges + [.int4s(cells)])
      }
      if limit == nil, ranges.count == 1 {
        return try connection.query(
          SpotStatement.inRange, edges + [.int4(ranges[0].first), .int4(ranges[0].last)])
      }
      let values = edges + [.int4s(ranges.map(\.first)), .int4s(ranges.map(\.last))]
      guard let limit else { return try connection.query(SpotStatement.inRanges, values) }
      return try connection.query(SpotStatement.someInRanges, values + [.int8(Int64(limit))])
    }

    private static func neighbors(
      in rows: PostgresRows, within radiusMeters: Double, of center: Coordinate
    ) throws(PostgresError) -> [SpotIndex.Neighbor] {
      var found: [(row: Int, id: Int64, distance: Double)] = []
      for row in 0..<rows.count {
        let distance = center.distance(to: try rows.coordinate(row, SpotColumn.center))
        guard distance <= radiusMeters else { continue }
        found.append((row, try rows.int8(row, SpotColumn.id), distance))
      }
      // The numbers of ids, which are below 2⁶⁰, sort like their texts.
      found.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
      var neighbors: [SpotIndex.Neighbor] = []
      neighbors.reserveCapacity(found.count)
      for (row, _, distance) in found {
        neighbors.append(SpotIndex.Neighbor(spot: try rows.spot(row), distanceMeters: distance))
      }
      return neighbors
    }
  }

  /// The column numbers in the results of ``SpotStatement``.
  enum SpotColumn {
    static let id = 0
    static let center = 1
    static let anchor = 3
    static let radius = 5
    static let photoCount = 6
    static let favoriteCount = 7
    static let undatedCount = 8
    static let firstCaptured = 9
    static let firstOffset = 10
    static let lastCaptured = 11
    static let lastOffset = 12
    static let cover = 13
    static let album = 14
  }

  extension PostgresRows {
    /// Returns the spots of some rows.
    func packed(_ rows: [Int]) throws(PostgresError) -> PackedSpots {
      var order: [(row: Int, id: Int64)] = []
      order.reserveCapacity(rows.count)
      for row in rows { order.append((row, try int8(row, SpotColumn.id))) }
      // The numbers of ids, which are below 2⁶⁰, sort like their texts.
      order.sort { $0.id < $1.id }
      return try PackedSpots(count: order.count) {
        number, paths, coverEnd throws(PostgresError) in
        let row = order[number].row
        try appendBytes(row, SpotColumn.cover, to: &paths)
        coverEnd = paths.count
        try appendBytes(row, SpotColumn.album, to: &paths)
        return PackedSpots.Spot(
          id: SpotID(bits: UInt64(bitPattern: order[number].id)),
          coordinate: try coordinate(row, SpotColumn.center),
          anchor: try coordinate(row, SpotColumn.anchor),
          radiusMeters: try double(row, SpotColumn.radius),
          photoCount: try int4(row, SpotColumn.photoCount),
          favoriteCount: try int4(row, SpotColumn.favoriteCount),
          undatedCount: try int4(row, SpotColumn.undatedCount),
          firstCaptured: try time(row, SpotColumn.firstCaptured),
          lastCaptured: try time(row, SpotColumn.lastCaptured))
      }
    }

    /// Returns the spot of a row.
    fileprivate func spot(_ row: Int) throws(PostgresError) -> PhotoSpot {
      let cover = try bytes(row, SpotColumn.cover)
      var album = try bytes(row, SpotColumn.album)
      // Usually the album is the folder of the cover.
      if album.isEmpty, let slash = cover.lastIndex(of: UInt8(ascii: "/")) {
        album = Array(cover[..<max(slash, 1)])
      }
      return PhotoSpot(
        id: SpotID(bits: UInt64(bitPattern: try int8(row, SpotColumn.id))).text,
        coordinate: try coordinate(row, SpotColumn.center),
        anchor: try coordinate(row, SpotColumn.anchor),
        radiusMeters: try double(row, SpotColumn.radius),
        photoCount: Int(try int4(row, SpotColumn.photoCount)),
        favoriteCount: Int(try int4(row, SpotColumn.favoriteCount)),
        undatedCount: Int(try int4(row, SpotColumn.undatedCount)),
        firstCaptured: try time(row, SpotColumn.firstCaptured),
        lastCaptured: try time(row, SpotColumn.lastCaptured),
        cover: cover.isEmpty ? nil : FilePath(bytes: cover),
        album: album.isEmpty ? nil : FilePath(bytes: album))
    }

    /// Returns a capture time from two adjacent columns, the instant first, then the offset from
    /// UTC.
    private func time(_ row: Int, _ column: Int) throws(PostgresError) -> CaptureTime? {
      guard let milliseconds = try optionalInt8(row, column) else { return nil }
      let offset = try int2(row, column + 1)
      return CaptureTime(
        instant: Instant(millisecondsSince1970: milliseconds),
        storedOffset: offset == .min ? nil : Int(offset))
    }
  }

  /// The statements that read spots, with the columns in the order of ``SpotColumn``.
  ///
  /// With a join instead of `lateral` and `offset 0`, the server would estimate that each range
  /// contains a ninth of all spots, and read the whole table.
  enum SpotStatement: String, StoreStatement {
    case inRange = """
      select id, latitude, longitude, anchor_latitude, anchor_longitude, radius, photo_count,
        favorite_count, undated_count, first_captured, first_offset, last_captured, last_offset,
        cover, album
      from spot where owner = $1 and cell between $6 and $7
        and anchor_latitude between $2 and $3 and anchor_longitude between $4 and $5
      """
    case inCells = """
      select id, latitude, longitude, anchor_latitude, anchor_longitude, radius, photo_count,
        favorite_count, undated_count, first_captured, first_offset, last_captured, last_offset,
        cover, album
      from spot where owner = $1 and cell = any($6)
        and anchor_latitude between $2 and $3 and anchor_longitude between $4 and $5
      """
    case inRanges = """
      select id, latitude, longitude, anchor_latitude, anchor_longitude, radius, photo_count,
        favorite_count, undated_count, first_captured, first_offset, last_captured, last_offset,
        cover, album
      from unnest($6::integer[], $7::integer[]) area(first, last)
      cross join lateral (
        select * from spot where owner = $1 and cell between area.first and area.last
          and anchor_latitude between $2 and $3 and anchor_longitude between $4 and $5
        offset 0
      ) spot
      """
    case someInRanges = """
      select id, latitude, longitude, anchor_latitude, anchor_longitude, radius, photo_count,
        favorite_count, undated_count, first_captured, first_offset, last_captured, last_offset,
        cover, album
      from unnest($6::integer[], $7::integer[]) area(first, last)
      cross join lateral (
        select * from spot where owner = $1 and cell between area.first and area.last
          and anchor_latitude between $2 and $3 and anchor_longitude between $4 and $5
        offset 0
      ) spot
      limit $8
      """
    case withIDs = """
      select id, latitude, longitude, anchor_latitude, anchor_longitude, radius, photo_count,
        favorite_count, undated_count, first_captured, first_offset, last_captured, last_offset,
        cover, album
      from spot where owner = $1 and id between $2 and $3 order by id limit $4
      """
    case photoCount = "select count(*) from photo where owner = $1"
    case spotCount = "select count(*) from spot where owner = $1"
    case waitingCellCount = "select count(distinct cell) from mark where owner = $1"
  }
#endif
