import Interchange
import PhotoLibrary
import PhotoMetadata
import Spatial

/// Which of the spots that are entered may fire.
extension WatcherRules {
  /// The first reason why a spot may not fire; `nil` where it may.
  func refusal(of entry: Entry, _ look: Look, _ device: DeviceState) -> WatcherDecision? {
    cooldown(of: entry, look, device) ?? muting(of: entry, look) ?? quiet(entry, look)
      ?? speeding(entry, look, device) ?? youth(of: entry, look) ?? filtering(of: entry, look)
      ?? spending(entry, look, device)
  }

  private func cooldown(
    of entry: Entry, _ look: Look, _ device: DeviceState
  ) -> WatcherDecision? {
    let firing = device.firings.blocking(
      spotID: spots.spots[entry.index].id, center: spots.spots[entry.index].coordinate,
      radiusMeters: settings.clusterRadiusMeters, cooldownSeconds: settings.cooldownSeconds,
      at: look.now)
    guard let firing else { return nil }
    return decision(
      .cooldown, entry, look, figure: look.now.seconds(since: firing.time),
      limit: settings.cooldownSeconds)
  }

  private func muting(of entry: Entry, _ look: Look) -> WatcherDecision? {
    for muted in settings.mutedSpots where muted.isInForce(at: look.now) {
      let isMuted = muted.covers(
        spotID: spots.spots[entry.index].id, center: spots.spots[entry.index].coordinate,
        radiusMeters: settings.clusterRadiusMeters)
      if isMuted { return decision(.muted, entry, look) }
    }
    for zone in settings.mutedZones {
      let distance = min(
        zone.center.distance(to: spots.spots[entry.index].coordinate),
        zone.center.distance(to: look.coordinate))
      guard distance > zone.radiusMeters else {
        return decision(.muted, entry, look, figure: distance, limit: zone.radiusMeters)
      }
    }
    return nil
  }

  private func quiet(_ entry: Entry, _ look: Look) -> WatcherDecision? {
    guard let hours = settings.quietHours else { return nil }
    let clock = settings.quietHoursZone.map { LocalClock.zone($0) } ?? localClock
    let minute = clock.minuteOfDay(at: look.now)
    guard hours.contains(minute: minute) else { return nil }
    return decision(
      .quiet, entry, look, figure: Double(minute), limit: Double(hours.endMinute))
  }

  private func speeding(
    _ entry: Entry, _ look: Look, _ device: DeviceState
  ) -> WatcherDecision? {
    guard let maximum = settings.maximumSpeedKilometersPerHour,
      let speed = device.lastAccepted?.speed, speed * 3.6 > maximum
    else { return nil }
    return decision(.tooFast, entry, look, figure: speed * 3.6, limit: maximum)
  }

  /// A photo without a date counts as old enough.
  private func youth(of entry: Entry, _ look: Look) -> WatcherDecision? {
    guard settings.minimumPhotoAgeSeconds > 0, spots.spots[entry.index].undatedCount == 0,
      let first = spots.spots[entry.index].firstCaptured
    else { return nil }
    let age = look.now.seconds(since: first.instant)
    guard age < settings.minimumPhotoAgeSeconds, age >= 0 || settings.refusesLaterPhotos else {
      return nil
    }
    return decision(
      .tooRecent, entry, look, figure: age, limit: settings.minimumPhotoAgeSeconds)
  }

  private func filtering(of entry: Entry, _ look: Look) -> WatcherDecision? {
    if settings.isFavoritesOnly, spots.spots[entry.index].favoriteCount == 0 {
      return decision(.filtered, entry, look, figure: 0, limit: 1)
    }
    return settings.areNotificationsEnabled ? nil : decision(.disabled, entry, look)
  }

  /// Whether all devices together have had as many notifications in the last minute as they may.
  func isRateSpent(_ alerts: AlertRate, at now: Instant) -> Bool {
    settings.maximumAlertsPerMinute.map { alerts.isSpent(at: now, limit: $0) } ?? false
  }

  /// The limits of notifications: that of the minute for all devices together, and the daily
  /// budget, of which the second half is for the better spots.
  private func spending(
    _ entry: Entry, _ look: Look, _ device: DeviceState
  ) -> WatcherDecision? {
    if look.isRateSpent { return decision(.overBudget, entry, look) }
    guard let budget = settings.dailyBudget else { return nil }
    let today = localClock.date(at: look.now)
    let fired = device.recentFirings.filter { localClock.date(at: $0.time) == today }
    let counts = fired.map(\.photoCount).sorted()
    if counts.count < (budget + 1) / 2 { return nil }
    if counts.count < budget, counts[counts.count / 2] < spots.spots[entry.index].photoCount {
      return nil
    }
    return decision(
      .overBudget, entry, look, figure: Double(counts.count), limit: Double(budget))
  }
}
