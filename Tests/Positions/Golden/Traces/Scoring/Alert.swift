public import CivilTime
public import LocationFeeds

/// An alert by a contestant.
public struct Alert: Sendable {
  /// The time of the alert.
  public let time: Instant
  /// The device that was alerted.
  public let device: String?
  /// The spots named in the alert.
  public let spots: [String]

  /// Creates an alert.
  public init(time: Instant, device: String?, spots: [String]) {
    self.time = time
    self.device = device
    self.spots = spots
  }
}

/// An algorithm that decides about alerts.
public protocol Contestant {
  /// Processes a fix that arrives at a time.
  mutating func receive(_ fix: LocationFix, at now: Instant) -> [Alert]
  /// Processes the passing of time without a fix.
  mutating func pass(to now: Instant) -> [Alert]
  /// Restarts from the state on disk.
  mutating func restart(at now: Instant)
}

extension Contestant {
  /// Returns no alerts.
  public mutating func pass(to now: Instant) -> [Alert] { [] }
  /// Keeps its state.
  public mutating func restart(at now: Instant) {}
}

extension Trace {
  /// Plays the trace to a contestant and returns its alerts.
  public func play(to contestant: inout some Contestant, seed: UInt64) -> [Alert] {
    var alerts: [Alert] = []
    var restarts = restarts.map { start.advanced(bySeconds: $0) }[...]
    var now: Instant?
    let arrivals = arrivals(seed: seed)
    for arrival in arrivals {
      if !isRecorded, let last = now {
        // As often as in a watch; after a period of silence nothing is pending.
        var time = last.advanced(bySeconds: 5)
        while time < arrival.time, time.seconds(since: last) < 1800 {
          alerts += contestant.pass(to: time)
          time = time.advanced(bySeconds: 5)
        }
      }
      if let restart = restarts.first, restart <= arrival.time {
        contestant.restart(at: restart)
        restarts.removeFirst()
      }
      let time = isRecorded ? arrival.fix.time ?? arrival.time : arrival.time
      alerts += contestant.receive(arrival.fix, at: time)
      now = time
    }
    return alerts
  }
}
