package import CivilTime
package import SpotWatcher

/// What an entry of a journal is filed under.
package enum JournalSubject: Hashable, Sendable {
  /// What happened to a device; `nil` where the feed names none.
  case device(String?)
  /// The digests.
  case digests
  /// How deliveries fared.
  case deliveries
}

/// Records that are appended together, all or none.
package struct JournalBatch: Hashable, Sendable {
  /// What all of them are filed under.
  package var subject: JournalSubject
  /// The records.
  package var records: [JournalRecord]
  /// Whether they must survive a crash of the machine once they are recorded.
  package var isDurable: Bool
  /// The least time between two notifications to the device, in seconds.
  package var minimumIntervalSeconds = 0.0
  /// The number of the owner's last alert that was known when these were decided, where a rule
  /// across devices is in force; else `nil`.
  package var ownerVersion: Int64?

  /// Creates a batch.
  package init(subject: JournalSubject, records: [JournalRecord], isDurable: Bool) {
    self.subject = subject
    self.records = records
    self.isDurable = isDurable
  }
}

/// What an owner's devices were notified of lately.
package struct OwnerAlerts: Hashable, Sendable {
  /// The notifications, the oldest first.
  package var notifications: [SpotNotification]
  /// The number of the last one.
  package var version: Int64

  /// Creates what is known.
  package init(notifications: [SpotNotification] = [], version: Int64 = 0) {
    self.notifications = notifications
    self.version = version
  }
}

/// What a journal says to a batch.
package enum JournalAnswer: Hashable, Sendable {
  /// It is recorded.
  ///
  /// - Parameter ownerVersion: The number of the owner's last alert, where the batch had one.
  case recorded(ownerVersion: Int64? = nil)
  /// It is not: another process recorded something that it may depend on.
  ///
  /// - Parameters:
  ///   - records: What was recorded of the subject since.
  ///   - owner: What the owner's devices were notified of since, where the batch depends on it.
  case overtaken(records: [JournalRecord], owner: OwnerAlerts? = nil)
}

/// The memory of what fired and what became of it.
///
/// The rules of every journal:
/// - Records of a subject keep the order in which they were appended.
/// - A notification, the cooldowns that follow from it and its deliveries are recorded in one, or
///   not at all.
/// - A durable batch that was recorded is there after any crash. What an error was thrown for may
///   be there or not; a shared journal then says that the next batch is overtaken.
package protocol AlertJournal: Sendable {
  /// Whether other processes may append to it, and so the records of a device are read when it is
  /// first seen.
  var isShared: Bool { get }

  /// Returns the records of a subject, the oldest first, as far as a watcher must remember them.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - start: The time of the earliest event; `nil` for all.
  /// - Returns: The records; of a journal that is not shared, none.
  /// - Throws: `AlertStateError.unavailable`.
  func records(
    of subject: JournalSubject, since start: Instant?
  ) throws(AlertStateError) -> [JournalRecord]

  /// Returns what the owner's devices were notified of since a time or after a number.
  func ownerAlerts(
    since start: Instant, after version: Int64?
  ) throws(AlertStateError) -> OwnerAlerts

  /// Appends records, all or none.
  ///
  /// - Throws: `AlertStateError.cannotWrite` or `.unavailable`.
  func append(_ batch: JournalBatch) throws(AlertStateError) -> JournalAnswer

  /// Takes records that only explain what happened. They are written later; what cannot be written
  /// is lost.
  func note(_ records: [JournalRecord])

  /// Writes what ``note(_:)`` took.
  func flush()

  /// Removes what is neither needed nor history any more, where that is due.
  func compactIfGrown(now: Instant) throws(AlertStateError)

  /// Says that deliveries are still this process's, and returns those whose process is gone: they
  /// are this one's from now on.
  ///
  /// - Parameters:
  ///   - notifiers: The notifiers of this process.
  ///   - held: The deliveries that wait in this process.
  ///   - now: The machine's clock.
  /// - Returns: The deliveries that were taken over.
  /// - Throws: `AlertStateError.unavailable`.
  func takeOver(
    for notifiers: [String], holding held: [PendingDelivery], now: Instant
  ) throws(AlertStateError) -> [PendingDelivery]

  /// What happened so far; the oldest first.
  func history() throws(AlertStateError) -> [HistoryEntry]

  /// Gives up what is held of it; nothing can be appended any more.
  func close()
}

extension Journal: AlertJournal {
  package var isShared: Bool { false }

  package func append(_ batch: JournalBatch) throws(AlertStateError) -> JournalAnswer {
    try append(batch.records, isDurable: batch.isDurable)
    return .recorded()
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
