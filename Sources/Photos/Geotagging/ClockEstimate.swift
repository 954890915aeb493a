import CLibrary
public import CivilTime
import Spatial

/// An estimator of the difference between a camera's clock and UTC, based on tracks recorded at the
/// time.
///
/// *The time zone* is estimated if the photos do not contain it: of the UTC offsets in use and the
/// rule of the machine's zone, the one that best explains where on the tracks the photos were taken
/// (``ClockLikelihood``). It may change between two outings. If no offset is probable enough, those
/// that fit are the clock's ``CameraClock/rivalMinutes``.
///
/// *The error of the clock* is estimated up to 15 minutes, from the fact that people stand still to
/// take a photo. If at some shift many more photos fall within stops of the track than by chance,
/// the clock was wrong by that shift. An error shorter than the stops is not detected; how far off
/// the clock may still be is its ``CameraClock/uncertaintySeconds``.
public struct ClockEstimate: Sendable {
  private let tracks: TrackArchive
  private let machineClock: LocalClock
  private let statedOffset: @Sendable (Instant) -> Int?

  /// The probability that the true offset is among those that are considered for a photo.
  private static let certainty = 0.97
  /// The maximum error of a clock that is considered, in seconds.
  private static let maximumErrorSeconds = 900.0
  private static let errorStepSeconds = 10.0
  /// The speed in m/s below which a person is assumed to stand still, given the noise of a
  /// receiver.
  private static let standingSpeed = 0.6
  /// The minimum number of photos at stops that proves an error of the clock, and the number of
  /// standard deviations by which it must exceed the number at the uncorrected time.
  private static let minimumStops = 8
  private static let significance = 4.0
  /// The mean error in seconds of the clocks of cameras that were set once, the share of the
  /// others, which have any error, and how many times as often a photo is taken at a stop as during
  /// a movement of the same length, at least.
  private static let meanErrorSeconds = 50.0
  private static let shareOfWrongClocks = 0.03
  private static let preferenceForStops = 2.0
  /// The probability that the true error is within the uncertainty.
  private static let errorCertainty = 0.97

  /// Creates an estimator.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - machineClock: The local time of the machine, probably the home time zone of the
  ///     photographer.
  ///   - statedOffset: The UTC offset in minutes contained in other photos of the same days; `nil`
  ///     if there are none.
  public init(
    tracks: TrackArchive, machineClock: LocalClock,
    statedOffset: @escaping @Sendable (Instant) -> Int? = { _ in nil }
  ) {
    self.tracks = tracks
    self.machineClock = machineClock
    self.statedOffset = statedOffset
  }

  /// Returns the clocks of a series, in the order of their times; several if the clock was set in
  /// between.
  public func clocks(of series: ClockSeries) -> [DatedCameraClock] {
    guard let first = series.times.first, let last = series.times.last else { return [] }
    if series.statesOffset {
      let clock = clock(series.times, zone: Zone(minutes: 0, basis: .stated), in: series.sample)
      return [DatedCameraClock(times: first.through(last), clock: clock)]
    }
    let changes = zones(of: series.sample)
    return changes.indices.map { number in
      let next = number + 1 < changes.count ? changes[number + 1].start : nil
      let times = series.times.filter { time in
        (number == 0 || time >= changes[number].start) && next.map { time < $0 } ?? true
      }
      let sample = series.sample.filter { times.contains($0) }
      let clock = clock(times, zone: changes[number].zone, in: sample)
      return DatedCameraClock(
        times: (times.first ?? first).through(times.last ?? last), clock: clock)
    }
  }

  /// Returns the clock of a series according to the user, with the number of photos within tracks.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - seconds: The seconds by which the clock was ahead of UTC.
  /// - Returns: The clock.
  public func clock(of series: ClockSeries, given seconds: Double) -> CameraClock {
    let minutes = Int(saturating: (seconds / 900).rounded()) * 15
    let error = Deviation(
      seconds: seconds - Double(minutes) * 60, uncertainty: CameraClock.leastUncertaintySeconds)
    return clock(series.times, zone: Zone(minutes: minutes, basis: .given), error: error)
  }

  private func clock(_ times: [Instant], zone: Zone, in sample: [Instant]) -> CameraClock {
    var error = error(of: sample, zone)
    // A device that knows its offset is usually set by the network.
    if zone.basis == .stated { error.uncertainty = CameraClock.leastUncertaintySeconds }
    return clock(times, zone: zone, error: error)
  }

  /// Returns the clock with a zone and an error, after counting the photos within tracks.
  private func clock(_ times: [Instant], zone: Zone, error: Deviation) -> CameraClock {
    let shift = -Double(zone.minutes) * 60 - error.seconds
    let covered = times.count { tracks.phase(at: $0.advanced(bySeconds: shift)) != .away }
    return CameraClock(
      zoneMinutes: zone.minutes, errorSeconds: error.seconds, basis: zone.basis,
      uncertaintySeconds: error.uncertainty, rivalMinutes: zone.rivals, photoCount: times.count,
      coveredCount: covered)
  }

  // MARK: - The time zone

  /// The time zone of a clock.
  private struct Zone: Hashable {
    let minutes: Int
    let basis: CameraClock.Basis
    var rivals: [Int] = []
  }

  /// Estimates the zones of a series, each with the first photo's time; at least one.
  private func zones(of sample: [Instant]) -> [(start: Instant, zone: Zone)] {
    let likelihood = ClockLikelihood(
      of: sample, on: tracks, machine: machineClock, statedOffset: statedOffset)
    var zones: [(start: Instant, zone: Zone)] = []
    for outing in likelihood.outings {
      let zone = zone(of: outing, likelihood.rules)
      if zones.last?.zone != zone { zones.append((outing.times[0], zone)) }
    }
    return zones
  }

  private func zone(of outing: ClockLikelihood.Outing, _ rules: [ClockRule]) -> Zone {
    let start = outing.times[0]
    let home = ClockRule.machine.minutes(atShown: start, machine: machineClock)
    guard tracks.pointCount > 0 else {
      let stated = statedOffset(start)
      return Zone(minutes: stated ?? home, basis: stated == nil ? .machineZone : .otherPhotos)
    }
    var shares: [Int: Double] = [:]
    for (rule, share) in zip(rules, outing.probabilities) {
      shares[rule.minutes(atShown: start, machine: machineClock), default: 0] += share
    }
    let ordered = shares.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var (fitting, share) = ([Int](), 0.0)
    for (minutes, part) in ordered where share < Self.certainty {
      fitting.append(minutes)
      share += part
    }
    let best = fitting.first ?? home
    let basis: CameraClock.Basis =
      best == statedOffset(start) ? .otherPhotos : best == home ? .machineZone : .tracks
    return Zone(minutes: best, basis: basis, rivals: Array(fitting.dropFirst()))
  }

  // MARK: - The error of the clock

  /// The error of a clock in seconds, positive if it was fast, and the seconds by which the true
  /// error may differ from it.
  private struct Deviation {
    var seconds: Double
    var uncertainty: Double
  }

  /// Estimates the error of a clock; 0 unless an error is significant and the zone certain.
  private func error(of sample: [Instant], _ zone: Zone) -> Deviation {
    let moments = sample.map { $0.advanced(bySeconds: -Double(zone.minutes) * 60) }
    let steps = Int(saturating: Self.maximumErrorSeconds / Self.errorStepSeconds)
    let stops = (-steps...steps).map { step in
      self.stops(moments, errorSeconds: Double(step) * Self.errorStepSeconds)
    }
    let seconds = zone.rivals.isEmpty ? Self.error(of: moments.count, stops, steps) : 0
    let shares = stops.indices.map { index in
      let difference = abs(Double(index - steps) * Self.errorStepSeconds - seconds)
      let prior =
        (1 - Self.shareOfWrongClocks) * exp(-difference / Self.meanErrorSeconds)
        / Self.meanErrorSeconds + Self.shareOfWrongClocks / Self.maximumErrorSeconds
      return (
        difference,
        logarithm: Double(stops[index]) * log(Self.preferenceForStops) + log(prior)
      )
    }
    let most = shares.map(\.logarithm).max() ?? 0
    let sum = shares.reduce(0) { $0 + exp($1.logarithm - most) }
    var (uncertainty, share) = (CameraClock.leastUncertaintySeconds, 0.0)
    for (difference, logarithm) in shares.sorted(by: { $0.0 < $1.0 })
    where share < Self.errorCertainty * sum {
      share += exp(logarithm - most)
      uncertainty = max(uncertainty, difference)
    }
    return Deviation(seconds: seconds, uncertainty: uncertainty)
  }

  /// Returns the error of a clock in seconds, 0 unless it is significant, from the numbers of
  /// photos at stops by error, in which no error has the index `steps`.
  private static func error(of photoCount: Int, _ stops: [Int], _ steps: Int) -> Double {
    guard let most = stops.max(), most >= minimumStops, photoCount > 0 else { return 0 }
    let count = Double(photoCount)
    let chance = Double(stops.reduce(0, +)) / Double(stops.count) / count
    let deviation = max((count * chance * (1 - chance)).squareRoot(), 1)
    guard Double(most - stops[steps]) >= significance * deviation else { return 0 }
    // The middle of the longest run of equally good shifts, because a stop lasts longer than a
    // step.
    var (best, run) = (0..<0, 0..<0)
    for (index, found) in stops.enumerated() {
      run = found == most ? (run.isEmpty ? index..<index + 1 : run.lowerBound..<index + 1) : 0..<0
      if run.count > best.count { best = run }
    }
    let middle = Double(best.lowerBound + best.upperBound - 1) / 2
    return (middle - Double(steps)) * errorStepSeconds
  }

  /// Returns the number of photos taken at a stop if the clock was fast by the given seconds.
  private func stops(_ moments: [Instant], errorSeconds: Double) -> Int {
    moments.count { moment in
      let position = tracks.position(at: moment.advanced(bySeconds: -errorSeconds))
      return position.map { $0.speedMetersPerSecond < Self.standingSpeed } ?? false
    }
  }
}
