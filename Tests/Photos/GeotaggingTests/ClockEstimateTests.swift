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
    days: Int = 3, latitude: Double = 48, longitude: Double = 2, longitudes: [Double]? = nil,
    seed: UInt64
  ) -> Walk {
    var generator = SeededGenerator(seed: seed)
    var walk = Walk()
    for day in 0..<days {
      var time = morning.advanced(bySeconds: Double(day) * 86_400)
      var north = latitude
      let longitude = longitudes?[day] ?? longitude
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
    let series = ClockSeries.split(shown, statesOffset: statesOffset)[0]
    return given.map { estimate.clock(of: series, given: $0) }
      ?? estimate.clocks(of: series)[0].clock
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

  @Test(
    "offsets of parts of an hour are usual in their regions only, where whole hours are rare",
    arguments: [
      (28.6, 77.2, 330, 1.0), (28.6, 77.2, 345, 0.01), (28.6, 77.2, 300, 0.05),
      (27.7, 85.3, 345, 1), (-43.95, -176.55, 765, 1), (-43.95, -176.55, 825, 1),
      (-43.95, -176.55, 840, 0.05), (47.56, -52.71, -210, 1), (47.56, -52.71, -180, 0.05),
      (-33.87, 151.2, 690, 0.01), (-33.87, 151.2, 600, 1), (25.2, 55.3, 240, 1),
      (25.2, 55.3, 210, 1), (48.9, 2.3, 60, 1), (48.9, 2.3, -600, 0.01),
    ])
  func regions(latitude: Double, longitude: Double, minutes: Int, weight: Double) throws {
    let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect(abs(ClockRule.weight(ofMinutes: minutes, at: place) - weight) < 1e-9)
  }

  @Test("photos of a walk in St. John's have the offset of Newfoundland, not the next whole hour")
  func newfoundland() {
    for seed in 1...5 as ClosedRange<UInt64> {
      let clock = clock(
        walk(latitude: 47.5, longitude: -52.7, seed: seed), ahead: -2.5 * 3600)
      #expect(clock.zoneMinutes == -150 && clock.rivalMinutes.isEmpty, "seed \(seed)")
    }
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

  @Test(
    "the accuracy allows for an error of the clock that too few photos at stops prove",
    arguments: [0.0, 60, -90])
  func unprovenError(seconds: Double) throws {
    var (inside, all) = (0, 0)
    for seed in 1...10 as ClosedRange<UInt64> {
      let walk = walk(seed: seed)
      // One photo in three while standing, the others at any time until the next stop.
      var generator = SeededGenerator(seed: seed)
      let taken = zip(walk.stops, walk.stops.dropFirst()).enumerated().map { index, pair in
        let seconds = min(pair.1.seconds(since: pair.0), 900)
        return pair.0.advanced(
          bySeconds: index.isMultiple(of: 3)
            ? 0 : Double.random(in: 0...seconds, using: &generator).rounded())
      }
      let shown = taken.map { $0.advanced(bySeconds: 7200 + seconds) }
      let estimate = ClockEstimate(
        tracks: walk.archive, machineClock: .fixed(utcOffsetMinutes: 120))
      let clock = try #require(
        estimate.clocks(of: ClockSeries.split(shown, statesOffset: false)[0]).first?.clock)
      for (time, shown) in zip(taken, shown) {
        guard let truth = walk.archive.position(at: time),
          let found = InferredPosition(ofPhotoAt: shown, clock: clock, on: walk.archive)
        else { continue }
        all += 1
        if found.coordinate.distance(to: truth.coordinate) <= found.accuracyMeters { inside += 1 }
      }
    }
    #expect(all > 300 && Double(inside) >= 0.9 * Double(all), "\(inside) of \(all)")
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
      #expect(estimate.clocks(of: series[0])[0].clock.errorSeconds == 0, "seed \(seed)")
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
      .clocks(of: ClockSeries.split([morning], statesOffset: false)[0])[0].clock
    #expect(clock.zoneMinutes == -300 && clock.coveredCount == 0)
  }

  /// Photos of one outing of three hours, mostly at stops, as a camera shows their times.
  private func shots(_ walk: Walk, day: Int, count: Int, seed: UInt64) -> [Instant] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      walk.stops[day * 20 + Int.random(in: 0..<20, using: &generator)]
        .advanced(bySeconds: Double.random(in: -40...40, using: &generator).rounded())
    }.sorted()
  }

  @Test("a stated accuracy includes the photo, or it has no position, in many zones and seeds")
  func honest() throws {
    let places = [(48.8, 2.3, 120), (40.7, -74, -240), (35.7, 139.7, 540), (28.6, 77.2, 330)]
    var (all, placed) = (0, 0)
    for seed in 1...12 as ClosedRange<UInt64> {
      for (latitude, longitude, minutes) in places {
        let walk = walk(days: 1, latitude: latitude, longitude: longitude, seed: seed)
        let times = shots(walk, day: 0, count: 8, seed: seed)
        let ahead = Double(minutes) * 60
        let estimate = ClockEstimate(
          tracks: walk.archive, machineClock: .fixed(utcOffsetMinutes: 0))
        let shown = times.map { $0.advanced(bySeconds: ahead) }
        let series = ClockSeries.split(shown, statesOffset: false)[0]
        for interval in estimate.clocks(of: series) {
          for (time, shown) in zip(times, shown) where interval.times.contains(shown) {
            all += 1
            guard
              let found = InferredPosition(
                ofPhotoAt: shown, clock: interval.clock, on: walk.archive)
            else { continue }
            placed += 1
            let truth = try #require(walk.archive.position(at: time)).coordinate
            #expect(
              found.coordinate.distance(to: truth) <= found.accuracyMeters + 12,
              "seed \(seed), zone \(minutes)")
          }
        }
      }
    }
    #expect(all == 12 * 4 * 8 && placed > all / 2, "\(placed) of \(all) placed")
  }

  @Test("an error that the stops make probable, but do not prove, is within the uncertainty")
  func probableErrors() {
    var (open, covered) = (0, 0)
    for seed in 1...40 as ClosedRange<UInt64> {
      var walk = walk(days: 1, seed: seed)
      walk.stops = Array(walk.stops.prefix(9))
      let clock = clock(walk, ahead: 3600 + 780, home: 60, stated: 60)
      guard clock.errorSeconds == 0 else { continue }
      open += 1
      if clock.uncertaintySeconds >= 720 { covered += 1 }
    }
    #expect(open >= 10 && covered * 10 >= open * 8, "\(covered) of \(open)")
  }

  @Test("a clock that was set on the way has two intervals")
  func setOnTheWay() {
    let walk = walk(days: 6, latitude: 14.6, longitude: -85, seed: 3)
    let shown = (0..<6).flatMap { day in
      shots(walk, day: day, count: 10, seed: UInt64(day + 1))
        .map { $0.advanced(bySeconds: day < 3 ? -6 * 3600 : -5 * 3600) }
    }
    let estimate = ClockEstimate(tracks: walk.archive, machineClock: .fixed(utcOffsetMinutes: 0))
    let clocks = estimate.clocks(of: ClockSeries.split(shown, statesOffset: false)[0])
    #expect(clocks.map(\.clock.zoneMinutes) == [-360, -300])
    #expect(clocks.map(\.clock.photoCount) == [30, 30])
    #expect(clocks.allSatisfy { $0.clock.rivalMinutes.isEmpty })
  }

  @Test("a clock that was set for a day trip is not taken for one that was left alone")
  func dayTrip() throws {
    var (all, wrong, placed) = (0, 0, 0)
    for seed in 1...20 as ClosedRange<UInt64> {
      let walk = walk(days: 3, latitude: 40, longitudes: [-3.7, -9.1, -3.7], seed: seed)
      let times = (0..<3).flatMap { shots(walk, day: $0, count: 8, seed: seed &* 3 &+ UInt64($0)) }
      let shown = times.enumerated().map { number, time in
        time.advanced(bySeconds: number / 8 == 1 ? 3600 : 7200)
      }
      let estimate = ClockEstimate(
        tracks: walk.archive, machineClock: .fixed(utcOffsetMinutes: 120))
      let clocks = estimate.clocks(of: ClockSeries.split(shown, statesOffset: false)[0])
      for (time, shown) in zip(times, shown) {
        all += 1
        guard let clock = clocks.first(where: { $0.times.contains(shown) })?.clock,
          let found = InferredPosition(ofPhotoAt: shown, clock: clock, on: walk.archive)
        else { continue }
        placed += 1
        let truth = try #require(walk.archive.position(at: time)).coordinate
        if found.coordinate.distance(to: truth) > found.accuracyMeters + 12 { wrong += 1 }
      }
    }
    #expect(wrong * 100 <= all && placed > all / 2, "\(wrong) wrong, \(placed) placed of \(all)")
  }

  @Test("one photo proves no zone: the clocks that fit are named, and it has no position")
  func undecided() throws {
    let walk = walk(days: 1, seed: 9)
    let shown = walk.stops[10].advanced(bySeconds: 7200)
    let estimate = ClockEstimate(tracks: walk.archive, machineClock: .fixed(utcOffsetMinutes: 0))
    let clock = estimate.clocks(of: ClockSeries.split([shown], statesOffset: false)[0])[0].clock
    #expect(!clock.rivalMinutes.isEmpty)
    #expect(([clock.zoneMinutes] + clock.rivalMinutes).contains(120))
    #expect(InferredPosition(ofPhotoAt: shown, clock: clock, on: walk.archive) == nil)
  }

  @Test("a given clock may hold for certain days only")
  func givenIntervals() throws {
    let clocks = try #require(
      GivenClocks(["*=+01:00", "ZV-1=-06:00 from 2025-06-14 to 2025-06-15", "ZV-1=-05:00"]))
    func seconds(_ model: String, _ days: Double) -> Double? {
      clocks.seconds(ofMake: "Sony", model: model, at: morning.advanced(bySeconds: days * 86_400))
    }
    #expect(seconds("ZV-1", 0) == -21_600 && seconds("ZV-1", -1) == -21_600)
    #expect(seconds("ZV-1", 1) == -18_000 && seconds("ZV-1", -2) == -18_000)
    #expect(seconds("R10", 0) == 3600)
    #expect(GivenClocks(clocks.texts) == clocks)
    for text in [
      "a=+01:00 from", "a=+01:00 from x", "a=+01:00 on 2025-01-01",
      "a=+01:00 from 2025-01-02 to 2025-01-01",
    ] { #expect(GivenClocks([text]) == nil, "\(text)") }
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
