import CLibrary
public import SystemPackage

/// Watches folder trees, and returns when some of them need a scan.
///
/// ```swift
/// var watch = LibraryWatch(folders: folders, excludes: excludes)
/// while let scan = try watch.next(orUntil: stop) {
///   settings.settleSeconds = scan.settleSeconds
///   let (index, report) = try PhotoIndexer(settings: settings)
///     .update(index, with: scan.folders, now: now)
///   for notice in watch.didScan(report) { report(notice) }
/// }
/// ```
///
/// The first scan is due at once and includes all trees. `RescanSchedule` makes the decisions;
/// this type reads events and waits, blocking the calling thread.
public struct LibraryWatch: ~Copyable {
  /// A scan that is due.
  public struct Scan: Hashable, Sendable {
    /// The folder trees.
    public let folders: [FilePath]
    /// The value for ``PhotoIndexer/Settings/settleSeconds``.
    public let settleSeconds: Double
  }

  private let times: WatchTimes
  private var schedule: RescanSchedule
  private var watches: FolderWatches?
  /// The descriptor that becomes readable when there are events.
  private var events: FileDescriptor?
  /// The reason why there are no watches.
  private var gap: EventGap?
  private let start = ContinuousClock.now
  private var scan: (due: RescanSchedule.Scan, states: [FilePath: RootState], began: Duration)?
  /// Whether events have just been read; the next wait then lets more of them accumulate.
  private var isBusy = false

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - folders: Absolute paths of the folders; a folder inside another is part of that.
  ///   - excludes: The patterns that the scans skip, besides those kept with the folders.
  ///   - times: Delays and intervals.
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
  ///   - interruption: A descriptor that ends the wait when it becomes readable.
  ///   - request: Another such descriptor.
  /// - Returns: The scan; `nil` if the wait was ended.
  /// - Throws: An `Errno` if events cannot be read.
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
      case .look:
        let mounts = MountTable.current()
        schedule.note(states: folders.map { RootState(at: $0, mounts) }, at: elapsed)
      case .scan(let due):
        let mounts = MountTable.current()
        var states: [FilePath: RootState] = [:]
        for folder in folders { states[folder] = RootState(at: folder, mounts) }
        scan = (due, states, now)
        return Scan(
          folders: due.folders, settleSeconds: due.waitsForWriters ? times.quiet / .seconds(1) : 0)
      }
    }
  }

  /// Records the result of the scan that was due, and watches the folders that it found.
  ///
  /// - Parameters:
  ///   - report: The report; `nil` if none of the trees could be scanned.
  ///   - missing: The trees that could not be scanned.
  ///   - bytesWritten: The size of the files written afterwards; the larger it is, the longer the
  ///     next scan waits.
  /// - Returns: Notices of changes, such as a missing tree.
  public mutating func didScan(
    _ report: ScanReport?, missing: [FilePath] = [], bytesWritten: Int64 = 0
  ) -> [WatchNotice] {
    guard let scan, report?.wasCancelled != true else { return [] }
    let mounts = MountTable.current()
    var found: [FilePath: RescanSchedule.Found] = [:]
    for (root, walked) in report?.walked ?? [:] {
      var registration =
        watches?.follow(walked.folders, of: root, skipping: walked.patterns) ?? .init(gap: gap)
      if registration.gap == nil {
        registration.gap = mounts.sharedFileSystem(under: root).map { .shared($0) }
      }
      found[root] = RescanSchedule.Found(
        state: scan.states[root], isAway: report?.staleRoots.contains(root) ?? false,
        registration: registration)
    }
    for root in missing {
      found[root] = RescanSchedule.Found(state: scan.states[root], isAway: true)
    }
    self.scan = nil
    return schedule.note(
      scan.due, found: found, leftWriters: report.map { $0.unsettled > 0 } ?? false,
      bytesWritten: bytesWritten, from: scan.began, to: elapsed)
  }

  /// Postpones the scan that was due, since the index cannot be written now.
  public mutating func postpone() {
    schedule.postpone(at: elapsed)
  }

  private var elapsed: Duration { ContinuousClock.now - start }

  private mutating func takeChanges() throws(Errno) {
    guard let changes = try watches?.takeChanges() else { return }
    isBusy = !changes.isEmpty
    schedule.note(changes, at: elapsed)
  }

  /// Waits for an interruption, for events or for a timeout; returns whether it was interrupted.
  private func isInterrupted(
    by interruption: FileDescriptor, _ request: FileDescriptor?, within timeout: Duration
  ) throws(Errno) -> Bool {
    // Copying a thousand files causes a thousand events; they should not each wake the process.
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

  /// Returns milliseconds, rounded up so that the last one is not a busy loop; at most a day.
  private static func milliseconds(_ duration: Duration) -> CInt {
    let parts = min(max(duration, .zero), .seconds(86_400)).components
    let rest = (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return CInt(parts.seconds * 1000 + rest)
  }
}
