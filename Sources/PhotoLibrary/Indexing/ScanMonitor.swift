import Synchronization

/// Lets another thread watch a scan and end it.
public final class ScanMonitor: Sendable {
  private let found = Atomic(0)
  private let toRead = Atomic(0)
  private let read = Atomic(0)
  private let located = Atomic(0)
  private let cancelled = Atomic(false)

  /// Creates a monitor for one scan.
  public init() {}

  /// How far a scan has come.
  public struct Progress: Hashable, Sendable {
    /// The files found so far.
    public let found: Int
    /// The files that have to be read; zero until the folders are walked.
    public let toRead: Int
    /// The files read so far.
    public let read: Int
    /// The files read so far that have a position.
    public let located: Int
  }

  /// How far the scan has come.
  public var progress: Progress {
    Progress(
      found: found.load(ordering: .relaxed), toRead: toRead.load(ordering: .relaxed),
      read: read.load(ordering: .relaxed), located: located.load(ordering: .relaxed))
  }

  /// Ends the scan soon; what is done by then is kept.
  public func cancel() { cancelled.store(true, ordering: .relaxed) }

  /// Whether the scan is to end.
  public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func didFind(_ files: Int) { found.add(files, ordering: .relaxed) }
  func willRead(_ files: Int) { toRead.store(files, ordering: .relaxed) }
  func didRead(isLocated: Bool = false) {
    read.add(1, ordering: .relaxed)
    if isLocated { located.add(1, ordering: .relaxed) }
  }
}
