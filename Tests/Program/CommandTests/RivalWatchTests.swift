#if Postgres
  import CLibrary
  import CivilTime
  import PostgresStore
  import SpotAlerts
  import SpotWatcher
  import Synchronization
  import SystemPackage
  import TestSupport
  import Testing

  /// Two watches of one owner in a store that both receive every fix.
  ///
  /// The number of kills is 12, or the value of the environment variable `PHOTOSPOTS_KILLS`.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(60)))
  struct RivalWatchTests {
    private static let killCount =
      getenv("PHOTOSPOTS_KILLS").flatMap { Int(String(cString: $0)) } ?? 12

    @Test func `rival watches killed repeatedly record each alert once and keep the interval`()
      async throws
    {
      let rivals = try await Rivals(on: try PostgresServer.shared)
      try rivals.begin()
      for kill in 0..<Self.killCount {
        // By now the rival has decided about the fixes lost at the last kill of this watch.
        try rivals.waitForMarkers(by: kill % 2)
        usleep(UInt32(1000 * (20 + kill * 37 % 300)))
        try rivals.kill(kill % 2)
      }
      try await rivals.end()
      try rivals.expectEachAlertOnce("\(Self.killCount) kills")
    }

    @Test func `database crashes lose no alert that a watch has printed`() async throws {
      let server = try PostgresServer()
      let rivals = try await Rivals(on: server)
      try rivals.begin()
      for crash in 0..<5 {
        try rivals.waitForMarkers(by: 0)
        try rivals.waitForMarkers(by: 1)
        usleep(UInt32(1000 * (20 + crash * 61)))
        try server.crash()
        try server.start()
      }
      try await rivals.end()
      try rivals.expectEachAlertOnce("5 crashes")
    }
  }

  /// Two watches, and a feed that writes each fix to both.
  private final class Rivals: Sendable {
    private let folder = TemporaryFolder()
    private let database: PostgresServer.Database
    private let feeds: [FileDescriptor]
    private let watches = Mutex<[ChildProcess?]>([nil, nil])
    private let writing = Mutex(Writing())
    private let isOver = Atomic(false)
    private let thread = Mutex<Joined?>(nil)

    private struct Writing {
      var deviceCount = 0
      var markerCount = 0
    }

    /// The part of a watch's output that was read, and the markers in it.
    private struct Reading {
      var offset: Int64 = 0
      var markers: Set<Substring> = []
    }

    private let readings = Mutex([Reading(), Reading()])

    private final class Joined: @unchecked Sendable {
      private var thread: BackgroundThread?
      init(_ thread: consuming BackgroundThread) { self.thread = consume thread }
      func join() { if let thread = thread.take() { thread.join() } }
    }

    private static let inside = "\"latitude\":48.85150,\"longitude\":2.35300"
    private static let outside = "\"latitude\":48.87000,\"longitude\":2.40000"
    private static let markersAtOnce = 32
    private static let intervalSeconds = 2.0

    init(on server: PostgresServer) async throws {
      database = try server.database()
      _ = try StoreSchema.migrate(try PostgresConnection(StoreAddress(database.address)))
      let indexed = try await PhotoSpotsProcess(home: folder.root).run(
        ["index", "--store", database.address, "--owner", "anna", "\(samples)/photos"])
      try #require(indexed.code == 0, "\(indexed)")
      try folder.write(
        "#!/bin/sh\necho $PHOTOSPOTS_ID >> \(folder.path("delivered"))\n", to: "hook.sh")
      try folder.makeExecutable(folder.path("hook.sh"))
      let paths = [folder.path("feed0"), folder.path("feed1")]
      for path in paths { try #require(mkfifo(path.string, 0o600) == 0) }
      // Opened for reading too, so that the FIFO keeps unread fixes of a killed watch for the next
      // one. Not inherited by the watches, which would keep the feed open.
      feeds = try paths.map { try FileDescriptor.open($0, .readWrite, options: .closeOnExec) }
    }

    private static let arguments =
      [
        "--explain", "--format ndjson", "--hook ./hook.sh",
        "--set rulesOff=jumps,routine,siblings,devices,bursts,vehicles,coldStart,towns",
      ].joined(separator: " ")
      + [
        "cooldown=0s", "minimumInterval=\(Int(intervalSeconds))s", "alertsPerMinute=off",
        "dailyBudget=off", "jumpQuarantine=0s", "distanceFilter=0",
      ].map { " --set \($0)" }.joined()

    private func command(_ feed: String, _ number: Int) -> String {
      """
      cd \(folder.root)
      exec env -i PATH=/usr/bin:/bin TZ=UTC HOME=$PWD XDG_CACHE_HOME=$PWD/c XDG_CONFIG_HOME=$PWD/c \
        \(PhotoSpotsProcess.program) watch \(feed) --store '\(database.address)' --owner anna \
        --state state\(number) \(Self.arguments) < /dev/null >> out\(number) 2>> errors\(number)
      """
    }

    private func launch(_ number: Int) throws {
      let watch = try ChildProcess("/bin/sh", ["-c", command("feed\(number)", number)])
      watches.withLock { $0[number] = watch }
    }

    /// Starts both watches, and a thread that feeds them with new devices at a spot and three that
    /// repeatedly arrive and leave.
    func begin() throws {
      for number in 0..<2 { try launch(number) }
      let thread = Joined(
        try BackgroundThread { [self] in
          var count = 0
          while !isOver.load(ordering: .relaxed) {
            let number = writing.withLock { writing in
              defer { writing.deviceCount += 1 }
              return writing.deviceCount
            }
            write("{\(Self.inside),\"device\":\"d\(number)\"}\n")
            let here = count / 4 % 2 == 0 ? Self.inside : Self.outside
            write("{\(here),\"device\":\"r\(count % 3)\"}\n")
            count += 1
            usleep(30_000)
          }
        })
      self.thread.withLock { $0 = thread }
    }

    private func write(_ line: String) {
      for feed in feeds { _ = try? feed.writeAll(line.utf8) }
    }

    /// Kills a watch, and starts it again.
    func kill(_ number: Int) throws {
      // Releasing the process kills it.
      watches.withLock { $0[number] = nil }
      try launch(number)
    }

    /// Writes fixes of devices of all lanes, and waits until a watch has decided about them, and
    /// therefore about all earlier fixes.
    func waitForMarkers(by number: Int) throws {
      let marker = writing.withLock { writing in
        writing.markerCount += 1
        return writing.markerCount
      }
      for part in 0..<Self.markersAtOnce {
        write("{\(Self.outside),\"device\":\"m\(marker)-\(part)\"}\n")
      }
      for _ in 0..<30_000 {
        let isThere = try readings.withLock { readings in
          try read(number, &readings[number])
          return (0..<Self.markersAtOnce).allSatisfy {
            readings[number].markers.contains("m\(marker)-\($0)")
          }
        }
        if isThere { return }
        usleep(20_000)
      }
      Issue.record("watch \(number) does not go on: \(errors.suffix(2000))")
      throw Errno.timedOut
    }

    /// Reads a watch's new complete lines.
    private func read(_ number: Int, _ reading: inout Reading) throws {
      let path = folder.path("out\(number)")
      guard folder.exists(path) else { return }
      let file = try FileDescriptor.open(path, .readOnly)
      defer { try? file.close() }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = try bytes.withUnsafeMutableBytes {
        try file.read(fromAbsoluteOffset: reading.offset, into: $0)
      }
      guard let end = bytes[..<count].lastIndex(of: 0x0A) else { return }
      reading.offset += Int64(end + 1)
      for line in bytes[...end].split(separator: 0x0A) {
        let words = line.split(separator: 0x22)
        guard let name = words.firstIndex(where: { $0.elementsEqual("device".utf8) }),
          name + 2 < words.count, words[name + 2].first == UInt8(ascii: "m")
        else { continue }
        reading.markers.insert(Substring(decoding: words[name + 2], as: UTF8.self))
      }
    }

    private var errors: String {
      (0..<2).map { number in
        (try? folder.contents(of: folder.path("errors\(number)")))
          .map { String(decoding: $0, as: UTF8.self) } ?? ""
      }.joined(separator: "\n")
    }

    /// Ends the feed and the watches, and delivers the pending alerts of killed watches.
    func end() async throws {
      isOver.store(true, ordering: .relaxed)
      thread.withLock { $0 }?.join()
      for number in 0..<2 { try waitForMarkers(by: number) }
      for feed in feeds { try feed.close() }
      for watch in watches.withLock({ $0 }) { watch?.waitUntilExit() }
      for _ in 0..<100 {
        let count = try database.execute("select count(*) from delivery where state = 0")
        if count == ["0"] { break }
        // Expires the leases of killed processes.
        try database.execute("update delivery set lease = 0, next = null where state = 0")
        let rest = try ChildProcess("/bin/sh", ["-c", command("-", 2)])
        rest.waitUntilExit()
      }
    }

    /// Checks that each new device has one alert, all are delivered, and the alerts of a device
    /// keep the minimum interval.
    func expectEachAlertOnce(_ label: String) throws {
      let connection = try PostgresConnection(StoreAddress(database.address))
      let owner = try #require(try StoreOwner.named("anna", connection))
      try connection.act(for: owner.id)
      let alerts = try PostgresJournal.history(connection).filter { $0.kind == .notified }
      let ids = alerts.compactMap(\.notification?.id)
      #expect(Set(ids).count == ids.count, "alerts twice")
      let expected = (0..<writing.withLock(\.deviceCount)).map { "d\($0)" }
      let devices = alerts.compactMap(\.device).filter { $0.hasPrefix("d") }
      #expect(Set(devices).count == devices.count, "visits alerted twice")
      let lost = Set(expected).subtracting(devices)
      #expect(lost.isEmpty, "\(lost.count) lost: \(lost.prefix(5)) \(errors.suffix(2000))")
      var closest = Double.infinity
      var roaming = 0
      for device in ["r0", "r1", "r2"] {
        let times = alerts.filter { $0.device == device }.map(\.time).sorted()
        roaming += times.count
        for (one, next) in zip(times, times.dropFirst()) {
          closest = min(closest, next.seconds(since: one))
        }
      }
      #expect(closest >= Self.intervalSeconds, "\(closest) s apart")
      #expect(roaming > 2)
      let delivered = try lines(of: "delivered")
      #expect(Set(ids).subtracting(delivered).isEmpty, "recorded and not delivered")
      #expect(Set(delivered).subtracting(ids).isEmpty, "delivered and not recorded")
      let printed = try (0..<3).flatMap { try lines(of: "out\($0)") }
        .filter { $0.hasPrefix("{\"id\"") && $0.hasSuffix("}") }
        .compactMap { $0.firstMatch(of: /"id": ?"([a-z2-7]{13})"/).map { String($0.1) } }
      #expect(!printed.isEmpty)
      #expect(Set(printed).subtracting(ids).isEmpty, "printed and not recorded")
      print(
        """
        rivals, \(label): \(alerts.count) alerts on \(expected.count) devices and three that come and go, 0 twice, \
        \(lost.count) lost, at least \(closest) s apart; \(delivered.count - Set(delivered).count) delivered twice
        """)
    }

    private func lines(of name: String) throws -> [String] {
      let path = folder.path(name)
      guard folder.exists(path) else { return [] }
      return String(decoding: try folder.contents(of: path), as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }
  }
#endif
