import CivilTime
import Spatial

/// Validation of fixes.
extension WatcherRules {
  /// Appends the decisions about a fix, and returns a fix that the device no longer references, for
  /// reuse.
  ///
  /// The device is changed in place. Reading it from the array of all devices would copy its state.
  func follow(
    _ observation: Observation, _ device: inout DeviceState, _ surroundings: inout Surroundings,
    _ candidates: inout [Surroundings.Candidate], into decisions: inout [WatcherDecision]
  ) -> SharedFix? {
    let last = device.track.lastAccepted?.fix
    decide(observation, &device, &surroundings, &candidates, into: &decisions)
    let isAccepted = device.track.lastAccepted?.fix.isIdentical(to: observation.fix) ?? false
    return isAccepted ? last : observation.fix
  }

  /// Appends the decisions about a fix.
  private func decide(
    _ observation: Observation, _ device: inout DeviceState, _ surroundings: inout Surroundings,
    _ candidates: inout [Surroundings.Candidate], into decisions: inout [WatcherDecision]
  ) {
    let age = observation.now.seconds(since: observation.time)
    let isStale = observation.isLive && age > settings.maximumFixAgeSeconds
    if let accuracy = observation.fix.horizontalAccuracyMeters,
      accuracy > settings.maximumAccuracyMeters, !isLate(observation, device)
    {
      decisions.append(
        isStale
          ? stale(observation, age)
          : observation.decision(
            .inaccurate, figure: accuracy, limit: settings.maximumAccuracyMeters))
      return
    }
    let before = device.estimate.position
    switch take(observation, &device) {
    case .late(let seconds): decisions.append(observation.decision(.late, figure: seconds))
    case .elsewhere:
      decisions.append(isStale ? stale(observation, age) : jump(observation, device))
    case .accepted:
      accept(observation, age, &device)
      if isStale { decisions.append(stale(observation, age)) }
      guard let whereabouts = device.estimate.whereabouts(observation, model, alerting) else {
        return
      }
      decideSpots(
        observation, whereabouts, since: before, isStale: isStale, &device, &surroundings,
        &candidates, into: &decisions)
    }
  }

  /// The result of validating a fix.
  private enum Acceptance {
    case accepted
    /// It is not newer than the last one, by some seconds.
    case late(seconds: Double)
    /// Its position does not fit the device's.
    case elsewhere
  }

  private func take(_ observation: Observation, _ device: inout DeviceState) -> Acceptance {
    // If the last fix is ahead of a live clock, the clock was set back. Otherwise the device would
    // be silent until the clock caught up.
    if observation.isLive, let last = device.estimate.lastTime, observation.time <= last,
      last.seconds(since: observation.now) > Self.maximumAheadSeconds
    {
      device.estimate.restart()
    }
    let last = device.estimate.lastTime
    return switch device.estimate.take(observation, model, alerting) {
    case .late: .late(seconds: last?.seconds(since: observation.time) ?? 0)
    case .elsewhere: alerting.estimatesPosition ? .elsewhere : .accepted
    case .used, .repeated: .accepted
    }
  }

  private func isLate(_ observation: Observation, _ device: DeviceState) -> Bool {
    device.estimate.lastTime.map { observation.time <= $0 } ?? false
  }

  private func jump(_ observation: Observation, _ device: DeviceState) -> WatcherDecision {
    let speed = device.track.lastAccepted.flatMap { last -> Double? in
      let seconds = observation.time.seconds(since: last.time)
      let meters = last.standpoint.distance(to: observation.standpoint)
      return seconds > 0 ? meters / seconds * 3.6 : nil
    }
    return observation.decision(.jump, figure: speed)
  }

  private func stale(_ observation: Observation, _ age: Double) -> WatcherDecision {
    observation.decision(.stale, figure: age, limit: settings.maximumFixAgeSeconds)
  }

  /// Records that a fix was accepted.
  private func accept(_ observation: Observation, _ age: Double, _ device: inout DeviceState) {
    if device.track.lastAccepted == nil { forgetPlacesOfOldVisits(observation, &device) }
    if observation.isLive, age > settings.burstAgeSeconds {
      device.track.burstEnd = observation.now.advanced(bySeconds: Self.burstSeconds)
    }
    device.track.previousTime = device.track.lastAccepted?.time
    device.track.lastAccepted = AcceptedFix(
      fix: observation.fix, time: observation.time, standpoint: observation.standpoint)
  }

  /// Removes places entered by an earlier run of the program if that was long ago: the device may
  /// have left and come back in the meantime, so it can enter them again.
  private func forgetPlacesOfOldVisits(_ observation: Observation, _ device: inout DeviceState) {
    let limit = max(settings.cooldownSeconds, Self.sameVisitSeconds)
    device.visits.removeAll { observation.now.seconds(since: $0.enteredAt) > limit }
  }
}
