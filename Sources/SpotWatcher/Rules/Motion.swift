import CivilTime
import Spatial

/// The detection of vehicles from a device's fixes.
///
/// A ride begins after a period of fast fixes, so that one wrong speed does not count, and ends
/// after a longer period of slow ones.
struct Motion: Hashable, Sendable {
  /// The time of the first in the current run of fast fixes; `nil` while the device is slow.
  private(set) var fastSince: Instant?
  /// The latest speed in m/s.
  private(set) var speed = 0.0
  private var isRiding = false
  private var slowSince: Instant?
  /// The start of the distance over which the speed is calculated if none is reported.
  private var anchor: Anchor?
  /// The time since which a fast device has repeated its last fix.
  private var frozenSince: Instant?

  private struct Anchor: Hashable {
    let standpoint: Standpoint
    let time: Instant
  }

  /// The duration in seconds after which a run of fast fixes is a ride.
  private static let rideSeconds = 15.0
  /// The duration in seconds of slow fixes after which a ride is over.
  static let slowSeconds = 90.0
  /// The duration in seconds for which slowness is assumed to continue after the last fix.
  static let silenceSeconds = 30.0
  /// The minimum time in seconds between fixes over which a speed is calculated; between closer
  /// fixes, reflected signals cause too large errors.
  private static let stepSeconds = 30.0
  /// The gap in seconds between two fixes from which the speed is calculated from their distance
  /// before the reported speed of the last one is considered.
  private static let gapSeconds = 60.0
  /// The duration in seconds for which a receiver that repeats its last fix after fast movement is
  /// not assumed to stand still.
  private static let frozenSeconds = 600.0

  /// Processes an accepted fix.
  ///
  /// - Parameters:
  ///   - observation: The fix.
  ///   - last: The previous fix; `nil` if it is too old to calculate a speed.
  ///   - limit: The speed in m/s above which a device is fast.
  mutating func follow(
    _ observation: Observation, after last: (standpoint: Standpoint, time: Instant)?, limit: Double
  ) {
    guard let last else {
      self = Motion()
      anchor = Anchor(standpoint: observation.standpoint, time: observation.time)
      if let reported = observation.fix.speedMetersPerSecond {
        note(reported, at: observation.time, since: observation.time, limit)
      }
      return
    }
    if fastSince != nil, observation.coordinate == last.standpoint.coordinate {
      let first = frozenSince ?? last.time
      frozenSince = first
      if observation.time.seconds(since: first) < Self.frozenSeconds { return }
    } else if frozenSince != nil {
      frozenSince = nil
    }
    let step = observation.time.seconds(since: last.time)
    let reported = observation.fix.speedMetersPerSecond
    if step >= Self.gapSeconds {
      // The movement since the last fix, and the current one.
      note(
        last.standpoint.distance(to: observation.standpoint) / step, at: observation.time,
        since: last.time, limit
      )
      anchor = Anchor(standpoint: observation.standpoint, time: observation.time)
      if let reported, reported > 0 {
        note(reported, at: observation.time, since: observation.time, limit)
      }
      return
    }
    // Many senders write zero for an unknown speed.
    if let reported, reported > 0 {
      note(reported, at: observation.time, since: observation.time, limit)
      return
    }
    let start = anchor ?? Anchor(standpoint: last.standpoint, time: last.time)
    anchor = start
    let seconds = observation.time.seconds(since: start.time)
    guard seconds >= Self.stepSeconds else { return }
    note(
      start.standpoint.distance(to: observation.standpoint) / seconds, at: observation.time,
      since: start.time,
      limit)
    anchor = Anchor(standpoint: observation.standpoint, time: observation.time)
  }

  private mutating func note(
    _ speed: Double, at time: Instant, since start: Instant, _ limit: Double
  ) {
    self.speed = speed
    if speed > limit {
      slowSince = nil
      let first = fastSince ?? start
      fastSince = first
      if time.seconds(since: first) >= Self.rideSeconds { isRiding = true }
    } else {
      fastSince = nil
      guard isRiding else { return }
      let first = slowSince ?? time
      slowSince = first
      if time.seconds(since: first) >= Self.slowSeconds { (isRiding, slowSince) = (false, nil) }
    }
  }

  /// Returns the seconds for which the device has been slow after a ride, at a time; `nil` where
  /// there was no ride or it is over.
  func slowSeconds(at time: Instant) -> Double? {
    guard isRiding, let slowSince else { return nil }
    let seconds = time.seconds(since: slowSince)
    return seconds < Self.slowSeconds ? seconds : nil
  }
}
