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
  /// The model of the devices' motion.
  let model: MotionModel
  /// The rules of the decisions on an estimate.
  let alerting: AlertRules
  let radius: DistanceLimit
  let exitDistance: DistanceLimit
  /// The distance within which a device is near a spot without a radius of its own.
  let nearLimit: DistanceLimit
  /// Whether an alert on one device can prevent one on another.
  let hasRulesAcrossDevices: Bool
  /// The owner's rules in effect, in order.
  let activeRules: [VisitRule]
  /// The distance in metres that a device may move before the index is queried again; zero queries
  /// it for every fix.
  var slackMeters = Surroundings.slackMeters

  /// The maximum time in seconds by which a fix may be ahead of the clock.
  static let maximumAheadSeconds = 60.0
  /// The distance in metres within which two devices are considered to be carried together.
  static let sharedDeviceMeters = 500.0
  /// The time in seconds after a late fix during which more of its burst may arrive.
  static let burstSeconds = 10.0
  /// The minimum time in seconds after an entry during which a restart of the program belongs to
  /// the same visit, regardless of the cooldown.
  static let sameVisitSeconds = 86_400.0

  init(spots: SpotIndex, settings: WatcherSettings, localClock: LocalClock) {
    self.spots = spots
    self.settings = settings
    self.localClock = localClock
    model = MotionModel(settings)
    alerting = AlertRules(settings)
    let radius = settings.proximityRadiusMeters
    self.radius = DistanceLimit(meters: radius)
    exitDistance = DistanceLimit(meters: settings.exitDistanceMeters)
    nearLimit = DistanceLimit(
      meters: max(settings.exitDistanceMeters, radius + alerting.viewpointMeters))
    hasRulesAcrossDevices = settings.hasRulesAcrossDevices
    activeRules = Self.visitRules.filter { rule in
      rule.name.map { !settings.rulesOff.contains($0) } ?? true
    }
  }

  /// Returns the rules with other settings.
  func with(_ settings: WatcherSettings) -> WatcherRules {
    var rules = WatcherRules(spots: spots, settings: settings, localClock: localClock)
    rules.slackMeters = slackMeters
    return rules
  }
}
