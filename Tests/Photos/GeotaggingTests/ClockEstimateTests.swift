import CivilTime
import LocationFeeds
import Spatial
import TestSupport
import Testing

@testable import Geotagging

@Suite struct ClockEstimateTests {
  /// 2025-06-15 08:00 UTC.
  private let morning = Instant(secondsSince1970: 1_749_974_400)

  /// Three-hour walks on consecutive days, with stops of two to six minutes.
  private struct Walk {
    var archive = TrackArchive()
    /// The midpoints of the stops.
    var stops: [Instant] = []
  }

  private func walk(
    days: Int = 3, latitude: Double = 48, longitude: Double = 2, seed: UInt64
  ) -> Walk {
    var generator = SeededGenerator(seed: seed)
    var walk = Walk()
    for day in 0..<days {
      var time = morning.advanced(bySeconds: Double(day) * 86_400)
      var north = latitude
      for _ in 0..<20 {
        let stop = Double.random(in: 120...360, using: &generator)
        walk.stops.append(time.advanced(bySeconds: stop / 2))
        for _ in stride(from: 0, to: stop, by: 10) {
          add(&walk, time, north, longitude, day)
          time = time.advanced(bySeconds: 10)
        }
        for _ in stride(from: 0, to: Double.random(in: 120...480, using: &generator), by: 10) {
          north += 1.3e-4
          add(&walk, time, north, longitude, day)
          time = time.advanced(bySeconds: 10)
        }
      }
    }
    walk.archive.finish()
    return walk
  }

  private func add(
    _ walk: inout Walk, _ time: Instant, _ latitude: Double, _ longitude: Double, _ recording: Int
  ) {
    walk.archive.append(
      LocationFix(
        time: time, latitude: latitude, longitude: longitude, horizontalAccuracyMeters: 5),
      ofRecording: recording)
  }

  private func clock(
    _ walk: Walk, ahead seconds: Double, home: Int = 0, statesOffset: Bool = false,
    stated: Int? = nil, given: Double? = nil
  ) -> CameraClock {
    let shown = walk.stops.map { $0.advanced(bySeconds: seconds) }
    let estimate = ClockEstimate(
      tracks: walk.archive, machineClock: .fixed(utcOffsetMinutes: home)
    ) { _ in stated }
    let series = ClockSeries.split(shown, statesOffset: statesOffset)
    return estimate.clock(of: series[0], given: given)
  }

  @Test("the machine's time zone is used if the photos then match the tracks")
  func home() {
    let clock = clock(walk(seed: 1), ahead: 7200, home: 120)
    #expect(clock.zoneMinutes == 120)
    #expect(clock.basis == .machineZone)
    #expect(clock.errorSeconds == 0)
    #expect(clock.coveredCount == clock.photoCount)
  }

  @Test(
    "away from home, the time zone is the one in which the photos match the tracks",
    arguments: [1, 2, 3])
  func tracks(seed: UInt64) {
    let tokyo = walk(latitude: 35, longitude: 139.7, seed: seed)
    let clock = clock(tokyo, ahead: 9 * 3600, home: 120)
    #expect(clock.basis == .tracks)
    #expect(abs(Double(clock.zoneMinutes) * 60 + clock.errorSeconds - 9 * 3600) <= 120)
  }

  @Test("an offset stated by other photos of the day takes precedence")
  func otherPhotos() {
    let clock = clock(walk(seed: 4), ahead: 7200, home: 60, stated: 120)
    #expect(clock.zoneMinutes == 120)
    #expect(clock.basis == .otherPhotos)
  }

  @Test("a clock error of minutes is estimated from the stops", arguments: [-420.0, 240, 613])
  func error(seconds: Double) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let clock = clock(walk(seed: seed), ahead: 7200 + seconds, home: 120)
      #expect(clock.zoneMinutes == 120, "seed \(seed)")
      #expect(abs(clock.errorSeconds - seconds) <= 40, "seed \(seed)")
    }
  }

  @Test("random times give no clock error")
  func noError() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let walk = walk(seed: seed)
      let shown = (0..<60).map { _ in
        morning.advanced(bySeconds: Double.random(in: 0...7000, using: &generator).rounded())
      }
      let estimate = ClockEstimate(
        tracks: walk.archive, machineClock: .fixed(utcOffsetMinutes: 0))
      let series = ClockSeries.split(shown, statesOffset: true)
      #expect(estimate.clock(of: series[0]).errorSeconds == 0, "seed \(seed)")
    }
  }

  @Test("a stated offset is kept, and the user's offset is used")
  func stated() {
    let stated = clock(walk(seed: 5), ahead: 0, home: 120, statesOffset: true)
    #expect(stated.zoneMinutes == 0 && stated.basis == .stated)
    let given = clock(walk(seed: 5), ahead: 3661, given: 3661)
    #expect(given.basis == .given && given.coveredCount == given.photoCount)
    #expect(given.instant(ofShown: morning) == morning.advanced(bySeconds: -3661))
  }

  @Test("without tracks, photos keep the machine's time zone")
  func noTracks() {
    let clock = ClockEstimate(tracks: TrackArchive(), machineClock: .fixed(utcOffsetMinutes: -300))
      .clock(of: ClockSeries.split([morning], statesOffset: false)[0])
    #expect(clock.zoneMinutes == -300 && clock.coveredCount == 0)
  }

  @Test("a pause of more than 36 hours begins another series")
  func series() {
    let times = [0.0, 86_400, 86_400 + 129_600, 400_000].map { morning.advanced(bySeconds: $0) }
    let all = ClockSeries.split(times.reversed(), statesOffset: false)
    #expect(all.map(\.times.count) == [3, 1])
    #expect(ClockSeries.split([], statesOffset: true).isEmpty)
  }

  @Test("a moving photographer's position is less accurate by the clock's uncertainty")
  func inferred() throws {
    let walk = walk(seed: 6)
    let clock = clock(walk, ahead: 0)
    let standing = try #require(
      InferredPosition(ofPhotoAt: walk.stops[0], clock: clock, on: walk.archive))
    #expect(standing.accuracyMeters < 6)
    #expect(standing.coordinate.distance(to: Coordinate(latitude: 48, longitude: 2)!) < 1)
    let night = morning.advanced(bySeconds: -36_000)
    #expect(InferredPosition(ofPhotoAt: night, clock: clock, on: walk.archive) == nil)
  }
}
