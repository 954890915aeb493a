#if Postgres
  package import CivilTime
  package import SpotAlerts
  import SpotWatcher
  import Synchronization

  /// A journal of an owner's alerts in PostgreSQL, which any number of processes append to.
  ///
  /// A device's records are numbered, and its row contains the number of the last one. A batch is
  /// appended by one transaction, which advances the row from the number that this process knows.
  /// If the row has another number, the batch is *overtaken*, and none of it is recorded. So the
  /// row is the device's lock, and a process that is killed leaves no lock behind. If a rule across
  /// devices is in force, a batch with notifications also advances the owner's row, before the
  /// device's.
  ///
  /// A journal has one connection. Journals of a process with the same holder share deliveries.
  package final class PostgresJournal: Sendable {
    /// The identity of a process, or of a watch in it, to which deliveries are leased.
    package struct Holder: Hashable, Sendable {
      let number: Int64

      /// Creates a holder that differs from all others.
      package init() { number = .random(in: 1 ... .max) }
    }

    struct State {
      /// The numbers of the last records of devices that are known.
      var versions: [String: Int64] = [:]
      /// Records that wait for the next flush.
      var notes: [(device: String, record: JournalRecord)] = []
      /// The time from which notes are written again.
      var nextFlush = Instant(millisecondsSince1970: .min)
      /// The ends of deliveries that could not be recorded yet.
      var endings: [JournalRecord] = []
      var nextCompaction = Instant(millisecondsSince1970: .min)
    }

    let link: StoreLink
    let holder: Holder
    let state = Mutex(State())

    /// The duration of a delivery's lease since the last renewal, in milliseconds.
    static let leaseMilliseconds: Int64 = 60_000
    /// The number of known devices at which all are forgotten, to bound memory.
    static let maximumVersionCount = 8192
    /// The maximum number of notes kept during an outage of the store.
    static let maximumNoteCount = 1000
    /// The minimum interval in seconds between two transactions that write notes, unless there are
    /// many.
    private static let flushSeconds = 5.0
    /// The maximum number of ends of deliveries kept during an outage of the store.
    static let maximumEndingCount = 10_000
    /// The interval between two deletions of old history, in seconds.
    private static let compactionSeconds = 6 * 3600.0
    /// The age in seconds above which history is deleted; greater than the longest cooldown.
    private static let historySeconds = 400.0 * 86_400
    /// The maximum number of attempts of a transaction that conflicts with others.
    static let tries = 5

    /// Creates a journal.
    ///
    /// - Parameters:
    ///   - link: The connection, used otherwise only for queries of the same thread.
    ///   - holder: The identity of the process, for leases of deliveries.
    package init(_ link: StoreLink, holder: Holder = Holder()) {
      self.link = link
      self.holder = holder
    }

    /// Calls a closure with the connection, and throws errors of the store as `unavailable`.
    func asking<Value>(
      _ body: (PostgresConnection) throws(PostgresError) -> sending Value
    ) throws(AlertStateError) -> sending Value {
      do throws(PostgresError) {
        return try link.with(body)
      } catch {
        throw .unavailable(error.description)
      }
    }

    /// Returns the value of the column `device` for a subject's records.
    static func key(of subject: JournalSubject) -> String {
      switch subject {
      case .device(let name): name ?? ""
      case .digests, .deliveries: "\u{1}"
      }
    }

    /// Remembers the number of a device's last record.
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
    /// `true`, since other processes append to it too.
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

    /// Reads the records of a device after a number, and the number of the last one.
    static func records(
      of device: String, after number: Int64, since start: Instant?,
      _ connection: PostgresConnection
    ) throws(PostgresError) -> (records: [JournalRecord], version: Int64) {
      // The version is read first; else a record that is added between the queries would be counted
      // but not read.
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

    /// Decodes a record; `nil` if it is damaged. Such records are skipped, as in a journal file.
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

    /// Reads the owner's alerts after a number, and the number of the last one.
    static func ownerAlerts(
      since start: Instant?, after known: Int64, _ connection: PostgresConnection
    ) throws(PostgresError) -> OwnerAlerts {
      let found = try connection.query(AlertStatement.ownerVersion)
      if found.count == 0 { try connection.query(AlertStatement.addOwner) }
      var alerts = OwnerAlerts(version: found.count > 0 ? try found.int8(0, 0) : 0)
      let rows = try connection.query(
        AlertStatement.ownerAlerts,
        [.int8(known), .int8(start?.millisecondsSince1970 ?? .min)])
      // The query returns the latest first, and no more of them than any rule needs.
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
          state.notes.append((record.event.device ?? "", record))
        }
        return state.notes.count
      }
      if count >= Self.maximumNoteCount / 4 { flush() }
    }

    package func flushIfDue(now: Instant) {
      let isDue = state.withLock { state in
        // A longer wait means that the clock was set back.
        let wait = state.nextFlush.seconds(since: now)
        guard !state.notes.isEmpty, wait <= 0 || wait > Self.flushSeconds else { return false }
        state.nextFlush = now.advanced(bySeconds: Self.flushSeconds)
        return true
      }
      if isDue { flush() }
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
        let appended = try link.with { connection throws(PostgresError) in
          try connection.transaction(tries: Self.tries) { () throws(PostgresError) in
            let locked = try Self.lock(Array(devices.keys), isDurable: false, connection)
            let appended = locked.map { device, row in
              AppendedRecords(
                device: device, version: row.version, records: devices[device] ?? [], serial: nil)
            }
            try Self.add(appended, connection)
            return appended
          }
        }
        state.withLock { state in
          // The records that other processes have added meanwhile must still be read.
          for entry in appended where state.versions[entry.device] == entry.version {
            state.versions[entry.device] = entry.newVersion
          }
        }
      } catch {
        // Kept until the store is reachable again, up to a maximum number.
        state.withLock { state in
          state.notes = Array((notes + state.notes).suffix(Self.maximumNoteCount))
        }
      }
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

    /// Reads the history of the devices of the owner for whom a connection acts.
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
    /// The place of the event; `nil` for notifications, digests and deliveries.
    var place: PlaceEvent? {
      switch self {
      case .returned(let place, _), .left(let place), .lapsed(let place, _, _),
        .suppressed(let place, _, _), .held(let place, _, _):
        place
      case .fired, .digested, .present, .begun, .attempt, .delivered, .expired, .setAside: nil
      }
    }

    /// The device of an explanation; `nil` where the feed names none.
    var device: String? {
      if case .present(let device, _) = self { device } else { place.flatMap(\.device) }
    }
  }

  extension JournalRecord {
    /// The time of the event; of its recording for events of deliveries.
    var time: Instant {
      switch event {
      case .fired(let notification, _): notification.time
      case .digested(let digest, _): digest.end
      case .present(_, let presences): presences.last?.time ?? recorded
      default: event.place?.time ?? recorded
      }
    }
  }
#endif
