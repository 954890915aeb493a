#if Postgres
  import CivilTime
  import SpotAlerts
  import SpotWatcher

  /// A device's row, which is locked until the end of the transaction.
  struct LockedDevice {
    /// The number of the device's last record.
    let version: Int64
    /// The time of the device's last notification, in milliseconds since 1970.
    let lastNotified: Int64?
  }

  /// Records to be inserted behind the last one of a locked device.
  struct AppendedRecords: Sendable {
    let device: String
    /// The number of the device's last record before.
    let version: Int64
    let records: [JournalRecord]
    /// The number of the owner's last alert before; `nil` if alerts are not numbered.
    let serial: Int64?

    /// The number of the last record afterwards.
    var newVersion: Int64 { version + Int64(records.count) }

    /// The time of the latest notification among the records, in milliseconds since 1970.
    fileprivate var lastNotified: Int64? {
      records.lazy.compactMap { record in
        if case .fired(let notification, _) = record.event {
          notification.time.millisecondsSince1970
        } else {
          nil
        }
      }.max()
    }
  }

  extension PostgresJournal {
    /// Locks the rows of devices; a device that the store does not have is missing in the result.
    static func lock(
      _ devices: [String], isDurable: Bool, _ connection: PostgresConnection
    ) throws(PostgresError) -> [String: LockedDevice] {
      let rows = try connection.query(
        isDurable ? AlertStatement.lockDurably : .lock, [.texts(devices)])
      var locked: [String: LockedDevice] = [:]
      for row in 0..<rows.count {
        locked[try rows.text(row, 0)] = LockedDevice(
          version: try rows.int8(row, 1), lastNotified: try rows.optionalInt8(row, 2))
      }
      return locked
    }

    /// Inserts records of locked devices, and notes in their rows which is the last one.
    static func add(
      _ appended: [AppendedRecords], _ connection: PostgresConnection
    ) throws(PostgresError) {
      guard !appended.isEmpty else { return }
      let advanced = try connection.query(
        AlertStatement.advance,
        [
          .texts(appended.map(\.device)), .int8s(appended.map(\.newVersion)),
          .optionalInt8s(appended.map(\.lastNotified)),
        ])
      guard advanced.writtenCount == appended.count else {
        throw .malformed("a locked device is missing")
      }
      var devices: [String] = []
      var (numbers, recorded, times): ([Int64], [Int64], [Int64]) = ([], [], [])
      var serials: [Int64?] = []
      var bodies: [[UInt8]] = []
      for entry in appended {
        var serial = entry.serial
        for (place, record) in entry.records.enumerated() {
          devices.append(entry.device)
          numbers.append(entry.version + 1 + Int64(place))
          if case .fired = record.event, let last = serial {
            serial = last + 1
            serials.append(last + 1)
          } else {
            serials.append(nil)
          }
          recorded.append(record.recorded.millisecondsSince1970)
          times.append(record.time.millisecondsSince1970)
          var body = record.line
          body.removeLast()
          bodies.append(body)
        }
      }
      try connection.query(
        AlertStatement.add,
        [
          .texts(devices), .int8s(numbers), .optionalInt8s(serials), .int8s(recorded),
          .int8s(times), .byteStrings(bodies),
        ])
    }
  }
#endif
