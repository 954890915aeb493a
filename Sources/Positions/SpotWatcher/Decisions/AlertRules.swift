/// The parameters of the decisions on an estimate: when a device is at a spot, slow enough and now,
/// and when its owner wants an alert.
struct AlertRules: Hashable, Sendable {
  /// Whether the position is estimated; if not, each fix is taken to be exact.
  var estimatesPosition = true
  /// Whether vehicles are told from people on foot; if not, everybody is free.
  var estimatesMode = true
  /// Whether fixes must agree for a time before decisions are made by them.
  var awaitsAgreement = true

  /// The least probability of being within a spot's radius.
  var leastNear = 0.85
  /// The least probability, in two fixes running, of being free to take a picture.
  var leastFree = 0.8
  /// The gap in seconds from which one fix counts as two, since no second one will come in time.
  var sparseSeconds = 180.0
  /// The least probability of being free after such a gap.
  var leastSparseFree = 0.5
  /// The gap in seconds beyond which nothing is known of the time between two fixes.
  var gapSeconds = 3600.0

  /// The seconds for which a spot is silent before and after an alert.
  var cooldownSeconds = 86_400.0
  /// The number of days with presence that make a habit of a stretch of ground.
  var habitDays = 3
  /// The number of days for which presence and alerts are remembered.
  var memoryDays = 14
  /// The seconds of absence that end a visit.
  var awaySeconds = 1800.0
  /// The distance in metres from an alert within which it speaks for other spots too.
  var siblingMeters = 100.0
  /// The distance in metres within which spots are one viewpoint, about which an alert speaks.
  var viewpointMeters = 30.0

  /// The seconds of standing that make a stop.
  var stopSeconds = 120.0
  /// The seconds between two alerts.
  var pauseSeconds = 300.0
  /// The seconds between an alert and one for a spot that is walked past, within a distance.
  var passPauseSeconds = 900.0
  /// That distance in metres.
  var passMeters = 500.0
  /// The numbers of alerts in a town and day after which the pauses grow in proportion: for spots
  /// that are stopped at, and for those that are walked past.
  var calmStops = 3.0
  var calmPasses = 1.0
  /// The size in metres of a town.
  var townMeters = 1500.0
  /// The greatest number of alerts in a day, and of alerts when walking past.
  var budget = 40
  var passBudget = 10

  /// Creates the rules of the product.
  init() {}
}

extension AlertRules {
  /// Creates the rules of a watcher's settings.
  init(_ settings: WatcherSettings) {
    estimatesPosition = !settings.rulesOff.contains(.jumps)
    estimatesMode =
      settings.maximumSpeedKilometersPerHour != nil && !settings.rulesOff.contains(.vehicles)
    awaitsAgreement = !settings.rulesOff.contains(.coldStart)
    cooldownSeconds = settings.cooldownSeconds
    memoryDays = settings.rulesOff.contains(.routine) ? 0 : settings.routineDays
    siblingMeters = settings.rulesOff.contains(.siblings) ? 0 : settings.siblingDistanceMeters
    viewpointMeters = max(viewpointMeters, settings.clusterRadiusMeters)
    pauseSeconds = settings.minimumIntervalSeconds
    passPauseSeconds = max(pauseSeconds, settings.townIntervalSeconds)
    if settings.rulesOff.contains(.towns) {
      passPauseSeconds = pauseSeconds
      (calmStops, calmPasses) = (.infinity, .infinity)
    }
    budget = settings.dailyBudget ?? .max
    passBudget = settings.dailyBudget.map { max($0 / 4, 1) } ?? .max
  }
}

extension MotionModel {
  /// Creates the model of a watcher's settings.
  init(_ settings: WatcherSettings) {
    teleportSeconds = settings.jumpQuarantineSeconds
    if let limit = settings.maximumSpeedKilometersPerHour { slowMetersPerSecond = limit / 3.6 }
    agreementSeconds = settings.coldStartSeconds
  }
}
