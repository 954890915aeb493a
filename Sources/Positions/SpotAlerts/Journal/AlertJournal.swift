package import CivilTime
package import SpotWatcher

/// The subject under which a record of a journal is stored.
package enum JournalSubject: Hashable, Sendable {
  /// The events of a device; `nil` if the feed names none.
  case device(String?)
  /// The digests.
  case digests
  /// The attempts to deliver alerts, and their results.
  case deliveries
}

/// Records that are appended together, all or none.
package struct JournalBatch: Hashable, Sendable {
  /// The subject of all records.
  package var subject: JournalSubject
  /// The records.
  package var records: [JournalRecord]
  /// Records that only explain what happened. They are noted if the others are recorded; see
  /// ``AlertJournal/note(_:)``.
  package var explanations: [JournalRecord] = []
  /// Whether the records must survive a crash of the machine once they are appended.
  package var isDurable: Bool
  /// The minimum time in seconds between two notifications to the device. A shared journal refuses
  /// a batch with a notification that comes sooner after the last one.
  package var minimumIntervalSeconds = 0.0
  /// The number of the owner's last alert that was known when the records were decided, if a rule
  /// across devices is in force; otherwise `nil`.
  package var ownerVersion: Int64?

  /// Creates a batch.
  package init(subject: JournalSubject, records: [JournalRecord], isDurable: Bool) {
    self.subject = subject
    self.records = records
    self.isDurable = isDurable
  }

  /// The notifications among the records.
  package var notifications: [SpotNotification] {
    records.compactMap { record in
      if case .fired(let notification, _) = record.event { notification } else { nil }
    }
  }
}

/// The recent notifications to an owner's devices.
package struct OwnerAlerts: Hashable, Sendable {
  /// The notifications, the oldest first.
  package var notifications: [SpotNotification]
  /// The number of the last one.
  package var version: Int64

  /// Creates a list of notifications.
  package init(notifications: [SpotNotification] = [], version: Int64 = 0) {
    self.notifications = notifications
    self.version = version
  }
}

/// The result of appending a batch.
package enum JournalAnswer: Hashable, Sendable {
  /// The batch was recorded.
  ///
  /// - Parameter ownerVersion: The new number of the owner's last alert, if the batch had one.
  case recorded(ownerVersion: Int64? = nil)
  /// The batch was not recorded: another process has recorded something that it may depend on, or
  /// a notification would come too soon after the last one.
  ///
  /// - Parameters:
  ///   - records: The new records of the subject.
  ///   - owner: The new notifications to the owner's devices, if the batch depends on them.
  case overtaken(records: [JournalRecord], owner: OwnerAlerts? = nil)
}

/// The stored firings, other decisions, and deliveries.
///
/// Every journal guarantees:
/// - Records of a subject keep the order in which they were appended.
/// - A notification, the cooldowns that follow from it, and its deliveries are recorded together or
///   not at all.
/// - A durable batch that was recorded survives any crash. A batch for which an error was thrown
///   may be recorded or not. A shared journal then answers the next batch with
///   ``JournalAnswer/overtaken(records:owner:)``.
package protocol AlertJournal: Sendable {
  /// Whether other processes may append to the journal. If so, the records of a device are read
  /// when the session receives its first fix.
  var isShared: Bool { get }

  /// Returns the records of a subject that a watcher needs, oldest first.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - start: The time of the earliest event; `nil` for all.
  /// - Returns: The records; none for a journal that is not shared.
  /// - Throws: `AlertStateError.unavailable`.
  func records(
    of subject: JournalSubject, since start: Instant?
  ) throws(AlertStateError) -> [JournalRecord]

  /// Returns the latest notifications to the owner's devices, oldest first.
  ///
  /// - Parameters:
  ///   - start: The time of the earliest notification.
  ///   - version: The number of the last known alert, after which to begin; `nil` for all numbers.
  /// - Returns: The notifications; none for a journal that is not shared.
  /// - Throws: `AlertStateError.unavailable`.
  func ownerAlerts(
    since start: Instant, after version: Int64?
  ) throws(AlertStateError) -> OwnerAlerts

  /// Appends a batch.
  ///
  /// - Throws: `AlertStateError.cannotWrite` or `.unavailable`.
  func append(_ batch: JournalBatch) throws(AlertStateError) -> JournalAnswer

  /// Appends batches of different devices, each all or none.
  ///
  /// - Parameter batches: The batches. Those with an ``JournalBatch/ownerVersion`` have the same
  ///   one; each was decided with those before it.
  /// - Returns: The answer to each batch, or the error as ``append(_:)`` throws it.
  func append(together batches: [JournalBatch]) -> [Result<JournalAnswer, AlertStateError>]

  /// Buffers records that only explain what happened. They are written later; if that fails, they
  /// are lost.
  func note(_ records: [JournalRecord])

  /// Writes the records that ``note(_:)`` has buffered.
  func flush()

  /// Writes the records that ``note(_:)`` has buffered, unless that was done a few seconds ago:
  /// many records together cost less than each alone.
  func flushIfDue(now: Instant)

  /// Removes records that are neither needed nor part of the history, if that is due.
  func compactIfGrown(now: Instant) throws(AlertStateError)

  /// Renews this process's claim to its deliveries, and takes over those of processes that ended.
  ///
  /// - Parameters:
  ///   - notifiers: The names of this process's notifiers; only their deliveries are taken over.
  ///   - held: The pending deliveries of this process.
  ///   - now: The current time of the machine's clock.
  /// - Returns: The deliveries taken over; none for a journal that is not shared.
  /// - Throws: `AlertStateError.unavailable`.
  func takeOver(
    for notifiers: [String], holding held: [PendingDelivery], now: Instant
  ) throws(AlertStateError) -> [PendingDelivery]

  /// Returns the history, oldest first.
  func history() throws(AlertStateError) -> [HistoryEntry]

  /// Closes the journal; nothing can be appended afterwards.
  func close()
}

extension AlertJournal {
  /// Writes the records that ``note(_:)`` has buffered.
  package func flushIfDue(now: Instant) { flush() }

  /// Appends a batch alone.
  package func append(_ batch: JournalBatch) throws(AlertStateError) -> JournalAnswer {
    guard let answer = append(together: [batch]).first else { return .recorded() }
    return try answer.get()
  }
}

extension Journal: AlertJournal {
  package var isShared: Bool { false }

  /// Appends batches in one write, all or none.
  package func append(
    together batches: [JournalBatch]
  ) -> [Result<JournalAnswer, AlertStateError>] {
    for batch in batches { note(batch.explanations) }
    do throws(AlertStateError) {
      try append(batches.flatMap(\.records), isDurable: batches.contains(where: \.isDurable))
      return batches.map { _ in .success(.recorded()) }
    } catch {
      return batches.map { _ in .failure(error) }
    }
  }

  /// Returns nothing: all records were read when the journal was opened.
  package func records(
    of subject: JournalSubject, since start: Instant?
  ) throws(AlertStateError) -> [JournalRecord] { [] }

  /// Returns nothing: all devices are watched in this process.
  package func ownerAlerts(
    since start: Instant, after version: Int64?
  ) throws(AlertStateError) -> OwnerAlerts { OwnerAlerts() }

  /// Returns nothing: there is one process.
  package func takeOver(
    for notifiers: [String], holding held: [PendingDelivery], now: Instant
  ) throws(AlertStateError) -> [PendingDelivery] { [] }
}
