import Synchronization

/// Reports the progress of a scan to another thread, and cancels the scan.
public final class ScanMonitor: Sendable {
  private let found = Atomic(0)
  private let toRead = Atomic(0)
  private let read = Atomic(0)
  private let located = Atomic(0)
  private let cancelled = Atomic(false)

  /// Creates a monitor for one scan.
  public init() {}

  /// The progress of a scan.
  public struct Progress: Hashable, Sendable {
    /// The number of files found so far.
    public let found: Int
    /// The number of files to read; zero until the walk is done.
    public let toRead: Int
    /// The number of files read so far.
    public let read: Int
    /// The number of files with a position among those read so far.
    public let located: Int
  }

  /// The current progress of the scan.
  public var progress: Progress {
    Progress(
      found: found.load(ordering: .relaxed), toRead: toRead.load(ordering: .relaxed),
      read: read.load(ordering: .relaxed), located: located.load(ordering: .relaxed))
  }

  /// Cancels the scan; results so far are kept.
  public func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Whether the scan was cancelled.
  public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Adds to the number of files found.
  func didFind(_ files: Int) { found.add(files, ordering: .relaxed) }
  /// Sets the number of files to read.
  func willRead(_ files: Int) { toRead.store(files, ordering: .relaxed) }
  /// Counts a file that was read, and whether it has a position.
  func didRead(isLocated: Bool = false) {
    read.add(1, ordering: .relaxed)
    if isLocated { located.add(1, ordering: .relaxed) }
  }
}
