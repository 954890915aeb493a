#if Postgres
  import Spatial

  /// Brings the spots of marked cells up to date, piece by piece.
  ///
  /// Any number of processes may do so at the same time: a job claims some cells by locking their
  /// rows, passes over those that another process has, and is one transaction.
  package struct SpotWork {
    /// What a job, or several, did.
    package struct Report: Hashable, Sendable {
      /// The number of jobs.
      package var jobCount = 0
      /// The number of cells that were brought up to date, as often as they were.
      package var cellCount = 0
      /// The number of photos in these.
      package var photoCount = 0
      /// The number of spots that were written, and of those that were removed.
      package var addedCount = 0
      /// The number of spots that were removed.
      package var removedCount = 0

      /// Creates a report of nothing.
      package init() {}

      /// Adds what was done later.
      package mutating func add(_ other: Report) {
        jobCount += other.jobCount
        cellCount += other.cellCount
        photoCount += other.photoCount
        addedCount += other.addedCount
        removedCount += other.removedCount
      }
    }

    /// What an attempt to do a job came to.
    package enum Outcome: Hashable, Sendable {
      /// A job was done.
      case done(Report)
      /// All cells that are marked are claimed by others.
      case othersAtWork
      /// No cell of the owner is marked.
      case upToDate
    }

    private let connection: PostgresConnection
    private let cellsAtOnce: Int
    private let photosAtOnce: Int

    /// Prepares work.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - cellsAtOnce: The number of cells that a job claims.
    ///   - photosAtOnce: The number of photos beyond which a job takes no further cells.
    package init(
      _ connection: PostgresConnection, cellsAtOnce: Int = 20_000, photosAtOnce: Int = 1_000_000
    ) {
      precondition(cellsAtOnce > 0 && photosAtOnce > 0)
      self.connection = connection
      self.cellsAtOnce = cellsAtOnce
      self.photosAtOnce = photosAtOnce
    }

    /// Owners who may have marked cells, in the order of their numbers, with a token for
    /// ``finish(_:)``.
    package func pending() throws(PostgresError) -> [(owner: OwnerID, token: Int64)] {
      let rows = try connection.query(PendingStatement.all)
      var owners: [(owner: OwnerID, token: Int64)] = []
      for row in 0..<rows.count {
        owners.append((OwnerID(try rows.int8(row, 0)), try rows.int8(row, 1)))
      }
      return owners
    }

    /// Notes that an owner has no marked cells, unless some were marked since the token was read.
    ///
    /// - Precondition: The connection acts for the owner.
    package func finish(_ token: Int64) throws(PostgresError) {
      try connection.query(WorkStatement.finish, [.int8(token)])
    }

    /// Does a job for the owner for whom the connection acts.
    ///
    /// - Throws: `PostgresError`; of the kind `conflict` where others changed the same rows, after
    ///   which the job can be tried again.
    package func doJob() throws(PostgresError) -> Outcome {
      try connection.transaction { () throws(PostgresError) in
        let marked = try connection.query(
          WorkStatement.marked, [.int8(Int64(saturatingProduct(cellsAtOnce, 8)))])
        guard marked.count > 0 else { return .upToDate }
        var wanted: [Int32] = []
        for row in 0..<marked.count { wanted.append(try marked.int4(row, 0)) }
        let claimed = try connection.query(
          WorkStatement.claim, [.int4s(wanted), .int8(Int64(cellsAtOnce))])
        guard claimed.count > 0 else { return .othersAtWork }
        var cells: [Int32] = []
        for row in 0..<claimed.count { cells.append(try claimed.int4(row, 0)) }
        return .done(try bringUpToDate(cells))
      }
    }

    private func saturatingProduct(_ left: Int, _ right: Int) -> Int {
      let product = left.multipliedReportingOverflow(by: right)
      return product.overflow ? .max : product.partialValue
    }

    /// Cells whose photos are read by one statement.
    private static let pageSize = 1000

    /// Brings claimed cells up to date, as many of the first as are not too many photos.
    private func bringUpToDate(_ claimed: [Int32]) throws(PostgresError) -> Report {
      var photos = PhotoColumns()
      var taken = 0
      while taken < claimed.count, photos.count < photosAtOnce {
        let page = Array(claimed[taken..<min(taken + Self.pageSize, claimed.count)])
        // Photos are read after the marks are gone: those that come later bring other marks.
        try connection.query(WorkStatement.unmark, [.int4s(page)])
        try photos.append(connection.query(WorkStatement.photos, [.int4s(page)]))
        taken += page.count
      }
      let cells = Array(claimed[..<taken])
      // Read after the marks are gone too: another radius marks all cells.
      let radius = try connection.query(WorkStatement.radius)
      guard radius.count == 1 else { throw .malformed("the owner was removed") }
      let reach = ClusterReach(radiusMeters: try radius.double(0, 0))
      var report = Report()
      (report.jobCount, report.cellCount, report.photoCount) = (1, cells.count, photos.count)

      var roles = [CellClustering.Role](repeating: .local, count: photos.count)
      try addForeign(to: &photos, &roles, around: Set(cells), reach)
      let spots = CellClustering(photos, roles: roles, reach: reach).spots()
      try replaceSpots(of: cells, with: spots, reach, &report)
      return report
    }

    /// Adds the photos of other cells on which the spots of some cells may depend.
    private func addForeign(
      to photos: inout PhotoColumns, _ roles: inout [CellClustering.Role], around own: Set<Int32>,
      _ reach: ClusterReach
    ) throws(PostgresError) {
      var neighbors: Set<Int32> = []
      for position in photos.position where reach.isRim(position) {
        for key in CellKey.keys(around: position, radiusMeters: reach.ofAnchors)
        where !own.contains(key) { neighbors.insert(key) }
      }
      let around = neighbors.sorted()
      for start in stride(from: 0, to: around.count, by: Self.pageSize) {
        let page = [
          PostgresValue.int4s(Array(around[start..<min(start + Self.pageSize, around.count)]))
        ]
        let rows = try connection.query(WorkStatement.anchorsOnRim, page)
        var anchors: Set<PhotoKey> = []
        for row in 0..<rows.count {
          anchors.insert(PhotoKey(cell: try rows.int4(row, 0), id: try rows.int8(row, 1)))
        }
        let first = photos.count
        try photos.append(connection.query(WorkStatement.photosOnRim, page))
        for row in first..<photos.count {
          let isAnchor = anchors.contains(PhotoKey(cell: photos.cell[row], id: photos.id[row]))
          roles.append(isAnchor ? .foreignAnchor : .foreign)
        }
      }
    }

    /// Rows that are written by one statement.
    private static let batchSize = 10_000

    /// Writes what differs between the spots of some cells and those that were found, and marks the
    /// neighbours that may depend on it.
    private func replaceSpots(
      of cells: [Int32], with spots: [StoredSpot], _ reach: ClusterReach, _ report: inout Report
    ) throws(PostgresError) {
      var old: [StoredSpot.Key: StoredSpot] = [:]
      for start in stride(from: 0, to: cells.count, by: Self.pageSize) {
        let page = Array(cells[start..<min(start + Self.pageSize, cells.count)])
        let rows = try connection.query(WorkStatement.spots, [.int4s(page)])
        for row in 0..<rows.count {
          let spot = try StoredSpot(rows, row)
          old[spot.key] = spot
        }
      }
      var (added, removed): ([StoredSpot], [StoredSpot.Key]) = ([], [])
      var concerned: Set<Int32> = []
      func concern(_ anchor: Coordinate) {
        concerned.formUnion(CellKey.keys(around: anchor, radiusMeters: reach.ofAnchors))
      }
      for spot in spots {
        let previous = old.removeValue(forKey: spot.key)
        guard spot != previous else { continue }
        added.append(spot)
        if previous != nil { removed.append(spot.key) }
        if spot.concernsNeighbors(inPlaceOf: previous) { concern(spot.anchor) }
      }
      for (key, spot) in old {
        removed.append(key)
        if spot.concernsNeighbors(inPlaceOf: nil) { concern(spot.anchor) }
      }
      for start in stride(from: 0, to: removed.count, by: Self.batchSize) {
        let part = removed[start..<min(start + Self.batchSize, removed.count)]
        try connection.query(
          WorkStatement.removeSpots,
          [
            .int4s(part.map(\.cell)), .doubles(part.map(\.anchor.latitude)),
            .doubles(part.map(\.anchor.longitude)),
          ])
      }
      // In the order of the keys, in which they lie together.
      added.sort { $0.cell < $1.cell }
      for start in stride(from: 0, to: added.count, by: Self.batchSize) {
        let part = added[start..<min(start + Self.batchSize, added.count)]
        try connection.query(WorkStatement.addSpots, StoredSpot.values(part))
      }
      (report.addedCount, report.removedCount) = (added.count, removed.count)
      try connection.mark(concerned.subtracting(cells))
    }
  }
#endif
