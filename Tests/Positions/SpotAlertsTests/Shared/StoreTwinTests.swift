#if Postgres
  import CLibrary
  import CivilTime
  import LocationFeeds
  import PhotoMetadata
  import PostgresStore
  import Spatial
  import Storage
  import SystemPackage
  import StoreSupport
  import TestSupport
  import Testing
  import WatchScenes

  @testable import PhotoLibrary
  @testable import SpotAlerts
  @testable import SpotWatcher

  /// A watch over a store, and its twin in memory.
  ///
  /// `PHOTOSPOTS_TWIN_FIXES` sets the number of fixes, and `PHOTOSPOTS_TWIN_POINTS` a file of
  /// photos: rows of three little-endian doubles, latitude, longitude and Unix seconds.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(60)))
  struct StoreTwinTests {
    private static let photoCount = 10_000
    private static let fixCount =
      getenv("PHOTOSPOTS_TWIN_FIXES").flatMap { Int(String(cString: $0)) } ?? 1000

    @Test func `decisions over a store equal those of a watcher in memory`() async throws {
      let points = try Self.points()
      let index = Self.index(of: points)
      let stored = try SpotDatabase()
      _ = try stored.spots(of: "anna", index, clusterRadius: 15)
      let address = try StoreAddress(stored.database.address)
      let owner = try #require(
        try StoreOwner.named("anna", try PostgresConnection(address)))
      let settings = WatcherSettings()
      let whole = try WatchSession(
        stateFolder: nil, spots: SpotIndex(index, clusterRadius: 15), settings: settings,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [])
      let lanes = try WatchSession(
        over: WatchStore(address, owner: owner, laneCount: 4), settings: settings,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [])
      // Each first fix fetches a region, which takes some milliseconds in a debug build, mostly for
      // the paths of covers.
      var walkers = (0..<min(100, max(Self.fixCount / 60, 1))).map { Walker($0, points) }
      var (different, kinds) = (0, [WatcherDecision.Kind: Int]())
      for number in 0..<Self.fixCount {
        let fix = walkers[number % walkers.count].next(points)
        let decisions = try lanes.process(fix)
        let expected = try whole.process(fix)
        if decisions != expected {
          different += 1
          if different <= 3 { Issue.record("fix \(number): \(decisions) instead of \(expected)") }
        }
        for decision in decisions { kinds[decision.kind, default: 0] += 1 }
      }
      await lanes.stop()
      #expect(different == 0)
      #expect(kinds[.notify, default: 0] > Self.fixCount / 2000, "\(kinds)")
      print(
        """
        twin: \(different) different decisions of \(Self.fixCount) fixes, \
        \(kinds[.notify, default: 0]) alerts
        """)
    }

    @Test func `decisions in runs are those of the watcher in memory`() async throws {
      let points = try Self.points()
      let index = Self.index(of: points)
      let stored = try SpotDatabase()
      _ = try stored.spots(of: "anna", index, clusterRadius: 15)
      let address = try StoreAddress(stored.database.address)
      let owner = try #require(
        try StoreOwner.named("anna", try PostgresConnection(address)))
      let settings = WatcherSettings()
      let whole = try WatchSession(
        stateFolder: nil, spots: SpotIndex(index, clusterRadius: 15), settings: settings,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [])
      let lane = try WatchSession(
        over: WatchStore(address, owner: owner, laneCount: 1), settings: settings,
        localClock: .fixed(utcOffsetMinutes: 0), isLive: false, notifiers: [])
      var walkers = (0..<min(100, max(Self.fixCount / 60, 1))).map { Walker($0, points) }
      var generator = SeededGenerator(seed: 5)
      var (number, different, alertCount) = (0, 0, 0)
      while number < Self.fixCount {
        let count = min(.random(in: 1...64, using: &generator), Self.fixCount - number)
        // Some devices send several fixes in one run.
        let run = (number..<number + count).map { number in
          walkers[number % max(walkers.count - number / 500 % 3 * 20, 1)].next(points)
        }
        for (fix, outcome) in zip(run, lane.process(run, inLane: 0)) {
          let expected = try whole.process(fix)
          alertCount += expected.count { $0.notification != nil }
          if case .decided(let decisions) = outcome, decisions == expected { continue }
          different += 1
          if different <= 3 { Issue.record("\(outcome) instead of \(expected)") }
        }
        number += count
      }
      #expect(
        try lane.store.sessionLane.journal?.history().count { $0.kind == .notified } == alertCount)
      await lane.stop()
      #expect(different == 0)
      #expect(alertCount > Self.fixCount / 2000)
      print("twin: \(different) different of \(Self.fixCount) fixes in runs, \(alertCount) alerts")
    }

    // MARK: - Inputs

    private struct Point {
      let position: Coordinate
      let seconds: Double
    }

    /// Returns points along walks in some towns, with bursts, or the rows of the file.
    private static func points() throws -> [Point] {
      if let path = getenv("PHOTOSPOTS_TWIN_POINTS") {
        return points(in: try Disk.read(FilePath(String(cString: path)), limit: 24 * photoCount))
      }
      var generator = SeededGenerator(seed: 17)
      let towns = [
        Coordinate.tower, Coordinate(latitude: -16.8, longitude: 179.9995)!,
        Coordinate(latitude: 78.22, longitude: 15.63)!, Coordinate(latitude: 0, longitude: 0.005)!,
      ]
      var here = towns[0]
      return (0..<photoCount).map { number in
        if number % 250 == 0 {
          here = towns[number / 250 % towns.count].offset(
            north: .random(in: -2000...2000, using: &generator),
            east: .random(in: -2000...2000, using: &generator))
        }
        if number % 5 != 0 {
          here = here.offset(
            north: .random(in: -30...35, using: &generator),
            east: .random(in: -30...30, using: &generator))
        }
        return Point(position: here, seconds: 1_200_000_000 + Double(number) * 40_000)
      }
    }

    private static func points(in bytes: [UInt8]) -> [Point] {
      func double(_ place: Int) -> Double {
        let bits = (0..<8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[8 * place + $1]) }
        return Double(bitPattern: bits)
      }
      return (0..<bytes.count / 24).compactMap { row in
        Coordinate(latitude: double(3 * row), longitude: double(3 * row + 1))
          .map { Point(position: $0, seconds: double(3 * row + 2)) }
      }
    }

    private static func index(of points: [Point]) -> PhotoIndex {
      var index = PhotoIndex()
      index.folders.append([UInt8]("/photos".utf8))
      for (number, point) in points.enumerated() {
        let seconds = Int64(exactly: point.seconds.rounded()) ?? 0
        let instant = Instant(millisecondsSince1970: seconds * 1000)
        index.appendFile(
          name: [UInt8]("IMG_\(100_000 + number).JPG".utf8),
          status: FileStatus(size: 1, modified: 0, inode: 0), outcome: .located,
          photo: PhotoTable.Photo(
            facts: PhotoFacts(
              file: FileID(0), captured: CaptureTime(instant: instant, utcOffsetMinutes: 60),
              rating: number % 50 == 0 ? 5 : nil, isFavorite: number % 50 == 0),
            coordinate: point.position, source: .exif))
      }
      index.findShots()
      return index
    }

    /// A pedestrian who walks past photos, and starts elsewhere after every 400 fixes.
    private struct Walker {
      private let name: String
      private var generator: SeededGenerator
      private var here: Coordinate
      private var seconds = 0.0
      private var count = 0
      private var heading = (north: 1.0, east: 0.0)

      init(_ number: Int, _ points: [Point]) {
        name = "walker \(number)"
        generator = SeededGenerator(seed: UInt64(number))
        here = points[number * 37 % points.count].position
      }

      mutating func next(_ points: [Point]) -> LocationFix {
        count += 1
        if count % 400 == 0 {
          here = points[Int.random(in: 0..<points.count, using: &generator)].position
            .offset(north: 250, east: 100)
          seconds += 7200
        }
        if count % 20 == 1 {
          let angle = Double.random(in: 0..<2 * .pi, using: &generator)
          heading = (7 * cos(angle), 7 * sin(angle))
        }
        here = here.offset(
          north: heading.north + .random(in: -2...2, using: &generator),
          east: heading.east + .random(in: -2...2, using: &generator))
        seconds += 5
        return LocationFix(
          time: noon.advanced(bySeconds: seconds), latitude: here.latitude,
          longitude: here.longitude, horizontalAccuracyMeters: 8, device: name)
      }
    }
  }
#endif
