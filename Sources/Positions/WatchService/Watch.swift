import Dispatch
import LocationFeeds
public import PhotoLibrary
public import SpotAlerts
public import SpotWatcher
import Synchronization
public import SystemPackage

/// A watch: reads feeds, evaluates their fixes, maintains the device log, and applies changes of
/// the index, the muted spots and the settings while it runs.
///
/// ```swift
/// let watch = try Watch(
///   sources, spots: spots, stateFolder: folder, devices: devices, notifiers: notifiers
/// ) { event in report(event) }
/// try watch.start(feeds, access: access)
/// …
/// await watch.stop()
/// ```
///
/// A program with a free thread calls ``run(_:orUntil:whileReading:decided:)`` instead of
/// ``start(_:access:decided:)``.
public final class Watch: Sendable {
  /// The storage of the device log.
  public struct Devices: Sendable {
    /// The state folder that contains it.
    public var folder: FilePath
    /// Whether the trails of devices are recorded.
    public var keepsTrails: Bool

    /// Creates the storage of the device log.
    public init(folder: FilePath, keepsTrails: Bool = false) {
      self.folder = folder
      self.keepsTrails = keepsTrails
    }
  }

  /// Handles the decisions about a fix, or those made as time passed.
  public typealias Decided = ([WatcherDecision]) throws -> Void

  /// The session, which decides and delivers.
  public let session: WatchSession
  /// The responses to phones with OwnTracks.
  public let replies: OwnTracksReplies

  /// Whether fixes arrive in real time. Otherwise the watch is a replay, whose result is the same
  /// each time, and which applies no changes of files.
  private let isLive: Bool
  /// The lanes of a watch over a store; `nil` otherwise.
  private let lanes: WatchLanes?
  private let devices: Devices?
  private let updates: WatchUpdates?
  private let report: @Sendable (WatchEvent) -> Void
  private let running = Mutex<Running?>(nil)

  /// The thread that reads the feeds, until it is stopped.
  private struct Running: Sendable {
    /// The descriptor that becomes readable when the reading should end.
    let readEnd: FileDescriptor
    let writeEnd: FileDescriptor
    /// The group that is empty when the reading has ended.
    let group = DispatchGroup()
  }

  /// Creates a watch. Its state stays locked until it is stopped or released.
  ///
  /// - Parameters:
  ///   - sources: The inputs of the watch.
  ///   - spots: The spots of the index, without the user's places.
  ///   - stateFolder: The folder of the state; `nil` for no persistent state. See ``WatchSession``.
  ///   - devices: The storage of the device log; `nil` for none.
  ///   - isLive: Whether fixes arrive in real time.
  ///   - notifiers: The receivers, with different names.
  ///   - report: Called with events that the user may want to know about, from any thread.
  /// - Throws: `AlertStateError` if the state cannot be opened or is in use.
  public init(
    _ sources: WatchSources, spots: SpotIndex, stateFolder: FilePath?, devices: Devices?,
    isLive: Bool = true, notifiers: [any Notifier],
    report: @escaping @Sendable (WatchEvent) -> Void
  ) throws(AlertStateError) {
    self.isLive = isLive
    self.devices = devices
    self.report = report
    lanes = nil
    var sources = sources
    let spots = sources.joined(spots)
    sources.take(spots)
    session = try WatchSession(
      stateFolder: stateFolder, spots: spots, pasts: SpotPasts(of: spots),
      settings: sources.watcherSettings, alerts: sources.alerts, isLive: isLive,
      notifiers: notifiers,
      report: { report(.alert($0)) })
    replies = OwnTracksReplies(session)
    updates = isLive ? WatchUpdates(of: sources, for: session, report: report) : nil
  }

  /// Creates a watch whose spots and state are in a store that several processes share.
  ///
  /// - Parameters:
  ///   - sources: The inputs of the watch, without an index file.
  ///   - store: The store.
  ///   - devices: The storage of the device log, which is locked for this watch; `nil` for none.
  ///   - isLive: Whether fixes arrive in real time.
  ///   - notifiers: The receivers, with different names.
  ///   - executor: The executor of deliveries, which write to the store; `nil` for the default one.
  ///   - report: Called with events that the user may want to know about, from any thread.
  /// - Throws: `AlertStateError` if the store cannot be reached, or the device log is in use.
  package init(
    _ sources: WatchSources, over store: WatchStore, devices: Devices?, isLive: Bool = true,
    notifiers: [any Notifier], deliveringOn executor: (any TaskExecutor)? = nil,
    report: @escaping @Sendable (WatchEvent) -> Void
  ) throws(AlertStateError) {
    precondition(sources.cache == nil)
    self.isLive = isLive
    self.devices = devices
    self.report = report
    let outage = StoreOutage(report)
    let deliveryLane = store.lanes.count
    session = try WatchSession(
      over: store, stateFolder: devices?.folder, settings: sources.watcherSettings,
      alerts: sources.alerts, isLive: isLive, notifiers: notifiers, executor: executor,
      report: { event in
        // Each delivery during an outage fails to be recorded.
        if case .cannotRecord(let error) = event, case .unavailable = error {
          outage.note(error, of: deliveryLane)
        } else {
          report(.alert(event))
        }
      })
    session.replace(places: sources.ownPlaces)
    lanes = WatchLanes(of: session, outage)
    replies = OwnTracksReplies(session)
    updates = isLive ? WatchUpdates(of: sources, for: session, report: report) : nil
  }

  // MARK: - On a thread of the watch

  /// Begins to deliver, and to read feeds on a thread of its own; may be called only once.
  ///
  /// If the reading ends by itself, ``WatchEvent/ended(_:)`` reports the reason.
  ///
  /// - Parameters:
  ///   - feeds: The feeds, which must be live.
  ///   - access: The access settings of feeds that receive messages.
  ///   - decided: Called with decisions, from the reading thread.
  /// - Throws: An `Errno` if the system has no free descriptors.
  public func start(
    _ feeds: [Feed], access: FeedAccess,
    decided: @escaping @Sendable ([WatcherDecision]) -> Void = { _ in }
  ) throws {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    let running = Running(readEnd: readEnd, writeEnd: writeEnd)
    self.running.withLock { $0 = running }
    session.start()
    DispatchQueue(label: "photospots.watch").async(group: running.group) { [self, report] in
      var failure: (any Error)?
      do {
        let run = try FeedRun(feeds, access: access) { report(.feed($0)) }
        try self.run(run, orUntil: readEnd, decided: decided)
      } catch { failure = error }
      if self.running.withLock({ $0 != nil }) { report(.ended(failure)) }
    }
  }

  /// Stops reading, and continues to deliver notifications for a limited time; the rest stays for
  /// the next watch.
  ///
  /// - Parameter graceSeconds: The maximum duration of deliveries that have begun.
  /// - Returns: The undelivered notifications, by notifier.
  @discardableResult
  public func stop(
    graceSeconds: Double = WatchSession.graceSeconds
  ) async -> [UndeliveredNotifications] {
    if let running = running.withLock({ $0.take() }) {
      // Closing this end would not make the other one readable while a child process has it too.
      _ = try? running.writeEnd.writeAll([0])
      try? running.writeEnd.close()
      await withCheckedContinuation { continuation in
        running.group.notify(queue: .global()) { continuation.resume() }
      }
      try? running.readEnd.close()
    }
    return await session.stop(graceSeconds: graceSeconds)
  }

  // MARK: - On a thread of the caller's

  /// Reloads the settings, the muted spots and the index as soon as possible; may be called from
  /// any thread. Has no effect in a replay.
  public func readAgain() { updates?.readAgain() }

  /// Reads feeds to their ends and applies changed files meanwhile. It blocks the calling thread,
  /// which must not be one that asynchronous work runs on.
  ///
  /// - Parameters:
  ///   - feeds: The feeds.
  ///   - interruption: A descriptor that becomes readable when the reading should end. Pending
  ///     entries do not fire then, as they would at the feeds' end.
  ///   - goesOn: Called often while the feeds are read; an error ends the reading.
  ///   - decided: Called with decisions; an error ends the reading.
  /// - Throws: The reason why a feed cannot be read; errors of the closures; a `DeviceLogError`.
  public func run(
    _ feeds: FeedRun, orUntil interruption: FileDescriptor,
    whileReading goesOn: () throws -> Void = {}, decided: Decided = { _ in }
  ) throws {
    let reading = WatchReading(
      session, lanes: lanes, log: try openDevices(), isLive: isLive, report: report)
    defer { _ = reading.save() }
    defer {
      lanes?.stopWaiting()
      lanes?.join()
    }
    var feeds = feeds
    feeds.access.reply = replies.reply
    func read() throws -> Bool {
      try feeds.read(
        orUntil: interruption, lanes: lanes, commit: reading.save,
        decided: { try reading.take($0, decided) }
      ) { part, number in
        try goesOn()
        return try reading.take(part, as: number, decided)
      }
    }
    let isAtEnd = try updates?.checkingFiles(during: read) ?? read()
    if isAtEnd { try decided(reading.finish()) }
  }

  private func openDevices() throws(DeviceLogError) -> DeviceLog? {
    guard let devices else { return nil }
    let log = try DeviceLog(
      in: devices.folder, keepsTrails: devices.keepsTrails, now: SystemClock().now())
    if let damage = log.damage { report(.damagedDevices(damage)) }
    return log
  }
}
