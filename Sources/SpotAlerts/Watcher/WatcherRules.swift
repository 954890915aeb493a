import PhotoLibrary
import Spatial

/// What a watcher decides by: everything but what it remembers.
///
/// Apart from ``WatcherState``, so that the state of a device is changed where it lies.
struct WatcherRules: Sendable {
  var spots: SpotIndex
  let settings: WatcherSettings
  let localClock: LocalClock
  let radius: DistanceLimit
  let exitDistance: DistanceLimit
  /// How far a device may move before the index is asked again, in metres; with zero it is asked for every
  /// fix.
  var slackMeters = Surroundings.slackMeters

  /// A fix may be this far ahead of the clock.
  static let maximumAheadSeconds = 60.0
  /// Faster than this, in km/h, a device is not believed to move.
  static let jumpKilometersPerHour = 250.0
  /// After so long a silence, in seconds, any distance is believed.
  static let jumpPatienceSeconds = 600.0
  /// For so long after a firing, in seconds, a restart belongs to the same visit, whatever the cooldown.
  static let sameVisitSeconds = 86_400.0
  /// So near to a position that was not believed, in metres, another makes it credible.
  static let jumpAgreementMeters = 1000.0

  init(spots: SpotIndex, settings: WatcherSettings, localClock: LocalClock) {
    self.spots = spots
    self.settings = settings
    self.localClock = localClock
    radius = DistanceLimit(meters: settings.proximityRadiusMeters)
    exitDistance = DistanceLimit(meters: settings.exitDistanceMeters)
  }

  /// The same with other settings.
  func with(_ settings: WatcherSettings) -> WatcherRules {
    var rules = WatcherRules(spots: spots, settings: settings, localClock: localClock)
    rules.slackMeters = slackMeters
    return rules
  }
}
