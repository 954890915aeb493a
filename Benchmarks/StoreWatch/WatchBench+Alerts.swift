#if Postgres
  import CivilTime
  import Dispatch
  import LocationFeeds
  import PhotoLibrary
  import PhotoMetadata
  import PostgresStore
  import Spatial
  import SpotAlerts
  import SpotWatcher
  import Synchronization
  import SystemPackage

  /// Alerts that are on the disk.
  extension WatchBench {
    private static let alertLaneCount = 16
    private static let devicesPerLane = 20
    private static let alertsPerDevice = 20

    /// The statements of the bare inserts.
    private enum FloorStatement: String, StoreStatement {
      static var namesOwner: Bool { false }

      case drop = "drop table if exists bench_floor"
      case create = """
        create table bench_floor (lane bigint, number bigint, body text, primary key (lane, number))
        """
      case insert = "insert into bench_floor values ($1, $2, $3)"
      case durability = """
        select current_setting('fsync') || ', synchronous_commit ' || current_setting('synchronous_commit')
        """
    }

    /// Measures alerts per second, and inserts per second as their upper limit.
    func measureAlerts() throws {
      let durability = try connection.query(FloorStatement.durability).text(0, 0)
      try report(
        """
        alerts  \(Self.alertLaneCount) lanes, fsync \(durability), minimum interval 300 s; other rules off, no receivers, spots \
        from memory
        """)
      for isAcrossDevices in [false, true] {
        var settings = WatcherSettings()
        settings.rulesOff = Set(WatcherRule.allCases)
        settings.distanceFilterMeters = 0
        settings.dailyBudget = nil
        settings.maximumAlertsPerMinute = nil
        if isAcrossDevices { settings.rulesOff.remove(.devices) }
        try measureAlerts(
          settings, isAcrossDevices ? "rule 'devices' on: " : "rules across devices off: ")
      }
      try measureFloor()
    }

    private func measureAlerts(_ settings: WatcherSettings, _ name: String) throws {
      let holder = PostgresJournal.Holder()
      let spots = SpotIndex(spots: Self.isolatedSpots)
      let lanes = (0...Self.alertLaneCount).map { _ in
        WatchStore.Lane(
          journal: PostgresJournal(StoreLink(address, owner: owner.id), holder: holder)
        ) { fetch in
          try spots.region(of: fetch, clusterRadius: Self.clusterRadius)
        }
      }
      // Without receivers: what waits to be delivered is searched for each alert.
      let run = LaneRun(
        try WatchSession(
          over: WatchStore(lanes: Array(lanes.dropLast()), sessionLane: lanes[Self.alertLaneCount])
          {
            _ in nil
          },
          settings: settings, localClock: .fixed(utcOffsetMinutes: 0), isLive: false,
          notifiers: []))
      let names = Self.names(of: run.session, name)
      func add(_ rounds: Range<Int>) {
        for round in rounds {
          let time = Self.start.advanced(bySeconds: Double(round) * 3600)
          run.add(
            names.enumerated().map { number, device in
              let spot = spots.spots[number * Self.alertsPerDevice + round]
              return Self.fix(spot.coordinate.offset(north: 10, east: 0), time, device)
            })
        }
        run.finish()
      }
      add(0..<1)
      let watch = Stopwatch(connection)
      let before = run.alertCount
      add(1..<Self.alertsPerDevice)
      let time = watch.read()
      let count = run.alertCount - before
      guard count == (Self.alertsPerDevice - 1) * names.count else {
        fail("store-watch-bench: \(count) alerts instead of one for each fix", status: 70)
      }
      try report(
        """
                \(name)\(grouped(Double(count) / time.seconds)) alerts/s in \(decimal(time.seconds)) s; \
        processor \(Self.each(time.own, count)) us each, the server's \(Self.each(time.server, count)) us
        """)
    }

    /// Spots that are too far from each other to be near one device.
    private static var isolatedSpots: [PhotoSpot] {
      let taken = CaptureTime(instant: start.advanced(bySeconds: -1e8), utcOffsetMinutes: 0)
      let origin = Coordinate(uncheckedLatitude: -45, longitude: -120)
      return (0..<alertLaneCount * devicesPerLane * alertsPerDevice).map { number in
        let here = origin.offset(
          north: Double(number / 100) * 1200, east: Double(number % 100) * 1200)
        return PhotoSpot(
          id: "spot\(10_000_000 + number)", coordinate: here, anchor: here, radiusMeters: 5,
          photoCount: 3, firstCaptured: taken, lastCaptured: taken,
          cover: FilePath("/home/anna/Pictures/2021/IMG_\(number).JPG"))
      }
    }

    /// Names of devices, equally many for each lane.
    private static func names(of session: WatchSession, _ prefix: String) -> [String] {
      var lanes = [[String]](repeating: [], count: session.laneCount)
      var number = 0
      while lanes.contains(where: { $0.count < devicesPerLane }) {
        let name = "\(prefix)\(number)"
        number += 1
        let lane = session.laneNumber(of: name)
        if lanes[lane].count < devicesPerLane { lanes[lane].append(name) }
      }
      // By turns, as devices send.
      return (0..<devicesPerLane).flatMap { place in lanes.map { $0[place] } }
    }

    // MARK: - Floor

    /// Inserts a row of an alert's size with each transaction, on as many connections.
    private func measureFloor() throws {
      try connection.query(FloorStatement.drop)
      try connection.query(FloorStatement.create)
      let count = Self.devicesPerLane * (Self.alertsPerDevice - 1)
      let body = String(repeating: "x", count: 900)
      let connections = try (0..<Self.alertLaneCount).map { _ in try PostgresConnection(address) }
      let group = DispatchGroup()
      let failure = Mutex<PostgresError?>(nil)
      let watch = Stopwatch(connection)
      for (number, link) in connections.enumerated() {
        let lane = FloorLane(number: Int64(number), connection: link)
        DispatchQueue(label: "floor.\(number)").async(group: group) {
          do throws(PostgresError) {
            for place in 0..<count {
              try lane.connection.query(
                FloorStatement.insert, [.int8(lane.number), .int8(Int64(place)), .text(body)])
            }
          } catch {
            failure.withLock { $0 = error }
          }
        }
      }
      group.wait()
      let time = watch.read()
      if let error = failure.withLock({ $0 }) { throw error }
      try connection.query(FloorStatement.drop)
      let all = count * connections.count
      try report(
        """
                bare inserts of 900 bytes, a commit each: \(grouped(Double(all) / time.seconds)) a second; processor \
        \(Self.each(time.own, all)) us each, the server's \(Self.each(time.server, all)) us
        """)
    }

    /// A connection that one thread has for itself.
    private struct FloorLane: @unchecked Sendable {
      let number: Int64
      let connection: PostgresConnection
    }
  }
#endif
