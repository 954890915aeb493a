import CLibrary
public import SystemPackage

/// Watches folder trees, and tells when which of them are to be scanned again.
///
/// ```swift
/// var watch = LibraryWatch(folders: folders, excludes: excludes)
/// while let scan = try watch.next(orUntil: stop) {
///   settings.settleSeconds = scan.settleSeconds
///   let (index, report) = try PhotoIndexer(settings: settings)
///     .update(index, with: scan.folders, now: now)
///   for notice in watch.didScan(report) { tell(notice) }
/// }
/// ```
///
/// The first scan is due at once and of everything. ``RescanSchedule`` decides; this asks the
/// system and waits. It blocks the thread that it is used from.
public struct LibraryWatch: ~Copyable {
  /// A scan that is due.
  public struct Scan: Hashable, Sendable {
    /// The folder trees.
    public let folders: [FilePath]
    /// For ``PhotoIndexer/Settings/settleSeconds``.
    public let settleSeconds: Double
  }

  private let times: WatchTimes
  private var schedule: RescanSchedule
  private var watches: FolderWatches?
  /// Becomes readable when something happened.
  private var events: FileDescriptor?
  /// Why there are no watches.
  private var gap: EventGap?
  private let start = ContinuousClock.now
  private var scan: (due: RescanSchedule.Scan, sights: [FilePath: RootSight], began: Duration)?
  /// Whether events have just been taken; then more are let come together.
  private var isBusy = false

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - folders: Absolute paths of the folders; one that lies in another is a part of that.
  ///   - excludes: The patterns that the scans pass over.
  ///   - times: How soon what is done.
  public init(folders: [FilePath], excludes: [String] = [], times: WatchTimes = WatchTimes()) {
    self.times = times
    schedule = RescanSchedule(
      folders: PhotoIndexer.outermost(folders), times: times, now: .zero)
    do throws(EventGap) {
      let watches = try FolderWatches(excludes: excludes)
      events = watches.descriptor
      self.watches = consume watches
    } catch {
      gap = error
    }
  }

  /// The folder trees.
  public var folders: [FilePath] { schedule.folders }

  /// Waits until a scan is due.
  ///
  /// - Parameters:
  ///   - interruption: A descriptor that ends the wait as soon as it can be read.
  ///   - request: Another one.
  /// - Returns: The scan; `nil` where the wait was ended.
  /// - Throws: An `Errno` where the system's events cannot be read.
  public mutating func next(
    orUntil interruption: FileDescriptor, or request: FileDescriptor? = nil
  ) throws(Errno) -> Scan? {
    while true {
      try takeChanges()
      let now = elapsed
      let step = schedule.step(at: now)
      var timeout = Duration.zero
      if case .wait(let end) = step { timeout = end - now }
      if try isInterrupted(by: interruption, request, within: timeout) { return nil }
      switch step {
      case .wait: continue
      case .look: schedule.note(sights: folders.map { RootSight(at: $0) }, at: elapsed)
      case .scan(let due):
        var sights: [FilePath: RootSight] = [:]
        for folder in folders { sights[folder] = RootSight(at: folder) }
        scan = (due, sights, now)
        return Scan(
          folders: due.folders, settleSeconds: due.waitsForWriters ? times.quiet / .seconds(1) : 0)
      }
    }
  }

  /// Takes the scan that was due into account: watches the folders that it came upon.
  ///
  /// - Parameters:
  ///   - report: What it found; `nil` where none of the trees could be scanned.
  ///   - missing: The trees that could not be scanned.
  ///   - bytesWritten: How long the files are that were written then; the more, the longer the next
  ///     scan waits.
  /// - Returns: What has come to be known by it.
  public mutating func didScan(
    _ report: ScanReport?, missing: [FilePath] = [], bytesWritten: Int64 = 0
  ) -> [WatchNotice] {
    guard let scan, report?.wasCancelled != true else { return [] }
    let mounts = MountTable.current()
    var found: [FilePath: RescanSchedule.Found] = [:]
    for (root, folders) in report?.walked ?? [:] {
      var registration = watches?.follow(folders, of: root) ?? .init(gap: gap)
      if registration.gap == nil {
        registration.gap = mounts.sharedFileSystem(under: root).map { .shared($0) }
      }
      found[root] = RescanSchedule.Found(
        sight: scan.sights[root], isAway: report?.staleRoots.contains(root) ?? false,
        registration: registration)
    }
    for root in missing {
      found[root] = RescanSchedule.Found(sight: scan.sights[root], isAway: true)
    }
    self.scan = nil
    return schedule.note(
      scan.due, found: found, leftWriters: report.map { $0.unsettled > 0 } ?? false,
      bytesWritten: bytesWritten, from: scan.began, to: elapsed)
  }

  /// Puts the scan that was due off for a while, since the index cannot be written now.
  public mutating func postpone() {
    schedule.postpone(at: elapsed)
  }

  private var elapsed: Duration { ContinuousClock.now - start }

  private mutating func takeChanges() throws(Errno) {
    guard let changes = try watches?.takeChanges() else { return }
    isBusy = !changes.isEmpty
    schedule.note(changes, at: elapsed)
  }

  /// Waits for what ends the wait, for events, or for some time; whether it was the first.
  private func isInterrupted(
    by interruption: FileDescriptor, _ request: FileDescriptor?, within timeout: Duration
  ) throws(Errno) -> Bool {
    // A thousand files that are copied are a thousand events: they do not each wake the process.
    let events = isBusy ? nil : events
    let timeout = isBusy ? min(timeout, times.quiet / 10) : timeout
    var entries = [
      pollfd(fd: interruption.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: request?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&entries, nfds_t(entries.count), Self.milliseconds(timeout)) >= 0 else {
      let error = Errno(rawValue: errno)
      guard error == .interrupted else { throw error }
      return false
    }
    return entries[0].revents != 0 || entries[1].revents != 0
  }

  /// Rounded up, so that the last millisecond is no busy loop; at most a day.
  private static func milliseconds(_ duration: Duration) -> CInt {
    let parts = min(max(duration, .zero), .seconds(86_400)).components
    let rest = (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return CInt(parts.seconds * 1000 + rest)
  }
}
