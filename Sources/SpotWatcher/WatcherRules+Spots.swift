import CivilTime
import PhotoLibrary
import Spatial

/// Entering and leaving of spots, and the choice of the one that fires.
extension WatcherRules {
  /// A spot that was entered, or whose waiting time is over.
  struct Entry {
    /// The spot's index in ``PhotoLibrary/SpotIndex/spots``. The spot itself is large and usually
    /// not needed.
    let index: Int
    let center: Standpoint
    let distanceMeters: Double
    var passMeters: Double?

    /// The distance by which the spot is ranked: the device's least distance from it.
    var closestMeters: Double { min(distanceMeters, passMeters ?? distanceMeters) }
  }

  /// Sorts entries by rank: the closest 10 m band first, within it the most photos, then the id,
  /// which is the order of the index.
  private func ranked(_ entries: [Entry]) -> [Entry] {
    guard entries.count > 1 else { return entries }
    return entries.map { entry in
      (
        entry, band: (entry.closestMeters / 10).rounded(.down),
        photoCount: spots.spots[entry.index].photoCount
      )
    }
    .sorted { left, right in
      if left.band != right.band { return left.band < right.band }
      return left.photoCount != right.photoCount
        ? left.photoCount > right.photoCount : left.0.index < right.0.index
    }
    .map(\.0)
  }

  /// Processes entering and leaving of spots. A stale fix updates the state but fires nothing: the
  /// spots that it enters wait for a fresh one.
  func decideSpots(
    _ observation: Observation, leg: Leg?, isStale: Bool, _ device: inout DeviceState,
    _ surroundings: inout Surroundings, _ backup: inout DeviceBackup,
    into decisions: inout [WatcherDecision]
  ) {
    let wasAnywhere = !device.places.isEmpty
    let entered = entered(at: observation, leg: leg, device.places, &surroundings)
    guard wasAnywhere || !entered.isEmpty else {
      if !isStale { decisions.append(observation.decision(.clear)) }
      return
    }
    if !entered.isEmpty { backup.save(device) }

    let first = decisions.count
    if wasAnywhere { leave(observation, &device, into: &decisions) }
    var due = isStale ? [] : dueEntries(at: observation, &device)
    for entry in entered {
      let reach = spots.reach(ofPlace: entry.index)
      let isBeyondExit =
        entry.distanceMeters > (reach?.exit.meters ?? settings.exitDistanceMeters)
      device.places.enter(
        Place(
          id: spots.spots[entry.index].id, index: entry.index, center: entry.center.coordinate,
          reach: reach, enteredAt: observation.now,
          phase: .waiting(notBefore: nil, for: isStale ? .stale : nil),
          fixesBeyondExit: isBeyondExit ? 1 : 0, entryMeters: entry.closestMeters),
        at: entry.center)
    }
    guard !isStale else { return }
    if due.isEmpty { due = entered } else { due += entered }
    settle(due, observation, &device, into: &decisions)
    if decisions.count == first { decisions.append(idle(observation, &device)) }
  }

  /// Removes the places that the device has left: two consecutive fixes were beyond their exit
  /// distances.
  private func leave(
    _ observation: Observation, _ device: inout DeviceState,
    into decisions: inout [WatcherDecision]
  ) {
    let areAnyLeft = device.places.follow(
      observation.standpoint, beyond: exitDistance,
      lastTime: device.track.previousTime ?? observation.now)
    guard areAnyLeft else { return }
    var numbers = device.places.indices
    while let number = device.places.firstLeft(in: numbers) {
      numbers = number + 1..<numbers.upperBound
      let place = device.places[at: number]
      let stay = FiringLog.Stay(
        start: place.enteredAt, end: max(place.lastThere ?? observation.now, place.enteredAt))
      device.firings.noteStay(
        stay, spotID: place.id, center: place.center, radiusMeters: settings.clusterRadiusMeters)
      decisions.append(
        WatcherDecision(
          place.waitingFor == nil ? .exit : .lapsed, fix: observation.fix, time: observation.now,
          spotID: place.id,
          distanceMeters: observation.standpoint.distance(to: device.places.center(at: number)),
          figure: observation.now.seconds(since: place.enteredAt),
          limit: (place.reach?.exit ?? exitDistance).meters,
          payload: WatcherDecision.Payload(LeftPlace(place, lastThere: stay.end))))
    }
    device.places.removeAll(where: \.isLeft)
  }

  /// Returns the decision that no spot was entered or left.
  private func idle(_ observation: Observation, _ device: inout DeviceState) -> WatcherDecision {
    guard let nearest = device.places.nearest(to: observation.standpoint) else {
      return observation.decision(.clear)
    }
    let isInside = nearest.distanceMeters <= (nearest.reach?.enter ?? radius).meters
    return WatcherDecision(
      isInside ? .inside : .leaving, fix: observation.fix, time: observation.now,
      spotID: nearest.id, distanceMeters: nearest.distanceMeters,
      limit: isInside ? nil : (nearest.reach?.exit ?? exitDistance).meters,
      waiting: device.places.schedule.longest)
  }

  /// Returns the places within the radius whose waiting time is over.
  func dueEntries(at observation: Observation, _ device: inout DeviceState) -> [Entry] {
    guard device.places.areAnyWaiting else { return [] }
    let now = observation.now
    let isFast = device.track.motion.fastSince != nil
    guard device.places.schedule.mayBeDue(at: now, isFast: isFast) else { return [] }
    var due: [Entry] = []
    var numbers = device.places.indices
    while let number = device.places.firstWaiting(in: numbers) {
      numbers = number + 1..<numbers.upperBound
      guard case .waiting(let time, let kind) = device.places[at: number].phase else { continue }
      if isFast, kind == .tooFast { continue }
      if device.places[at: number].enteredAt > now {
        // After the clock was set back, the stay begins again.
        device.places[at: number].enteredAt = now
        device.places[at: number].phase = .waiting(notBefore: nil, for: kind)
      } else if let time, now < time, !(isFast && kind == .arriving) {
        continue
      }
      let center = device.places.center(at: number)
      let distance = center.distance(to: observation.standpoint)
      guard distance <= (device.places[at: number].reach?.enter ?? radius).meters else {
        continue
      }
      due.append(
        Entry(index: device.places[at: number].index, center: center, distanceMeters: distance))
    }
    return due
  }

  /// Returns whether the next fix of a device may lead to a decision about a place that the device
  /// is at: that it was left, or that its waiting time is over.
  ///
  /// A place is left by the second fix in a row beyond its exit distance. A place that was beyond
  /// it for the last fix may also be within it again, and then its waiting time counts again.
  func mayChangePlaces(of device: inout DeviceState, at now: Instant) -> Bool {
    guard !device.places.isEmpty else { return false }
    let isFast = device.track.motion.fastSince != nil
    return device.places.isAnyBeyondExit
      || (device.places.areAnyWaiting
        && device.places.schedule.mayBeDue(at: now, isFast: isFast))
  }

  /// Returns whether timers of a device may be due; false if time alone changes nothing.
  func mayDecideTimers(of device: DeviceState, at now: Instant) -> Bool {
    guard let last = device.track.lastAccepted,
      now.seconds(since: last.time) <= settings.maximumFixAgeSeconds
    else { return false }
    return device.places.mayBeDue(at: now, isFast: device.track.motion.fastSince != nil)
  }

  /// Decides due timers, for a device with a recent fix.
  func decideTimers(
    at now: Instant, sharedFirings: SharedFirings?, spentRate: Int?, slot: Int,
    _ device: inout DeviceState, _ backup: inout DeviceBackup,
    into decisions: inout [WatcherDecision]
  ) {
    guard let last = device.track.lastAccepted,
      now.seconds(since: last.time) <= settings.maximumFixAgeSeconds
    else { return }
    let observation = Observation(
      fix: last.fix, time: last.time, standpoint: last.standpoint, now: now, isLive: true,
      slot: slot, sharedFirings: sharedFirings, spentRate: spentRate)
    if mayChangePlaces(of: &device, at: now) { backup.save(device) }
    settle(dueEntries(at: observation, &device), observation, &device, into: &decisions)
  }

  /// Returns the time of the next timer after a time; `nil` where there is none.
  func nextTimer(of places: Places, after now: Instant) -> Instant? {
    guard places.areAnyWaiting else { return nil }
    var next: Instant?
    var numbers = places.indices
    while let number = places.firstWaiting(in: numbers) {
      numbers = number + 1..<numbers.upperBound
      guard case .waiting(let time?, _) = places[at: number].phase, time > now else { continue }
      next = min(next ?? time, time)
    }
    return next
  }

  /// Decides about spots that were entered or whose waiting time is over. Spots refused by a rule
  /// are blocked, spots delayed by a rule wait, and of the rest one fires and mentions the others.
  func settle(
    _ entries: [Entry], _ observation: Observation, _ device: inout DeviceState,
    into decisions: inout [WatcherDecision]
  ) {
    guard !entries.isEmpty else { return }
    let first = decisions.count
    var allowed: [Entry] = []
    for entry in ranked(entries) {
      guard let number = device.places.number(ofSpot: entry.index) else { continue }
      let visit = Visit(
        entry: entry, spotID: device.places[at: number].id,
        enteredAt: device.places[at: number].enteredAt)
      switch verdict(on: visit, observation, &device) {
      case nil: allowed.append(entry)
      case .no(let reason):
        device.places[at: number].phase = .blocked(by: reason.kind)
        if reason.kind == .shared {
          device.firings.record(
            spotID: device.places[at: number].id, center: entry.center.coordinate,
            time: observation.now)
        }
        decisions.append(decision(reason, entry, observation))
      case .notBefore(let time, let reason):
        let isNews = device.places[at: number].waitingFor != reason.kind
        device.places[at: number].phase = .waiting(notBefore: time, for: reason.kind)
        guard isNews else { continue }
        var decision = decision(reason, entry, observation)
        decision.isFirst = device.places[at: number].waits.insert(reason.kind)
        device.places[at: number].waited = reason
        decisions.append(decision)
      }
    }
    guard let best = allowed.first else { return }
    let notification = SpotNotification(
      entering: spots.spots[best.index],
      alsoNear: allowed.dropFirst().map { spots.spots[$0.index] }, fix: observation.fix.fix,
      position: observation.coordinate, time: observation.now)
    device.didFire(notification)
    let others = allowed.dropFirst().map { decision(.alsoNear, $0, observation) }
    decisions.insert(
      contentsOf: [
        decision(.notify, best, observation, payload: WatcherDecision.Payload(notification))
      ] + others, at: first)
  }

  private func decision(
    _ reason: Verdict.Reason, _ entry: Entry, _ observation: Observation
  ) -> WatcherDecision {
    decision(reason.kind, entry, observation, figure: reason.figure, limit: reason.limit)
  }

  func decision(
    _ kind: WatcherDecision.Kind, _ entry: Entry, _ observation: Observation, figure: Double? = nil,
    limit: Double? = nil, payload: WatcherDecision.Payload? = nil
  ) -> WatcherDecision {
    WatcherDecision(
      kind, fix: observation.fix, time: observation.now, spotID: spots.spots[entry.index].id,
      distanceMeters: entry.distanceMeters, passMeters: entry.passMeters, figure: figure,
      limit: limit, payload: payload)
  }
}
