#if Postgres
  import Spatial

  /// Updates the spots of marked cells, in jobs of some cells each.
  ///
  /// Any number of processes may work at the same time: a job is one transaction that locks the
  /// rows of its cells, and skips cells that another process has locked.
  package struct SpotWork {
    /// The work of one or more jobs, in numbers.
    package struct Report: Hashable, Sendable {
      /// The number of jobs.
      package var jobCount = 0
      /// The number of updated cells; a cell counts once for each job.
      package var cellCount = 0
      /// The number of photos in these cells.
      package var photoCount = 0
      /// The number of spots that were added, changed ones among them.
      package var addedCount = 0
      /// The number of spots that were removed, changed ones among them.
      package var removedCount = 0

      /// Creates a report of no work.
      package init() {}

      /// Adds the numbers of another report.
      package mutating func add(_ other: Report) {
        jobCount += other.jobCount
        cellCount += other.cellCount
        photoCount += other.photoCount
        addedCount += other.addedCount
        removedCount += other.removedCount
      }
    }

    /// The outcome of an attempt to do a job.
    package enum Outcome: Hashable, Sendable {
      /// A job was done.
      case done(Report)
      /// All marked cells are claimed by other processes.
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
    ///   - cellsAtOnce: The maximum number of cells of a job.
    ///   - photosAtOnce: The number of photos at which a job adds no further cells.
    package init(
      _ connection: PostgresConnection, cellsAtOnce: Int = 20_000, photosAtOnce: Int = 1_000_000
    ) {
      precondition(cellsAtOnce > 0 && photosAtOnce > 0)
      self.connection = connection
      self.cellsAtOnce = cellsAtOnce
      self.photosAtOnce = photosAtOnce
    }

    /// Returns the owners who may have marked cells, in the order of their numbers, each with a
    /// token for ``finish(_:)``.
    package func pending() throws(PostgresError) -> [(owner: OwnerID, token: Int64)] {
      let rows = try connection.query(PendingStatement.all)
      var owners: [(owner: OwnerID, token: Int64)] = []
      for row in 0..<rows.count {
        owners.append((OwnerID(try rows.int8(row, 0)), try rows.int8(row, 1)))
      }
      return owners
    }

    /// Removes the owner from the pending ones, unless cells were marked since the token was read.
    ///
    /// - Precondition: The connection acts for the owner.
    package func finish(_ token: Int64) throws(PostgresError) {
      try connection.query(WorkStatement.finish, [.int8(token)])
    }

    /// Does a job for the owner for whom the connection acts.
    ///
    /// - Throws: `PostgresError`, of the kind `conflict` if others changed the same rows; the job
    ///   can then be tried again.
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

    /// The number of cells whose photos are read by one statement.
    private static let pageSize = 1000

    /// Updates claimed cells in order until enough photos were read; further cells stay marked.
    private func bringUpToDate(_ claimed: [Int32]) throws(PostgresError) -> Report {
      var photos = PhotoColumns()
      var taken = 0
      while taken < claimed.count, photos.count < photosAtOnce {
        let page = Array(claimed[taken..<min(taken + Self.pageSize, claimed.count)])
        // Marks are removed before photos are read: photos that are added later set new marks.
        try connection.query(WorkStatement.unmark, [.int4s(page)])
        try photos.append(connection.query(WorkStatement.photos, [.int4s(page)]))
        taken += page.count
      }
      let cells = Array(claimed[..<taken])
      // Also read after the marks are removed, since a change of the radius marks all cells.
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

    /// Adds the photos of other cells on which the spots of a job's own cells may depend.
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

    /// The maximum number of rows that are written by one statement.
    private static let batchSize = 10_000

    /// Replaces the stored spots of some cells that differ from the computed ones, and marks the
    /// neighbouring cells whose spots may depend on the change.
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
      // In the order of the keys, the rows of a cell are inserted one after another.
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
