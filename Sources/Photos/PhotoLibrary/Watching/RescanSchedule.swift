import SystemPackage

/// A state machine that decides which watched folder trees are scanned and when. Its inputs are
/// events and times; its output is the next step.
///
/// An event only marks its tree as changed. A scan of the tree, which costs one look at each file,
/// then finds what changed. So a lost event causes a delay, never a wrong index. Times are
/// durations since the watch began.
struct RescanSchedule: Sendable {
  /// Trees to scan together.
  struct Scan: Hashable, Sendable {
    var folders: [FilePath]
    /// Whether files that are still being written are left for later.
    var waitsForWriters: Bool
  }

  /// The next step.
  enum Step: Hashable, Sendable {
    case scan(Scan)
    /// Check whether the roots still exist.
    case look
    case wait(until: Duration)
  }

  /// The result of a scan for a tree.
  struct Found: Hashable, Sendable {
    /// The state of the root when the scan began.
    var state: RootState?
    /// Whether the root is missing, empty or unreadable although it should contain photos.
    var isAway = false
    var registration = FolderWatches.Registration()
  }

  private struct Root {
    let folder: FilePath
    /// The times of the first and last change since the previous scan.
    var changes: (first: Duration, last: Duration)?
    var state: RootState?
    var nextSweep: Duration
    /// The files that were being written at the last scan.
    var writers: Writers?
    var gap: EventGap?
    var isAway = false
  }

  /// Files that were still being written at each scan.
  private struct Writers {
    var since: Duration
    var nextLook: Duration
    var delay: Duration
  }

  private let times: WatchTimes
  private var roots: [Root]
  private var nextLook: Duration
  /// The earliest time of the next scan.
  private var earliest = Duration.zero
  private var lostEvents = false
  private var isFirst = true

  /// Creates a schedule that begins with a scan of all trees.
  init(folders: [FilePath], times: WatchTimes, now: Duration) {
    self.times = times
    roots = folders.map { Root(folder: $0, nextSweep: now) }
    nextLook = now + times.lookInterval
  }

  /// All trees.
  var folders: [FilePath] { roots.map(\.folder) }

  /// Returns the next step at a time.
  func step(at now: Duration) -> Step {
    let due = max(earliest, roots.map(due).min() ?? .seconds(86_400) + now)
    if due <= now {
      // All trees with changes are scanned together, so that a file moved between trees is
      // recognised as moved.
      let scanned = roots.filter { $0.changes != nil || self.due($0) <= now }
      let isPatient = !scanned.contains { root in
        root.writers.map { $0.since + times.writerPatience <= now } ?? false
      }
      // The first scan does not wait for writers; if it reads half-written files, a later scan
      // corrects that.
      return .scan(
        Scan(folders: scanned.map(\.folder), waitsForWriters: isPatient && !isFirst))
    }
    return nextLook <= now ? .look : .wait(until: min(due, nextLook))
  }

  /// Returns the time at which a tree has to be scanned.
  private func due(_ root: Root) -> Duration {
    var due = root.nextSweep
    if let changes = root.changes {
      due = min(due, changes.last + times.quiet, changes.first + times.longestWait)
    }
    if let writers = root.writers { due = min(due, writers.nextLook) }
    return due
  }

  /// Records the changes reported by the system.
  mutating func note(_ changes: FolderWatches.Changes, at now: Duration) {
    if changes.didOverflow {
      lostEvents = true
      for index in roots.indices { roots[index].nextSweep = now }
    }
    for index in roots.indices where changes.roots.contains(roots[index].folder) {
      noteChange(of: index, at: now)
    }
  }

  private mutating func noteChange(of index: Int, at now: Duration) {
    roots[index].changes = (first: roots[index].changes?.first ?? now, last: now)
  }

  /// Records the state of the roots, in the order of ``folders``.
  mutating func note(states: [RootState?], at now: Duration) {
    for (index, state) in zip(roots.indices, states) where roots[index].state != state {
      roots[index].state = state
      noteChange(of: index, at: now)
    }
    nextLook = now + times.lookInterval
  }

  /// Records that a scan that was due cannot be made now.
  mutating func postpone(at now: Duration) {
    earliest = now + times.retryInterval
  }

  /// Records a scan.
  ///
  /// - Parameters:
  ///   - scan: The scan.
  ///   - found: Its results for its trees, and for others that it included.
  ///   - leftWriters: Whether it left files that were still being written.
  ///   - bytesWritten: The size of the files that it wrote.
  ///   - began: When it began; earlier events are covered by it.
  ///   - now: When it ended.
  /// - Returns: Notices of changes, such as a missing tree.
  mutating func note(
    _ scan: Scan, found: [FilePath: Found], leftWriters: Bool, bytesWritten: Int64 = 0,
    from began: Duration, to now: Duration
  ) -> [WatchNotice] {
    // A library that changes all the time thus uses the machine for a twentieth of the time, and
    // does not wear out the disk.
    let disk = Duration.seconds(saturating: Double(bytesWritten) / times.bytesWrittenPerSecond)
    earliest = now + min(max((now - began) * 20, disk), times.longestPause)
    isFirst = false
    var notices: [WatchNotice] = []
    if lostEvents, scan.folders.count == roots.count {
      lostEvents = false
      notices.append(.eventsLost)
    }
    for index in roots.indices {
      guard let found = found[roots[index].folder] else { continue }
      notices += note(found, of: index, at: now)
      let patience = scan.waitsForWriters ? roots[index].writers : nil
      roots[index].writers = leftWriters ? nextWriters(after: patience, at: now) : nil
    }
    return notices
  }

  /// Records the result of a scan for a tree; returns notices of changes.
  private mutating func note(_ found: Found, of index: Int, at now: Duration) -> [WatchNotice] {
    var root = roots[index]
    var notices: [WatchNotice] = []
    if found.isAway != root.isAway {
      notices.append(found.isAway ? .away(root.folder) : .back(root.folder))
    }
    let gap = found.registration.gap
    if let gap, gap != root.gap {
      notices.append(.sweeping(root.folder, every: times.sweepInterval, because: gap))
    }
    root.isAway = found.isAway
    root.state = found.state
    root.gap = gap
    root.nextSweep = now + (gap == nil ? times.safetyInterval : times.sweepInterval)
    // Changes in new folders before they were watched are found by another scan.
    root.changes = found.registration.hasNewFolders ? (first: now, last: now) : nil
    roots[index] = root
    return notices
  }

  /// Returns the next check of files being written, with a delay that doubles each time. An event
  /// reports the end of the writing.
  private func nextWriters(after writers: Writers?, at now: Duration) -> Writers {
    let delay = min(writers.map { $0.delay * 2 } ?? times.quiet, times.longestWait)
    return Writers(since: writers?.since ?? now, nextLook: now + delay, delay: delay)
  }
}
