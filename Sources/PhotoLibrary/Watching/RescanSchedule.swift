import SystemPackage

/// Decides which folder trees are scanned when, while they are watched: events and times in, what
/// to do out.
///
/// Events only say that a tree changed. What changed, a scan of that tree finds, which costs a look
/// at each file and no more, so no event is trusted for more than that and losing one costs time,
/// not truth. Times are durations since the watch began.
struct RescanSchedule: Sendable {
  /// Trees to scan together.
  struct Scan: Hashable, Sendable {
    var folders: [FilePath]
    /// Whether files that are still being written are left for later.
    var waitsForWriters: Bool
  }

  /// What to do now.
  enum Step: Hashable, Sendable {
    case scan(Scan)
    /// To see whether the roots are still there.
    case look
    case wait(until: Duration)
  }

  /// What a scan found out about a tree.
  struct Found: Hashable, Sendable {
    /// What was at its path when the scan began.
    var sight: RootSight?
    /// Whether it is missing, empty or unreadable while there should be photos.
    var isAway = false
    var registration = FolderWatches.Registration()
  }

  private struct Root {
    let folder: FilePath
    /// When something changed first and last since the scan before.
    var changes: (first: Duration, last: Duration)?
    var sight: RootSight?
    var nextSweep: Duration
    /// Files that were being written at the last scan.
    var writers: Writers?
    var gap: EventGap?
    var isAway = false
  }

  /// Files that were being written each time that they were looked at.
  private struct Writers {
    var since: Duration
    var nextLook: Duration
    var delay: Duration
  }

  private let times: WatchTimes
  private var roots: [Root]
  private var nextLook: Duration
  /// No scan is made before.
  private var earliest = Duration.zero
  private var lostEvents = false
  private var isFirst = true

  /// Creates a schedule that begins with a scan of everything.
  init(folders: [FilePath], times: WatchTimes, now: Duration) {
    self.times = times
    roots = folders.map { Root(folder: $0, nextSweep: now) }
    nextLook = now + times.lookInterval
  }

  /// All trees.
  var folders: [FilePath] { roots.map(\.folder) }

  /// What to do at a time.
  func step(at now: Duration) -> Step {
    let due = max(earliest, roots.map(due).min() ?? .seconds(86_400) + now)
    if due <= now {
      // All trees with changes are taken together: what went from one to another is a move then.
      let scanned = roots.filter { $0.changes != nil || self.due($0) <= now }
      let isPatient = !scanned.contains { root in
        root.writers.map { $0.since + times.writerPatience <= now } ?? false
      }
      // The first scan tells what is there; what it reads of half-written files, another one mends.
      return .scan(
        Scan(folders: scanned.map(\.folder), waitsForWriters: isPatient && !isFirst))
    }
    return nextLook <= now ? .look : .wait(until: min(due, nextLook))
  }

  private func due(_ root: Root) -> Duration {
    var due = root.nextSweep
    if let changes = root.changes {
      due = min(due, changes.last + times.quiet, changes.first + times.longestWait)
    }
    if let writers = root.writers { due = min(due, writers.nextLook) }
    return due
  }

  /// Notes what the system told.
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

  /// Notes what was seen at the roots' paths, in the order of ``folders``.
  mutating func note(sights: [RootSight?], at now: Duration) {
    for (index, sight) in zip(roots.indices, sights) where roots[index].sight != sight {
      roots[index].sight = sight
      noteChange(of: index, at: now)
    }
    nextLook = now + times.lookInterval
  }

  /// Notes that a scan that was due cannot be made now.
  mutating func postpone(at now: Duration) {
    earliest = now + times.retryInterval
  }

  /// Takes a scan into account.
  ///
  /// - Parameters:
  ///   - scan: The scan.
  ///   - found: What it found out about its trees, and about others where it took those along.
  ///   - leftWriters: Whether it left files that were still being written.
  ///   - bytesWritten: How long the files are that it wrote.
  ///   - began: When it began; whatever was noted before is done with.
  ///   - now: When it ended.
  /// - Returns: What has come to be known by it.
  mutating func note(
    _ scan: Scan, found: [FilePath: Found], leftWriters: Bool, bytesWritten: Int64 = 0,
    from began: Duration, to now: Duration
  ) -> [WatchNotice] {
    // So a library that changes all the time keeps the machine busy for a twentieth of the time,
    // and does not wear the disk out.
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
    root.sight = found.sight
    root.gap = gap
    root.nextSweep = now + (gap == nil ? times.safetyInterval : times.sweepInterval)
    // What changed in new folders before they were watched is found by another scan.
    root.changes = found.registration.hasNewFolders ? (first: now, last: now) : nil
    roots[index] = root
    return notices
  }

  /// Looks again soon, then ever less often: the end of the writing is told of by an event.
  private func nextWriters(after writers: Writers?, at now: Duration) -> Writers {
    let delay = min(writers.map { $0.delay * 2 } ?? times.quiet, times.longestWait)
    return Writers(since: writers?.since ?? now, nextLook: now + delay, delay: delay)
  }
}
