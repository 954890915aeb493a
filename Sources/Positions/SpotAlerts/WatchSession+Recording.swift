import CivilTime
import LocationFeeds
import PhotoLibrary
import SpotWatcher
import Synchronization

/// Decisions about one device that are not recorded yet.
struct UnrecordedDecisions {
  let device: String?
  let decisions: [WatcherDecision]
  let batch: JournalBatch
  /// The state of the device before.
  let before: [DeviceState]
}

/// The result of recording decisions.
enum Recording {
  case recorded
  /// Another process recorded something first; `isNew` is true if its records were unknown here.
  case overtaken(isNew: Bool)
  case failed(AlertStateError)
}

/// The records that result from decisions, and the alerts that follow from them.
extension WatchSession {
  /// Returns the batch that records decisions about one device.
  func batch(of decisions: [WatcherDecision], _ lane: WatchLane.State) -> JournalBatch {
    var batch = JournalBatch(
      subject: .device(decisions.first?.fix.device), records: [], isDurable: false)
    let now = clock.now()
    for decision in decisions {
      guard let event = event(of: decision, lane.watcher) else { continue }
      let record = JournalRecord(recorded: now, event: event)
      if event.isExplanation {
        batch.explanations.append(record)
      } else {
        batch.records.append(record)
      }
      if decision.isNotification { batch.isDurable = true }
    }
    if batch.isDurable {
      batch.minimumIntervalSeconds = lane.watcher.settings.minimumIntervalSeconds
      if lane.watcher.hasRulesAcrossDevices { batch.ownerVersion = lane.ownerVersion }
    }
    return batch
  }

  /// Records where a device was, if that is due. What is not written yet is lost in a crash.
  func notePresence(
    of device: String?, at now: Instant, all: Bool = false, _ lane: inout WatchLane.State
  ) {
    guard let journal = lane.journal else { return }
    let presences = lane.watcher.takePresence(of: device, at: now, all: all)
    guard !presences.isEmpty else { return }
    journal.note([
      JournalRecord(recorded: clock.now(), event: .present(device: device, presences))
    ])
  }

  /// Records where all devices were.
  func notePresence() {
    for lane in lanes {
      lane.state.withLock { lane in
        for device in lane.watcher.devicesWithPresence {
          notePresence(of: device, at: clock.now(), all: true, &lane)
        }
        lane.journal?.flush()
      }
    }
  }

  /// Concludes decisions that need no transaction.
  ///
  /// - Returns: Whether they need none.
  func concludeAtOnce(_ batch: JournalBatch, _ lane: inout WatchLane.State) -> Bool {
    guard batch.records.isEmpty || lane.journal == nil else { return false }
    lane.journal?.note(batch.explanations)
    conclude(batch, ownerVersion: nil, &lane)
    return true
  }

  /// Records decisions in one transaction. Those that another process overtook, or that cannot be
  /// recorded, are undone.
  func record(
    _ unrecorded: [UnrecordedDecisions], _ lane: inout WatchLane.State
  ) -> [Recording] {
    guard !unrecorded.isEmpty, let journal = lane.journal else { return [] }
    let answers = journal.append(together: unrecorded.map(\.batch))
    var recordings: [Recording] = []
    for (decided, answer) in zip(unrecorded, answers) {
      switch answer {
      case .success(.recorded(let version)):
        conclude(decided.batch, ownerVersion: version, &lane)
        recordings.append(.recorded)
      case .success(.overtaken(let records, let owner)):
        let isNew = !records.isEmpty || owner.map { $0.version != lane.ownerVersion } ?? false
        lane.undo(to: decided.before)
        merge(records, owner, of: decided.device, &lane)
        recordings.append(.overtaken(isNew: isNew))
      case .failure(let error):
        lane.undo(to: decided.before)
        recordings.append(.failed(error))
      }
    }
    compact(journal)
    return recordings
  }

  /// Shares and delivers the notifications of a batch that is in the journal.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - ownerVersion: The number of the owner's last alert after it; `nil` if unknown.
  ///   - lane: The lane of the device.
  private func conclude(
    _ batch: JournalBatch, ownerVersion: Int64?, _ lane: inout WatchLane.State
  ) {
    guard batch.isDurable else { return }
    recordShared(batch.notifications, ownerVersion, lane.watcher.settings)
    lane.ownerVersion = ownerVersion ?? lane.ownerVersion
    lane.sharedGeneration = 0
    for record in batch.records {
      guard case .fired(let notification, let names) = record.event else { continue }
      outbox.enqueue(.spot(notification), queued: record.recorded, for: names)
    }
  }

  /// Compacts a journal if that is due. A failure is reported.
  private func compact(_ journal: any AlertJournal) {
    do throws(AlertStateError) {
      try journal.compactIfGrown(now: clock.now())
    } catch {
      // Only the compaction failed; the decisions are recorded.
      report(.cannotRecord(error))
    }
  }

  private func event(
    of decision: WatcherDecision, _ watcher: LocationWatcher
  ) -> JournalEvent? {
    if let notification = decision.notification {
      return .fired(remembering(notification, watcher), notifiers: outbox.notifierNames)
    }
    guard decision.kind.isAboutSpot else { return nil }
    return JournalEvent(of: decision, watcher.spots(around: decision.fix.device))
  }

  /// Returns a notification with the past of its spot, as seen from the local day of its time.
  private func remembering(
    _ notification: SpotNotification, _ watcher: LocationWatcher
  ) -> SpotNotification {
    let spots = watcher.spots(around: notification.device)
    return notification.remembering(
      store.library.past(ofSpot: notification.spot.id, in: spots), by: localClock)
  }
}
