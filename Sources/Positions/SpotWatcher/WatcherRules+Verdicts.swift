import CivilTime
import Spatial

/// The verdicts on visits: by the doubts of the estimate, by the ground and earlier alerts, and by
/// the pace of alerts.
extension WatcherRules {
  /// Returns whether an alert was so recent that no visit can fire.
  func isPaced(_ device: DeviceState, at now: Instant) -> Bool {
    device.alerts.nearest(to: now).map { alert in
      abs(now.seconds(since: alert.time)) < alerting.pauseSeconds
    } ?? false
  }

  /// Returns the verdict on a visit; `nil` where it fires.
  func verdict(
    on visit: Visit, _ number: Int, _ observation: Observation, _ whereabouts: Whereabouts,
    _ device: inout DeviceState
  ) -> Verdict? {
    if let doubt = doubt(about: visit, observation, whereabouts) { return .notYet(doubt) }
    if let told = told(visit, observation, device) { return .no(told) }
    if let familiarity = device.visits[at: number].familiarity { return .no(familiarity) }
    return permission(for: visit, observation, &device)
      ?? pace(of: visit, observation, whereabouts, device).map { .notYet($0) }
  }

  /// Returns why it is not certain enough that the owner is at a spot and free to take a picture;
  /// `nil` where it is.
  private func doubt(
    about visit: Visit, _ observation: Observation, _ whereabouts: Whereabouts
  ) -> Verdict.Reason? {
    // With three standard deviations to spare, the device is within the radius.
    let spare = visit.candidate.radiusMeters - visit.candidate.distanceMeters
    if whereabouts.variance > 0, spare * spare < 9 * whereabouts.variance {
      let near = probability(
        within: visit.candidate.radiusMeters, ofPointAt: visit.candidate.distanceMeters,
        variance: whereabouts.variance)
      guard near >= alerting.leastNear else {
        return Verdict.Reason(
          kind: .uncertain, figure: near * 100, limit: alerting.leastNear * 100)
      }
    }
    guard whereabouts.isTrusted else {
      return Verdict.Reason(
        kind: .settling, figure: whereabouts.trackSeconds, limit: model.agreementSeconds)
    }
    guard !whereabouts.isFree else { return nil }
    let speed = whereabouts.speedMetersPerSecond * 3.6
    let limit = model.slowMetersPerSecond * 3.6
    if speed > limit { return Verdict.Reason(kind: .tooFast, figure: speed, limit: limit) }
    return whereabouts.free < alerting.leastFree
      ? Verdict.Reason(
        kind: .halted, figure: whereabouts.free * 100, limit: alerting.leastFree * 100)
      : Verdict.Reason(kind: .unconfirmed)
  }

  /// Returns the alert within the cooldown about the place of a visit, or close to it; `nil` where
  /// there is none.
  func told(
    _ visit: Visit, _ observation: Observation, _ device: DeviceState
  ) -> Verdict.Reason? {
    let alert = device.alerts.alert(
      within: max(alerting.siblingMeters, alerting.viewpointMeters), of: visit.candidate.center,
      seconds: alerting.cooldownSeconds, at: observation.now)
    return alert.map {
      Verdict.Reason(
        kind: $0.meters <= alerting.viewpointMeters ? .cooldown : .sibling, figure: $0.seconds,
        limit: alerting.cooldownSeconds)
    }
  }

  /// Returns why a spot has to wait for the pace of alerts; `nil` where it need not.
  ///
  /// Stops have priority over walking past, in the pauses and in the budget. An alert after the
  /// fix, from before the clock was set back, counts like one before it.
  private func pace(
    of visit: Visit, _ observation: Observation, _ whereabouts: Whereabouts, _ device: DeviceState
  ) -> Verdict.Reason? {
    guard let alert = device.alerts.nearest(to: observation.now) else { return nil }
    let isStop = whereabouts.stoppedSeconds >= alerting.stopSeconds
    let isClose = alert.center.distance(to: visit.candidate.center) <= alerting.passMeters
    let pause = !isStop && isClose ? alerting.passPauseSeconds : alerting.pauseSeconds
    let count = device.alerts.count(
      onDayOf: observation.now, localClock, within: alerting.townMeters, of: visit.candidate.center)
    let growth = max(1, Double(count.near) / (isStop ? alerting.calmStops : alerting.calmPasses))
    let seconds = observation.now.seconds(since: alert.time)
    guard abs(seconds) >= pause * growth else {
      return Verdict.Reason(kind: .paced, figure: seconds, limit: pause * growth)
    }
    let budget = isStop ? alerting.budget : alerting.passBudget
    guard count.all < budget else {
      return Verdict.Reason(
        kind: .overBudget, figure: Double(count.all), limit: Double(budget))
    }
    return nil
  }
}
