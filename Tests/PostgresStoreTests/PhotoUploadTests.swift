#if Postgres
  import CivilTime
  import PhotoMetadata
  import PostgresStore
  import Spatial
  import TestSupport
  import Testing

  @testable import PhotoLibrary

  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(30)))
  struct PhotoUploadTests {
    private let store: StoreDatabase

    init() throws { store = try StoreDatabase() }

    @Test func `an upload that was stopped in the middle goes on where it was`() throws {
      var generator = SeededGenerator(seed: 1)
      let library = try StoredLibrary(store, owner: "anna")
      let index = PhotoIndex(TestPlace.all[0].photos(500, withinMeters: 2000, &generator))
      var batches = 0
      let first = try library.upload(index, batchSize: 50) {
        batches += 1
        return batches > 120
      }
      #expect(first.addedCount > 0 && first.addedCount < first.photoCount)
      let second = try library.upload(index, batchSize: 50)
      #expect(second.addedCount == second.photoCount - first.addedCount)
      #expect(second.removedCount == 0)
      try library.work()
      try library.expectSpots(of: index, "afterwards")
    }

    @Test func `a batch is sent whole or not at all`() throws {
      var generator = SeededGenerator(seed: 2)
      let library = try StoredLibrary(store, owner: "anna")
      let index = PhotoIndex(TestPlace.all[0].photos(100, withinMeters: 500, &generator))
      // The row that says who has marks is the last that a batch writes.
      try store.database.execute(
        "alter table pending add constraint refused check (owner < 0) not valid")
      #expect(throws: PostgresError.self) { try library.upload(index) }
      for table in ["photo", "cell", "mark"] {
        #expect(try store.database.execute("select count(*) from \(table)") == ["0"])
      }
    }

    @Test func `an index leaves the photos of the owner's other indexes alone`() throws {
      var generator = SeededGenerator(seed: 3)
      let library = try StoredLibrary(store, owner: "anna")
      let (laptop, desktop) = (
        try library.source("laptop", token: 1), try library.source("desktop", token: 2)
      )
      let here = TestPlace.all[1].photos(150, withinMeters: 200, prefix: "a/", &generator)
      let there = TestPlace.all[1].photos(150, withinMeters: 200, prefix: "b/", &generator)
      try library.upload(PhotoIndex(here), as: laptop)
      try library.upload(PhotoIndex(there), as: desktop)
      try library.work()
      try library.expectSpots(of: PhotoIndex(here + there), "both")
      try library.upload(PhotoIndex(), as: laptop)
      try library.work()
      try library.expectSpots(of: PhotoIndex(there), "one of them")
    }

    @Test func `two indexes with the same photos count them twice, in a fixed order`() throws {
      var generator = SeededGenerator(seed: 4)
      let library = try StoredLibrary(store, owner: "anna")
      let photos = PhotoIndex(TestPlace.all[0].photos(60, withinMeters: 100, &generator))
      for (name, token) in [("laptop", 1), ("desktop", 2)] as [(String, Int64)] {
        try library.upload(photos, as: try library.source(name, token: token))
      }
      try library.work()
      let once = photos.spots(clusterRadius: 15)
      let twice = try library.spots()
      #expect(twice.map(\.id) == once.map(\.id))
      #expect(twice.map(\.photoCount) == once.map { 2 * $0.photoCount })
    }

    @Test func `an index is known by its token, and takes over a name only where it is told to`()
      throws
    {
      let library = try StoredLibrary(store, owner: "anna")
      let source = try library.source("laptop", token: 1)
      // The name is that of the first time.
      #expect(try library.source("other", token: 1) == source)
      let connection = library.connection
      let taken = try PhotoSource.find(named: "laptop", token: 2, takesOver: false, connection)
      #expect(taken == .failure(.taken("laptop")))
      let made = try PhotoSource.find(named: "laptop", token: 2, takesOver: true, connection).get()
      #expect(made == source)
      #expect(try library.source("desktop", token: 1) != source)
    }

    @Test func `owners have photos of the same index each for themselves`() throws {
      var generator = SeededGenerator(seed: 5)
      let photos = TestPlace.all[3].photos(100, withinMeters: 300, &generator)
      let anna = try StoredLibrary(store, owner: "anna")
      let ben = try StoredLibrary(store, owner: "ben", clusterRadius: 40)
      try anna.upload(PhotoIndex(photos))
      try ben.upload(PhotoIndex(Array(photos[20...])))
      try anna.work()
      try ben.work()
      try anna.expectSpots(of: PhotoIndex(photos), "anna's")
      try ben.expectSpots(of: PhotoIndex(Array(photos[20...])), "ben's")
      let ids = try store.database.execute("select count(distinct id) = count(*) from photo")
      #expect(ids == ["t"])
    }

    @Test func `times and names at the limits come back as they are`() throws {
      let library = try StoredLibrary(store, owner: "anna")
      let place = try #require(Coordinate(latitude: -0.0, longitude: -180))
      var photos = [Int64.min, -1, 0, .max].enumerated().map { number, time in
        TestPhoto(
          path: "Ünïcode '\\\u{7F}\n/\(number)\u{1F5FA}.JPG", coordinate: place,
          captured: CaptureTime(
            instant: Instant(millisecondsSince1970: time), utcOffsetMinutes: number * 100))
      }
      photos.append(TestPhoto(path: "undated/x.JPG", coordinate: place))
      let index = PhotoIndex(photos)
      try library.upload(index)
      try library.work()
      try library.expectSpots(of: index, "limits")
    }
  }
#endif
