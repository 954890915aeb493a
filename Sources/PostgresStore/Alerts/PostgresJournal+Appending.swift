#if Postgres
  import CivilTime
  package import SpotAlerts
  import SpotWatcher
  import Synchronization

  extension PostgresJournal {
    package func append(_ batch: JournalBatch) throws(AlertStateError) -> JournalAnswer {
      guard batch.subject != .deliveries else { return try appendDeliveries(batch) }
      let device = Self.key(of: batch.subject)
      guard let version = state.withLock({ $0.versions[device] }) else {
        // This process has forgotten the device's version, so all of its records are read.
        return .overtaken(records: try records(of: batch.subject, since: nil))
      }
      enum Outcome { case recorded, overtaken }
      let (outcome, news, owner) = try asking {
        connection throws(PostgresError) -> (Outcome, ([JournalRecord], Int64)?, OwnerAlerts?) in
        var isOvertaken = false
        do throws(PostgresError) {
          try connection.transaction(tries: Self.tries) { () throws(PostgresError) in
            isOvertaken = try !record(batch, of: device, after: version, connection)
            // The rollback releases the rows that were locked before.
            if isOvertaken { throw PostgresError(.failed, "overtaken") }
          }
          return (.recorded, nil, nil)
        } catch {
          guard isOvertaken, connection.isAlive else { throw error }
        }
        let news = try Self.records(of: device, after: version, since: nil, connection)
        let owner = try batch.ownerVersion.map { version throws(PostgresError) in
          try Self.ownerAlerts(since: nil, after: version, connection)
        }
        return (.overtaken, news, owner)
      }
      switch outcome {
      case .recorded:
        note(version: version + Int64(batch.records.count), of: device)
        return .recorded(ownerVersion: batch.ownerVersion.map { $0 + Int64(batch.firedCount) })
      case .overtaken:
        if let news { note(version: news.1, of: device) }
        return .overtaken(records: news?.0 ?? [], owner: owner)
      }
    }

    /// Records a batch in an open transaction.
    ///
    /// - Returns: `false` if another process has recorded something since, or a notification is
    ///   closer to the last one than the minimum interval.
    private func record(
      _ batch: JournalBatch, of device: String, after version: Int64,
      _ connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
      let count = PostgresValue.int8(Int64(batch.records.count))
      let notifications = batch.notifications
      if let known = batch.ownerVersion, !notifications.isEmpty {
        let rows = try connection.query(
          AlertStatement.advanceOwner, [.int8(known), .int8(Int64(notifications.count))])
        guard rows.writtenCount == 1 else { return false }
      }
      let times = notifications.map(\.time.millisecondsSince1970)
      let rows =
        if let first = times.min(), let last = times.max() {
          try connection.query(
            AlertStatement.notify,
            [
              .text(device), .int8(version), count, .int8(first), .int8(last),
              .int8(Int64(saturating: batch.minimumIntervalSeconds * 1000)),
            ])
        } else {
          try connection.query(
            batch.isDurable ? AlertStatement.advanceDurably : .advance,
            [.text(device), .int8(version), count])
        }
      guard rows.writtenCount == 1 else { return false }
      try Self.add(batch.records, to: device, after: version, batch.ownerVersion, connection)
      try deliver(batch.records, of: device, after: version, connection)
      return true
    }

    /// Adds the deliveries of alerts, leased to this process.
    private func deliver(
      _ records: [JournalRecord], of device: String, after version: Int64,
      _ connection: PostgresConnection
    ) throws(PostgresError) {
      for (place, record) in records.enumerated() {
        let (id, names): (String, [String])
        switch record.event {
        case .fired(let notification, let notifiers): (id, names) = (notification.id, notifiers)
        case .digested(let digest, let notifiers): (id, names) = (digest.id, notifiers)
        default: continue
        }
        guard !names.isEmpty else { continue }
        let queued = record.recorded.millisecondsSince1970
        let number = version + 1 + Int64(place)
        try connection.query(
          AlertStatement.deliver,
          [
            .text(device), .int8(queued), .int8(holder.number),
            .int8(queued + Self.leaseMilliseconds), .texts(names.map { _ in id }), .texts(names),
            .int8s(names.map { _ in number }),
          ])
      }
    }
  }

  extension JournalBatch {
    fileprivate var notifications: [SpotNotification] {
      records.compactMap { record in
        if case .fired(let notification, _) = record.event { notification } else { nil }
      }
    }

    fileprivate var firedCount: Int { notifications.count }
  }
#endif
