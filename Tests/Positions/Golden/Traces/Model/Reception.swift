import CLibrary
public import CivilTime
public import LocationFeeds
import Spatial
import TestSupport

/// A fix with the time of its arrival.
public struct Arrival: Sendable {
  /// The time of arrival.
  public var time: Instant
  /// The fix.
  public var fix: LocationFix
}

/// A generator of normally distributed numbers (G. E. P. Box and M. E. Muller, 1958).
struct Noise {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func uniform() -> Double { .random(in: 0..<1, using: &generator) }

  mutating func normal() -> Double {
    (-2 * log(1 - uniform())).squareRoot() * cos(2 * Double.pi * uniform())
  }

  mutating func point(sigma: Double) -> Ground { Ground(sigma * normal(), sigma * normal()) }
}

/// An exponentially correlated error: a first-order Gauss–Markov process.
struct GaussMarkov {
  private var error: Ground
  private var time: Double?

  init() { error = Ground(0, 0) }

  mutating func step(to time: Double, sigma: Double, correlation: Double, _ noise: inout Noise)
    -> Ground
  {
    let kept = self.time.map { exp(-(time - $0) / correlation) } ?? 0
    let fresh = noise.point(sigma: sigma * (1 - kept * kept).squareRoot())
    error = Ground(error.north * kept + fresh.north, error.east * kept + fresh.east)
    self.time = time
    return error
  }
}

/// A generator of a journey's fixes.
struct Reception {
  private let journey: Journey
  private var noise: Noise
  private var error = GaussMarkov()
  private var reflection = Ground(0, 0)
  private var nextReflection = 0.0
  private var knot = 0

  /// A fix under construction, in the journey's time.
  private struct Sample {
    var time: Double
    var arrival: Double
    var position: Ground
    var accuracy: Double?
    var speed: Double?
  }

  init(_ journey: Journey, seed: UInt64) {
    self.journey = journey
    noise = Noise(seed: seed)
  }

  /// Returns the fixes in order of arrival.
  mutating func arrivals(from start: Instant, _ trace: Trace) -> [Arrival] {
    samples().map { sample in
      let position = sample.position.coordinate(from: trace.origin)
      return Arrival(
        time: start.advanced(bySeconds: sample.arrival),
        fix: LocationFix(
          time: start.advanced(bySeconds: sample.time), latitude: position.latitude,
          longitude: position.longitude, horizontalAccuracyMeters: sample.accuracy,
          speedMetersPerSecond: sample.speed, device: journey.device))
    }
  }

  private mutating func samples() -> [Sample] {
    let receiver = journey.receiver
    var samples: [Sample] = []
    var (time, rested) = (journey.knots[0].time + noise.uniform() * receiver.interval, 0.0)
    var frozen: Sample?
    var reported: Ground?
    var didTellTheFuture = false
    while time <= journey.now {
      let truth = journey.truth(at: time, from: &knot)
      rested = truth.speed < 0.3 ? rested + receiver.interval : 0
      let conditions = journey.disturbances.filter { $0.start <= time && time < $0.end }
      var sample = self.sample(at: time, truth, conditions)
      let isFrozen = conditions.contains { $0.condition == .frozen }
      if isFrozen, var last = frozen {
        last.time = time
        last.arrival = time + receiver.latency
        sample = last
      }
      frozen = sample
      let isSilent = conditions.contains { $0.condition == .silent }
      let isSignificant =
        receiver.significantMeters.map { limit in
          reported.map { $0.meters(to: sample.position) >= limit } ?? true
            || rested == receiver.interval * 3
        } ?? true
      if !isSilent, isSignificant {
        reported = sample.position
        for case .fixFromTheFuture(let ahead) in conditions.map(\.condition) where !didTellTheFuture
        {
          sample.time += ahead
          didTellTheFuture = true
        }
        samples.append(sample)
      }
      let isResting = rested > 120
      time += isResting ? receiver.restingInterval ?? receiver.interval : receiver.interval
      // A phone notices that it moves again.
      if isResting, let resting = receiver.restingInterval {
        time = min(
          time, max(nextDeparture(after: time - resting), time - resting) + receiver.interval)
      }
    }
    return disordered(samples)
  }

  /// Returns the end of the rest period at a time.
  private func nextDeparture(after time: Double) -> Double {
    var place = knot
    while place + 1 < journey.knots.count {
      let (a, b) = (journey.knots[place], journey.knots[place + 1])
      if b.time > time, a.position.meters(to: b.position) > 1 { return max(a.time, time) }
      place += 1
    }
    return journey.now
  }

  private mutating func sample(
    at time: Double, _ truth: (position: Ground, speed: Double), _ conditions: [Journey.Disturbance]
  ) -> Sample {
    let receiver = journey.receiver
    var (sigma, correlation, accuracy) = (receiver.sigma, receiver.correlation, receiver.accuracy)
    var offset = Ground(0, 0)
    var place = truth.position
    for disturbance in conditions {
      switch disturbance.condition {
      case .canyon:
        (sigma, correlation) = (max(sigma, 10), 40)
        if time >= nextReflection {
          let isReflected = noise.uniform() < 0.4
          let size = isReflected ? 20 + 40 * noise.uniform() : 0
          let angle = 2 * Double.pi * noise.uniform()
          reflection = Ground(size * cos(angle), size * sin(angle))
          nextReflection = time + 15 + 45 * noise.uniform()
        }
        offset = reflection
      case .indoors:
        (sigma, correlation) = (max(sigma, 18), 240)
        accuracy = accuracy.map { max($0, 25) }
      case .coldStart(let first):
        let left = exp(-(time - disturbance.start) / 30)
        offset = Ground(first.north * left, first.east * left)
        accuracy = accuracy.map { $0 + 20 * left }
      case .wirelessJump(let target, let every, let count):
        let since = (time - disturbance.start).truncatingRemainder(dividingBy: every)
        let isFirst = time - disturbance.start < every
        if !isFirst, since < Double(count) * receiver.interval {
          place = target
          (sigma, accuracy) = (10, 30)
        }
      case .silent, .frozen, .offline, .offlineNewestFirst, .fixFromTheFuture: break
      }
    }
    let wander = error.step(to: time, sigma: sigma, correlation: correlation, &noise)
    let speed = receiver.reportsSpeed ? abs(truth.speed + 0.2 * noise.normal()) : nil
    return Sample(
      time: time, arrival: time + receiver.latency * (0.5 + noise.uniform()),
      position: Ground(
        place.north + offset.north + wander.north, place.east + offset.east + wander.east),
      accuracy: accuracy.map { $0 * (0.8 + 0.5 * noise.uniform()) }, speed: speed)
  }

  /// Returns fixes that arrive late, twice or out of order.
  private mutating func disordered(_ samples: [Sample]) -> [Sample] {
    var arriving: [Sample] = []
    for var sample in samples {
      for disturbance in journey.disturbances
      where disturbance.start <= sample.time && sample.time < disturbance.end {
        switch disturbance.condition {
        case .offline: sample.arrival = disturbance.end + (sample.time - disturbance.start) * 1e-4
        case .offlineNewestFirst:
          sample.arrival = disturbance.end + (disturbance.end - sample.time) * 1e-4
        default: break
        }
      }
      if noise.uniform() < journey.receiver.overtaken {
        sample.arrival += journey.receiver.interval * 1.2
      }
      arriving.append(sample)
      if noise.uniform() < journey.receiver.duplicates {
        sample.arrival += journey.receiver.interval * 0.5
        arriving.append(sample)
      }
    }
    return arriving.enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }
    .map(\.element)
  }
}
