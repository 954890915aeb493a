import CivilTime
import LocationFeeds
import Spatial
import TestSupport
import Testing

@testable import Geotagging

@Suite struct TrackArchiveTests {
  private let start = Instant(secondsSince1970: 1_750_000_000)

  private func fix(
    _ seconds: Double, _ latitude: Double, _ longitude: Double, accuracy: Double? = 5,
    device: String? = nil
  ) -> LocationFix {
    LocationFix(
      time: start.advanced(bySeconds: seconds), latitude: latitude, longitude: longitude,
      horizontalAccuracyMeters: accuracy, device: device)
  }

  private func archive(_ recordings: [[LocationFix]]) -> TrackArchive {
    var archive = TrackArchive()
    for (number, fixes) in recordings.enumerated() {
      for fix in fixes { archive.append(fix, ofRecording: number) }
    }
    archive.finish()
    return archive
  }

  private func position(_ archive: TrackArchive, _ seconds: Double) -> TrackPosition? {
    archive.position(at: start.advanced(bySeconds: seconds))
  }

  @Test("a photo between two points is interpolated by its time")
  func interpolation() throws {
    let archive = archive([[fix(0, 48, 2), fix(100, 48.001, 2)]])
    let found = try #require(position(archive, 25))
    #expect(abs(found.coordinate.latitude - 48.000_25) < 1e-9)
    #expect(abs(found.speedMetersPerSecond - 1.112) < 0.001)
    // 5 m for the receiver, and three quarters of 111.2 m, the distance to the farther point.
    #expect(abs(found.accuracyMeters - 88.4) < 0.1)
  }

  @Test("no position is given more than 5 min from a point or across a gap of 500 m")
  func limits() {
    let gap = archive([[fix(0, 48, 2), fix(601, 48.001, 2)]])
    #expect(position(gap, 300) == nil)
    #expect(position(gap, 301) == nil)
    let bridged = archive([[fix(0, 48, 2), fix(600, 48.001, 2)]])
    #expect(position(bridged, 300) != nil)
    #expect(position(archive([[fix(0, 48, 2), fix(60, 48.0045, 2)]]), 30) == nil)
    #expect(position(archive([[fix(0, 48, 2), fix(60, 48.0044, 2)]]), 30) != nil)
    #expect(position(bridged, -1) == nil)
    #expect(position(bridged, 601) == nil)
    #expect(position(bridged, 600) != nil)
  }

  @Test("of tracks that contradict each other, the owner's decide")
  func owner() {
    func archive(owners: Set<Int>) -> TrackArchive {
      var archive = TrackArchive()
      let recordings = [
        [fix(0, 48, 2), fix(100, 48.001, 2)], [fix(0, 52, 13, accuracy: 1), fix(100, 52, 13)],
        // Beside the first, and alone later.
        [fix(0, 48.0001, 2, accuracy: 2), fix(100, 48.0011, 2), fix(200, 48.002, 2)],
      ]
      for (number, fixes) in recordings.enumerated() {
        for fix in fixes {
          archive.append(fix, ofRecording: number, isOwners: owners.contains(number))
        }
      }
      archive.finish()
      return archive
    }
    let unknown = archive(owners: [])
    #expect(position(unknown, 50) == nil && unknown.isContradicted(at: start))
    let known = archive(owners: [0])
    #expect(abs((position(known, 0)?.coordinate.latitude ?? 0) - 48) < 0.001)
    #expect(!known.isContradicted(at: start))
    // Without a contradiction, all tracks count.
    #expect(position(known, 150) != nil)
    #expect(abs((position(archive(owners: [1]), 0)?.coordinate.latitude ?? 0) - 52) < 0.001)
    // The owner's tracks may contradict each other, too.
    #expect(position(archive(owners: [0, 1]), 50) == nil)
  }

  @Test("of tracks that contradict each other, those count on which photos with positions lie")
  func photosDecide() {
    // Together until 1000 s, then Anna's phone and watch here, and Ben 400 km away.
    let anna = (0...40).map { fix(Double($0) * 50, 48, 2, device: "anna") }
    let watch = (0...40).map { fix(Double($0) * 50, 48.000_1, 2, device: "watch") }
    let ben =
      (0...20).map { fix(Double($0) * 50, 48, 2.000_1, device: "ben") }
      + (21...40).map { fix(Double($0) * 50, 45, 4, device: "ben") }
    let archive = archive([anna, watch, ben])
    func photo(
      _ seconds: Double, _ latitude: Double, _ longitude: Double, statesOffset: Bool = true
    ) -> LocatedPhoto {
      LocatedPhoto(
        takenAt: start.advanced(bySeconds: seconds), statesOffset: statesOffset,
        at: Coordinate(latitude: latitude, longitude: longitude)!, accuracyMeters: nil)
    }
    func latitude(_ photos: [LocatedPhoto]) -> Double? {
      let decided = archive.decided(by: archive.votes(of: photos))
      let found = position(decided, 1500)
      #expect(decided.isDecidedByPhotos(at: start.advanced(bySeconds: 1500)) == (found != nil))
      #expect(decided.isContradicted(at: start.advanced(bySeconds: 1500)) == (found == nil))
      #expect(!decided.isDecidedByPhotos(at: start.advanced(bySeconds: 500)))
      return found.map { $0.coordinate.latitude.rounded() }
    }
    #expect(archive.overlaps)
    #expect(latitude([photo(1200, 48, 2)]) == 48)
    #expect(latitude([photo(1200, 45, 4)]) == 45)
    // An hour or two ahead of UTC, as clocks at that longitude may be.
    #expect(latitude([photo(1200 + 3600, 45, 4, statesOffset: false)]) == 45)
    #expect(latitude([photo(1200 + 9 * 3600, 45, 4, statesOffset: false)]) == nil)
    #expect(latitude([]) == nil)
    #expect(latitude([photo(500, 48, 2)]) == nil, "together")
    #expect(latitude([photo(1200, 50, 3), photo(9000, 45, 4)]) == nil, "on none")
    #expect(latitude([photo(1200, 48, 2), photo(1300, 45, 4)]) == nil, "on both")
    let most = (0..<10).map { photo(1200 + Double($0), 48, 2) }
    #expect(latitude(most + [photo(1300, 45, 4)]) == 48, "one of another person")
  }

  @Test("photos decide between the owner's tracks, and never against --owner")
  func photosAndOwner() {
    func archive(owners: Set<Int>) -> TrackArchive {
      var archive = TrackArchive()
      for (number, latitude) in [48.0, 52, 56].enumerated() {
        for seconds in [0.0, 100] {
          archive.append(
            fix(seconds, latitude, 2), ofRecording: number, isOwners: owners.contains(number))
        }
      }
      archive.finish()
      let photo = LocatedPhoto(
        takenAt: start, statesOffset: true, at: Coordinate(latitude: 52, longitude: 2)!,
        accuracyMeters: nil)
      return archive.decided(by: archive.votes(of: [photo]))
    }
    #expect(position(archive(owners: [0]), 50)?.coordinate.latitude == 48)
    #expect(position(archive(owners: [0, 1]), 50)?.coordinate.latitude == 52)
    #expect(position(archive(owners: [0, 2]), 50) == nil)
  }

  @Test("positions are not interpolated across recordings or devices")
  func separation() {
    #expect(position(archive([[fix(0, 48, 2)], [fix(100, 48.001, 2)]]), 50) == nil)
    let devices = [fix(0, 48, 2, device: "a"), fix(100, 48.001, 2, device: "b")]
    #expect(position(archive([devices]), 50) == nil)
  }

  @Test("the most accurate of overlapping tracks is used, in any order of insertion")
  func overlap() throws {
    let long =
      [fix(-1000, 48, 2, accuracy: 40), fix(-900, 48, 2), fix(0, 48, 2, accuracy: 40)]
      + [fix(100, 48, 2, accuracy: 40), fix(2000, 48, 2)]
    let short = [fix(10, 48.000_01, 2), fix(90, 48.000_01, 2)]
    for recordings in [[long, short], [short, long]] {
      let found = try #require(position(archive(recordings), 50))
      #expect(abs(found.coordinate.latitude - 48.000_01) < 1e-9)
    }
  }

  @Test("two tracks far apart at one time give no position; near ones do not contradict each other")
  func contradiction() {
    let anna = [fix(0, 48, 2, device: "anna"), fix(100, 48, 2, device: "anna")]
    let ben = [fix(50, 45, 4, device: "ben"), fix(200, 45, 4, device: "ben")]
    let watch = [fix(0, 48.000_2, 2, device: "watch"), fix(100, 48.000_2, 2, device: "watch")]
    let two = archive([anna, ben])
    #expect(position(two, 75) == nil && two.isContradicted(at: start.advanced(bySeconds: 75)))
    #expect(position(two, 25) != nil && position(two, 150) != nil)
    #expect(position(archive([anna, watch]), 75) != nil)
  }

  @Test("a stop and a night are told from walking")
  func phases() {
    var fixes = (0..<60).map { fix(Double($0) * 10, 48, 2) }
    fixes += (0..<60).map { fix(600 + Double($0) * 10, 48 + Double($0) * 1.2e-4, 2) }
    fixes += (0..<600).map { fix(1200 + Double($0) * 10, 48.01, 2) }
    let archive = archive([fixes])
    func phase(_ seconds: Double) -> TrackPhase {
      archive.phase(at: start.advanced(bySeconds: seconds))
    }
    #expect(phase(300) == .standing && phase(900) == .moving && phase(4000) == .resting)
    #expect(phase(-1) == .away)
    #expect(abs(archive.parts.standing + archive.parts.moving + archive.parts.resting - 1) < 1e-9)
  }

  @Test("a stop is found among dense points that a recording has in reverse")
  func densePoints() {
    // Points in reverse are not thinned. Each compared with all that follow, these take minutes.
    let dense = (0..<10_000).reversed().map { fix(Double($0) / 200, 48, 2) }
    let walk = archive([dense + [fix(400, 48.003, 2)]])
    #expect(walk.phase(at: start.advanced(bySeconds: 25)) == .moving)
    let stop = archive([[fix(90, 48, 2)] + dense])
    #expect(stop.phase(at: start.advanced(bySeconds: 25)) == .standing)
  }

  @Test("interpolation works across the 180° meridian and at a pole")
  func edges() throws {
    let crossing = archive([[fix(0, 10, 179.9999), fix(100, 10, -179.9999)]])
    let found = try #require(position(crossing, 75))
    #expect(abs(found.coordinate.longitude + 179.999_95) < 1e-8)
    let pole = archive([[fix(0, 89.9999, 0), fix(100, 89.9999, 180)]])
    let near = try #require(position(pole, 40))
    #expect(near.coordinate.distance(to: Coordinate(latitude: 90, longitude: 0)!) < 12)
  }

  @Test("skips fixes without time or position, at 0, 0 or with more than 100 m of error")
  func refused() {
    var timeless = fix(0, 48, 2)
    timeless.time = nil
    let fixes = [
      timeless, fix(0, 91, 2), fix(0, 0, 0), fix(0, 48, 2, accuracy: 101), fix(0, 48, .nan),
    ]
    #expect(archive([fixes]).pointCount == 0)
  }

  @Test("a track of one fix per second is thinned without losing accuracy")
  func thinning() throws {
    var generator = SeededGenerator(seed: 11)
    var whole: [LocationFix] = []
    var (latitude, longitude) = (48.0, 2.0)
    for second in 0..<3600 {
      latitude += Double.random(in: -1e-5...2e-5, using: &generator)
      longitude += Double.random(in: -1e-5...2e-5, using: &generator)
      whole.append(fix(Double(second), latitude, longitude))
    }
    let archive = archive([whole])
    #expect(archive.pointCount <= 800)
    for second in stride(from: 7, to: 3590, by: 13) {
      let found = try #require(position(archive, Double(second)))
      let truth = try #require(whole[second].coordinate)
      #expect(found.coordinate.distance(to: truth) < 10, "second \(second)")
    }
  }

  @Test("the position agrees with a search through all pairs of points")
  func twin() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let recordings = (0..<6).map { _ in
        var time = Double.random(in: 0...2000, using: &generator)
        return (0..<12).map { _ in
          time += Double.random(in: 30...500, using: &generator)
          return fix(
            time.rounded(), 48 + Double.random(in: 0...0.0006, using: &generator), 2,
            accuracy: Double.random(in: 3...60, using: &generator).rounded())
        }
      }
      let archive = archive(recordings)
      for second in stride(from: 0.0, through: 8000, by: 53) {
        let best = recordings.flatMap { track in
          zip(track, track.dropFirst()).compactMap { pair in accuracy(pair, second) }
        }.min()
        let found = position(archive, second)?.accuracyMeters
        #expect(
          (found == nil) == (best == nil) && abs((found ?? 0) - (best ?? 0)) < 0.05,
          "seed \(seed), second \(second)")
      }
    }
  }

  /// Returns the accuracy of the position between two fixes at a time, by its definition.
  private func accuracy(_ pair: (LocationFix, LocationFix), _ second: Double) -> Double? {
    let now = start.advanced(bySeconds: second)
    guard let from = pair.0.time, let to = pair.1.time, let a = pair.0.coordinate,
      let b = pair.1.coordinate
    else { return nil }
    let (before, after) = (now.seconds(since: from), to.seconds(since: now))
    guard before >= 0, after >= 0 else { return nil }
    if before == 0 { return pair.0.horizontalAccuracyMeters }
    if after == 0 { return pair.1.horizontalAccuracyMeters }
    guard before <= 300, after <= 300, a.distance(to: b) <= 500 else { return nil }
    let worst = max(pair.0.horizontalAccuracyMeters ?? 0, pair.1.horizontalAccuracyMeters ?? 0)
    return worst + max(before, after) / (before + after) * a.distance(to: b)
  }
}
