import CLibrary
import CivilTime
import Spatial

/// The probabilities of the rules by which a camera's clock may have been set, given the times of
/// photos and tracks.
///
/// A hidden Markov model: the photos of an outing were taken by one rule, and between outings the
/// owner may set the clock: rarely at home, and often after a journey to another place. Under a
/// rule, a photo is the more probable where the device stood for a moment, less while it moved,
/// rare during a long rest, and rarest off the tracks. How much a photographer prefers to stand is
/// unknown, so several preferences are weighted by how well they explain the photos.
/// (Forward-backward algorithm: Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77 (2),
/// 1989.)
struct ClockLikelihood {
  /// Consecutive photos with the same machine offset and no long pause.
  struct Outing {
    var times: [Instant] = []
    /// The probabilities of ``ClockLikelihood/rules``, in their order.
    fileprivate(set) var probabilities: [Double] = []
    fileprivate var phases: [[TrackPhase]] = []
    fileprivate var priors: [Double] = []
    /// The position at the outing's first photo, for each rule.
    fileprivate var places: [Coordinate?] = []
    /// The probability that the clock was set before the outing, for each rule that it had.
    fileprivate var setProbabilities: [Double] = []
  }

  private(set) var outings: [Outing]
  let rules: [ClockRule]

  /// The pause in seconds that begins another outing.
  private static let maximumPauseSeconds = 4.0 * 3600
  /// The probability that the clock was set between two outings at nearly the same place.
  private static let setProbability = 0.03
  /// The probability that the clock was set on a journey of at least ``journeyMeters``, which may
  /// cross the border of a zone. In a model of day trips, 9 % of the photos were wrong with 0.03,
  /// and 0.3 % with it; of cameras that nobody set, 2 % were left open.
  private static let setProbabilityOfJourney = 0.5
  private static let journeyMeters = 100_000.0
  /// The weight of the machine's zone, and of an offset contained in other photos of the day,
  /// relative to any other offset.
  private static let knownWeight = 40.0
  /// The rates of photos relative to those of a moving photographer: off the tracks, off them again
  /// after another such photo, during a rest, and while standing.
  private static let awayRate = 1.0 / 30
  private static let awayAgainRate = 0.5
  private static let restingRate = 0.25
  private static let standingRates = [1.5, 4, 12]

  /// Calculates the probabilities.
  ///
  /// - Parameters:
  ///   - times: The times that the clock showed, in ascending order.
  ///   - tracks: The tracks.
  ///   - machine: The local time of the machine. A machine in UTC is probably a server and says
  ///     nothing about the zone of the camera.
  ///   - statedOffset: The UTC offset in minutes contained in other photos of the same days.
  /// - Complexity: O(*n* *r* log *p*) for *n* photos, *r* rules and *p* track points.
  init(
    of times: [Instant], on tracks: TrackArchive, machine: LocalClock,
    statedOffset: (Instant) -> Int?
  ) {
    outings = Self.outings(of: times, machine)
    let fixed = ClockRule.offsetsInUse.map { ClockRule.fixed($0) }
    rules = fixed + (Self.isInUTC(machine, times.first) ? [] : [.machine])
    for number in outings.indices {
      prepare(&outings[number], tracks, machine, statedOffset)
      guard number > 0 else { continue }
      outings[number].setProbabilities = zip(outings[number - 1].places, outings[number].places)
        .map(Self.setProbability)
    }
    let all = Self.standingRates.map { explained(standingRate: $0, tracks.parts) }
    let evidence = all.map(\.evidence).probabilities
    for number in outings.indices {
      outings[number].probabilities = rules.indices.map { rule in
        zip(evidence, all).reduce(0) { $0 + $1.0 * $1.1.probabilities[number][rule] }
      }
    }
  }

  private static func outings(of times: [Instant], _ machine: LocalClock) -> [Outing] {
    var outings: [Outing] = []
    for time in times {
      if let last = outings.last?.times.last, time.seconds(since: last) <= maximumPauseSeconds,
        ClockRule.machine.minutes(atShown: last, machine: machine)
          == ClockRule.machine.minutes(atShown: time, machine: machine)
      {
        outings[outings.count - 1].times.append(time)
      } else {
        outings.append(Outing(times: [time]))
      }
    }
    return outings
  }

  /// Returns whether the machine is in UTC at a time and half a year later.
  private static func isInUTC(_ machine: LocalClock, _ time: Instant?) -> Bool {
    guard let time else { return true }
    return machine.utcOffsetMinutes(time) == 0
      && machine.utcOffsetMinutes(time.advanced(bySeconds: 182 * 86_400)) == 0
  }

  /// Determines the phases of an outing's photos and the prior probabilities, for each rule.
  private func prepare(
    _ outing: inout Outing, _ tracks: TrackArchive, _ machine: LocalClock,
    _ statedOffset: (Instant) -> Int?
  ) {
    let stated = outing.times.first.flatMap(statedOffset)
    for rule in rules {
      let minutes = rule.minutes(atShown: outing.times[0], machine: machine)
      let moments = outing.times.map { $0.advanced(bySeconds: -Double(minutes) * 60) }
      let phases = moments.map { tracks.phase(at: $0) }
      let found = zip(moments, phases).first { $0.1 != .away }?.0
      let place = tracks.coordinate(near: found ?? moments[0])
      var weight = ClockRule.weight(ofMinutes: minutes, at: place)
      if rule == .machine || rule == stated.map(ClockRule.fixed) { weight *= Self.knownWeight }
      outing.places.append(place)
      outing.phases.append(phases)
      outing.priors.append(weight)
    }
    let sum = outing.priors.reduce(0, +)
    outing.priors = outing.priors.map { log($0 / sum) }
  }

  /// Returns the probabilities of the rules in each outing, and the logarithm of that of all
  /// photos, for a photographer who takes photos at a given rate while standing.
  private func explained(
    standingRate: Double, _ parts: TrackPhase.Parts
  ) -> (probabilities: [[Double]], evidence: Double) {
    let mean =
      parts.standing * standingRate + parts.moving + parts.resting * Self.restingRate
    let likelihoods = outings.map { outing in
      outing.phases.map { Self.likelihood(of: $0, standingRate: standingRate, mean: mean) }
    }
    var forward: [[Double]] = []
    for (number, outing) in outings.enumerated() {
      let prior = forward.last.map { Self.passed(on: $0, to: outing) } ?? outing.priors
      forward.append(zip(prior, likelihoods[number]).map { $0 + $1 })
    }
    var backward = [[Double](repeating: 0, count: rules.count)]
    for number in outings.indices.dropFirst().reversed() {
      let next = zip(backward[backward.count - 1], likelihoods[number]).map { $0 + $1 }
      let isSet = zip(next, outings[number].priors).map { $0 + $1 }.logarithmOfSum
      backward.append(
        zip(next, outings[number].setProbabilities).map { kept, probability in
          [kept + log(1 - probability), isSet + log(probability)].logarithmOfSum
        })
    }
    let probabilities = zip(forward, backward.reversed()).map { pair in
      zip(pair.0, pair.1).map { $0 + $1 }.probabilities
    }
    return (probabilities, forward.last?.logarithmOfSum ?? 0)
  }

  private static func setProbability(from start: Coordinate?, to end: Coordinate?) -> Double {
    guard let start, let end, start.distance(to: end) >= journeyMeters else {
      return setProbability
    }
    return setProbabilityOfJourney
  }

  /// Returns the probabilities before an outing from those after the one before.
  private static func passed(on previous: [Double], to outing: Outing) -> [Double] {
    let isSet = zip(previous, outing.setProbabilities).map { $0 + log($1) }.logarithmOfSum
    return previous.indices.map { rule in
      let kept = previous[rule] + log(1 - outing.setProbabilities[rule])
      return [kept, isSet + outing.priors[rule]].logarithmOfSum
    }
  }

  private static func likelihood(
    of phases: [TrackPhase], standingRate: Double, mean: Double
  ) -> Double {
    var (sum, previous) = (0.0, TrackPhase.moving)
    for phase in phases {
      let rate: Double =
        switch phase {
        // An evening without a recording is one event, not one for each photo.
        case .away: previous == .away ? awayAgainRate : awayRate
        case .moving: 1 / mean
        case .resting: restingRate / mean
        case .standing: standingRate / mean
        }
      sum += log(rate)
      previous = phase
    }
    return sum
  }
}

extension [Double] {
  /// The logarithm of the sum of the numbers whose logarithms these are.
  fileprivate var logarithmOfSum: Double {
    guard let most = self.max(), most > -.infinity else { return -.infinity }
    return most + log(reduce(0) { $0 + exp($1 - most) })
  }

  /// The numbers whose logarithms these are, scaled to a sum of 1.
  fileprivate var probabilities: [Double] {
    let all = logarithmOfSum
    return map { exp($0 - all) }
  }
}
