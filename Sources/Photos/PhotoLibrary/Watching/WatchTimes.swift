/// Delays and intervals used while watching folders.
public struct WatchTimes: Hashable, Sendable {
  /// The time without changes after which a tree is scanned, so that changes in quick succession
  /// are read together.
  public var quiet = Duration.seconds(2)
  /// The maximum time that a change waits for ``quiet``.
  public var longestWait = Duration.seconds(30)
  /// The maximum pause after a scan, however long it took and however much it wrote. Each scan that
  /// finds a change writes the whole index, so the changes of a large library are collected
  /// meanwhile.
  public var longestPause = Duration.seconds(600)
  /// The maximum average write rate in bytes per second, subject to ``longestPause``. It keeps a
  /// small library that changes all day from being written every two seconds.
  public var bytesWrittenPerSecond = 1_000_000.0
  /// The interval of scans of a tree whose changes are not all reported.
  public var sweepInterval = Duration.seconds(300)
  /// The interval of scans of every other tree.
  public var safetyInterval = Duration.seconds(3600)
  /// The interval of checks whether the roots exist.
  public var lookInterval = Duration.seconds(10)
  /// The delay before a failed scan is tried again.
  public var retryInterval = Duration.seconds(5)
  /// The time after which a file is read although it is still being written.
  public var writerPatience = Duration.seconds(600)

  /// Creates the usual times.
  public init() {}
}
