import CivilTime
import Spatial

/// Which fixes are believed.
extension WatcherRules {
  func decide(
    _ look: Look, _ device: inout DeviceState, _ surroundings: inout Surroundings
  ) -> [WatcherDecision] {
    if let late = lateness(of: look, &device) { return [late] }
    let age = look.now.seconds(since: look.time)
    let isStale = look.isLive && age > settings.maximumFixAgeSeconds

    if let accuracy = look.fix.horizontalAccuracyMeters, accuracy > settings.maximumAccuracyMeters {
      if isStale { return [stale(look, age)] }
      return [
        look.decision(.inaccurate, figure: accuracy, limit: settings.maximumAccuracyMeters)
      ]
    }
    // Only what is needed of the last fix, since a fix is large, and this is done for every one.
    let step = Step(
      from: device.lastAccepted?.standpoint, at: device.lastAccepted?.time, to: look)
    let trust = trust(in: step, look, &device)
    if trust == .none {
      if isStale { return [stale(look, age)] }
      return [
        look.decision(
          .jump, figure: step.metersPerSecond.map { $0 * 3.6 }, limit: Self.jumpKilometersPerHour)
      ]
    }
    if step.way == nil { forgetPlacesOfOldVisits(look, &device) }
    accept(look, step, age, &device)

    let moved = device.lastEvaluated?.distance(to: look.standpoint)
    if let moved, moved < settings.distanceFilterMeters {
      if isStale { return [stale(look, age)] }
      let due = dueEntries(at: look, &device)
      let settled = settle(due, look, &device)
      let unmoved = look.decision(
        .unmoved, figure: moved, limit: settings.distanceFilterMeters,
        waiting: device.places.waiting)
      return [unmoved] + settled
    }
    device.lastEvaluated = look.standpoint
    let isWayKnown = trust == .full && settings.dwellSeconds == 0 && step.isShort
    let decisions = decideSpots(
      look, way: isWayKnown ? step.way : nil, isStale: isStale, &device, &surroundings)
    return isStale ? [stale(look, age)] + decisions : decisions
  }

  /// Notes that a fix is believed, and how the device moves by it.
  private func accept(
    _ look: Look, _ step: Step, _ age: Double, _ device: inout DeviceState
  ) {
    let isContinued = step.way != nil && step.seconds <= Self.gapSeconds
    if let limit = settings.maximumSpeedKilometersPerHour {
      device.motion.follow(
        look, after: isContinued ? device.lastAccepted : nil, limit: limit / 3.6)
    }
    if !isContinued { device.trackStart = look.now }
    if look.isLive, age > settings.burstAgeSeconds {
      device.burstEnd = look.now.advanced(bySeconds: Self.burstSeconds)
    }
    device.lateRun = nil
    device.previousTime = device.lastAccepted?.time
    device.lastAccepted = AcceptedFix(
      fix: look.fix, time: look.time, arrived: look.now, standpoint: look.standpoint)
  }

  private func stale(_ look: Look, _ age: Double) -> WatcherDecision {
    look.decision(.stale, figure: age, limit: settings.maximumFixAgeSeconds)
  }

  /// Lets a device enter where an earlier run of the program saw it last, if that was long ago: it
  /// may have left and come back unseen.
  private func forgetPlacesOfOldVisits(_ look: Look, _ device: inout DeviceState) {
    let limit = max(settings.cooldownSeconds, Self.sameVisitSeconds)
    device.places.removeAll { look.now.seconds(since: $0.enteredAt) > limit }
  }

  /// The decision that a fix is late.
  ///
  /// Where the last accepted fix is itself ahead of a live clock, that clock was turned back, and a
  /// fix is not late by it: else the device would be silent until the clock is there again.
  private func lateness(of look: Look, _ device: inout DeviceState) -> WatcherDecision? {
    guard let last = device.lastAccepted?.time, look.time <= last else { return nil }
    if look.isLive, last.seconds(since: look.now) > Self.maximumAheadSeconds {
      device.forgetTrack()
      return nil
    }
    let lateness = last.seconds(since: look.time)
    if !look.isLive, lateness > settings.maximumFixAgeSeconds, isClockReset(by: look, &device) {
      return nil
    }
    return look.decision(.late, figure: lateness)
  }

  /// Whether so many late fixes came in their order that the one they are late by was ahead of its
  /// time.
  private func isClockReset(by look: Look, _ device: inout DeviceState) -> Bool {
    if let run = device.lateRun, run.time < look.time {
      device.lateRun = LateRun(time: look.time, count: run.count + 1)
    } else {
      device.lateRun = LateRun(time: look.time, count: 1)
    }
    guard let run = device.lateRun, run.count >= Self.lateRunCount else { return false }
    device.forgetTrack()
    return true
  }

  private enum Trust {
    /// The device is not believed to be there.
    case none
    /// It is believed to be there, but not how it got there.
    case position
    case full
  }

  private func trust(in step: Step, _ look: Look, _ device: inout DeviceState) -> Trust {
    guard step.seconds <= settings.jumpQuarantineSeconds,
      step.isFaster(thanKilometersPerHour: Self.jumpKilometersPerHour)
    else {
      device.jumpCandidate = nil
      return .full
    }
    if !has(.jumps), let candidate = device.jumpCandidate {
      // The same fix sent twice does not agree with itself.
      guard candidate.time < look.time else { return .none }
      if candidate.coordinate.distance(to: look.coordinate) <= Self.jumpAgreementMeters {
        device.jumpCandidate = nil
        return .position
      }
    }
    device.jumpCandidate = JumpCandidate(coordinate: look.coordinate, time: look.time)
    return .none
  }
}

/// How a device got from its last accepted fix to the next.
///
/// Most steps are short and slow beyond doubt, so the distance is worked out only where it is asked
/// for.
private struct Step {
  let seconds: Double
  /// `nil` where there was no fix before.
  let way: Way?

  init(from last: Standpoint?, at time: Instant?, to look: Look) {
    way = last.map { Way(from: $0, to: look.standpoint) }
    seconds = time.map { look.time.seconds(since: $0) } ?? 0
  }

  /// `nil` where there was no fix before.
  var metersPerSecond: Double? {
    guard let way, seconds > 0 else { return nil }
    return way.meters / seconds
  }

  func isFaster(thanKilometersPerHour limit: Double) -> Bool {
    guard let way, seconds > 0, way.metersAtMost / seconds * 3.6 > limit else { return false }
    return way.meters / seconds * 3.6 > limit
  }

  /// Whether it is so short that the device passed what lies on the way.
  var isShort: Bool {
    guard let way else { return true }
    return seconds <= 120 && (way.metersAtMost <= 1000 || way.meters <= 1000)
  }
}
