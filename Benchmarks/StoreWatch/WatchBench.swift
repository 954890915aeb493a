#if Postgres
  import CLibrary
  import CivilTime
  import LocationFeeds
  import PhotoLibrary
  import PostgresStore
  import Spatial
  import SpotAlerts
  import SpotWatcher
  import Synchronization
  import SystemPackage

  /// Measurements of a watch over an owner's library in a store.
  struct WatchBench {
    static let clusterRadius = 15.0
    static let start = Instant(secondsSince1970: 1_767_225_600)

    let address: StoreAddress
    let owner: StoreOwner
    let connection: PostgresConnection

    /// Connects.
    init(_ address: String, owner name: String) throws {
      self.address = try StoreAddress(address)
      connection = try PostgresConnection(self.address)
      owner = try StoreOwner.named(
        name, orNewWithClusterRadius: Self.clusterRadius, connection
      ).owner
      try connection.act(for: owner.id)
    }

    private enum TimeStatement: String, StoreStatement {
      case latest = "select max(time) from alert where owner = $1"
    }

    /// Returns a time days after all recorded alerts, which would count for limits otherwise.
    func nextStart() throws -> Instant {
      let latest = try connection.query(TimeStatement.latest).optionalInt8(0, 0)
      let time = latest.map { Instant(millisecondsSince1970: $0) } ?? Self.start
      return max(time, Self.start).advanced(bySeconds: 3 * 86_400)
    }

    // MARK: - Fixes

    static let laneCount = 4
    private static let deviceCount = 1000
    private static let roundCount = 660
    /// The first rounds begin to follow the devices, and are not measured.
    private static let warmUpCount = 60

    /// Measures fixes per second.
    func measureFixes(index path: String) throws {
      let index = try Self.load(path)
      for seconds in [1.0, 5] {
        let rounds = Self.rounds(in: index, seconds: seconds)
        try report(
          """
          watch   \(grouped(Double(index.photoCount))) photos; \
          \(grouped(Double(Self.deviceCount))) devices with a fix per \(Int(seconds)) s: 8 of 20 stay, 9 walk, \
          2 cycle, 1 drives; default rules
          """)
        try measureLanes(rounds, seconds: seconds)
        try measureInMemory(rounds, index, seconds: seconds)
      }
    }

    private func measureLanes(_ rounds: [[Coordinate]], seconds: Double) throws {
      let start = try nextStart()
      let clock = ModelClock(start)
      let fetches = Atomic(0)
      let run = LaneRun(
        try session(laneCount: Self.laneCount, clock: clock) { fetches.add(1, ordering: .relaxed) })
      run.session.start()
      func add(_ numbers: Range<Int>) {
        for number in numbers {
          let time = start.advanced(bySeconds: Double(number) * seconds)
          clock.set(time)
          run.add(Self.fixes(rounds[number], time, prefix: "fixes \(Int(seconds)) "))
          run.tick()
        }
        run.finish()
      }
      let beginning = Stopwatch(connection)
      add(0..<Self.warmUpCount)
      let begun = beginning.read()
      let (fetched, alerted) = (fetches.load(ordering: .relaxed), run.alertCount)
      let watch = Stopwatch(connection)
      add(Self.warmUpCount..<rounds.count)
      let time = watch.read()
      let count = (rounds.count - Self.warmUpCount) * Self.deviceCount
      let fetchCount = fetches.load(ordering: .relaxed) - fetched
      try report(
        """
                \(Self.laneCount) lanes: \(grouped(Double(count) / time.seconds)) fixes/s in \
        \(decimal(time.seconds)) s; processor \(Self.each(time.own, count)) us a fix, the server's \
        \(Self.each(time.server, count)) us: \(grouped(Double(count) / (time.own + time.server))) fixes a \
        processor second; a region per \(count / max(fetchCount, 1)) fixes; \
        \(run.alertCount - alerted) alerts (\(decimal(begun.seconds)) s before, with \(alerted) alerts)
        """)
    }

    /// Opens a session as `watch --store` does.
    func session(
      laneCount: Int, clock: any DeliveryClock, settings: WatcherSettings = WatcherSettings(),
      fetched: @escaping @Sendable () -> Void
    ) throws -> WatchSession {
      let store = WatchStore(address, owner: owner, laneCount: laneCount)
      func counting(_ lane: WatchStore.Lane) -> WatchStore.Lane {
        WatchStore.Lane(journal: lane.journal, isReachable: lane.isReachable) { fetch in
          fetched()
          return try lane.regions(fetch)
        }
      }
      return try WatchSession(
        over: WatchStore(
          lanes: store.lanes.map(counting), sessionLane: store.sessionLane, places: store.places,
          nearest: store.nearest),
        settings: settings, localClock: .fixed(utcOffsetMinutes: 0), isLive: true,
        notifiers: [InstantNotifier()], clock: clock)
    }

    /// The same fixes for one watcher with the whole index, on one thread.
    private func measureInMemory(
      _ rounds: [[Coordinate]], _ index: PhotoIndex, seconds: Double
    ) throws {
      let spots = SpotIndex(index, clusterRadius: Self.clusterRadius)
      var watcher = LocationWatcher(spots: spots, settings: WatcherSettings())
      var alertCount = 0
      func add(_ numbers: Range<Int>) {
        for number in numbers {
          let time = Self.start.advanced(bySeconds: Double(number) * seconds)
          for fix in Self.fixes(rounds[number], time, prefix: "fixes \(Int(seconds)) ") {
            alertCount += watcher.evaluate(fix, now: time, isLive: true).count {
              $0.notification != nil
            }
          }
          alertCount += watcher.tick(now: time).count { $0.notification != nil }
        }
      }
      add(0..<Self.warmUpCount)
      let alerted = alertCount
      let watch = Stopwatch(connection)
      add(Self.warmUpCount..<rounds.count)
      let time = watch.read()
      let count = (rounds.count - Self.warmUpCount) * Self.deviceCount
      try report(
        """
                in memory, \(grouped(Double(spots.spots.count))) spots: \
        \(grouped(Double(count) / time.seconds)) fixes/s on one thread; processor \
        \(Self.each(time.own, count)) us a fix; \(alertCount - alerted) alerts (\(alerted) before)
        """)
    }

    // MARK: - Memory

    private static let residentDeviceCount = 8000

    /// Measures the resident memory for each device.
    func measureMemory(index path: String) throws {
      let photos = Self.positions(try Self.load(path))
      let clock = ModelClock(Self.start)
      let run = LaneRun(try session(laneCount: Self.laneCount, clock: clock) {})
      /// Each device sends a fix per second for a minute.
      func follow(_ numbers: Range<Int>) {
        var devices = numbers.map { ModelledDevice($0, among: photos) }
        for number in 0..<60 {
          let time = Self.start.advanced(bySeconds: Double(number))
          clock.set(time)
          for start in stride(from: 0, to: devices.count, by: 1000) {
            let places = start..<min(start + 1000, devices.count)
            run.add(
              places.map { place in
                Self.fix(
                  devices[place].move(seconds: 1), time, "memory \(numbers.lowerBound + place)")
              })
          }
        }
        run.finish()
      }
      follow(0..<200)
      let before = residentBytes()
      follow(200..<200 + Self.residentDeviceCount)
      let bytes = residentBytes() - before
      try report(
        """
        memory  \(grouped(Double(bytes) / Double(Self.residentDeviceCount))) bytes a device: \
        \(grouped(Double(bytes) / 1024)) KiB more after \
        \(grouped(Double(Self.residentDeviceCount))) devices in \(Self.laneCount) lanes
        """)
    }

    // MARK: - Inputs

    static func load(_ path: String) throws -> PhotoIndex {
      guard let index = try PhotoIndexCache(path: FilePath(path)).load() else {
        throw Errno.noSuchFileOrDirectory
      }
      return index
    }

    private static func positions(_ index: PhotoIndex) -> [Coordinate] {
      (0..<index.photoCount).map { index.photo(at: $0).coordinate }
    }

    /// The positions of all devices at each time.
    static func rounds(in index: PhotoIndex, seconds: Double) -> [[Coordinate]] {
      let photos = positions(index)
      var devices = (0..<deviceCount).map { ModelledDevice($0, among: photos) }
      return (0..<roundCount).map { _ in
        devices.indices.map { devices[$0].move(seconds: seconds) }
      }
    }

    static func fixes(
      _ positions: [Coordinate], _ time: Instant, prefix: String
    ) -> [LocationFix] {
      positions.enumerated().map { number, here in fix(here, time, prefix + String(number)) }
    }

    static func fix(_ here: Coordinate, _ time: Instant, _ device: String) -> LocationFix {
      LocationFix(
        time: time, latitude: here.latitude, longitude: here.longitude,
        horizontalAccuracyMeters: 5, device: device)
    }

    static func each(_ seconds: Double, _ count: Int) -> String {
      Stopwatch.Reading.microseconds(seconds, each: count)
    }
  }
#endif
