public import LocationFeeds
public import SpotAlerts
public import SystemPackage

/// What a watch tells its user.
public enum WatchEvent: Sendable {
  /// What the session tells.
  case alert(AlertEvent)
  /// What happens to the feeds.
  case feed(FeedRunEvent)
  /// The first fix has come.
  case firstFix(LocationFix)
  /// It was decided about a fix of a live feed, and what it led to is recorded.
  case decided(LocationFix)
  /// Some positions of the feed have no date, and are passed over; told once.
  case undatedFixes
  /// What was read anew is in force.
  case updated(WatchPart)
  /// A part could not be read anew, so that the one before stays in force.
  case outdated(WatchPart, any Error)
  /// The index file is gone; its spots stay in force.
  case indexGone(FilePath)
  /// The state could not be written; the watch goes on.
  case notWritten(any Error)
  /// What is known of devices was found damaged.
  case damagedDevices(DeviceLogDamage)
  /// The reading of the feeds has ended by itself, and why if by a fault; only of a watch that was
  /// started, and not of one that was stopped.
  case ended((any Error)?)
}

/// What a watch reads anew while it runs.
public enum WatchPart: Hashable, Sendable {
  /// The settings.
  case settings
  /// The list of muted spots, and how many they are.
  case mutedSpots(count: Int?)
  /// The places of one's own, and how many they are.
  case places(count: Int?)
  /// The index, and how many spots it has.
  case index(spotCount: Int?)
}
