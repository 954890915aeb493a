import Interchange
import LocationFeeds
import Spatial

/// Which fixes are believed.
extension LocationWatcher {
  func decide(_ look: Look, _ device: inout DeviceState) -> [WatcherDecision] {
    if let late = lateness(of: look, &device) { return [late] }
    let age = look.now.seconds(since: look.time)
    let isStale = look.isLive && age > settings.maximumFixAgeSeconds
    let stale = { look.decision(.stale, figure: age, limit: settings.maximumFixAgeSeconds) }

    if let accuracy = look.fix.horizontalAccuracyMeters, accuracy > settings.maximumAccuracyMeters {
      let inaccurate = look.decision(
        .inaccurate, figure: accuracy, limit: settings.maximumAccuracyMeters)
      return [isStale ? stale() : inaccurate]
    }
    let step = Step(to: look, from: device.lastAccepted)
    let trust = trust(in: step, look, &device)
    if trust == .none {
      let jump = look.decision(
        .jump, figure: step.metersPerSecond.map { $0 * 3.6 }, limit: Self.jumpKilometersPerHour)
      return [isStale ? stale() : jump]
    }
    let previous = device.lastAccepted
    device.lastAccepted = AcceptedFix(
      fix: look.fix, time: look.time, coordinate: look.coordinate,
      speed: look.fix.speedMetersPerSecond ?? (trust == .full ? step.speedOverShortTime : nil))

    let moved = device.lastEvaluated?.distance(to: look.coordinate)
    if let moved, moved < settings.distanceFilterMeters {
      if isStale { return [stale()] }
      let unmoved = look.decision(
        .unmoved, figure: moved, limit: settings.distanceFilterMeters)
      return [unmoved] + settle(dueEntries(at: look, &device), look, &device)
    }
    device.lastEvaluated = look.coordinate
    var way: GreatCircleSegment?
    if let previous, trust == .full, settings.dwellSeconds == 0, step.isShort {
      way = GreatCircleSegment(
        from: previous.coordinate, to: look.coordinate, lengthMeters: step.meters)
    }
    let decisions = decideSpots(look, way: way, isStale: isStale, &device)
    return isStale ? [stale()] + decisions : decisions
  }

  /// The decision that a fix is late.
  ///
  /// Where the last accepted fix is itself ahead of a live clock, that clock was turned back, and a fix is
  /// not late by it: else the device would be silent until the clock is there again.
  private func lateness(of look: Look, _ device: inout DeviceState) -> WatcherDecision? {
    guard let last = device.lastAccepted, look.time <= last.time else { return nil }
    if look.isLive, last.time.seconds(since: look.now) > Self.maximumAheadSeconds {
      device.lastAccepted = nil
      device.jumpCandidate = nil
      return nil
    }
    return look.decision(.late, figure: last.time.seconds(since: look.time))
  }

  private enum Trust {
    /// The device is not believed to be there.
    case none
    /// It is believed to be there, but not how it got there.
    case position
    case full
  }

  private func trust(in step: Step, _ look: Look, _ device: inout DeviceState) -> Trust {
    guard let speed = step.metersPerSecond, step.seconds <= Self.jumpPatienceSeconds,
      speed * 3.6 > Self.jumpKilometersPerHour
    else {
      device.jumpCandidate = nil
      return .full
    }
    if let candidate = device.jumpCandidate {
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
private struct Step {
  let meters: Double
  let seconds: Double
  /// `nil` where there was no fix before.
  let metersPerSecond: Double?

  init(to look: Look, from last: AcceptedFix?) {
    guard let last else {
      (meters, seconds, metersPerSecond) = (0, 0, nil)
      return
    }
    meters = last.coordinate.distance(to: look.coordinate)
    seconds = look.time.seconds(since: last.time)
    metersPerSecond = seconds > 0 ? meters / seconds : nil
  }

  /// Whether it is so short that the device passed what lies on the way.
  var isShort: Bool { seconds <= 120 && meters <= 1000 }

  /// The speed, unless too much can have happened between.
  var speedOverShortTime: Double? { isShort ? metersPerSecond : nil }
}
