#if Postgres
  import Spatial

  extension StoreOwner {
    /// The cluster radii in metres that can be chosen for an owner.
    package static let clusterRadii = 5.0...50.0

    /// Changes the cluster radius of an owner, and marks all of its cells, so that workers compute
    /// its spots again.
    ///
    /// Uploads wait until the change is committed. Cells that a job is computing with the former
    /// radius are computed again, since they are marked too.
    ///
    /// - Parameters:
    ///   - radiusMeters: The new radius, one of ``clusterRadii``.
    ///   - connection: A connection that acts for the owner.
    /// - Returns: `false` if the owner has this radius already.
    /// - Throws: `PostgresError`; then the owner keeps the former radius.
    /// - Complexity: O(*n*) for *n* photos of the owner.
    package func changeClusterRadius(
      to radiusMeters: Double, _ connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
      precondition(connection.owner == id && Self.clusterRadii.contains(radiusMeters))
      return try connection.transaction(tries: 3) { () throws(PostgresError) in
        try connection.query(PhotoStatement.lockOwner)
        let radius = try connection.query(WorkStatement.radius)
        guard radius.count == 1 else { throw .malformed("the owner was removed") }
        guard try radius.double(0, 0) != radiusMeters else { return false }
        try connection.query(PhotoStatement.setRadius, [.double(radiusMeters)])
        try connection.updateRims(ClusterReach(radiusMeters: radiusMeters))
        let token = PostgresValue.int8(.random(in: .min ... .max))
        try connection.query(PhotoStatement.markAll, [token])
        try connection.query(PhotoStatement.addPending, [token])
        try connection.query(LibraryStatement.setToken, [token])
        return true
      }
    }
  }

  extension PostgresConnection {
    private static let rimPageSize: Int64 = 20_000

    /// Computes the flag `rim` of all photos of the owner again.
    fileprivate func updateRims(_ reach: ClusterReach) throws(PostgresError) {
      var last = (cell: Int32.min, id: Int64.min)
      var isEnd = false
      while !isEnd {
        let rows = try query(
          PhotoStatement.rims, [.int4(last.cell), .int8(last.id), .int8(Self.rimPageSize)])
        isEnd = rows.count < Int(Self.rimPageSize)
        var (cells, ids, rims): ([Int32], [Int64], [Bool]) = ([], [], [])
        for row in 0..<rows.count {
          last = (try rows.int4(row, 0), try rows.int8(row, 1))
          let isRim = reach.isRim(try rows.coordinate(row, 2))
          guard try rows.bool(row, 4) != isRim else { continue }
          cells.append(last.cell)
          ids.append(last.id)
          rims.append(isRim)
        }
        guard !cells.isEmpty else { continue }
        try query(PhotoStatement.setRims, [.int4s(cells), .int8s(ids), .bools(rims)])
      }
    }
  }
#endif
