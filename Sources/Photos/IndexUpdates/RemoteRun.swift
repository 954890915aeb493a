import CLibrary
import CivilTime
import Dispatch
import Encodings
import HTTPClient
package import PhotoLibrary
package import ProcessControl
import RemoteLibraries
import Storage
import Synchronization
package import SystemPackage

/// One walk over a remote library that updates the index file.
///
/// While pages are fetched, only the library's own spool is locked. The index is locked, loaded and
/// saved when the walk is complete.
package struct RemoteRun {
  private let cache: PhotoIndexCache
  /// The library.
  package let library: RemoteLibrary
  /// The API key; `nil` if there is none.
  private let key: String?
  /// The radius in metres within which photos are grouped into spots.
  private let clusterRadiusMeters: Double
  /// Whether all assets are fetched, changed or not.
  package var isFull: Bool
  /// Options that are kept with the library from now on.
  package var options = FolderOptions.Change()
  /// The age of the last full walk, in seconds, from which all assets are fetched again.
  private let maximumAgeSeconds: Double
  /// Ends the walk early; its pages are kept for the next one.
  private let interruption: Interruption
  /// Receives messages.
  private let log: MessageLog
  /// Shows the number of photos so far, and `nil` at the end; `nil` where no progress is shown.
  package var progress: (@Sendable (String?) -> Void)?

  /// Creates a walk; nothing is requested yet.
  ///
  /// - Parameters:
  ///   - cache: The index file.
  ///   - library: The library.
  ///   - key: The API key; `nil` if there is none.
  ///   - clusterRadiusMeters: The radius in metres within which photos are grouped into spots.
  ///   - isFull: Whether all assets are fetched.
  ///   - maximumAgeSeconds: The age of the last full walk from which all assets are fetched again.
  ///   - interruption: Ends the walk early.
  ///   - log: Receives messages.
  package init(
    cache: PhotoIndexCache, library: RemoteLibrary, key: String?, clusterRadiusMeters: Double,
    isFull: Bool, maximumAgeSeconds: Double, interruption: Interruption, log: MessageLog
  ) {
    (self.cache, self.library, self.key) = (cache, library, key)
    self.clusterRadiusMeters = clusterRadiusMeters
    (self.isFull, self.maximumAgeSeconds) = (isFull, maximumAgeSeconds)
    (self.interruption, self.log) = (interruption, log)
  }

  /// The maximum duration of a request, in seconds.
  private static let requestSeconds = 120.0

  /// Walks the library and saves the index.
  ///
  /// - Returns: The outcome. If a library that is in the index cannot be read, the outcome says so
  ///   and the index marks the library as stale; the pages already fetched are kept for the next
  ///   walk.
  /// - Throws: `PhotoIndexCacheError`, or `MessageError` if the library is not in the index
  ///   and cannot be read, another process is reading it, or on an interruption.
  package func run() throws -> IndexRun.Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    let lock = try spoolLock()
    defer { Disk.unlockAndClose(lock) }
    let known = try cache.load() ?? PhotoIndex()
    let changes: RemoteChanges
    do throws(RemoteError) {
      changes = try walk(from: isWhole(known) ? nil : known.anchor(of: library), known)
    } catch {
      if case .interrupted = error {
        throw MessageError(
          "interrupted. The progress is saved; run the same command again to continue.")
      }
      guard known.holds(library.rootPath) else { throw MessageError("\(error)") }
      return try save(start) { index in
        PhotoIndexer().markStale(library, because: "\(error)", in: index, now: .now)
      }
    }
    let outcome = try save(start) { index in
      var settings = PhotoIndexer.Settings()
      settings.isFull = isFull
      settings.options = options
      settings.commands = cache.commands
      return PhotoIndexer(settings: settings).update(index, with: changes, now: .now)
    }
    WalkSpool.remove(try spoolPath())
    return outcome
  }

  /// Returns whether all assets must be fetched.
  private func isWhole(_ index: PhotoIndex) -> Bool {
    guard !isFull, let root = index.roots.first(where: { $0.path == library.rootPath }),
      let fullyRead = root.fullyRead
    else { return true }
    return Instant.now.seconds(since: fullyRead) > maximumAgeSeconds
  }

  private func save(
    _ start: ContinuousClock.Instant,
    _ update: (PhotoIndex) -> (index: PhotoIndex, report: ScanReport)
  ) throws -> IndexRun.Outcome {
    let lock = try cache.lock(waits: true, orUntil: interruption)
    let previous = try cache.load() ?? PhotoIndex()
    let (next, report) = update(previous)
    let isChanged = !report.foundNothingNew || next.roots != previous.roots
    if isChanged, let obstacle = try cache.save(next, clusterRadius: clusterRadiusMeters) {
      log.problem("\(obstacle)")
    }
    _ = consume lock
    return IndexRun.Outcome(
      index: next, report: report, seconds: (ContinuousClock().now - start).seconds,
      isSaved: isChanged)
  }

  // MARK: - The walk

  private func walk(
    from anchor: String?, _ index: PhotoIndex
  ) throws(RemoteError) -> RemoteChanges {
    let ids = index.assetIDs(of: library)
    let (walk, walked) = try walkOnce(from: anchor)
    // Permanently deleted assets show only in the total count.
    let unread = walk.gaps.ids.count { !ids.contains($0) && walked.records[$0] == nil }
    guard !walk.isWhole, !walk.gaps.hasUnknownAssets, let total = walk.total,
      total != walked.count(after: ids, isWhole: false) + unread
    else { return walked.changes(by: walk, of: library) }
    log.detail("\(library) has \(total) photos; all are requested")
    let (whole, all) = try walkOnce(from: nil)
    return all.changes(by: whole, of: library)
  }

  private func walkOnce(
    from anchor: String?
  ) throws(RemoteError) -> (any RemoteWalk, WalkedLibrary) {
    guard let key else { throw .noKey(library) }
    let walker = walker(RemoteServer(library, key: key))
    let spool = try spool(from: anchor)
    var walk = spool.walk
    var walked = spool.walked
    if spool.isResumed, progress != nil {
      let count = walked.records.count
      log.note("\(library): continuing after \(count) photo\(count == 1 ? "" : "s")")
    }
    let shown = Progress(library, progress)
    defer { shown.end() }
    let result: Result<(any RemoteWalk, WalkedLibrary), RemoteError> = blocking {
      [walk, walked] in
      var (walk, walked) = (walk, walked)
      do throws(RemoteError) {
        try await walker.run(&walk, into: &walked) { page, walk in
          shown.add(page)
          spool.append(page, walk)
        }
        return .success((walk, walked))
      } catch { return .failure(error) }
    }
    (walk, walked) = try result.get()
    return (walk, walked)
  }

  private func walker(_ server: RemoteServer) -> RemoteWalker {
    let client = WebClient(limitSeconds: Self.requestSeconds)
    return RemoteWalker(
      server,
      send: { [interruption] in await Self.exchange($0, client, orUntil: interruption) },
      pause: { [interruption] seconds in
        let end = ContinuousClock.now + .seconds(saturating: seconds)
        while ContinuousClock.now < end, !interruption.isRequested {
          let rest = min(end - ContinuousClock.now, .milliseconds(100))
          try? await Task.sleep(for: rest)
        }
      },
      isCancelled: { [interruption] in interruption.isRequested }, now: { .now })
  }

  /// Sends a request, which is cancelled if the process is asked to stop.
  private static func exchange(
    _ request: WebRequest, _ client: WebClient, orUntil interruption: Interruption
  ) async -> WebClient.Exchange {
    await withTaskGroup(of: WebClient.Exchange?.self) { group in
      group.addTask {
        await client.exchange(request, bodyLimit: RemoteLimits.longestAnswer)
      }
      group.addTask {
        while !interruption.isRequested, !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(100))
        }
        return nil
      }
      for await exchange in group {
        group.cancelAll()
        if let exchange { return exchange }
      }
      return .failed("interrupted")
    }
  }

  // MARK: - The spool

  /// Deletes the photos of an interrupted walk of a library that is forgotten.
  ///
  /// A running walk keeps them, since it would add the library to the index again.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - cache: The index beside which they are.
  /// - Throws: The system's error if they cannot be deleted.
  package static func forget(_ library: RemoteLibrary, _ cache: PhotoIndexCache) throws(Errno) {
    let path = try spoolPath(of: library, cache)
    guard try Disk.hasEntry(path),
      let lock = try Disk.lock(try spoolPath(of: library, cache, ".lock"))
    else { return }
    defer { Disk.unlockAndClose(lock) }
    try Disk.delete(path)
  }

  private static func spoolPath(
    of library: RemoteLibrary, _ cache: PhotoIndexCache, _ ending: String = ""
  ) throws(Errno) -> FilePath {
    let name = Hexadecimal.text(SHA256.hash(Array(library.description.utf8)).prefix(8))
    return Disk.sibling(of: try Disk.target(of: cache.path), ".remote-\(name)\(ending)")
  }

  private func spoolPath(_ ending: String = "") throws(Errno) -> FilePath {
    try Self.spoolPath(of: library, cache, ending)
  }

  private func spoolLock() throws -> FileDescriptor {
    let path = try spoolPath(".lock")
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
      if let lock = try Disk.lock(path) { return lock }
    } catch { throw MessageError("\(path.escaped) cannot be written: \(error)") }
    throw MessageError(
      "another photospots is reading \(library). Wait for it to end, then try again.")
  }

  private func spool(from anchor: String?) throws(RemoteError) -> OptionalSpool {
    OptionalSpool(library, from: anchor, at: try? spoolPath(), log: log)
  }
}

/// A spool that is optional. If it cannot be written, for example because the disk is full, an
/// interrupted walk starts from the beginning.
private final class OptionalSpool: @unchecked Sendable {
  let walk: any RemoteWalk
  let walked: WalkedLibrary
  let isResumed: Bool
  private let spool: WalkSpool?
  private let log: MessageLog
  private var isTold = false

  init(_ library: RemoteLibrary, from anchor: String?, at path: FilePath?, log: MessageLog) {
    self.log = log
    let spool = path.flatMap { try? WalkSpool($0, of: library, from: anchor) }
    walk = spool?.walk ?? library.walk.init(library, from: anchor)
    walked = spool?.walked ?? WalkedLibrary()
    isResumed = spool?.isResumed ?? false
    self.spool = spool
  }

  /// Stores a page. Calls must not overlap.
  func append(_ page: RemotePage, _ walk: any RemoteWalk) {
    do throws(Errno) { try spool?.append(page, walk) } catch {
      if !isTold {
        log.problem("the progress cannot be saved: \(error); the scan continues")
      }
      isTold = true
    }
  }
}

/// A count of the photos so far, for display.
private final class Progress: @unchecked Sendable {
  private let library: RemoteLibrary
  private let show: (@Sendable (String?) -> Void)?
  private var count = 0

  init(_ library: RemoteLibrary, _ show: (@Sendable (String?) -> Void)?) {
    (self.library, self.show) = (library, show)
  }

  func add(_ page: RemotePage) {
    count += page.records.count
    show?("\(library): \(count) photo\(count == 1 ? "" : "s") read")
  }

  func end() { show?(nil) }
}

/// Blocks this thread until asynchronous work returns a result. No asynchronous work may run on the
/// thread.
private func blocking<Value: Sendable>(
  _ work: @escaping @Sendable () async -> Value
) -> Value {
  let (done, box) = (DispatchSemaphore(value: 0), Box<Value>())
  Task {
    let value = await work()
    box.value.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  guard let value = box.value.withLock({ $0 }) else { preconditionFailure("nothing was done") }
  return value
}

private final class Box<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
