import CivilTime
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
  /// The rules in force, in their order.
  let activeRules: [VisitRule]
  /// How far a device may move before the index is asked again, in metres; with zero it is asked
  /// for every fix.
  var slackMeters = Surroundings.slackMeters

  /// A fix may be this far ahead of the clock.
  static let maximumAheadSeconds = 60.0
  /// Faster than this, in km/h, a device is not believed to move.
  static let jumpKilometersPerHour = 250.0
  /// After so long a silence, in seconds, it is not known how a device got where it is.
  static let gapSeconds = 600.0
  /// So near to the last alert, in metres, the next one waits longer.
  static let townMeters = 500.0
  /// So near, in metres, a device is that is along with another.
  static let companyMeters = 500.0
  /// So long after a late fix, in seconds, others of its burst may come.
  static let burstSeconds = 10.0
  /// So many late fixes in their order tell that the one before them was ahead of its time.
  static let lateRunCount = 5
  /// For so long after a firing, in seconds, a restart belongs to the same visit, whatever the
  /// cooldown.
  static let sameVisitSeconds = 86_400.0
  /// So near to a position that was not believed, in metres, another makes it credible.
  static let jumpAgreementMeters = 1000.0

  init(spots: SpotIndex, settings: WatcherSettings, localClock: LocalClock) {
    self.spots = spots
    self.settings = settings
    self.localClock = localClock
    radius = DistanceLimit(meters: settings.proximityRadiusMeters)
    exitDistance = DistanceLimit(meters: settings.exitDistanceMeters)
    activeRules = Self.visitRules.filter { rule in
      rule.name.map { !settings.rulesOff.contains($0) } ?? true
    }
  }

  /// Whether a rule is in force.
  func has(_ rule: WatcherRule) -> Bool { !settings.rulesOff.contains(rule) }

  /// The same with other settings.
  func with(_ settings: WatcherSettings) -> WatcherRules {
    var rules = WatcherRules(spots: spots, settings: settings, localClock: localClock)
    rules.slackMeters = slackMeters
    return rules
  }
}
