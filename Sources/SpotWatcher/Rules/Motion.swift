import CivilTime
import Spatial

/// Whether a device is in a vehicle, as far as its fixes tell.
///
/// A ride begins where it was fast for some time, so that one wrong speed is none, and ends where
/// it was slow for longer.
struct Motion: Hashable, Sendable {
  /// The first of the fast fixes in a row; `nil` while it is slow.
  private(set) var fastSince: Instant?
  /// How fast it was there at last, in m/s.
  private(set) var speed = 0.0
  private var isRiding = false
  private var slowSince: Instant?
  /// From where on a speed is measured that nobody reports.
  private var anchor: Anchor?
  /// Since when a fast device repeats its last fix.
  private var frozenSince: Instant?

  private struct Anchor: Hashable {
    let standpoint: Standpoint
    let time: Instant
  }

  /// A fast stretch of so many seconds is a ride.
  private static let rideSeconds = 15.0
  /// After a ride, a device must be slow for so many seconds.
  static let slowSeconds = 90.0
  /// The clock counts slowness for so many seconds beyond the last fix that showed it.
  static let silenceSeconds = 30.0
  /// A speed is measured between fixes that lie so many seconds apart at least: reflections let the
  /// closer ones leap.
  private static let stepSeconds = 30.0
  /// So far apart, in seconds, fixes tell more of what was between them than the speed of the last
  /// one does.
  private static let gapSeconds = 60.0
  /// A receiver that repeats its last fix after fast motion is not believed to stand for so many
  /// seconds.
  private static let frozenSeconds = 600.0

  /// Takes an accepted fix into account.
  ///
  /// - Parameters:
  ///   - observation: The fix.
  ///   - last: The one before; `nil` where that is longer ago than a speed can be told from.
  ///   - limit: More than this is fast, in m/s.
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
      // What it did meanwhile, and what it does now.
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
    // Many senders write zero for a speed that they do not know.
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

  /// How long it has been slow at a time after a ride, in seconds; `nil` where there was no ride,
  /// or it is long over.
  func slowSeconds(at time: Instant) -> Double? {
    guard isRiding, let slowSince else { return nil }
    let seconds = time.seconds(since: slowSince)
    return seconds < Self.slowSeconds ? seconds : nil
  }
}
