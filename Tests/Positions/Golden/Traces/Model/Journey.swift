/// The true path of a device through a trace, with the disturbances of its receiver.
///
/// It is built step by step: each call continues at the position and time where the previous one
/// ended. `now` is the current time in seconds, which labels can refer to.
public struct Journey: Sendable {
  /// A condition of reception during a part of the journey.
  public enum Condition: Hashable, Sendable {
    /// Between tall buildings: reflections displace fixes by up to 60 m, without an effect on the
    /// reported accuracy.
    case canyon
    /// Inside a building: a large, slowly varying error, which the reported accuracy includes.
    case indoors
    /// No fix at all.
    case silent
    /// The last fix, including its speed, is repeated with new times.
    case frozen
    /// The error after switching the receiver on, which starts at the given displacement and
    /// decays.
    case coldStart(from: Ground)
    /// The wrong position of a wireless network for some consecutive fixes, at an interval in
    /// seconds.
    case wirelessJump(to: Ground, every: Double, count: Int)
    /// Fixes are stored on the phone and sent when the condition ends.
    case offline
    /// As ``offline``, but the newest fix is sent first.
    case offlineNewestFirst
    /// One fix with a time that is some seconds ahead.
    case fixFromTheFuture(by: Double)
  }

  struct Knot {
    let time: Double
    let position: Ground
  }

  struct Disturbance {
    let condition: Condition
    let start: Double
    let end: Double
  }

  /// The device's name.
  public let device: String?
  var receiver: Receiver
  private(set) var knots: [Knot]
  private(set) var disturbances: [Disturbance] = []

  /// Creates a journey that begins at rest, at an hour of the first day.
  public init(
    from start: Ground, _ receiver: Receiver = .phone, device: String? = "phone",
    atHour hour: Double = 9
  ) {
    self.device = device
    self.receiver = receiver
    knots = [Knot(time: hour * 3600, position: start)]
  }

  /// The current time of the journey, in seconds since the start of the trace.
  public var now: Double { knots[knots.count - 1].time }
  /// The time of the journey's start.
  var start: Double { knots[0].time }
  /// The current position.
  public var here: Ground { knots[knots.count - 1].position }

  /// Moves straight to a position at a speed in km/h.
  public mutating func go(to place: Ground, at kilometersPerHour: Double) {
    let seconds = here.meters(to: place) / (kilometersPerHour / 3.6)
    knots.append(Knot(time: now + max(seconds, 0.001), position: place))
  }

  /// Walks to positions, one after the other.
  public mutating func walk(_ places: Ground...) { for place in places { go(to: place, at: 4.7) } }

  /// Stays for some minutes.
  public mutating func stay(minutes: Double) {
    knots.append(Knot(time: now + minutes * 60, position: here))
  }

  /// Stays until an hour of a day of the trace, both counted from zero.
  public mutating func stay(untilDay day: Int, hour: Double) {
    let end = Double(day) * 86_400 + hour * 3600
    knots.append(Knot(time: max(end, now), position: here))
  }

  /// Walks around a position for some minutes, within a distance of it.
  public mutating func stroll(minutes: Double, within meters: Double, of center: Ground) {
    let end = now + minutes * 60
    // Eight positions on the edge and inside the circle, in a typical order of sightseeing.
    let steps: [(Double, Double)] = [
      (0.9, 0.1), (0.2, 0.8), (-0.6, 0.5), (-0.3, -0.2), (-0.8, -0.4), (0.1, -0.9), (0.6, -0.5),
      (0, 0),
    ]
    var step = 0
    while now < end {
      let (north, east) = steps[step % steps.count]
      walk(Ground(center.north + north * meters, center.east + east * meters))
      stay(minutes: 2)
      step += 1
    }
  }

  /// Appends a part of the journey under a condition of reception.
  public mutating func under(_ condition: Condition, _ part: (inout Journey) -> Void) {
    let start = now
    part(&self)
    disturbances.append(Disturbance(condition: condition, start: start, end: now))
  }

  /// Returns the position of the device at a time, and its speed in m/s.
  func truth(at time: Double, from index: inout Int) -> (position: Ground, speed: Double) {
    while index + 2 < knots.count, knots[index + 1].time <= time { index += 1 }
    guard index + 1 < knots.count else { return (knots[0].position, 0) }
    let (a, b) = (knots[index], knots[index + 1])
    let share = min(max((time - a.time) / (b.time - a.time), 0), 1)
    let speed = time > b.time ? 0 : a.position.meters(to: b.position) / (b.time - a.time)
    return (a.position.between(b.position, share), speed)
  }

  /// Returns the periods in which the device is truly within a distance of a position, as pairs of
  /// start and end.
  ///
  /// Interruptions of less than a minute are ignored.
  public func visits(of place: Ground, within meters: Double) -> [(start: Double, end: Double)] {
    var visits: [(start: Double, end: Double)] = []
    for (a, b) in zip(knots, knots.dropFirst()) {
      guard let (first, last) = Self.part(of: a, b, within: meters, of: place) else { continue }
      if let previous = visits.last, first - previous.end < 60 {
        visits[visits.count - 1].end = last
      } else {
        visits.append((first, last))
      }
    }
    return visits
  }

  /// Returns the part of a straight segment inside a circle: the roots of a quadratic equation.
  private static func part(
    of a: Knot, _ b: Knot, within meters: Double, of place: Ground
  ) -> (Double, Double)? {
    let (dn, de) = (b.position.north - a.position.north, b.position.east - a.position.east)
    let (pn, pe) = (a.position.north - place.north, a.position.east - place.east)
    let (square, mixed) = (dn * dn + de * de, pn * dn + pe * de)
    let rest = pn * pn + pe * pe - meters * meters
    guard square > 1e-9 else { return rest <= 0 ? (a.time, b.time) : nil }
    let root = mixed * mixed - square * rest
    guard root >= 0 else { return nil }
    let first = max((-mixed - root.squareRoot()) / square, 0)
    let last = min((-mixed + root.squareRoot()) / square, 1)
    guard first <= last else { return nil }
    let seconds = b.time - a.time
    return (a.time + first * seconds, a.time + last * seconds)
  }
}
