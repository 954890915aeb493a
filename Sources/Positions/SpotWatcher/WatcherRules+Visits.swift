import CivilTime
import PhotoLibrary
import Spatial

/// Visits to spots, and the choice of the one that fires.
extension WatcherRules {
  /// Begins and continues the visits to spots that the device is near, and decides about those that
  /// it is at; at most one fires.
  func settle(
    _ candidates: [Candidate], _ observation: Observation, _ whereabouts: Whereabouts,
    isStale: Bool, _ device: inout DeviceState, into decisions: inout [WatcherDecision]
  ) {
    let isPresent = whereabouts.isPresent
    for candidate in candidates {
      visit(candidate, observation, isPresent: isPresent, &device)
    }
    // Recorded after the visits, so that one that begins knows only earlier presence.
    if isPresent {
      device.presence = Presence(
        coordinate: whereabouts.standpoint.coordinate, time: observation.time,
        day: localClock.dayNumber(at: observation.time))
    }
    let isPaced = isPaced(device, at: observation.now)
    let first = decisions.count
    for candidate in candidates where candidate.distanceMeters <= candidate.radiusMeters {
      guard let number = device.visits.number(ofSpot: candidate.index),
        device.visits[at: number].isOpen,
        !(isPaced && device.visits[at: number].waitingFor == .paced)
      else { continue }
      if !device.visits[at: number].isEntered {
        device.visits[at: number].enteredAt = observation.now
      }
      guard !isStale else {
        device.visits[at: number].phase = .waiting(for: .stale)
        continue
      }
      let visit = Visit(
        candidate: candidate, spotID: device.visits[at: number].id,
        enteredAt: device.visits[at: number].enteredAt)
      guard let verdict = verdict(on: visit, number, observation, whereabouts, &device) else {
        let fired = fire(visit, among: candidates, observation, &device)
        decisions.insert(contentsOf: fired, at: first)
        // One alert a fix; the others are decided with the next one.
        return
      }
      if let decision = note(verdict, on: visit, number, observation, &device) {
        decisions.append(decision)
      }
    }
  }

  /// Begins or continues the visit to a spot that the device is near.
  ///
  /// A visit begins anew after a long absence without fixes elsewhere.
  private func visit(
    _ candidate: Candidate, _ observation: Observation, isPresent: Bool,
    _ device: inout DeviceState
  ) {
    var place = device.visits.number(ofSpot: candidate.index)
    if place == nil {
      let reach = spots.reach(ofPlace: candidate.index)
      // Others of a viewpoint may be farther away.
      guard candidate.distanceMeters <= (reach?.exit ?? exitDistance).meters else { return }
      place = device.visits.enter(
        SpotVisit(
          id: spots.spots[candidate.index].id, index: candidate.index,
          center: candidate.center.coordinate, reach: reach, enteredAt: observation.now,
          phase: .near, closestHaversine: candidate.haversine), at: candidate.center)
    }
    guard isPresent, let number = place else { return }
    let last = device.visits[at: number].lastPresence
    // A minute more or less does not matter, and places are copied where a fix may be undone.
    if let last, abs(observation.time.seconds(since: last)) < 60 { return }
    device.visits[at: number].lastPresence = observation.time
    if let last, observation.time.seconds(since: last) <= alerting.awaySeconds { return }
    device.visits[at: number].familiarity = familiarity(of: candidate, observation, device)
    if last != nil, case .blocked = device.visits[at: number].phase {
      device.visits[at: number].phase = .near
    }
  }

  /// Returns why the ground of a visit that begins is familiar; `nil` where it is not.
  ///
  /// A stretch of ground is familiar for a cooldown after the last presence, times the square of
  /// the number of recent days with presence, if it alerted on one of them or they are a habit.
  private func familiarity(
    of candidate: Candidate, _ observation: Observation, _ device: DeviceState
  ) -> Verdict.Reason? {
    let exit = spots.reach(ofPlace: candidate.index)?.exit ?? exitDistance
    let presence = device.ground.presence(
      within: exit.meters, of: candidate.center.coordinate, until: observation.time,
      day: localClock.dayNumber(at: observation.time), dayCount: alerting.memoryDays)
    guard let last = presence.last else { return nil }
    let isKnown =
      presence.dayCount >= alerting.habitDays
      || device.alerts.alert(
        within: max(alerting.siblingMeters, alerting.viewpointMeters), of: candidate.center,
        seconds: Double(alerting.memoryDays) * 86_400, at: observation.now) != nil
    let days = max(presence.dayCount, 1)
    let limit = Double(days * days) * alerting.cooldownSeconds
    let seconds = observation.time.seconds(since: last)
    guard isKnown, seconds < limit else { return nil }
    return Verdict.Reason(kind: .familiar, figure: seconds, limit: limit, days: presence.dayCount)
  }

  /// Records a verdict on a visit, and returns the decision if it is news.
  private func note(
    _ verdict: Verdict, on visit: Visit, _ number: Int, _ observation: Observation,
    _ device: inout DeviceState
  ) -> WatcherDecision? {
    let reason = verdict.reason
    guard case .notYet = verdict else {
      device.visits[at: number].phase = .blocked(by: reason.kind)
      if reason.kind == .shared {
        device.alerts.add(
          AlertLog.Entry(time: observation.now, center: visit.center, isElsewhere: true))
      }
      return decision(
        reason, visit, observation, payload: zonePayload(of: reason, visit, observation))
    }
    guard let kind = device.visits[at: number].waitingFor, kind != .stale else {
      return wait(for: reason, on: visit, number, observation, &device)
    }
    // Leaving raises doubts, which are not why the visit waited.
    guard kind != reason.kind, reason.kind.doubt <= kind.doubt else { return nil }
    return wait(for: reason, on: visit, number, observation, &device)
  }

  /// Returns the payload with the muted zone that decided; `nil` for any other decision. A muted
  /// spot has no figure.
  private func zonePayload(
    of reason: Verdict.Reason, _ visit: Visit, _ observation: Observation
  ) -> WatcherDecision.Payload? {
    guard reason.kind == .muted, reason.figure != nil else { return nil }
    return mutedZone(of: visit, observation)
      .map { WatcherDecision.Payload(mutedZone: $0.zone.center) }
  }

  private func wait(
    for reason: Verdict.Reason, on visit: Visit, _ number: Int, _ observation: Observation,
    _ device: inout DeviceState
  ) -> WatcherDecision {
    device.visits[at: number].phase = .waiting(for: reason.kind)
    device.visits[at: number].waited = reason
    var decision = decision(reason, visit, observation)
    decision.isFirst = device.visits[at: number].waits.insert(reason.kind)
    return decision
  }

  /// Fires for the viewpoint of a visit: of the spots there that the owner's rules permit, the one
  /// with most photos is shown, and the others are listed.
  ///
  /// - Returns: The decisions about its spots.
  private func fire(
    _ visit: Visit, among candidates: [Candidate], _ observation: Observation,
    _ device: inout DeviceState
  ) -> [WatcherDecision] {
    var viewpoint = [(visit: visit, photoCount: spots.spots[visit.index].photoCount)]
    for other in candidates where other.index != visit.index {
      guard other.center.distance(to: visit.candidate.center) <= alerting.viewpointMeters,
        let number = device.visits.number(ofSpot: other.index),
        device.visits[at: number].isOpen
      else { continue }
      let second = Visit(
        candidate: other, spotID: device.visits[at: number].id,
        enteredAt: device.visits[at: number].enteredAt)
      guard told(second, observation, device) == nil,
        permission(for: second, observation, &device) == nil
      else { continue }
      viewpoint.append((second, spots.spots[other.index].photoCount))
    }
    viewpoint.sort { ($1.photoCount, $0.visit.index) < ($0.photoCount, $1.visit.index) }
    let notification = SpotNotification(
      entering: spots.spots[viewpoint[0].visit.index],
      alsoNear: viewpoint.dropFirst().map { spots.spots[$0.visit.index] },
      fix: observation.fix.fix, position: observation.coordinate, time: observation.now)
    device.didFire(notification)
    return viewpoint.enumerated().map { place, entry in
      decision(
        Verdict.Reason(kind: place == 0 ? .notify : .alsoNear), entry.visit, observation,
        payload: place == 0 ? WatcherDecision.Payload(notification) : nil)
    }
  }

  private func decision(
    _ reason: Verdict.Reason, _ visit: Visit, _ observation: Observation,
    payload: WatcherDecision.Payload? = nil
  ) -> WatcherDecision {
    WatcherDecision(
      reason.kind, fix: observation.fix, time: observation.now, spotID: visit.spotID,
      distanceMeters: visit.candidate.distanceMeters, figure: reason.figure, limit: reason.limit,
      days: reason.days, payload: payload)
  }
}

extension WatcherDecision.Kind {
  /// A number that is greater, the less is known of the device; 0 for rules.
  fileprivate var doubt: Int {
    switch self {
    case .tooFast, .halted, .unconfirmed, .settling: 1
    case .uncertain: 2
    default: 0
    }
  }
}
