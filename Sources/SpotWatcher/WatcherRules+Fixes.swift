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
    _ backup: inout DeviceBackup, into decisions: inout [WatcherDecision]
  ) -> SharedFix? {
    let last = device.track.lastAccepted?.fix
    decide(observation, &device, &surroundings, &backup, into: &decisions)
    let isAccepted = device.track.lastAccepted?.fix.isIdentical(to: observation.fix) ?? false
    return isAccepted ? last : observation.fix
  }

  /// Appends the decisions about a fix.
  private func decide(
    _ observation: Observation, _ device: inout DeviceState, _ surroundings: inout Surroundings,
    _ backup: inout DeviceBackup, into decisions: inout [WatcherDecision]
  ) {
    if let late = lateness(of: observation, &device) {
      decisions.append(late)
      return
    }
    let age = observation.now.seconds(since: observation.time)
    let isStale = observation.isLive && age > settings.maximumFixAgeSeconds

    if let accuracy = observation.fix.horizontalAccuracyMeters,
      accuracy > settings.maximumAccuracyMeters
    {
      decisions.append(
        isStale
          ? stale(observation, age)
          : observation.decision(
            .inaccurate, figure: accuracy, limit: settings.maximumAccuracyMeters))
      return
    }
    // Only parts of the last fix are copied, since fixes are large.
    let step = Step(
      from: device.track.lastAccepted?.standpoint, at: device.track.lastAccepted?.time,
      to: observation.standpoint, at: observation.time)
    let trust = trust(in: step, observation, &device)
    if trust == .none {
      decisions.append(
        isStale
          ? stale(observation, age)
          : observation.decision(
            .jump, figure: step.metersPerSecond.map { $0 * 3.6 },
            limit: Self.jumpKilometersPerHour))
      return
    }
    if step.leg == nil {
      backup.save(device)
      forgetPlacesOfOldVisits(observation, &device)
    }
    accept(observation, step, age, &device)
    if backup.isInUse, mayChangePlaces(of: &device, at: observation.now) { backup.save(device) }

    let moved = device.track.lastEvaluated?.distance(to: observation.standpoint)
    if let moved, moved < settings.distanceFilterMeters {
      if isStale {
        decisions.append(stale(observation, age))
        return
      }
      let due = dueEntries(at: observation, &device)
      // The decision precedes those of the timers, but its content depends on them, so it is
      // replaced below.
      let place = decisions.count
      decisions.append(
        observation.decision(
          .unmoved, figure: moved, limit: settings.distanceFilterMeters,
          waiting: due.isEmpty ? device.places.schedule.longest : nil))
      guard !due.isEmpty else { return }
      settle(due, observation, &device, into: &decisions)
      decisions[place] = observation.decision(
        .unmoved, figure: moved, limit: settings.distanceFilterMeters,
        waiting: device.places.schedule.longest)
      return
    }
    device.track.lastEvaluated = observation.standpoint
    let isLegKnown = trust == .full && settings.dwellSeconds == 0 && step.isShort
    if isStale { decisions.append(stale(observation, age)) }
    decideSpots(
      observation, leg: isLegKnown ? step.leg : nil, isStale: isStale, &device, &surroundings,
      &backup, into: &decisions)
  }

  /// Records that a fix was accepted, and updates the device's motion.
  private func accept(
    _ observation: Observation, _ step: Step, _ age: Double, _ device: inout DeviceState
  ) {
    let isContinued = step.leg != nil && step.seconds <= Self.gapSeconds
    if let limit = settings.maximumSpeedKilometersPerHour {
      let last = device.track.lastAccepted.map { (standpoint: $0.standpoint, time: $0.time) }
      device.track.motion.follow(observation, after: isContinued ? last : nil, limit: limit / 3.6)
    }
    if !isContinued { device.track.start = observation.now }
    if observation.isLive, age > settings.burstAgeSeconds {
      device.track.burstEnd = observation.now.advanced(bySeconds: Self.burstSeconds)
    }
    device.track.lateRun = nil
    device.track.previousTime = device.track.lastAccepted?.time
    device.track.lastAccepted = AcceptedFix(
      fix: observation.fix, time: observation.time, arrived: observation.now,
      standpoint: observation.standpoint)
  }

  private func stale(_ observation: Observation, _ age: Double) -> WatcherDecision {
    observation.decision(.stale, figure: age, limit: settings.maximumFixAgeSeconds)
  }

  /// Removes places entered by an earlier run of the program if that was long ago: the device may
  /// have left and come back in the meantime, so it can enter them again.
  private func forgetPlacesOfOldVisits(_ observation: Observation, _ device: inout DeviceState) {
    let limit = max(settings.cooldownSeconds, Self.sameVisitSeconds)
    device.places.removeAll { observation.now.seconds(since: $0.enteredAt) > limit }
  }

  /// Returns the decision that a fix is late; `nil` where it is not.
  ///
  /// If the last accepted fix is ahead of a live clock, the clock was set back, and the fix is not
  /// late. Otherwise the device would be silent until the clock caught up.
  private func lateness(of observation: Observation, _ device: inout DeviceState)
    -> WatcherDecision?
  {
    guard let last = device.track.lastAccepted?.time, observation.time <= last else { return nil }
    if observation.isLive, last.seconds(since: observation.now) > Self.maximumAheadSeconds {
      device.track.forgetFixes()
      return nil
    }
    let lateness = last.seconds(since: observation.time)
    if !observation.isLive, lateness > settings.maximumFixAgeSeconds,
      isClockReset(by: observation, &device)
    {
      return nil
    }
    return observation.decision(.late, figure: lateness)
  }

  /// Returns whether so many late fixes arrived in order that the accepted one must have been ahead
  /// of its time.
  private func isClockReset(by observation: Observation, _ device: inout DeviceState) -> Bool {
    if let run = device.track.lateRun, run.time < observation.time {
      device.track.lateRun = LateRun(time: observation.time, count: run.count + 1)
    } else {
      device.track.lateRun = LateRun(time: observation.time, count: 1)
    }
    guard let run = device.track.lateRun, run.count >= Self.lateRunCount else { return false }
    device.track.forgetFixes()
    return true
  }

  private enum Trust {
    /// The position is rejected.
    case none
    /// The position is accepted, but not the leg to it.
    case position
    case full
  }

  private func trust(in step: Step, _ observation: Observation, _ device: inout DeviceState)
    -> Trust
  {
    guard step.seconds <= settings.jumpQuarantineSeconds,
      step.isFaster(thanKilometersPerHour: Self.jumpKilometersPerHour)
    else {
      device.track.jumpCandidate = nil
      return .full
    }
    if !has(.jumps), let candidate = device.track.jumpCandidate {
      // A repeated fix does not confirm itself.
      guard candidate.time < observation.time else { return .none }
      if candidate.coordinate.distance(to: observation.coordinate) <= Self.jumpAgreementMeters {
        device.track.jumpCandidate = nil
        return .position
      }
    }
    device.track.jumpCandidate = JumpCandidate(
      coordinate: observation.coordinate, time: observation.time)
    return .none
  }
}

/// The step of a device from its last accepted fix to the next.
///
/// Most steps are clearly short and slow, so the exact distance is calculated only on demand.
private struct Step {
  let seconds: Double
  /// The leg; `nil` where there was no previous fix.
  let leg: Leg?

  init(from last: Standpoint?, at start: Instant?, to here: Standpoint, at time: Instant) {
    leg = last.map { Leg(from: $0, to: here) }
    seconds = start.map { time.seconds(since: $0) } ?? 0
  }

  /// The speed; `nil` where there was no previous fix.
  var metersPerSecond: Double? {
    guard let leg, seconds > 0 else { return nil }
    return leg.meters / seconds
  }

  func isFaster(thanKilometersPerHour limit: Double) -> Bool {
    guard let leg, seconds > 0, leg.metersAtMost / seconds * 3.6 > limit else { return false }
    return leg.meters / seconds * 3.6 > limit
  }

  /// Whether the step is so short that the device can be assumed to have followed the leg.
  var isShort: Bool {
    guard let leg else { return true }
    return seconds <= 120 && (leg.metersAtMost <= 1000 || leg.meters <= 1000)
  }
}
