import Dispatch
import LocationFeeds
public import PhotoLibrary
public import SpotAlerts
public import SpotWatcher
import Synchronization
public import SystemPackage

/// A watch: reads feeds, decides about their fixes, keeps what devices are known and takes a new
/// index, muted spots and settings while it runs.
///
/// ```swift
/// let watch = try Watch(
///   sources, spots: spots, stateFolder: folder, devices: devices, notifiers: notifiers
/// ) { event in tell(event) }
/// try watch.start(feeds, access: access)
/// …
/// await watch.stop()
/// ```
///
/// A program that has a thread to spare calls ``run(_:orUntil:whileReading:decided:)`` instead of
/// ``start(_:access:decided:)``.
public final class Watch: Sendable {
  /// Where what is known of devices is kept.
  public struct Devices: Sendable {
    /// The folder.
    public var folder: FilePath
    /// Whether it is kept where each device went.
    public var keepsTrails: Bool

    /// Creates the place of what is known of devices.
    public init(folder: FilePath, keepsTrails: Bool = false) {
      self.folder = folder
      self.keepsTrails = keepsTrails
    }
  }

  /// Takes what was decided about a fix, or as time passed.
  public typealias Decided = ([WatcherDecision]) throws -> Void

  /// What decides and delivers.
  public let session: WatchSession
  /// What phones with OwnTracks are answered.
  public let replies: OwnTracksReplies

  /// Whether fixes come as they happen. Else it is a replay, the same each time, which takes
  /// nothing that is written meanwhile.
  private let isLive: Bool
  private let devices: Devices?
  private let updates: WatchUpdates?
  private let report: @Sendable (WatchEvent) -> Void
  private let running = Mutex<Running?>(nil)

  /// The thread that reads the feeds, while it is to go on.
  private struct Running: Sendable {
    /// Becomes readable when the reading is to end.
    let readEnd: FileDescriptor
    let writeEnd: FileDescriptor
    /// Empty when it has ended.
    let group = DispatchGroup()
  }

  /// Creates a watch; its state stays locked until it is stopped or gone.
  ///
  /// - Parameters:
  ///   - sources: What it is made from.
  ///   - spots: The spots of their index, without places of one's own.
  ///   - stateFolder: Where the state lies; `nil` remembers nothing. See ``WatchSession``.
  ///   - devices: Where what is known of devices is kept; `nil` keeps nothing.
  ///   - isLive: Whether fixes come as they happen.
  ///   - notifiers: Who is told; with different names.
  ///   - report: Takes what the user may want to know; called from any thread.
  /// - Throws: `AlertStateError` where the state cannot be opened or is in use.
  public init(
    _ sources: WatchSources, spots: SpotIndex, stateFolder: FilePath?, devices: Devices?,
    isLive: Bool = true, notifiers: [any Notifier],
    report: @escaping @Sendable (WatchEvent) -> Void
  ) throws(AlertStateError) {
    self.isLive = isLive
    self.devices = devices
    self.report = report
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

  // MARK: - On a thread of the watch

  /// Begins to deliver, and to read feeds on a thread of its own; to be called once.
  ///
  /// Why the reading ends, if by itself, is told by ``WatchEvent/ended(_:)``.
  ///
  /// - Parameters:
  ///   - feeds: The feeds, which must be live.
  ///   - access: What feeds need to know that others send to.
  ///   - decided: Takes decisions; called from that thread.
  /// - Throws: An `Errno` where the system gives no further descriptors.
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

  /// Ends the reading, and delivers what was decided for a time at most; what is left stays for the
  /// next watch.
  ///
  /// - Parameter graceSeconds: How long a delivery that has begun may take.
  /// - Returns: What was not delivered, by notifier.
  @discardableResult
  public func stop(graceSeconds: Double = 10) async -> [UndeliveredNotifications] {
    if let running = running.withLock({ $0.take() }) {
      // The other end becomes readable by that.
      try? running.writeEnd.close()
      await withCheckedContinuation { continuation in
        running.group.notify(queue: .global()) { continuation.resume() }
      }
      try? running.readEnd.close()
    }
    return await session.stop(graceSeconds: graceSeconds)
  }

  // MARK: - On a thread of the caller's

  /// Takes the settings, the muted spots and the index anew, as soon as that can be; any thread may
  /// ask for it. A replay takes nothing anew.
  public func readAgain() { updates?.readAgain() }

  /// Reads feeds to their ends, and takes what changes on the disk meanwhile; blocks the thread,
  /// which must be none that asynchronous work runs on.
  ///
  /// - Parameters:
  ///   - feeds: The feeds.
  ///   - interruption: A descriptor that becomes readable when the reading is to end; then what
  ///     waits does not fire as it does at the feeds' end.
  ///   - goesOn: Called often while the feeds are read; what it throws ends the reading.
  ///   - decided: Takes decisions; what it throws ends the reading.
  /// - Throws: Why a feed cannot be read; what the closures throw; a `DeviceLogError`.
  public func run(
    _ feeds: FeedRun, orUntil interruption: FileDescriptor,
    whileReading goesOn: () throws -> Void = {}, decided: Decided = { _ in }
  ) throws {
    let reading = WatchReading(
      session, log: try openDevices(), isLive: isLive, report: report)
    defer { _ = reading.save() }
    var feeds = feeds
    feeds.access.reply = replies.reply
    func read() throws -> Bool {
      try feeds.read(orUntil: interruption, commit: reading.save) { part in
        try goesOn()
        return try reading.take(part, decided)
      }
    }
    let isAtEnd = try updates?.looking(during: read) ?? read()
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
