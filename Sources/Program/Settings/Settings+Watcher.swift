import CivilTime
package import SpotWatcher

extension Settings {
  /// The watcher's settings.
  ///
  /// - Throws: A `SettingsError`, also for an unknown name in the settings file: it may be intended
  ///   for a rule, which would then not apply.
  package var watcher: WatcherSettings { get throws { try rules() } }

  private func rules() throws(SettingsError) -> WatcherSettings {
    try requireKnownNames()
    var values: [Setting: SettingValue] = [:]
    for setting in Setting.allCases where setting.isRule { values[setting] = try value(setting) }
    var watcher = WatcherSettings()
    watcher.proximityRadiusMeters = try number(.proximityRadius)
    watcher.clusterRadiusMeters = try number(.clusterRadius)
    watcher.cooldownSeconds = try number(.cooldown)
    watcher.minimumPhotoAgeSeconds = try number(.minimumPhotoAge)
    watcher.isFavoritesOnly = try isSet(.favoritesOnly)
    watcher.recreationIntervalSeconds = try number(.recreationInterval)
    watcher.distanceFilterMeters = try number(.distanceFilter)
    watcher.maximumAccuracyMeters = try number(.maximumAccuracy)
    watcher.maximumFixAgeSeconds = try number(.maximumFixAge)
    watcher.dwellSeconds = try number(.dwell)
    watcher.minimumIntervalSeconds = try number(.minimumInterval)
    watcher.maximumSpeedKilometersPerHour = nil
    if case .number(let speed, _) = values[.maximumSpeed] {
      watcher.maximumSpeedKilometersPerHour = speed
    }
    watcher.dailyBudget = nil
    if case .number(let budget, _) = values[.dailyBudget] {
      watcher.dailyBudget = Int(saturating: budget)
    }
    watcher.maximumAlertsPerMinute = nil
    if case .number(let limit, _) = values[.alertsPerMinute] {
      watcher.maximumAlertsPerMinute = Int(saturating: limit)
    }
    watcher.routineDays = Int(saturating: try number(.routineDays))
    watcher.townIntervalSeconds = try number(.townInterval)
    watcher.siblingDistanceMeters = try number(.siblingDistance)
    watcher.sharedIntervalSeconds = try number(.sharedInterval)
    watcher.coldStartSeconds = try number(.coldStart)
    watcher.jumpQuarantineSeconds = try number(.jumpQuarantine)
    if case .rules(let rules) = values[.rulesOff] { watcher.rulesOff = rules }
    if case .hours(let hours) = values[.quietHours] { watcher.quietHours = hours }
    if case .zone(_, let zone) = values[.quietHoursZone] { watcher.quietHoursZone = zone }
    if case .zones(let zones) = values[.mutedZones] { watcher.mutedZones = zones }
    watcher.areNotificationsEnabled = try isSet(.notificationsEnabled)
    return watcher
  }
}
