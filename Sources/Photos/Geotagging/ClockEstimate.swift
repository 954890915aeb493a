public import CivilTime
import Spatial

/// An estimator of the difference between a camera's clock and UTC, based on tracks recorded at the
/// time.
///
/// *The time zone* is estimated if the photos do not contain it. Of the offsets from −12:00 to
/// +14:00, in steps of 15 minutes, the candidates are those at which almost as many photos fall
/// within tracks as at the best offset, and which are consistent with the longitude of these
/// positions. Among the candidates, the offset contained in other photos of the same days takes
/// precedence, then that of the machine's time zone, then the one with the most photos within
/// tracks.
///
/// *The error of the clock* is estimated up to 15 minutes, from the fact that people stand still to
/// take a photo. If at some shift many more photos fall within stops of the track than by chance,
/// the clock was wrong by that shift. An error shorter than the stops is not detected.
public struct ClockEstimate: Sendable {
  private let tracks: TrackArchive
  private let machineClock: LocalClock
  private let statedOffset: @Sendable (Instant) -> Int?

  /// The minimum number of photos within tracks for a candidate, as a share of the best offset's.
  private static let candidatePart = 0.9
  /// The maximum difference in minutes between a time zone's offset and the mean solar time of a
  /// place in it; western China and islands of Kiribati come close to it.
  private static let maximumSolarDifference = 200.0
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

  /// Returns the clock of a series.
  ///
  /// - Parameters:
  ///   - series: The series.
  ///   - given: The seconds by which the clock was ahead of UTC according to the user; `nil` to
  ///     estimate them.
  /// - Returns: The clock, with the number of photos within tracks.
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

  /// Returns the clock with a zone and an error, after counting the photos within tracks.
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
    /// The mean difference in minutes between the offset and mean solar time at the photos'
    /// positions.
    let solarDifference: Double
  }

  /// Estimates the UTC offset of the camera's time zone, in minutes, and returns its basis.
  private func zone(of sample: [Instant]) -> (minutes: Int, basis: CameraClock.Basis) {
    guard let middle = sample.dropFirst(sample.count / 2).first else { return (0, .machineZone) }
    // The offset is evaluated at the instant that the shown time corresponds to in that time zone.
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

  /// Counts the photos within tracks at a UTC offset, and compares the offset with solar time.
  private func zone(_ minutes: Int, _ sample: [Instant]) -> Zone {
    var (covered, difference) = (0, 0.0)
    for time in sample {
      let moment = time.advanced(bySeconds: -Double(minutes) * 60)
      guard let position = tracks.position(at: moment) else { continue }
      covered += 1
      // Mean solar time advances by four minutes per degree of longitude.
      let ahead = Double(minutes) - position.coordinate.longitude * 4
      difference += ahead > 720 ? ahead - 1440 : ahead < -720 ? ahead + 1440 : ahead
    }
    return Zone(
      minutes: minutes, covered: covered,
      solarDifference: covered > 0 ? difference / Double(covered) : .infinity)
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
