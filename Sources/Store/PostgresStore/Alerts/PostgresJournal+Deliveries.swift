#if Postgres
  package import CivilTime
  package import SpotAlerts
  import SpotWatcher
  import Synchronization

  extension PostgresJournal {
    /// Records events of deliveries; the answer is `overtaken` if another process holds one now.
    func appendDeliveries(_ batch: JournalBatch) throws(AlertStateError) -> JournalAnswer {
      do throws(AlertStateError) {
        try recordEndings()
        let isHeld = try asking { connection throws(PostgresError) in
          try Self.record(batch.records, holder, connection)
        }
        return isHeld ? .recorded() : .overtaken(records: [])
      } catch {
        // Recorded when the store is reachable again, so that nothing is delivered twice.
        postpone(batch.records.filter(\.event.isEnding))
        throw error
      }
    }

    /// Records the ends of deliveries that were postponed during an outage of the store.
    private func recordEndings() throws(AlertStateError) {
      // Removed first, since several threads may call this at the same time.
      let endings = state.withLock { state in
        defer { state.endings = [] }
        return state.endings
      }
      guard !endings.isEmpty else { return }
      do throws(AlertStateError) {
        _ = try asking { connection throws(PostgresError) in
          try Self.record(endings, holder, connection)
        }
      } catch {
        postpone(endings)
        throw error
      }
    }

    /// Keeps ends of deliveries for ``recordEndings()``, up to ``maximumEndingCount``.
    private func postpone(_ endings: [JournalRecord]) {
      state.withLock { state in
        let room = Self.maximumEndingCount - state.endings.count
        state.endings += endings.prefix(max(room, 0))
      }
    }

    /// Records events of deliveries.
    ///
    /// - Returns: Whether the holder still holds all of these deliveries.
    private static func record(
      _ records: [JournalRecord], _ holder: Holder, _ connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
      var areHeld = true
      for record in records {
        let now = record.recorded.millisecondsSince1970
        let rows: PostgresRows
        switch record.event {
        case .begun(let delivery):
          rows = try connection.query(
            AlertStatement.begin,
            key(delivery, holder) + [.int8(now), .int8(now + leaseMilliseconds)])
        case .attempt(let delivery, let next):
          rows = try connection.query(
            AlertStatement.attempt,
            key(delivery, holder) + figures(delivery) + [
              .optionalInt8(next?.millisecondsSince1970), .int8(now + leaseMilliseconds),
            ])
        case .delivered(let delivery): rows = try end(delivery, 1, now, holder, connection)
        case .expired(let delivery): rows = try end(delivery, 2, now, holder, connection)
        case .setAside(let delivery): rows = try end(delivery, 3, now, holder, connection)
        default: continue
        }
        if rows.writtenCount == 0 { areHeld = false }
      }
      return areHeld
    }

    private static func key(
      _ delivery: JournalEvent.DeliveryEvent, _ holder: Holder
    ) -> [PostgresValue] {
      [.text(delivery.notification), .text(delivery.notifier), .int8(holder.number)]
    }

    private static func figures(_ delivery: JournalEvent.DeliveryEvent) -> [PostgresValue] {
      // The answer of a receiver may contain NUL, which a `text` of PostgreSQL cannot.
      [
        .int8(Int64(delivery.tries)),
        .optionalText(delivery.failure.map { $0.filter { $0 != "\0" } }),
      ]
    }

    private static func end(
      _ delivery: JournalEvent.DeliveryEvent, _ state: Int16, _ now: Int64, _ holder: Holder,
      _ connection: PostgresConnection
    ) throws(PostgresError) -> PostgresRows {
      try connection.query(
        AlertStatement.end, key(delivery, holder) + figures(delivery) + [.int2(state), .int8(now)])
    }

    // MARK: - Taking over

    package func takeOver(
      for notifiers: [String], holding held: [PendingDelivery], now: Instant
    ) throws(AlertStateError) -> [PendingDelivery] {
      try recordEndings()
      let time = now.millisecondsSince1970
      return try asking { connection throws(PostgresError) in
        if !held.isEmpty {
          try connection.query(
            AlertStatement.renew,
            [
              .int8(holder.number), .int8(time + Self.leaseMilliseconds),
              .texts(held.map(\.content.id)),
            ])
        }
        return try connection.transaction(tries: Self.tries) { () throws(PostgresError) in
          let rows = try connection.query(
            AlertStatement.abandoned, [.int8(time), .texts(notifiers)])
          var taken: [PendingDelivery] = []
          for row in 0..<rows.count {
            let (id, notifier) = (try rows.text(row, 0), try rows.text(row, 1))
            try connection.query(
              AlertStatement.claim,
              [
                .text(id), .text(notifier), .int8(holder.number),
                .int8(time + Self.leaseMilliseconds),
              ])
            if let delivery = try Self.pending(rows, row, notifier, connection) {
              taken.append(delivery)
            }
          }
          return taken
        }
      }
    }

    private static func pending(
      _ rows: PostgresRows, _ row: Int, _ notifier: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> PendingDelivery? {
      let found = try connection.query(
        AlertStatement.body, [.text(try rows.text(row, 8)), .int8(try rows.int8(row, 9))])
      guard found.count == 1 else { return nil }
      let content: Alert.Content
      switch record(try found.bytes(0, 0))?.event {
      case .fired(let notification, _): content = .spot(notification)
      case .digested(let digest, _): content = .digest(digest)
      default: return nil
      }
      return PendingDelivery(
        content: content, notifier: notifier, queued: try instant(rows, row, 2),
        tries: try count(rows, row, 3),
        next: try rows.optionalInt8(row, 4).map { Instant(millisecondsSince1970: $0) },
        failure: try rows.optionalText(row, 5), unended: try unended(rows, row, 6))
    }

    private static func unended(
      _ rows: PostgresRows, _ row: Int, _ column: Int
    ) throws(PostgresError) -> HistoryEntry.UnendedTries? {
      let count = try count(rows, row, column)
      guard count > 0 else { return nil }
      return HistoryEntry.UnendedTries(count: count, latest: try instant(rows, row, column + 1))
    }

    private static func instant(
      _ rows: PostgresRows, _ row: Int, _ column: Int
    ) throws(PostgresError) -> Instant {
      Instant(millisecondsSince1970: try rows.int8(row, column))
    }

    private static func count(
      _ rows: PostgresRows, _ row: Int, _ column: Int
    ) throws(PostgresError) -> Int {
      Int(min(max(try rows.int8(row, column), 0), 1_000_000))
    }

    /// Returns the events of a delivery as records, like those of a journal in a file.
    static func fate(
      _ rows: PostgresRows, _ row: Int
    ) throws(PostgresError) -> [JournalRecord] {
      let delivery = JournalEvent.DeliveryEvent(
        notification: try rows.text(row, 0), notifier: try rows.text(row, 1),
        tries: try count(rows, row, 2), failure: try rows.optionalText(row, 3))
      let ended = try instant(rows, row, 8)
      switch try rows.int2(row, 7) {
      case 1: return [JournalRecord(recorded: ended, event: .delivered(delivery))]
      case 2: return [JournalRecord(recorded: ended, event: .expired(delivery))]
      case 3: return [JournalRecord(recorded: ended, event: .setAside(delivery))]
      default:
        let next = try rows.optionalInt8(row, 4).map { Instant(millisecondsSince1970: $0) }
        var records: [JournalRecord] = []
        if delivery.tries > 0 {
          records = [JournalRecord(recorded: ended, event: .attempt(delivery, next: next))]
        }
        if let unended = try unended(rows, row, 5) {
          let begun = JournalRecord(recorded: unended.latest, event: .begun(delivery))
          records += Array(repeating: begun, count: min(unended.count, 2))
        }
        return records
      }
    }
  }

  extension JournalEvent {
    fileprivate var isEnding: Bool {
      switch self {
      case .delivered, .expired, .setAside: true
      default: false
      }
    }
  }
#endif
