/// The true way of a device through a trace, and what disturbs its receiver on the way.
///
/// It is written as a story: each call goes on where and when the one before ended. `now` is the
/// time of the story in seconds, to be kept where a label needs it.
public struct Journey: Sendable {
  /// A condition of reception during a part of the journey.
  public enum Condition: Hashable, Sendable {
    /// Between high houses: reflections displace fixes by up to 60 m, and the receiver does not
    /// know.
    case canyon
    /// Inside a building: a wide, slow error that the receiver knows of.
    case indoors
    /// No fix at all.
    case silent
    /// The last fix again and again with new times, its speed with it.
    case frozen
    /// The error of a receiver that was just switched on: metres at first, and dying away.
    case coldStart(from: Ground)
    /// A position of a wireless network's wrong address for some fixes in a row, once in so many
    /// seconds.
    case wirelessJump(to: Ground, every: Double, count: Int)
    /// Fixes are kept by the phone and sent when the condition ends.
    case offline
    /// The same, and the newest is sent first.
    case offlineNewestFirst
    /// One fix with a time so many seconds ahead.
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

  /// Begins a journey at rest, at an hour of the first day.
  public init(
    from start: Ground, _ receiver: Receiver = .phone, device: String? = "phone",
    atHour hour: Double = 9
  ) {
    self.device = device
    self.receiver = receiver
    knots = [Knot(time: hour * 3600, position: start)]
  }

  /// The time of the story, in seconds since the start of the trace.
  public var now: Double { knots[knots.count - 1].time }
  /// When the story began.
  var start: Double { knots[0].time }
  /// Where the story is.
  public var here: Ground { knots[knots.count - 1].position }

  /// Goes straight to a place at a speed in km/h.
  public mutating func go(to place: Ground, at kilometersPerHour: Double) {
    let seconds = here.meters(to: place) / (kilometersPerHour / 3.6)
    knots.append(Knot(time: now + max(seconds, 0.001), position: place))
  }

  /// Walks past places, one after the other.
  public mutating func walk(_ places: Ground...) { for place in places { go(to: place, at: 4.7) } }

  /// Stays for some minutes.
  public mutating func stay(minutes: Double) {
    knots.append(Knot(time: now + minutes * 60, position: here))
  }

  /// Stays until an hour of a day of the trace, which both begin with zero.
  public mutating func stay(untilDay day: Int, hour: Double) {
    let end = Double(day) * 86_400 + hour * 3600
    knots.append(Knot(time: max(end, now), position: here))
  }

  /// Wanders about a place for some minutes, never farther from it than some metres.
  public mutating func stroll(minutes: Double, within meters: Double, of center: Ground) {
    let end = now + minutes * 60
    // Eight places on the rim and within, in the order in which sights are visited.
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

  /// Tells a part of the story under a condition of reception.
  public mutating func under(_ condition: Condition, _ part: (inout Journey) -> Void) {
    let start = now
    part(&self)
    disturbances.append(Disturbance(condition: condition, start: start, end: now))
  }

  /// Where the device is at a time, and how fast it moves, in m/s.
  func truth(at time: Double, from index: inout Int) -> (position: Ground, speed: Double) {
    while index + 2 < knots.count, knots[index + 1].time <= time { index += 1 }
    guard index + 1 < knots.count else { return (knots[0].position, 0) }
    let (a, b) = (knots[index], knots[index + 1])
    let share = min(max((time - a.time) / (b.time - a.time), 0), 1)
    let speed = time > b.time ? 0 : a.position.meters(to: b.position) / (b.time - a.time)
    return (a.position.between(b.position, share), speed)
  }

  /// The times during which the device truly is within a distance of a place, as pairs of start and
  /// end.
  ///
  /// What is interrupted by less than a minute counts as one.
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

  /// The part of a straight way within a circle: the roots of a quadratic equation.
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
