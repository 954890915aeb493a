public import CivilTime
import Spatial

/// Estimates how far a camera's clock was from UTC, from tracks that were recorded meanwhile.
///
/// *The time zone*, where the photos do not state it: of the whole quarters of an hour from −12:00
/// to +14:00, those are candidates at which almost as many photos lie on tracks as at the best, and
/// which fit the longitude of these places. Of the candidates the offset that other photos of those
/// days state comes first, then that of the machine's time zone, then the one with the most photos
/// on tracks.
///
/// *The error of the clock*, up to 15 minutes: people stand to take a photo. Where at some shift
/// many more photos fall into stops of the track than chance explains, the clock was off by that.
/// An error shorter than the stops stays hidden.
public struct ClockEstimate: Sendable {
  private let tracks: TrackArchive
  private let machineClock: LocalClock
  private let statedOffset: @Sendable (Instant) -> Int?

  /// Fewer photos on tracks than the best time zone has, as a part, and still a candidate.
  private static let candidatePart = 0.9
  /// The greatest difference in minutes between a zone's offset and the mean solar time of a place
  /// in it, which west China and the islands of Kiribati nearly reach.
  private static let maximumSolarDifference = 200.0
  /// The greatest error of a clock in seconds that is looked for.
  private static let maximumErrorSeconds = 900.0
  private static let errorStepSeconds = 10.0
  /// Slower than this, in m/s, a person stands, as far as a receiver can tell.
  private static let standingSpeed = 0.6
  /// The number of photos at stops that shows an error of the clock, and by how many standard
  /// deviations it must exceed the count without one.
  private static let minimumStops = 8
  private static let significance = 4.0

  /// Creates an estimate.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - machineClock: The time zone that the camera's owner probably lives in.
  ///   - statedOffset: The offset from UTC in minutes that other photos of the same days state;
  ///     `nil` where there are none.
  public init(
    tracks: TrackArchive, machineClock: LocalClock,
    statedOffset: @escaping @Sendable (Instant) -> Int? = { _ in nil }
  ) {
    self.tracks = tracks
    self.machineClock = machineClock
    self.statedOffset = statedOffset
  }

  /// Returns the clock of a series.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - given: The seconds by which the user says that the clock was ahead of UTC; `nil` to
  ///     estimate it.
  /// - Returns: The clock, with the number of photos that lie on a track by it.
  public func clock(of series: ClockSeries, given: Double? = nil) -> CameraClock {
    if let given {
      let zone = Int(saturating: (given / 900).rounded()) * 15
      return clock(series, zone: zone, error: given - Double(zone) * 60, basis: .given)
    }
    let sample = series.sample
    var (zone, basis) = (0, CameraClock.Basis.stated)
    if !series.statesOffset { (zone, basis) = self.zone(of: sample) }
    return clock(
      series, zone: zone, error: error(of: sample, zoneMinutes: zone), basis: basis)
  }

  private func clock(
    _ series: ClockSeries, zone: Int, error: Double, basis: CameraClock.Basis
  ) -> CameraClock {
    let shift = -Double(zone) * 60 - error
    let covered = series.times.count { tracks.position(at: $0.advanced(bySeconds: shift)) != nil }
    return CameraClock(
      zoneMinutes: zone, errorSeconds: error, basis: basis, photoCount: series.times.count,
      coveredCount: covered)
  }

  // MARK: - The time zone

  private struct Zone {
    let minutes: Int
    let covered: Int
    /// Minutes between the zone's offset and mean solar time where the photos lie then.
    let solarDifference: Double
  }

  private func zone(of sample: [Instant]) -> (minutes: Int, basis: CameraClock.Basis) {
    guard let middle = sample.dropFirst(sample.count / 2).first else { return (0, .machineZone) }
    // The zone's offset is asked for at the moment that it makes of the time that is shown.
    let shownAsUTC = machineClock.utcOffsetMinutes(middle)
    let home = machineClock.utcOffsetMinutes(middle.advanced(bySeconds: -Double(shownAsUTC) * 60))
    let all = stride(from: -12 * 60, through: 14 * 60, by: 15).map { zone($0, sample) }
    let best = all.map(\.covered).max() ?? 0
    guard best > 0 else {
      return statedOffset(middle).map { ($0, .otherPhotos) } ?? (home, .machineZone)
    }
    let likely = all.filter { Double($0.covered) >= Self.candidatePart * Double(best) }
    let fitting = likely.filter { abs($0.solarDifference) <= Self.maximumSolarDifference }
    let candidates = fitting.isEmpty ? likely : fitting
    if let stated = statedOffset(middle), candidates.contains(where: { $0.minutes == stated }) {
      return (stated, .otherPhotos)
    }
    if candidates.contains(where: { $0.minutes == home }) { return (home, .machineZone) }
    let chosen = candidates.min {
      ($1.covered, abs($0.solarDifference), $0.minutes)
        < ($0.covered, abs($1.solarDifference), $1.minutes)
    }
    return (chosen?.minutes ?? home, .tracks)
  }

  private func zone(_ minutes: Int, _ sample: [Instant]) -> Zone {
    var (covered, difference) = (0, 0.0)
    for time in sample {
      let moment = time.advanced(bySeconds: -Double(minutes) * 60)
      guard let position = tracks.position(at: moment) else { continue }
      covered += 1
      // The sun is a degree of longitude further on each four minutes.
      let ahead = Double(minutes) - position.coordinate.longitude * 4
      difference += ahead > 720 ? ahead - 1440 : ahead < -720 ? ahead + 1440 : ahead
    }
    return Zone(
      minutes: minutes, covered: covered,
      solarDifference: covered > 0 ? difference / Double(covered) : .infinity)
  }

  // MARK: - The error of the clock

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
    // The middle of the longest run of shifts that are as good: a stop lasts longer than a step.
    var (best, run) = (0..<0, 0..<0)
    for (index, found) in stops.enumerated() {
      run = found == most ? (run.isEmpty ? index..<index + 1 : run.lowerBound..<index + 1) : 0..<0
      if run.count > best.count { best = run }
    }
    let middle = Double(best.lowerBound + best.upperBound - 1) / 2
    return (middle - Double(steps)) * Self.errorStepSeconds
  }

  /// The number of photos at a stop if the clock was fast by some seconds.
  private func stops(_ moments: [Instant], errorSeconds: Double) -> Int {
    moments.count { moment in
      let position = tracks.position(at: moment.advanced(bySeconds: -errorSeconds))
      return position.map { $0.speedMetersPerSecond < Self.standingSpeed } ?? false
    }
  }
}
