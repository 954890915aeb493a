public import LocationFeeds
public import SpotAlerts
public import SystemPackage

/// An event of a watch for its user.
public enum WatchEvent: Sendable {
  /// An event of the session.
  case alert(AlertEvent)
  /// An event of the feeds.
  case feed(FeedRunEvent)
  /// The first fix arrived.
  case firstFix(LocationFix)
  /// A fix of a live feed was evaluated and the result recorded.
  case decided(LocationFix)
  /// Some positions of the feed have no date and are skipped; reported once.
  case undatedFixes
  /// The clock of a device is off: all its reports differ from their arrival by the same amount,
  /// which is taken off their times. Reported once for each device and amount.
  case clockShifted(ClockShifts.Change)
  /// The speeds that a device states are too high by a factor, which is taken off.
  case speedScaled(SpeedScales.Change)
  /// A part was reloaded and is in use.
  case updated(WatchPart)
  /// A part could not be reloaded, so that the previous one stays in use.
  case outdated(WatchPart, any Error)
  /// The index file no longer exists; its spots stay in use.
  case indexGone(FilePath)
  /// The state could not be written; the watch continues.
  case notWritten(any Error)
  /// The store can be used again after ``notWritten(_:)``.
  case recovered
  /// The device log was found damaged.
  case damagedDevices(DeviceLogDamage)
  /// The feeds ended by themselves, with the error if there was one. Only reported by a watch that
  /// was started and has not been stopped.
  case ended((any Error)?)
}

/// A part of a watch that can be reloaded while it runs.
public enum WatchPart: Hashable, Sendable {
  /// The settings.
  case settings
  /// The list of muted spots, with their number.
  case mutedSpots(count: Int?)
  /// The user's places, with their number.
  case places(count: Int?)
  /// The index, with its number of spots.
  case index(spotCount: Int?)
}
