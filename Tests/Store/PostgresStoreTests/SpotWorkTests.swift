#if Postgres
  import CivilTime
  import CLibrary
  import PhotoLibrary
  import PostgresStore
  import Spatial
  import Synchronization
  import TestSupport
  import Testing

  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(60)))
  struct SpotWorkTests {
    private let store: StoreDatabase

    init() throws { store = try StoreDatabase() }

    /// The number of rounds; `PHOTOSPOTS_STORE_ROUNDS` is for long runs.
    private static let roundCount =
      getenv("PHOTOSPOTS_STORE_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 12

    @Test func `spots computed cell by cell equal a clustering of the whole after each upload`()
      throws
    {
      let places = TestPlace.all
      for round in 0..<Self.roundCount {
        var generator = SeededGenerator(seed: UInt64(round))
        let spread = [60.0, 300, 1500][round / places.count % 3]
        let library = try StoredLibrary(
          store, owner: "round \(round)",
          clusterRadius: [15, 5, 50, 15].randomElement(using: &generator) ?? 15)
        var photos = places[round % places.count].photos(
          [40, 150, 400].randomElement(using: &generator) ?? 40, withinMeters: spread, &generator)
        photos.shuffle(using: &generator)
        // The first half, all photos, all without the first third, and none.
        let half = photos.count / 2
        for (step, part) in [
          photos[..<half], photos[...], photos[(photos.count / 3)...], photos[..<0],
        ].enumerated() {
          let index = PhotoIndex(Array(part))
          try library.upload(
            index, batchSize: [7, 100, 10_000].randomElement(using: &generator) ?? 7)
          try library.work(
            cellsAtOnce: [1, 3, 20_000].randomElement(using: &generator) ?? 1,
            photosAtOnce: [1, 50, 1_000_000].randomElement(using: &generator) ?? 1)
          try library.expectSpots(of: index, "round \(round), step \(step)")
        }
      }
    }

    @Test func `a changed photo replaces its previous version`() throws {
      var generator = SeededGenerator(seed: 7)
      let library = try StoredLibrary(store, owner: "anna")
      var photos = TestPlace.all[1].photos(200, withinMeters: 200, &generator)
      try library.upload(PhotoIndex(photos))
      try library.work()
      for place in stride(from: 0, to: photos.count, by: 3) {
        photos[place].rating = 5
        photos[place].isFavorite.toggle()
      }
      let index = PhotoIndex(photos)
      let report = try library.upload(index)
      #expect(report.addedCount == report.removedCount && report.addedCount > 50)
      try library.work()
      try library.expectSpots(of: index, "after the change")
      #expect(try library.upload(index).addedCount == 0)
      #expect(try library.work() == SpotWork.Report())
    }

    @Test func `concurrent workers and an upload produce the same spots as one worker`()
      async throws
    {
      let store = store
      for round in 0..<4 {
        var generator = SeededGenerator(seed: UInt64(100 + round))
        let name = "owner \(round)"
        _ = try StoredLibrary(store, owner: name)
        // A corner of cells, the antimeridian, and both sides of a pole.
        let photos = TestPlace.all[[1, 3, 6, 9][round]]
          .photos(600, withinMeters: 400, &generator).shuffled(using: &generator)
        let steps = [photos[..<300], photos[...], photos[200...]].map { PhotoIndex(Array($0)) }
        let isUploaded = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            let library = try StoredLibrary(store, owner: name)
            for index in steps { try library.upload(index, batchSize: 40) }
            isUploaded.raise()
          }
          for _ in 0..<3 {
            group.addTask {
              let library = try StoredLibrary(store, owner: name)
              let work = SpotWork(library.connection, cellsAtOnce: 2)
              while true {
                let wasUploaded = isUploaded.isRaised
                do throws(PostgresError) {
                  if try work.doJob() == .upToDate, wasUploaded { return }
                } catch {
                  guard error.kind == .conflict else { throw error }
                }
                await Task.yield()
              }
            }
          }
          try await group.waitForAll()
        }
        try StoredLibrary(store, owner: name).expectSpots(of: steps[2], "round \(round)")
      }
    }

    @Test func `the cells of a worker that is killed are processed by others`() throws {
      for round in 0..<8 {
        var generator = SeededGenerator(seed: UInt64(200 + round))
        let library = try StoredLibrary(store, owner: "owner \(round)")
        let index = PhotoIndex(
          TestPlace.all[round].photos(300, withinMeters: 300, &generator))
        try library.upload(index)
        // Its connection ends during the job, like that of a killed process.
        let doomed = try StoredLibrary(store, owner: "owner \(round)")
        #expect(throws: PostgresError.self) {
          try doomed.connection.transaction { () throws(PostgresError) in
            try doomed.connection.query(DoomedStatement.claim)
            try doomed.connection.query(DoomedStatement.unmark)
            try doomed.connection.query(DoomedStatement.unspot)
            try doomed.connection.query(DoomedStatement.end)
          }
        }
        #expect(!doomed.connection.isAlive)
        try library.work(cellsAtOnce: 3)
        try library.expectSpots(of: index, "round \(round)")
      }
    }

    /// A flag that tasks share.
    private final class Flag: Sendable {
      private let value = Atomic(false)
      var isRaised: Bool { value.load(ordering: .sequentiallyConsistent) }
      func raise() { value.store(true, ordering: .sequentiallyConsistent) }
    }

    /// Statements of a worker that is killed.
    private enum DoomedStatement: String, StoreStatement {
      case claim = "select cell from cell where owner = $1 for update"
      case unmark = "delete from mark where owner = $1"
      case unspot = "delete from spot where owner = $1"
      case end = "select pg_terminate_backend(pg_backend_pid()) where $1::bigint is not null"
    }

    @Test func `cells locked by another worker are skipped`() throws {
      var generator = SeededGenerator(seed: 3)
      let library = try StoredLibrary(store, owner: "anna")
      let index = PhotoIndex(TestPlace.all[1].photos(100, withinMeters: 100, &generator))
      try library.upload(index)
      let other = try StoredLibrary(store, owner: "anna")
      let outcome = try other.connection.transaction { () throws(PostgresError) in
        try other.connection.query(DoomedStatement.claim)
        return try SpotWork(library.connection).doJob()
      }
      #expect(outcome == .othersAtWork)
      try library.work()
      try library.expectSpots(of: index, "afterwards")
    }

    @Test func `owners with marked cells are listed until their spots are up to date`() throws {
      var generator = SeededGenerator(seed: 4)
      let anna = try StoredLibrary(store, owner: "anna")
      let ben = try StoredLibrary(store, owner: "ben")
      let work = SpotWork(anna.connection)
      #expect(try work.pending().isEmpty)
      let index = PhotoIndex(TestPlace.all[0].photos(30, withinMeters: 100, &generator))
      try anna.upload(index)
      try ben.upload(index)
      let pending = try work.pending()
      #expect(pending.map(\.owner) == [anna.owner.id, ben.owner.id])
      try anna.work()
      // Marks that were added after the token was read are kept.
      try ben.work()
      try ben.upload(PhotoIndex())
      try SpotWork(anna.connection).finish(pending[0].token)
      try SpotWork(ben.connection).finish(pending[1].token)
      #expect(try work.pending().map(\.owner) == [ben.owner.id])
    }

    @Test func `changing the cluster radius recomputes all spots`() throws {
      for round in 0..<6 {
        var generator = SeededGenerator(seed: UInt64(300 + round))
        let library = try StoredLibrary(store, owner: "owner \(round)")
        let index = PhotoIndex(
          TestPlace.all[2 * round].photos(300, withinMeters: 400, &generator))
        try library.upload(index)
        try library.work()
        for radius in [50.0, 5, 20] {
          #expect(try library.owner.changeClusterRadius(to: radius, library.connection))
          #expect(try !library.owner.changeClusterRadius(to: radius, library.connection))
          try library.work(cellsAtOnce: 2)
          try StoredLibrary(store, owner: "owner \(round)")
            .expectSpots(of: index, "round \(round), radius \(radius)")
        }
        // Later uploads are clustered with the new radius.
        let more = PhotoIndex(
          TestPlace.all[2 * round].photos(400, withinMeters: 300, &generator))
        try library.upload(more)
        try library.work()
        try StoredLibrary(store, owner: "owner \(round)").expectSpots(of: more, "round \(round)")
      }
    }
  }
#endif
