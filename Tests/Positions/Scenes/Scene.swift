package import CivilTime
import LocationFeeds
package import PhotoLibrary
package import Spatial
package import SpotWatcher

/// A feed with its own clock, played to a watcher.
package struct Scene {
  /// The watcher.
  package var watcher: LocationWatcher
  /// The position from which fixes are counted.
  package var origin = Coordinate.tower
  /// The time from which seconds are counted.
  package var start = noon
  /// Whether the feed is live.
  package var isLive = false
  /// The seconds by which the machine's clock is ahead of the feed's.
  package var clockSkew = 0.0
  /// The notifications so far.
  package private(set) var notifications: [SpotNotification] = []
  /// The last decisions.
  package private(set) var last: [WatcherDecision] = []

  /// Creates a scene with spots and places, by default without rules.
  package init(
    _ spots: [PhotoSpot], places: [OwnPlace] = [],
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0), state: WatcherState = .init(),
    change: (inout WatcherSettings) -> Void = { _ in }
  ) {
    var settings = WatcherSettings.withoutRules
    change(&settings)
    watcher = LocationWatcher(
      spots: SpotIndex(spots: spots).joined(with: places, clusterRadius: 15),
      settings: settings, localClock: localClock, state: state)
  }

  /// Plays a fix some metres from the origin and some seconds after the start; returns the
  /// decisions as words such as `notify a` or `clear`.
  package mutating func fix(
    _ seconds: Double, north: Double = 0, east: Double = 0, accuracy: Double? = nil,
    speed: Double? = nil, device: String? = nil
  ) -> [String] {
    fix(
      seconds, at: origin.offset(north: north, east: east), accuracy: accuracy, speed: speed,
      device: device)
  }

  /// Plays a fix at a position.
  package mutating func fix(
    _ seconds: Double, at position: Coordinate, accuracy: Double? = nil, speed: Double? = nil,
    device: String? = nil
  ) -> [String] {
    let time = start.advanced(bySeconds: seconds)
    let fix = LocationFix(
      time: time, latitude: position.latitude, longitude: position.longitude,
      horizontalAccuracyMeters: accuracy, speedMetersPerSecond: speed, device: device)
    return words(
      watcher.evaluate(fix, now: time.advanced(bySeconds: clockSkew), isLive: isLive))
  }

  /// Ends a live feed some seconds after the start.
  package mutating func finish(_ seconds: Double) -> [String] {
    words(watcher.finish(now: start.advanced(bySeconds: seconds)))
  }

  /// Advances the machine's clock to some seconds after the start.
  package mutating func tick(_ seconds: Double) -> [String] {
    words(watcher.tick(now: start.advanced(bySeconds: seconds)))
  }

  private mutating func words(_ decisions: [WatcherDecision]) -> [String] {
    last = decisions
    notifications += decisions.compactMap(\.notification)
    return decisions.map { $0.kind.rawValue + ($0.spotID.map { " \($0)" } ?? "") }
  }
}
