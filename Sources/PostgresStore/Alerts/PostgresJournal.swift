#if Postgres
  package import CivilTime
  package import SpotAlerts
  import SpotWatcher
  import Synchronization

  /// A journal of an owner's alerts in PostgreSQL, which any number of processes append to.
  ///
  /// A device's records are numbered, and its row holds the number of the last one. A batch is
  /// appended by one transaction that advances the row from the number that is known to this
  /// process; where it has another number the batch is overtaken, and nothing of it is recorded. So
  /// the row is the device's lock, and a process that was stopped anywhere leaves no lock behind.
  /// Where a rule across devices is in force, a batch with notifications advances the owner's row
  /// in the same way, before the device's.
  ///
  /// An object has one connection. Several objects of a process act as one where their holder is
  /// the same.
  package final class PostgresJournal: Sendable {
    /// The number of a process, or of a watch in it, that deliveries are held by.
    package struct Holder: Hashable, Sendable {
      let number: Int64

      /// Creates a holder that differs from all others.
      package init() { number = .random(in: 1 ... .max) }
    }

    struct State {
      /// The numbers of the last records of devices, as far as they are known.
      var versions: [String: Int64] = [:]
      /// Records that wait for the next flush.
      var notes: [(device: String, record: JournalRecord)] = []
      /// How deliveries ended that could not be recorded yet.
      var endings: [JournalRecord] = []
      var nextCompaction = Instant(millisecondsSince1970: .min)
    }

    let link: StoreLink
    let holder: Holder
    let state = Mutex(State())

    /// For so long, in milliseconds, a delivery is held since it was last said to be.
    static let leaseMilliseconds: Int64 = 60_000
    static let maximumVersionCount = 8192
    static let maximumNoteCount = 1000
    static let maximumEndingCount = 10_000
    private static let compactionSeconds = 6 * 3600.0
    /// History is kept so long, in seconds: longer than the longest cooldown.
    private static let historySeconds = 400.0 * 86_400
    /// A transaction that loses against others is tried again so often.
    static let tries = 5

    /// Creates a journal.
    ///
    /// - Parameters:
    ///   - link: The connection, for this journal alone or together with what the same thread asks.
    ///   - holder: The process, for deliveries.
    package init(_ link: StoreLink, holder: Holder = Holder()) {
      self.link = link
      self.holder = holder
    }

    /// Asks the store, with its failures as those of a journal.
    func asking<Value>(
      _ body: (PostgresConnection) throws(PostgresError) -> sending Value
    ) throws(AlertStateError) -> sending Value {
      do throws(PostgresError) {
        return try link.with(body)
      } catch {
        throw .unavailable(error.description)
      }
    }

    /// The name under which a subject's records are filed.
    static func key(of subject: JournalSubject) -> String {
      switch subject {
      case .device(let name): name ?? ""
      case .digests, .deliveries: "\u{1}"
      }
    }

    func note(version: Int64, of device: String) {
      state.withLock { state in
        if state.versions.count >= Self.maximumVersionCount, state.versions[device] == nil {
          state.versions.removeAll()
        }
        state.versions[device] = version
      }
    }
  }

  extension PostgresJournal: AlertJournal {
    /// Others append to it.
    package var isShared: Bool { true }

    package func records(
      of subject: JournalSubject, since start: Instant?
    ) throws(AlertStateError) -> [JournalRecord] {
      let device = Self.key(of: subject)
      let (records, version) = try asking { connection throws(PostgresError) in
        try connection.query(AlertStatement.addDevice, [.text(device)])
        return try Self.records(of: device, after: 0, since: start, connection)
      }
      note(version: version, of: device)
      return records
    }

    /// Reads the records of a device behind a number, and the number of the last one.
    static func records(
      of device: String, after number: Int64, since start: Instant?,
      _ connection: PostgresConnection
    ) throws(PostgresError) -> (records: [JournalRecord], version: Int64) {
      // The number first: what is recorded behind it makes the next batch overtaken.
      let found = try connection.query(AlertStatement.version, [.text(device)])
      var version = found.count > 0 ? try found.int8(0, 0) : 0
      let rows = try connection.query(
        AlertStatement.records,
        [.text(device), .int8(number), .int8(start?.millisecondsSince1970 ?? .min)])
      var records: [JournalRecord] = []
      for row in 0..<rows.count {
        version = max(version, try rows.int8(row, 0))
        if let record = record(try rows.bytes(row, 1)) { records.append(record) }
      }
      return (records, version)
    }

    /// Reads a record; `nil` where it is damaged, which is passed over as in a file.
    static func record(_ bytes: [UInt8]) -> JournalRecord? {
      try? JournalRecord(line: bytes, range: bytes.indices)
    }

    package func ownerAlerts(
      since start: Instant, after version: Int64?
    ) throws(AlertStateError) -> OwnerAlerts {
      try asking { connection throws(PostgresError) in
        try Self.ownerAlerts(since: start, after: version ?? 0, connection)
      }
    }

    static func ownerAlerts(
      since start: Instant?, after known: Int64, _ connection: PostgresConnection
    ) throws(PostgresError) -> OwnerAlerts {
      let found = try connection.query(AlertStatement.ownerVersion)
      if found.count == 0 { try connection.query(AlertStatement.addOwner) }
      var alerts = OwnerAlerts(version: found.count > 0 ? try found.int8(0, 0) : 0)
      let rows = try connection.query(
        AlertStatement.ownerAlerts,
        [.int8(known), .int8(start?.millisecondsSince1970 ?? .min)])
      // The latest first, and no more than matter to any rule.
      for row in (0..<rows.count).reversed() {
        alerts.version = max(alerts.version, try rows.int8(row, 0))
        let record = record(try rows.bytes(row, 1))
        if case .fired(let notification, _) = record?.event {
          alerts.notifications.append(notification)
        }
      }
      return alerts
    }

    // MARK: - Explanations

    package func note(_ records: [JournalRecord]) {
      guard !records.isEmpty else { return }
      let count = state.withLock { state in
        for record in records {
          state.notes.append((record.event.place.flatMap(\.device) ?? "", record))
        }
        return state.notes.count
      }
      if count >= Self.maximumNoteCount / 4 { flush() }
    }

    package func flush() {
      let notes = state.withLock { state in
        defer { state.notes = [] }
        return state.notes
      }
      guard !notes.isEmpty else { return }
      var devices: [String: [JournalRecord]] = [:]
      for note in notes { devices[note.device, default: []].append(note.record) }
      do {
        for device in devices.keys.sorted() {
          let records = devices[device] ?? []
          let version = try link.with { connection throws(PostgresError) in
            try connection.transaction(tries: Self.tries) { () throws(PostgresError) in
              let found = try connection.query(
                AlertStatement.extend, [.text(device), .int8(Int64(records.count))])
              guard found.count == 1 else { return Int64(0) }
              let version = try found.int8(0, 0)
              try Self.add(
                records, to: device, after: version - Int64(records.count), nil, connection)
              return version
            }
          }
          devices[device] = nil
          state.withLock { state in
            // What others recorded meanwhile is still to be learned.
            if state.versions[device] == version - Int64(records.count) {
              state.versions[device] = version
            }
          }
        }
      } catch {
        // Kept until the store is back, as far as there is room.
        state.withLock { state in
          let rest = notes.filter { devices[$0.device] != nil } + state.notes
          state.notes = Array(rest.suffix(Self.maximumNoteCount))
        }
      }
    }

    /// Inserts records behind a number.
    static func add(
      _ records: [JournalRecord], to device: String, after version: Int64, _ serial: Int64?,
      _ connection: PostgresConnection
    ) throws(PostgresError) {
      var serial = serial
      var serials: [Int64?] = []
      for record in records {
        if case .fired = record.event, let last = serial {
          serials.append(last + 1)
          serial = last + 1
        } else {
          serials.append(nil)
        }
      }
      try connection.query(
        AlertStatement.add,
        [
          .text(device), .int8s(records.indices.map { version + 1 + Int64($0) }),
          .optionalInt8s(serials), .int8s(records.map(\.recorded.millisecondsSince1970)),
          .int8s(records.map(\.time.millisecondsSince1970)),
          .byteStrings(records.map { $0.line.dropLast() }.map(Array.init)),
        ])
    }

    // MARK: - Ending

    package func compactIfGrown(now: Instant) throws(AlertStateError) {
      let isDue = state.withLock { state in
        guard now >= state.nextCompaction else { return false }
        let isFirst = state.nextCompaction.millisecondsSince1970 == .min
        state.nextCompaction = now.advanced(bySeconds: Self.compactionSeconds)
        return !isFirst
      }
      guard isDue else { return }
      let start = now.advanced(bySeconds: -Self.historySeconds).millisecondsSince1970
      try asking { connection throws(PostgresError) in
        try connection.query(AlertStatement.forgetDeliveries, [.int8(start)])
        try connection.query(AlertStatement.forgetAlerts, [.int8(start)])
      }
    }

    package func history() throws(AlertStateError) -> [HistoryEntry] {
      flush()
      return try asking { connection throws(PostgresError) in
        try Self.history(connection)
      }
    }

    /// What happened to the devices of the owner for whom a connection acts.
    package static func history(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> [HistoryEntry] {
      var contents = JournalContents()
      let rows = try connection.query(AlertStatement.history)
      for row in 0..<rows.count {
        if let record = record(try rows.bytes(row, 0)) { contents.apply(record) }
      }
      let deliveries = try connection.query(AlertStatement.deliveries)
      for row in 0..<deliveries.count {
        for record in try fate(deliveries, row) { contents.apply(record) }
      }
      return contents.history
    }

    package func close() {
      flush()
      try? link.with { connection throws(PostgresError) in
        _ = try connection.query(AlertStatement.release, [.int8(holder.number)])
      }
      link.close()
    }
  }

  extension JournalEvent {
    /// The place that it is about; `nil` for notifications, digests and deliveries.
    var place: PlaceEvent? {
      switch self {
      case .returned(let place, _), .left(let place), .lapsed(let place, _, _),
        .suppressed(let place, _, _), .held(let place, _, _):
        place
      case .fired, .digested, .begun, .attempt, .delivered, .expired, .setAside: nil
      }
    }
  }

  extension JournalRecord {
    /// The time of what happened.
    var time: Instant {
      switch event {
      case .fired(let notification, _): notification.time
      case .digested(let digest, _): digest.end
      default: event.place?.time ?? recorded
      }
    }
  }
#endif
