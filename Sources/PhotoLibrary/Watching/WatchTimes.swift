/// How soon what is done while folders are watched.
public struct WatchTimes: Hashable, Sendable {
  /// How long nothing may have changed in a tree before it is scanned, so that what comes together
  /// is read together.
  public var quiet = Duration.seconds(2)
  /// How long a change waits at most for that.
  public var longestWait = Duration.seconds(30)
  /// The longest pause after a scan, however long that took and however much it wrote. Changes of a
  /// large library come together meanwhile, since each scan that finds one writes the whole index.
  public var longestPause = Duration.seconds(600)
  /// How many bytes a second are written on average at most, but for the longest pause: a small
  /// library that changes all day is not written every two seconds.
  public var bytesWrittenPerSecond = 1_000_000.0
  /// How often a tree is scanned whose changes the system does not all tell of.
  public var sweepInterval = Duration.seconds(300)
  /// How often every other tree is scanned all the same.
  public var safetyInterval = Duration.seconds(3600)
  /// How often it is looked at whether a root is still there, or there again.
  public var lookInterval = Duration.seconds(10)
  /// After how long a scan is tried again that could not be made.
  public var retryInterval = Duration.seconds(5)
  /// After how long a file is read that never ceases to be written.
  public var writerPatience = Duration.seconds(600)

  /// Creates the usual times.
  public init() {}
}
