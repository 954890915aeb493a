import CivilTime
import PhotoLibrary
import Spatial

/// The spots, settings and rules of a watcher: everything except its state.
///
/// Separate from ``WatcherState``, so that the state of a device can be changed in place.
struct WatcherRules: Sendable {
  var spots: SpotIndex
  let settings: WatcherSettings
  let localClock: LocalClock
  let radius: DistanceLimit
  let exitDistance: DistanceLimit
  /// Whether an alert on one device can prevent one on another.
  let hasRulesAcrossDevices: Bool
  /// The rules in effect, in order.
  let activeRules: [VisitRule]
  /// The distance in metres that a device may move before the index is queried again; zero queries
  /// it for every fix.
  var slackMeters = Surroundings.slackMeters

  /// The maximum time in seconds by which a fix may be ahead of the clock.
  static let maximumAheadSeconds = 60.0
  /// The speed in km/h above which a movement is implausible.
  static let jumpKilometersPerHour = 250.0
  /// The gap in seconds between fixes after which the movement in between is unknown.
  static let gapSeconds = 600.0
  /// The distance in metres from the last alert within which the interval is longer.
  static let townMeters = 500.0
  /// The distance in metres within which two devices are considered to be carried together.
  static let sharedDeviceMeters = 500.0
  /// The time in seconds after a late fix during which more of its burst may arrive.
  static let burstSeconds = 10.0
  /// The number of consecutive late fixes in order after which the accepted fix is taken to be
  /// ahead of its time.
  static let lateRunCount = 5
  /// The minimum time in seconds after an entry during which a restart of the program belongs to
  /// the same visit, regardless of the cooldown.
  static let sameVisitSeconds = 86_400.0
  /// The distance in metres within which two implausible positions confirm each other.
  static let jumpAgreementMeters = 1000.0

  init(spots: SpotIndex, settings: WatcherSettings, localClock: LocalClock) {
    self.spots = spots
    self.settings = settings
    self.localClock = localClock
    radius = DistanceLimit(meters: settings.proximityRadiusMeters)
    exitDistance = DistanceLimit(meters: settings.exitDistanceMeters)
    hasRulesAcrossDevices = settings.hasRulesAcrossDevices
    activeRules = Self.visitRules.filter { rule in
      rule.name.map { !settings.rulesOff.contains($0) } ?? true
    }
  }

  /// Returns whether a rule is in effect.
  func has(_ rule: WatcherRule) -> Bool { !settings.rulesOff.contains(rule) }

  /// Returns the rules with other settings.
  func with(_ settings: WatcherSettings) -> WatcherRules {
    var rules = WatcherRules(spots: spots, settings: settings, localClock: localClock)
    rules.slackMeters = slackMeters
    return rules
  }
}
