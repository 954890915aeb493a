import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial

/// What each rule answers about a visit; ``WatcherRules/visitRules`` has their order.
extension WatcherRules {
  /// A place is silent after it fired, and longer where the device is a regular.
  func cooldown(of visit: Visit) -> Verdict? {
    let spot = spots.spots[visit.entry.index]
    let silence = visit.device.firings.silence(
      spotID: spot.id, center: spot.coordinate, radiusMeters: settings.clusterRadiusMeters,
      cooldownSeconds: settings.cooldownSeconds,
      routineDays: has(.routine) ? settings.routineDays : 0, at: visit.look.now,
      day: localClock.dayNumber)
    return silence.map {
      .no(.init(kind: .cooldown, figure: $0.elapsedSeconds, limit: $0.limitSeconds))
    }
  }

  /// A firing silences the spots around it.
  func silenceOfSibling(of visit: Visit) -> Verdict? {
    let silence = visit.device.firings.silenceOfSibling(
      center: spots.spots[visit.entry.index].coordinate, within: settings.siblingDistanceMeters,
      cooldownSeconds: settings.cooldownSeconds, at: visit.look.now)
    return silence.map {
      .no(.init(kind: .sibling, figure: $0.elapsedSeconds, limit: $0.limitSeconds))
    }
  }

  /// What fired on a device that is along fires once.
  func silenceOfOtherDevice(of visit: Visit) -> Verdict? {
    let spot = spots.spots[visit.entry.index]
    let firing = visit.look.company.firing(
      spotID: spot.id, center: spot.coordinate, radiusMeters: settings.clusterRadiusMeters,
      at: visit.look, within: settings.sharedIntervalSeconds)
    return firing.map {
      .no(
        .init(
          kind: .shared, figure: visit.look.now.seconds(since: $0.time),
          limit: settings.sharedIntervalSeconds))
    }
  }

  func muting(of visit: Visit) -> Verdict? {
    let (entry, look) = (visit.entry, visit.look)
    for muted in settings.mutedSpots where muted.isInForce(at: look.now) {
      let isMuted = muted.covers(
        spotID: spots.spots[entry.index].id, center: spots.spots[entry.index].coordinate,
        radiusMeters: settings.clusterRadiusMeters)
      if isMuted { return .no(.init(kind: .muted)) }
    }
    for zone in settings.mutedZones {
      let distance = min(
        zone.center.distance(to: spots.spots[entry.index].coordinate),
        zone.center.distance(to: look.coordinate))
      guard distance > zone.radiusMeters else {
        return .no(.init(kind: .muted, figure: distance, limit: zone.radiusMeters))
      }
    }
    return nil
  }

  func quiet(_ visit: Visit) -> Verdict? {
    guard let hours = settings.quietHours else { return nil }
    let clock = settings.quietHoursZone.map { LocalClock.zone($0) } ?? localClock
    let minute = clock.minuteOfDay(at: visit.look.now)
    guard hours.contains(minute: minute) else { return nil }
    return .no(.init(kind: .quiet, figure: Double(minute), limit: Double(hours.endMinute)))
  }

  /// A photo without a date counts as old enough.
  func youth(of visit: Visit) -> Verdict? {
    guard settings.minimumPhotoAgeSeconds > 0, spots.spots[visit.entry.index].undatedCount == 0,
      let first = spots.spots[visit.entry.index].firstCaptured
    else { return nil }
    let age = visit.look.now.seconds(since: first.instant)
    guard age < settings.minimumPhotoAgeSeconds, age >= 0 || settings.refusesLaterPhotos else {
      return nil
    }
    return .no(.init(kind: .tooRecent, figure: age, limit: settings.minimumPhotoAgeSeconds))
  }

  func filtering(of visit: Visit) -> Verdict? {
    if settings.isFavoritesOnly, spots.spots[visit.entry.index].favoriteCount == 0 {
      return .no(.init(kind: .filtered, figure: 0, limit: 1))
    }
    return settings.areNotificationsEnabled ? nil : .no(.init(kind: .disabled))
  }

  /// A late fix of a live feed may be one of many: the newest decides.
  func burst(_ visit: Visit) -> Verdict? {
    guard let end = visit.device.burstEnd, visit.look.now < end else { return nil }
    return .notBefore(
      end,
      .init(
        kind: .burst, figure: visit.look.now.seconds(since: visit.look.time),
        limit: settings.burstAgeSeconds))
  }

  /// From a vehicle no picture can be taken, and where one gets off it can.
  func riding(_ visit: Visit) -> Verdict? {
    guard let limit = settings.maximumSpeedKilometersPerHour else { return nil }
    let motion = visit.device.motion
    if motion.fastSince != nil {
      return .notBefore(
        nil, .init(kind: .tooFast, figure: motion.speed * 3.6, limit: limit))
    }
    guard let seconds = motion.slowSeconds(at: visit.device.time(at: visit.look.now)) else {
      return nil
    }
    return .notBefore(
      visit.look.now.advanced(bySeconds: Motion.slowSeconds - seconds),
      .init(kind: .arriving, figure: seconds, limit: Motion.slowSeconds))
  }

  /// The first fixes of a receiver may lie anywhere.
  func settling(_ visit: Visit) -> Verdict? {
    guard let start = visit.device.trackStart else { return nil }
    let limit = settings.coldStartSeconds
    guard visit.enteredAt.seconds(since: start) < limit else { return nil }
    let stayed = visit.look.now.seconds(since: visit.enteredAt)
    guard stayed < limit else { return nil }
    return .notBefore(
      visit.enteredAt.advanced(bySeconds: limit),
      .init(kind: .settling, figure: stayed, limit: limit))
  }

  func dwelling(of visit: Visit) -> Verdict? {
    guard settings.dwellSeconds > 0 else { return nil }
    let stayed = visit.look.now.seconds(since: visit.enteredAt)
    guard stayed < settings.dwellSeconds else { return nil }
    return .notBefore(
      visit.enteredAt.advanced(bySeconds: settings.dwellSeconds),
      .init(kind: .dwelling, figure: stayed, limit: settings.dwellSeconds))
  }

  /// How many notifications all devices together have had in the last minute, where these are as
  /// many as they may.
  func spentRate(_ alerts: AlertRate, at now: Instant) -> Int? {
    settings.maximumAlertsPerMinute.flatMap { alerts.spent(at: now, limit: $0) }
  }

  /// The limits of notifications: that of the minute for all devices together, of which one device
  /// gets half, and the daily budget, of which the second half is for the better spots.
  func spending(_ visit: Visit) -> Verdict? {
    if let limit = settings.maximumAlertsPerMinute {
      if let count = visit.look.spentRate {
        return .no(.init(kind: .overRate, figure: Double(count), limit: Double(limit)))
      }
      let share = (limit + 1) / 2
      let own = visit.device.notifications.around(visit.look.now, seconds: 60).count
      if own >= share {
        return .no(.init(kind: .overRate, figure: Double(own), limit: Double(share)))
      }
    }
    guard let budget = settings.dailyBudget else { return nil }
    let today = localClock.dayNumber(at: visit.look.now)
    let counts = visit.device.notifications.around(visit.look.now, seconds: 2 * 86_400)
      .filter { localClock.dayNumber(at: $0.time) == today }.map(\.photoCount).sorted()
    guard counts.count < budget else {
      return .no(.init(kind: .overBudget, figure: Double(counts.count), limit: Double(budget)))
    }
    guard counts.count >= (budget + 1) / 2 else { return nil }
    let (middle, photoCount) = (
      counts[counts.count / 2], spots.spots[visit.entry.index].photoCount
    )
    guard photoCount < middle else { return nil }
    return .no(.init(kind: .reserved, figure: Double(photoCount), limit: Double(middle)))
  }

  /// A street full of spots must not ring at every step.
  func pacing(of visit: Visit) -> Verdict? {
    let (usual, town) = (
      settings.minimumIntervalSeconds, has(.towns) ? settings.townIntervalSeconds : 0
    )
    var wait: Verdict?
    var latest = visit.look.now
    for entry in visit.device.notifications.around(visit.look.now, seconds: max(usual, town)) {
      let isNear =
        town > usual
        && entry.center.distance(to: spots.spots[visit.entry.index].coordinate) <= Self.townMeters
      let interval = isNear ? town : usual
      let elapsed = visit.look.now.seconds(since: entry.time)
      let end = entry.time.advanced(bySeconds: interval)
      guard abs(elapsed) < interval, end > latest else { continue }
      latest = end
      wait = .notBefore(end, .init(kind: .paced, figure: elapsed, limit: interval))
    }
    return wait
  }
}
