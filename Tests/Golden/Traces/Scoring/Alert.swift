public import CivilTime
public import LocationFeeds

/// An alert that a contestant gave.
public struct Alert: Sendable {
  /// When.
  public let time: Instant
  /// To which device.
  public let device: String?
  /// The spots that it is about or names.
  public let spots: [String]

  /// Creates an alert.
  public init(time: Instant, device: String?, spots: [String]) {
    self.time = time
    self.device = device
    self.spots = spots
  }
}

/// A way to decide about alerts.
public protocol Contestant {
  /// Takes a fix that arrives at a time.
  mutating func receive(_ fix: LocationFix, at now: Instant) -> [Alert]
  /// Lets time pass without a fix.
  mutating func pass(to now: Instant) -> [Alert]
  /// Stops and starts again with what it keeps on disk.
  mutating func restart(at now: Instant)
}

extension Contestant {
  /// Decides nothing.
  public mutating func pass(to now: Instant) -> [Alert] { [] }
  /// Goes on as it is.
  public mutating func restart(at now: Instant) {}
}

extension Trace {
  /// Plays the trace to a contestant and returns what it alerted.
  public func play(to contestant: inout some Contestant, seed: UInt64) -> [Alert] {
    var alerts: [Alert] = []
    var restarts = restarts.map { start.advanced(bySeconds: $0) }[...]
    var now: Instant?
    let arrivals = arrivals(seed: seed)
    for arrival in arrivals {
      if !isRecorded, let last = now {
        // As often as a watch lets time pass; after a while of silence nothing waits any more.
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
