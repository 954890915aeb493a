#if Postgres
  import CivilTime
  package import SpotAlerts
  import SpotWatcher
  import Synchronization

  extension PostgresJournal {
    package func append(_ batch: JournalBatch) throws(AlertStateError) -> JournalAnswer {
      guard batch.subject != .deliveries else { return try appendDeliveries(batch) }
      guard let answer = append(together: [batch]).first else { return .recorded() }
      return try answer.get()
    }

    /// Appends batches in one transaction.
    package func append(
      together batches: [JournalBatch]
    ) -> [Result<JournalAnswer, AlertStateError>] {
      let devices = batches.map { Self.key(of: $0.subject) }
      let versions = state.withLock { state in devices.map { state.versions[$0] } }
      var answers = [Result<JournalAnswer, AlertStateError>?](repeating: nil, count: batches.count)
      var group: [Entry] = []
      var places: [Int] = []
      for (place, batch) in batches.enumerated() {
        if let version = versions[place] {
          group.append(Entry(device: devices[place], version: version, batch: batch))
          places.append(place)
        } else {
          // This process has forgotten the number of the device's last record.
          answers[place] = Result { () throws(AlertStateError) in
            .overtaken(records: try records(of: batch.subject, since: nil))
          }
        }
      }
      do throws(AlertStateError) {
        for (place, answer) in zip(places, try append(group)) { answers[place] = .success(answer) }
      } catch {
        for place in places { answers[place] = .failure(error) }
      }
      return answers.map { $0 ?? .success(.recorded()) }
    }

    /// A batch of a device whose last record is known.
    private struct Entry {
      let device: String
      let version: Int64
      let batch: JournalBatch
      let notifications: [SpotNotification]

      init(device: String, version: Int64, batch: JournalBatch) {
        self.device = device
        self.version = version
        self.batch = batch
        notifications = batch.notifications
      }

      /// The number of the last record after the batch.
      var newVersion: Int64 { version + Int64(batch.records.count) }

      /// Returns whether the batch may follow the device's last record and notification.
      func follows(_ row: LockedDevice) -> Bool {
        guard row.version == version else { return false }
        let times = notifications.map(\.time.millisecondsSince1970)
        guard let last = row.lastNotified, let first = times.min(), let end = times.max() else {
          return true
        }
        let interval = Int64(saturating: batch.minimumIntervalSeconds * 1000)
        return last <= first.subtractingSaturating(interval)
          || last >= end.addingSaturating(interval)
      }
    }

    private struct Outcome {
      /// The places of the batches that were not recorded.
      var overtaken: Set<Int> = []
      /// The records that other processes added to the devices of these batches, with the number
      /// of the last record, by place.
      var news: [Int: (records: [JournalRecord], version: Int64)] = [:]
      var owner: OwnerAlerts?
    }

    private func append(_ group: [Entry]) throws(AlertStateError) -> [JournalAnswer] {
      guard !group.isEmpty else { return [] }
      let firedCount = group.reduce(0) { $0 + $1.notifications.count }
      let known = firedCount > 0 ? group.lazy.compactMap(\.batch.ownerVersion).first : nil
      let outcome = try asking { connection throws(PostgresError) in
        var outcome = Outcome()
        var isWithdrawn = false
        do throws(PostgresError) {
          outcome.overtaken = try connection.transaction(tries: Self.tries) {
            () throws(PostgresError) in
            let overtaken = try record(group, owner: known, firedCount, connection)
            isWithdrawn = overtaken == nil
            // The error rolls the transaction back, which unlocks the owner's row.
            guard let overtaken else { throw PostgresError(.failed, "overtaken") }
            return overtaken
          }
        } catch {
          guard isWithdrawn, connection.isAlive else { throw error }
          outcome.overtaken = Set(group.indices)
          outcome.owner = try known.map { version throws(PostgresError) in
            try Self.ownerAlerts(since: nil, after: version, connection)
          }
        }
        for place in outcome.overtaken {
          outcome.news[place] = try Self.records(
            of: group[place].device, after: group[place].version, since: nil, connection)
        }
        return outcome
      }
      return answers(to: group, owner: known, outcome)
    }

    private func answers(
      to group: [Entry], owner known: Int64?, _ outcome: Outcome
    ) -> [JournalAnswer] {
      var serial = known
      return group.enumerated().map { place, entry in
        guard !outcome.overtaken.contains(place) else {
          let news = outcome.news[place] ?? ([], entry.version)
          note(version: news.version, of: entry.device)
          return .overtaken(records: news.records, owner: outcome.owner)
        }
        note(version: entry.newVersion, of: entry.device)
        note(entry.batch.explanations)
        guard entry.batch.ownerVersion != nil else { return .recorded() }
        serial = serial.map { $0 + Int64(entry.notifications.count) }
        return .recorded(ownerVersion: serial)
      }
    }

    /// Records batches in an open transaction.
    ///
    /// - Returns: The places of the batches that are not recorded, since another process was first;
    ///   `nil` if the whole transaction must be rolled back.
    private func record(
      _ group: [Entry], owner known: Int64?, _ firedCount: Int, _ connection: PostgresConnection
    ) throws(PostgresError) -> Set<Int>? {
      if let known {
        let rows = try connection.query(
          AlertStatement.advanceOwner, [.int8(known), .int8(Int64(firedCount))])
        guard rows.writtenCount == 1 else { return nil }
      }
      let locked = try Self.lock(
        group.map(\.device), isDurable: group.contains(where: \.batch.isDurable), connection)
      let overtaken = Set(
        group.indices.filter { place in
          !(locked[group[place].device].map(group[place].follows) ?? false)
        })
      // The owner's alerts are numbered without gaps.
      guard overtaken.isEmpty || known == nil else { return nil }
      let entries = group.indices.filter { !overtaken.contains($0) }.map { group[$0] }
      guard !entries.isEmpty else { return overtaken }
      var appended: [AppendedRecords] = []
      var serial = known
      for entry in entries {
        appended.append(
          AppendedRecords(
            device: entry.device, version: entry.version, records: entry.batch.records,
            serial: entry.batch.ownerVersion == nil ? nil : serial))
        serial = serial.map { $0 + Int64(entry.notifications.count) }
      }
      try Self.add(appended, connection)
      try deliver(appended, connection)
      return overtaken
    }

    /// Adds the deliveries of alerts, leased to this process.
    private func deliver(
      _ appended: [AppendedRecords], _ connection: PostgresConnection
    ) throws(PostgresError) {
      var (alerts, notifiers, devices): ([String], [String], [String]) = ([], [], [])
      var (numbers, queued): ([Int64], [Int64]) = ([], [])
      for entry in appended {
        for (place, record) in entry.records.enumerated() {
          let (id, names): (String, [String])
          switch record.event {
          case .fired(let notification, let notifiers): (id, names) = (notification.id, notifiers)
          case .digested(let digest, let notifiers): (id, names) = (digest.id, notifiers)
          default: continue
          }
          for name in names {
            alerts.append(id)
            notifiers.append(name)
            devices.append(entry.device)
            numbers.append(entry.version + 1 + Int64(place))
            queued.append(record.recorded.millisecondsSince1970)
          }
        }
      }
      guard !alerts.isEmpty else { return }
      try connection.query(
        AlertStatement.deliver,
        [
          .int8(holder.number), .int8(Self.leaseMilliseconds), .texts(alerts), .texts(notifiers),
          .texts(devices), .int8s(numbers), .int8s(queued),
        ])
    }
  }

  extension Int64 {
    fileprivate func addingSaturating(_ other: Int64) -> Int64 {
      let (sum, isTooLarge) = addingReportingOverflow(other)
      return isTooLarge ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtractingSaturating(_ other: Int64) -> Int64 {
      let (difference, isTooLarge) = subtractingReportingOverflow(other)
      return isTooLarge ? (other < 0 ? .max : .min) : difference
    }
  }
#endif
