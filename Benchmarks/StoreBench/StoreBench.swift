#if Postgres
  import CLibrary
  import Encodings
  import PhotoLibrary
  import PhotoMetadata
  import PostgresStore
  import Spatial
  import SystemPackage

  /// Measurements of an owner's library in a store.
  struct StoreBench {
    private static let clusterRadius = 15.0

    private let connection: PostgresConnection
    private let owner: StoreOwner

    /// Connects, and makes the owner where it is new.
    init(_ address: String, owner name: String) throws {
      connection = try PostgresConnection(StoreAddress(address), deadlines: .work)
      owner = try StoreOwner.named(
        name, orNewWithClusterRadius: Self.clusterRadius, connection
      ).owner
      try connection.act(for: owner.id)
    }

    // MARK: - Measurements

    /// Makes all spots of an index in this process.
    static func cluster(_ path: String) throws -> String {
      let index = try load(path)
      var count = 0
      let before = ownProcessorSeconds()
      let seconds = time { count = index.spots(clusterRadius: clusterRadius).count }
      let ownSeconds = ownProcessorSeconds() - before
      return line { writer in
        writer.member("photos", index.spotMemberNumbers.count)
        writer.member("spots", count)
        writer.member("seconds", seconds)
        writer.member("ownSeconds", ownSeconds)
      }
    }

    /// Sends the photos of an index.
    func upload(_ path: String) throws -> String {
      let index = try Self.load(path)
      let source = try PhotoSource.find(
        named: "bench", token: 1, takesOver: false, connection
      ).get()
      let before = processorSeconds()
      let upload = PhotoUpload(of: index, as: source, of: owner, connection)
      let ownBefore = Self.ownProcessorSeconds()
      let start = ContinuousClock.now
      let report = try upload.run()
      let seconds = Self.seconds(since: start)
      let ownSeconds = Self.ownProcessorSeconds() - ownBefore
      return Self.line { writer in
        writer.member("photos", report.photoCount)
        writer.member("added", report.addedCount)
        writer.member("removed", report.removedCount)
        writer.member("seconds", seconds)
        writer.member("ownSeconds", ownSeconds)
        writer.member("serverSeconds", processorSeconds() - before)
      }
    }

    /// Makes the spots that are marked.
    func work() throws -> String {
      let work = SpotWork(connection)
      let (before, ownBefore) = (processorSeconds(), Self.ownProcessorSeconds())
      var total = SpotWork.Report()
      let seconds = try Self.time {
        while case .done(let report) = try work.doJob() { total.add(report) }
      }
      let ownSeconds = Self.ownProcessorSeconds() - ownBefore
      return Self.line { writer in
        writer.member("jobs", total.jobCount)
        writer.member("cells", total.cellCount)
        writer.member("photos", total.photoCount)
        writer.member("added", total.addedCount)
        writer.member("removed", total.removedCount)
        writer.member("seconds", seconds)
        writer.member("ownSeconds", ownSeconds)
        writer.member("serverSeconds", processorSeconds() - before)
      }
    }

    /// Compares all spots, and the answers to queries, with those of an index.
    func verify(_ path: String, points: String) throws -> String {
      let index = try Self.load(path)
      let expected = index.spots(clusterRadius: Self.clusterRadius)
      let spots = try PostgresSpots(of: owner, connection)
      let found = Array(try spots.listed(in: nil))
      let difference = Set(expected.map(Row.init)).symmetricDifference(found.map(Row.init))
      let inMemory = SpotIndex(index, clusterRadius: Self.clusterRadius)
      let positions = try Self.positions(points).prefix(5000)
      var wrong = 0
      for (number, position) in positions.enumerated() {
        let radius = [100.0, 1000, 25, 5000][number % 4]
        let answer = try spots.spots(within: radius, of: position)
        let right = inMemory.spots(within: radius, of: position)
        let isRight =
          answer.count == right.count
          && zip(answer, right).allSatisfy {
            $0.distanceMeters == $1.distanceMeters && Row($0.spot) == Row($1.spot)
          }
        if !isRight { wrong += 1 }
      }
      return Self.line { writer in
        writer.member("spots", expected.count)
        writer.member("different", difference.count)
        writer.member("queries", positions.count)
        writer.member("wrong", wrong)
      }
    }

    /// All of a spot but its photos, which a store does not list.
    private struct Row: Hashable {
      let id: String
      let counts: [Int]
      let captured: [CaptureTime?]
      let paths: [FilePath?]
      let numbers: [UInt64]

      init(_ spot: PhotoSpot) {
        id = spot.id
        counts = [spot.photoCount, spot.favoriteCount, spot.undatedCount]
        captured = [spot.firstCaptured, spot.lastCaptured]
        paths = [spot.cover, spot.album]
        numbers = [
          spot.coordinate.latitude, spot.coordinate.longitude, spot.anchor.latitude,
          spot.anchor.longitude, spot.radiusMeters,
        ].map(\.bitPattern)
      }
    }

    /// Asks for the spots near each of some positions.
    func near(_ points: String, within radiusMeters: Double) throws -> String {
      let spots = try PostgresSpots(of: owner, connection)
      return try queries(points) { position in
        try spots.spots(within: radiusMeters, of: position).count
      }
    }

    /// The statements that ask PostGIS.
    private enum GeographyStatement: String, StoreStatement {
      /// Of a table that has all that is asked for.
      case near = """
        select id, cover, photo_count, ST_Distance(place, center, false) distance
        from (select ST_SetSRID(ST_MakePoint($3, $2), 4326)::geography center) here, spot_geography
        where owner = $1 and ST_DWithin(place, center, $4, false)
        order by distance, id
        """
    }

    /// Asks PostGIS for the same, of a table with all columns in it.
    func postGIS(_ points: String, within radiusMeters: Double) throws -> String {
      try queries(points) { position in
        try connection.query(
          GeographyStatement.near,
          [.double(position.latitude), .double(position.longitude), .double(radiusMeters)]
        ).count
      }
    }

    private func queries(
      _ points: String, _ ask: (Coordinate) throws -> Int
    ) throws -> String {
      let positions = try Self.positions(points)
      // Plans are made, and pages come into memory.
      for position in positions.prefix(2000) { _ = try ask(position) }
      let before = processorSeconds()
      var (times, found): ([Double], Int) = ([], 0)
      let seconds = try Self.time {
        for position in positions {
          times.append(try Self.time { found += try ask(position) })
        }
      }
      times.sort()
      func at(_ part: Double) -> Double {
        times.isEmpty ? 0 : times[min(times.count - 1, Int(Double(times.count) * part))] * 1e6
      }
      return Self.line { writer in
        writer.member("queries", positions.count)
        writer.member("found", found)
        writer.member("seconds", seconds)
        writer.member("p50", at(0.5))
        writer.member("p99", at(0.99))
        writer.member(
          "serverMicroseconds",
          (processorSeconds() - before) / Double(max(positions.count, 1)) * 1e6)
      }
    }

    // MARK: - Inputs

    private static func load(_ path: String) throws -> PhotoIndex {
      guard let index = try PhotoIndexCache(path: FilePath(path)).load() else {
        throw Errno.noSuchFileOrDirectory
      }
      return index
    }

    private static func positions(_ path: String) throws -> [Coordinate] {
      let file = try FileDescriptor.open(FilePath(path), .readOnly)
      defer { try? file.close() }
      let size = Int(try file.seek(offset: 0, from: .end))
      try file.seek(offset: 0, from: .start)
      var bytes = [UInt8](repeating: 0, count: size)
      var filled = 0
      while filled < size {
        let count = try bytes.withUnsafeMutableBytes { buffer in
          try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
        guard count > 0 else { throw Errno.ioError }
        filled += count
      }
      func double(_ place: Int) -> Double {
        let number = bytes.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self)
        }
        return Double(bitPattern: UInt64(littleEndian: number))
      }
      return (0..<size / 24).compactMap { row in
        Coordinate(latitude: double(3 * row), longitude: double(3 * row + 1))
      }
    }

    // MARK: - Clocks

    private static func time(_ body: () throws -> Void) rethrows -> Double {
      let start = ContinuousClock.now
      try body()
      return seconds(since: start)
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
      let duration = start.duration(to: .now).components
      return Double(duration.seconds) + Double(duration.attoseconds) / 1e18
    }

    /// The processor time that the server has spent on the connection, in seconds: the first number
    /// of `schedstat` of its process (Linux, Documentation/scheduler/sched-stats.rst).
    private func processorSeconds() -> Double {
      guard let file = fopen("/proc/\(connection.serverProcess)/schedstat", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 200)
      guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }

    /// The processor time of this process, in seconds.
    private static func ownProcessorSeconds() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func line(_ write: (inout JSONWriter) -> Void) -> String {
      var writer = JSONWriter()
      writer.object { write(&$0) }
      return writer.text
    }
  }
#endif
