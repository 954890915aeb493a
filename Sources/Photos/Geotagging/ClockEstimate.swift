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
/// the clock was wrong by that shift. An error shorter than the stops is not detected.
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
    return clock(
      series.times, zone: Zone(minutes: minutes, basis: .given),
      error: seconds - Double(minutes) * 60)
  }

  private func clock(_ times: [Instant], zone: Zone, in sample: [Instant]) -> CameraClock {
    // An error cannot be measured before the zone is certain.
    let error = zone.rivals.isEmpty ? error(of: sample, zoneMinutes: zone.minutes) : 0
    return clock(times, zone: zone, error: error)
  }

  /// Returns the clock with a zone and an error, after counting the photos within tracks.
  private func clock(_ times: [Instant], zone: Zone, error: Double) -> CameraClock {
    let shift = -Double(zone.minutes) * 60 - error
    let covered = times.count { tracks.phase(at: $0.advanced(bySeconds: shift)) != .away }
    return CameraClock(
      zoneMinutes: zone.minutes, errorSeconds: error, basis: zone.basis,
      rivalMinutes: zone.rivals, photoCount: times.count, coveredCount: covered)
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

  /// Estimates the error of the clock in seconds, positive if it was fast; 0 unless an error is
  /// significant.
  private func error(of sample: [Instant], zoneMinutes: Int) -> Double {
    let moments = sample.map { $0.advanced(bySeconds: -Double(zoneMinutes) * 60) }
    let steps = Int(saturating: Self.maximumErrorSeconds / Self.errorStepSeconds)
    let stops = (-steps...steps).map { step in
      self.stops(moments, errorSeconds: Double(step) * Self.errorStepSeconds)
    }
    guard let most = stops.max(), most >= Self.minimumStops, !moments.isEmpty else { return 0 }
    let count = Double(moments.count)
    let chance = Double(stops.reduce(0, +)) / Double(stops.count) / count
    let deviation = max((count * chance * (1 - chance)).squareRoot(), 1)
    guard Double(most - stops[steps]) >= Self.significance * deviation else { return 0 }
    // The middle of the longest run of equally good shifts, because a stop lasts longer than a
    // step.
    var (best, run) = (0..<0, 0..<0)
    for (index, found) in stops.enumerated() {
      run = found == most ? (run.isEmpty ? index..<index + 1 : run.lowerBound..<index + 1) : 0..<0
      if run.count > best.count { best = run }
    }
    let middle = Double(best.lowerBound + best.upperBound - 1) / 2
    return (middle - Double(steps)) * Self.errorStepSeconds
  }

  /// Returns the number of photos taken at a stop if the clock was fast by the given seconds.
  private func stops(_ moments: [Instant], errorSeconds: Double) -> Int {
    moments.count { moment in
      let position = tracks.position(at: moment.advanced(bySeconds: -errorSeconds))
      return position.map { $0.speedMetersPerSecond < Self.standingSpeed } ?? false
    }
  }
}
