import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial

/// The owner's rules about visits; ``WatcherRules/visitRules`` contains their order.
extension WatcherRules {
  /// Refuses a place that fired recently on another device nearby.
  func silenceOfOtherDevice(
    of visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    let firing = observation.sharedFirings?.firing(
      spotID: visit.spotID, center: visit.center, radiusMeters: settings.clusterRadiusMeters,
      at: observation, within: settings.sharedIntervalSeconds)
    return firing.map {
      .no(
        .init(
          kind: .shared, figure: observation.now.seconds(since: $0.time),
          limit: settings.sharedIntervalSeconds))
    }
  }

  /// Refuses a muted spot, and any spot while it or the device is in a muted zone.
  func muting(
    of visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    for muted in settings.mutedSpots where muted.isInForce(at: observation.now) {
      let isMuted = muted.covers(
        spotID: visit.spotID, center: visit.center,
        radiusMeters: settings.clusterRadiusMeters)
      if isMuted { return .no(.init(kind: .muted)) }
    }
    return mutedZone(of: visit, observation).map { zone, distance in
      .no(.init(kind: .muted, figure: distance, limit: zone.radiusMeters))
    }
  }

  /// Returns the first muted zone that a spot or the device is in, with the distance in metres
  /// between its centre and the nearer of the two.
  func mutedZone(
    of visit: Visit, _ observation: Observation
  ) -> (zone: MutedZone, distanceMeters: Double)? {
    for zone in settings.mutedZones {
      let distance = min(
        zone.center.distance(to: visit.center),
        zone.center.distance(to: observation.coordinate))
      if distance <= zone.radiusMeters { return (zone, distance) }
    }
    return nil
  }

  /// Refuses all spots during quiet hours.
  func quiet(
    _ visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    guard let hours = settings.quietHours else { return nil }
    let clock = settings.quietHoursZone.map { LocalClock.zone($0) } ?? localClock
    let minute = clock.minuteOfDay(at: observation.now)
    guard hours.contains(minute: minute) else { return nil }
    return .no(.init(kind: .quiet, figure: Double(minute), limit: Double(hours.endMinute)))
  }

  /// Refuses a spot whose oldest photo is too recent; an undated photo counts as old enough.
  func minimumAge(
    of visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    guard settings.minimumPhotoAgeSeconds > 0, spots.spots[visit.index].undatedCount == 0,
      let first = spots.spots[visit.index].firstCaptured
    else { return nil }
    let age = observation.now.seconds(since: first.instant)
    guard age < settings.minimumPhotoAgeSeconds, age >= 0 || settings.refusesLaterPhotos else {
      return nil
    }
    return .no(.init(kind: .tooRecent, figure: age, limit: settings.minimumPhotoAgeSeconds))
  }

  /// Refuses a spot without a favourite photo if only favourites may fire, and all spots while
  /// notifications are switched off.
  func filtering(
    of visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    if settings.isFavoritesOnly, spots.spots[visit.index].favoriteCount == 0,
      !isPlaceWithoutPhotos(visit)
    {
      return .no(.init(kind: .filtered, figure: 0, limit: 1))
    }
    return settings.areNotificationsEnabled ? nil : .no(.init(kind: .disabled))
  }

  /// Returns whether a visit is to a place of the user's own without photos, which cannot be
  /// filtered by photos.
  private func isPlaceWithoutPhotos(_ visit: Visit) -> Bool {
    let spot = spots.spots[visit.index]
    return spot.isOwnPlace && spot.photoCount == 0
  }

  /// Refuses a spot whose photo was taken again recently.
  ///
  /// In a replay, recreations after the time of the fix do not count.
  func recreation(
    of visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    guard settings.recreationIntervalSeconds > 0,
      let time = settings.recreatedSpots[visit.spotID]
    else { return nil }
    let age = observation.now.seconds(since: time)
    guard age >= -Self.maximumAheadSeconds, age < settings.recreationIntervalSeconds else {
      return nil
    }
    return .no(
      .init(kind: .recreated, figure: max(age, 0), limit: settings.recreationIntervalSeconds))
  }

  /// Delays firing after a late fix of a live feed, which may be part of a burst of which the
  /// newest fix decides.
  func burst(
    _ visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    guard let end = device.track.burstEnd, observation.now < end else { return nil }
    return .notYet(
      .init(
        kind: .burst, figure: observation.now.seconds(since: observation.time),
        limit: settings.burstAgeSeconds))
  }

  /// Delays firing until the device has stayed for the dwell time.
  func dwelling(
    of visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    guard settings.dwellSeconds > 0 else { return nil }
    let stayed = observation.now.seconds(since: visit.enteredAt)
    guard stayed < settings.dwellSeconds else { return nil }
    return .notYet(.init(kind: .dwelling, figure: stayed, limit: settings.dwellSeconds))
  }

  /// Returns the number of notifications to all devices within the last minute if it reached the
  /// limit; otherwise `nil`.
  func spentRate(_ alerts: AlertRate, at now: Instant) -> Int? {
    settings.maximumAlertsPerMinute.flatMap { alerts.spent(at: now, limit: $0) }
  }

  /// Refuses notifications beyond the limit per minute for all devices, of which one device may use
  /// half.
  func rateLimit(
    _ visit: Visit, _ observation: Observation, _ device: inout DeviceState
  ) -> Verdict? {
    guard let limit = settings.maximumAlertsPerMinute else { return nil }
    if let count = observation.spentRate {
      return .no(.init(kind: .overRate, figure: Double(count), limit: Double(limit)))
    }
    let share = (limit + 1) / 2
    let own = device.alerts.count(around: observation.now, seconds: 60)
    guard own >= share else { return nil }
    return .no(.init(kind: .overRate, figure: Double(own), limit: Double(share)))
  }
}
