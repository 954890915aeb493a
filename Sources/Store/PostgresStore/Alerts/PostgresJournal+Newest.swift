#if Postgres
  package import SpotAlerts

  extension PostgresJournal {
    /// Reads the newest events of the devices of an owner.
    ///
    /// - Parameters:
    ///   - count: The maximum number of records, and of deliveries.
    ///   - connection: A connection that acts for the owner.
    /// - Returns: The events, the oldest first.
    /// - Throws: The server's error.
    package static func newestHistory(
      _ count: Int, _ connection: PostgresConnection
    ) throws(PostgresError) -> [HistoryEntry] {
      var contents = JournalContents()
      let limit = PostgresValue.int8(Int64(count))
      let rows = try connection.query(LibraryStatement.newestAlerts, [limit])
      for row in (0..<rows.count).reversed() {
        if let record = record(try rows.bytes(row, 0)) { contents.apply(record) }
      }
      let deliveries = try connection.query(LibraryStatement.newestDeliveries, [limit])
      for row in 0..<deliveries.count {
        for record in try fate(deliveries, row) { contents.apply(record) }
      }
      return contents.history
    }

    /// Returns a number that changes with each record of the owner for whom a connection acts.
    package static func recordCount(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> Int64 {
      try connection.query(LibraryStatement.recordCount).int8(0, 0)
    }
  }
#endif
