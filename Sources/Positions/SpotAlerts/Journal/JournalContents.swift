package import CivilTime
import Encodings
import Spatial
import SpotWatcher
import SystemPackage

/// The records of a journal, and the history and deliveries derived from them.
package struct JournalContents: Sendable {
  private(set) var records: [JournalRecord] = []
  /// The history, oldest first.
  package private(set) var history: [HistoryEntry] = []
  /// The numbers of the lines that could not be read, from 1.
  private(set) var damagedLines: [Int] = []
  /// The offset of the end of the last complete line, in bytes; a crash cut off the rest.
  private(set) var wholeLength = 0
  /// The recorded digests, oldest first.
  private(set) var digests: [SentDigest] = []
  /// The last notification or digest with each id.
  private var entries: [String: Sent] = [:]

  /// A digest and its deliveries.
  struct SentDigest: Sendable {
    let digest: AlertDigest
    /// The time of recording, by the machine's clock.
    let recorded: Instant
    var deliveries: [HistoryEntry.Delivery]
  }

  /// The location of an alert's deliveries: an index in `history` or `digests`.
  private enum Sent {
    case spot(Int)
    case digest(Int)
  }

  static let format = "photospots-journal"
  static let version = 1

  /// The first line of every journal.
  static var header: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", format)
      writer.member("version", version)
    }
    writer.newline()
    return writer.takeBytes()
  }

  /// Creates the contents of an empty journal.
  package init() {}

  /// Reads a journal. A last line without a line end is ignored, since writing it never completed.
  ///
  /// - Throws: `AlertStateError` if it is of a later version or not a journal.
  init(_ bytes: [UInt8], path: FilePath) throws(AlertStateError) {
    var start = 0
    var lineNumber = 0
    while let end = bytes[start...].firstIndex(of: 0x0A) {
      lineNumber += 1
      if lineNumber == 1 {
        try Self.checkHeader(bytes, range: start..<end, path: path)
      } else if let record = try? JournalRecord(line: bytes, range: start..<end) {
        apply(record)
      } else if end > start {
        damagedLines.append(lineNumber)
      }
      start = end + 1
    }
    wholeLength = start
    // What a power failure may leave of a whole journal.
    if start == 0, !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) { damagedLines = [1] }
  }

  private static func checkHeader(
    _ bytes: [UInt8], range: Range<Int>, path: FilePath
  ) throws(AlertStateError) {
    guard let (format, version) = try? header(bytes, range: range), format == Self.format else {
      throw .notAJournal(path)
    }
    guard version <= Self.version else {
      throw .newerVersion(path, found: version, supported: Self.version)
    }
    guard version >= 1 else { throw .notAJournal(path) }
  }

  private static func header(
    _ bytes: [UInt8], range: Range<Int>
  ) throws(JSONError) -> (format: String, version: Int) {
    var reader = JSONReader(bytes, range: range)
    var format = ""
    var version = 0
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "format": format = try reader.string()
      case "version": version = Int(clamping: try reader.integer())
      default: try reader.skipValue()
      }
    }
    return (format, version)
  }

  // MARK: - History and deliveries

  /// Adds the next record and updates the history and the deliveries.
  package mutating func apply(_ record: JournalRecord) {
    records.append(record)
    switch record.event {
    case .fired(let notification, let notifiers):
      entries[notification.id] = .spot(history.count)
      history.append(
        HistoryEntry(
          kind: .notified, time: notification.time, recorded: record.recorded,
          device: notification.device, spotID: notification.spot.id,
          coordinate: notification.spot.coordinate, notification: notification,
          figure: nil, limit: nil, days: nil, closestMeters: nil, left: nil,
          deliveries: Self.deliveries(to: notifiers)))
    case .digested(let digest, let notifiers):
      entries[digest.id] = .digest(digests.count)
      digests.append(
        SentDigest(
          digest: digest, recorded: record.recorded, deliveries: Self.deliveries(to: notifiers)))
    case .left, .present: break
    case .returned(let place, let figures): note(.refused, place, .cooldown, figures, record)
    case .lapsed(let place, let kind, let figures): note(.lapsed, place, kind, figures, record)
    case .suppressed(let place, let kind, let figures):
      note(.suppressed, place, kind, figures, record)
    case .held(let place, let kind, let figures):
      note(kind.isWaiting ? .waited : .refused, place, kind, figures, record)
    case .begun(let delivery): begin(delivery, at: record.recorded)
    case .attempt(let delivery, let next): apply(delivery, .pending(next: next))
    case .delivered(let delivery): apply(delivery, .delivered(record.recorded))
    case .expired(let delivery): apply(delivery, .expired(record.recorded))
    case .setAside(let delivery): apply(delivery, .setAside(record.recorded))
    }
  }

  private mutating func note(
    _ what: HistoryEntry.Kind, _ place: JournalEvent.PlaceEvent, _ kind: WatcherDecision.Kind?,
    _ figures: JournalEvent.Figures, _ record: JournalRecord
  ) {
    history.append(
      HistoryEntry(
        kind: what, time: place.time, recorded: record.recorded, device: place.device,
        spotID: place.spotID, coordinate: place.center, notification: nil, suppressedBy: kind,
        figure: figures.figure, limit: figures.limit, days: figures.days,
        closestMeters: figures.meters,
        left: figures.left, deliveries: [], mutedZone: figures.mutedZone))
  }

  private static func deliveries(to notifiers: [String]) -> [HistoryEntry.Delivery] {
    notifiers.map { HistoryEntry.Delivery(notifier: $0, outcome: .pending(next: nil), tries: 0) }
  }

  private mutating func begin(_ event: JournalEvent.DeliveryEvent, at time: Instant) {
    change(event) { delivery in
      delivery.unended = .init(count: (delivery.unended?.count ?? 0) + 1, latest: time)
    }
  }

  private mutating func apply(
    _ event: JournalEvent.DeliveryEvent, _ outcome: HistoryEntry.Delivery.Outcome
  ) {
    change(event) { delivery in
      delivery.outcome = outcome
      delivery.tries = event.tries
      delivery.failure = event.failure
      delivery.unended = nil
    }
  }

  private mutating func change(
    _ event: JournalEvent.DeliveryEvent, _ body: (inout HistoryEntry.Delivery) -> Void
  ) {
    func change(_ deliveries: inout [HistoryEntry.Delivery]) {
      guard let place = deliveries.firstIndex(where: { $0.notifier == event.notifier }) else {
        return
      }
      body(&deliveries[place])
    }
    switch entries[event.notification] {
    case .spot(let entry): change(&history[entry].deliveries)
    case .digest(let entry): change(&digests[entry].deliveries)
    case nil: break
    }
  }

  /// Returns the state with which a watcher continues.
  ///
  /// - Parameters:
  ///   - clusterRadiusMeters: The maximum distance between two centres of the same place.
  ///   - localClock: The local time of the days on which devices were at places.
  /// - Returns: The firings, the spots that devices are at and the ground that they know, without
  ///   fixes.
  func watcherState(
    clusterRadiusMeters: Double, localClock: LocalClock = .fixed(utcOffsetMinutes: 0)
  ) -> WatcherState {
    var state = WatcherState()
    for record in records {
      state.restore(
        record.event, clusterRadiusMeters: clusterRadiusMeters, localClock: localClock)
    }
    return state
  }

  /// The pending deliveries, oldest first.
  var pending: [PendingDelivery] {
    let spots = history.flatMap { entry -> [PendingDelivery] in
      guard let notification = entry.notification else { return [] }
      return Self.pending(.spot(notification), entry.deliveries, entry.recorded)
    }
    let sums = digests.flatMap { Self.pending(.digest($0.digest), $0.deliveries, $0.recorded) }
    guard !sums.isEmpty else { return spots }
    // Sorting by the offset too makes the sort stable.
    return (spots + sums).enumerated()
      .sorted { ($0.element.queued, $0.offset) < ($1.element.queued, $1.offset) }.map(\.element)
  }

  private static func pending(
    _ content: Alert.Content, _ deliveries: [HistoryEntry.Delivery], _ recorded: Instant
  ) -> [PendingDelivery] {
    deliveries.compactMap { delivery in
      guard case .pending(let next) = delivery.outcome else { return nil }
      return PendingDelivery(
        content: content, notifier: delivery.notifier, queued: recorded, tries: delivery.tries,
        next: next, failure: delivery.failure, unended: delivery.unended)
    }
  }

  // MARK: - Compaction

  /// The age in seconds up to which history is kept; longer than the longest cooldown.
  static let historySeconds = 400.0 * 86_400
  /// The age in seconds up to which presence is kept.
  private static let presenceSeconds = 32.0 * 86_400

  /// Returns the journal's bytes after a compaction, without records that are no longer needed.
  ///
  /// Records of the last 400 days are kept, except failed attempts that are followed by a later
  /// record of the same delivery, and presence of more than 32 days ago, which counts no more.
  /// Older records are kept while a device is still at the place or a delivery is pending. If the
  /// result would exceed the limits, the latest records are kept: those of suppressed visits within
  /// a share of the size, and of the others first those that are still needed, then those of the
  /// history.
  func compacted(now: Instant, clusterRadiusMeters: Double, limits: JournalLimits) -> [UInt8] {
    let standing = firingsOfPlacesStillInside(clusterRadiusMeters: clusterRadiusMeters)
    let waiting = Set(pending.map(\.content.id))
    let lastTries = lastRecordsOfDeliveries()
    var room = Room(limits)
    var kept = [Bool](repeating: false, count: records.count)
    // First the records that are still needed, latest first.
    var isLastDigest = true
    for (number, record) in records.enumerated().reversed() {
      switch record.event {
      case .fired(let notification, _):
        kept[number] = waiting.contains(notification.id) && room.take(record)
      // The end of the last digest determines when the next is due.
      case .digested(let digest, _):
        kept[number] = (isLastDigest || waiting.contains(digest.id)) && room.take(record)
        isLastDigest = false
      default: break
      }
    }
    for number in standing.sorted(by: >) where !kept[number] {
      kept[number] = room.take(records[number])
    }
    for (number, record) in records.enumerated().reversed() where !kept[number] {
      let isRecent = now.seconds(since: record.recorded) <= Self.historySeconds
      switch record.event {
      case .fired, .held(_, .shared, _): kept[number] = isRecent && room.take(record)
      case .lapsed, .suppressed, .held: kept[number] = isRecent && room.takeSilent(record)
      case .present:
        kept[number] =
          now.seconds(since: record.recorded) <= Self.presenceSeconds && room.takeSilent(record)
      case .digested, .returned, .left, .begun, .attempt, .delivered, .expired, .setAside: break
      }
    }
    return Self.header + lines(keeping: kept, lastTries, clusterRadiusMeters)
  }

  /// Returns the lines of the kept records and of the records that follow from them: deliveries,
  /// returns and leavings.
  private func lines(
    keeping kept: [Bool], _ lastTries: Set<Int>, _ clusterRadiusMeters: Double
  ) -> [UInt8] {
    var ids = Set<String>()
    var places: [String?: [String: Coordinate]] = [:]
    var bytes: [UInt8] = []
    for (number, record) in records.enumerated() {
      let isNeeded: Bool
      switch record.event {
      case .fired(let notification, _):
        isNeeded = kept[number]
        guard isNeeded else { continue }
        ids.insert(notification.id)
        for spot in notification.spots {
          places[notification.device, default: [:]][spot.id] = spot.coordinate
        }
      case .digested(let digest, _):
        isNeeded = kept[number]
        if isNeeded { ids.insert(digest.id) }
      case .held(let place, .shared, _):
        isNeeded = kept[number]
        guard isNeeded else { continue }
        places[place.device, default: [:]][place.spotID] = place.center
      case .lapsed, .suppressed, .held, .present: isNeeded = kept[number]
      // The device was at a place whose firing is kept, even if the spot there has another id.
      case .returned(let place, _), .left(let place):
        let fired = places[place.device] ?? [:]
        isNeeded =
          fired[place.spotID] != nil
          || fired.values.contains { $0.distance(to: place.center) <= clusterRadiusMeters }
      case .begun(let delivery), .attempt(let delivery, _), .delivered(let delivery),
        .expired(let delivery), .setAside(let delivery):
        isNeeded = ids.contains(delivery.notification) && lastTries.contains(number)
      }
      if isNeeded { bytes += record.line }
    }
    return bytes
  }

  /// The remaining size of a compacted journal.
  private struct Room {
    private var bytes: Int
    private var silentBytes: Int

    init(_ limits: JournalLimits) {
      silentBytes = limits.silentBytes
      bytes = limits.compactedBytes - limits.silentBytes
    }

    mutating func take(_ record: JournalRecord) -> Bool {
      // The records that follow a firing, of leaving and deliveries, are about half as long.
      bytes -= record.line.count * 3 / 2
      return bytes >= 0
    }

    mutating func takeSilent(_ record: JournalRecord) -> Bool {
      silentBytes -= record.line.count
      return silentBytes >= 0
    }
  }

  /// Returns the numbers of the last firings at places where a device still is.
  private func firingsOfPlacesStillInside(clusterRadiusMeters: Double) -> Set<Int> {
    var last: [String?: [String: Int]] = [:]
    for (number, record) in records.enumerated() {
      guard case .fired(let notification, _) = record.event else { continue }
      for spot in notification.spots { last[notification.device, default: [:]][spot.id] = number }
    }
    let visits = watcherState(clusterRadiusMeters: clusterRadiusMeters).visits
    return Set(visits.compactMap { last[$0.device]?[$0.spotID] })
  }

  /// Returns the numbers of the latest records of each delivery: the end of its last attempt, and
  /// the starts of attempts after it.
  private func lastRecordsOfDeliveries() -> Set<Int> {
    var last: [String: [String: [Int]]] = [:]
    var numbers = Set<Int>()
    for (number, record) in records.enumerated() {
      switch record.event {
      case .fired(let notification, _):
        // A repeated event, from a feed that was replayed, is delivered anew.
        numbers.formUnion((last[notification.id] ?? [:]).values.joined())
        last[notification.id] = nil
      case .digested: break
      case .begun(let delivery):
        last[delivery.notification, default: [:]][delivery.notifier, default: []].append(number)
      case .attempt(let delivery, _), .delivered(let delivery), .expired(let delivery),
        .setAside(let delivery):
        last[delivery.notification, default: [:]][delivery.notifier] = [number]
      case .returned, .left, .lapsed, .suppressed, .held, .present: break
      }
    }
    return last.values.reduce(into: numbers) { $0.formUnion($1.values.joined()) }
  }
}

extension WatcherState {
  /// Restores the part of the state that follows from a record.
  ///
  /// - Parameters:
  ///   - event: The event of the record.
  ///   - clusterRadiusMeters: The maximum distance between two centres of the same place.
  ///   - localClock: The local time of the days on which devices were at places.
  mutating func restore(
    _ event: JournalEvent, clusterRadiusMeters: Double, localClock: LocalClock
  ) {
    switch event {
    case .fired(let notification, _): restoreFiring(of: notification)
    case .returned(let place, _):
      restoreReturn(
        device: place.device, spotID: place.spotID, center: place.center, time: place.time)
    case .left(let place):
      restoreLeaving(
        device: place.device, spotID: place.spotID, center: place.center, time: place.time,
        day: localClock.dayNumber(at: place.time), radiusMeters: clusterRadiusMeters)
    case .present(let device, let presences): restorePresence(device: device, presences)
    case .held(let place, .shared, _):
      restoreShared(
        device: place.device, spotID: place.spotID, center: place.center, time: place.time)
    case .digested, .lapsed, .suppressed, .held, .begun, .attempt, .delivered, .expired,
      .setAside:
      break
    }
  }
}

/// An alert that waits to be delivered by one notifier.
package struct PendingDelivery: Hashable, Sendable {
  /// The alert.
  package let content: Alert.Content
  /// The notifier's name.
  package let notifier: String
  /// The time of the decision, by the machine's clock.
  package let queued: Instant
  /// The number of attempts.
  package var tries = 0
  /// The time of the next attempt; `nil` for the first attempt.
  package var next: Instant?
  /// The reason why the last attempt failed.
  package var failure: String?
  /// The attempts before this session whose end is not recorded; `nil` where there are none.
  package var unended: HistoryEntry.UnendedTries?

  /// Creates a pending delivery.
  package init(
    content: Alert.Content, notifier: String, queued: Instant, tries: Int = 0,
    next: Instant? = nil, failure: String? = nil, unended: HistoryEntry.UnendedTries? = nil
  ) {
    self.content = content
    self.notifier = notifier
    self.queued = queued
    self.tries = tries
    self.next = next
    self.failure = failure
    self.unended = unended
  }
}
