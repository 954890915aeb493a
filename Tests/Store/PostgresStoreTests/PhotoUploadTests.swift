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

    @Test func `an interrupted upload resumes where it stopped`() throws {
      var generator = SeededGenerator(seed: 1)
      let library = try StoredLibrary(store, owner: "anna")
      let index = PhotoIndex(TestPlace.all[0].photos(500, withinMeters: 2000, &generator))
      var batches = 0
      let first = try library.upload(index, batchSize: 50) {
        batches += 1
        return batches > 4
      }
      #expect(first.addedCount > 0 && first.addedCount < first.photoCount)
      let second = try library.upload(index, batchSize: 50)
      #expect(second.addedCount == second.photoCount - first.addedCount)
      #expect(second.removedCount == 0)
      try library.work()
      try library.expectSpots(of: index, "afterwards")
    }

    @Test func `an upload of changes interrupted inside a folder resumes there`() throws {
      var generator = SeededGenerator(seed: 8)
      let library = try StoredLibrary(store, owner: "anna")
      var photos = TestPlace.all[1].photos(400, withinMeters: 300, &generator)
      try library.upload(PhotoIndex(photos))
      for place in photos.indices where place % 2 == 0 { photos[place].rating = 4 }
      photos += TestPlace.all[1].photos(300, withinMeters: 300, prefix: "new/", &generator)
      let index = PhotoIndex(photos)
      var (batches, total) = (0, 0)
      let first = try library.upload(index, batchSize: 20) {
        batches += 1
        return batches > 7
      }
      #expect(first.addedCount + first.removedCount == 7 * 20)
      try expectKeys(count: nil)
      let partial = try store.database.execute(
        "select count(*) from folder where digest is null")
      #expect(partial == ["1"])
      total = first.addedCount
      total += try library.upload(index, batchSize: 20).addedCount
      #expect(try library.upload(index).addedCount == 0)
      try expectKeys(count: index.spotMemberNumbers.count)
      let changed = try StoredLibrary(store, owner: "ben").upload(index).addedCount
      #expect(total < changed)
      try library.work()
      try library.expectSpots(of: index, "afterwards")
    }

    @Test func `only folders with different or missing digests are compared with the store`() throws
    {
      var generator = SeededGenerator(seed: 9)
      let library = try StoredLibrary(store, owner: "anna")
      let old = TestPlace.all[0].photos(200, withinMeters: 500, prefix: "old/", &generator)
      let new = TestPlace.all[0].photos(40, withinMeters: 500, prefix: "new/", &generator)
      try library.upload(PhotoIndex(old))
      try store.database.execute("delete from photo where ctid in (select ctid from photo limit 9)")
      let index = PhotoIndex(old + new)
      let both = index.spotMemberNumbers.count
      let before = PhotoIndex(old).spotMemberNumbers.count
      #expect(try library.upload(index).addedCount == both - before)
      try store.database.execute("delete from folder")
      #expect(try library.upload(index).addedCount == 9)
      #expect(try library.upload(index).addedCount == 0)
      try expectKeys(count: both)
      // A removed folder.
      #expect(try library.upload(PhotoIndex(new)).removedCount == before)
      try expectKeys(count: both - before)
      try library.upload(PhotoIndex())
      try expectKeys(count: 0)
      try library.work()
      #expect(try library.spots().isEmpty)
    }

    @Test func `an upload overtaken by another one of the same source starts over`() throws {
      for isFirst in [true, false] {
        var generator = SeededGenerator(seed: 10)
        let library = try StoredLibrary(store, owner: "owner \(isFirst)")
        let other = try StoredLibrary(store, owner: "owner \(isFirst)")
        let photos = TestPlace.all[3].photos(300, withinMeters: 300, &generator)
        if !isFirst { try library.upload(PhotoIndex(Array(photos[250...]))) }
        let later = PhotoIndex(Array(photos[..<200]))
        let index = PhotoIndex(Array(photos[100...]))
        var batches = 0
        var otherCount = 0
        try library.upload(index, batchSize: 10) {
          batches += 1
          if batches == 5 { otherCount = (try? other.upload(later).addedCount) ?? 0 }
          return false
        }
        #expect(otherCount > 0)
        try library.work()
        try library.expectSpots(of: index, "first: \(isFirst)")
        let again = try library.upload(index)
        #expect(again.addedCount == 0 && again.removedCount == 0)
      }
      try expectKeys(count: nil)
    }

    /// Checks that the folders list exactly the keys of the photos, and their number.
    private func expectKeys(count: Int?, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let counts = try store.database.execute(
        """
        with listed as (
          select owner, ('x' || encode(substr(keys, 12 * n + 1, 4), 'hex'))::bit(32)::integer cell,
            ('x' || encode(substr(keys, 12 * n + 5, 8), 'hex'))::bit(64)::bigint id
          from folder, generate_series(0, length(keys) / 12 - 1) n)
        select (select count(*) from photo), count(*), count(photo.id),
          count(distinct (listed.owner, listed.cell, listed.id))
        from listed left join photo using (owner, cell, id)
        """)
      let numbers = counts[0].split(separator: "|")
      #expect(numbers == Array(repeating: numbers[0], count: 4), sourceLocation: sourceLocation)
      if let count { #expect(numbers[0] == "\(count)", sourceLocation: sourceLocation) }
    }

    @Test func `photos with keys that another source already has are not stored again`() throws {
      var generator = SeededGenerator(seed: 11)
      let library = try StoredLibrary(store, owner: "anna")
      let index = PhotoIndex(TestPlace.all[0].photos(2000, withinMeters: 900, &generator))
      try library.upload(index)
      // Another source has the same keys, as a collision of 64-bit hashes can cause.
      try store.database.execute("delete from folder")
      try store.database.execute("update photo set source = 99")
      try library.upload(index)
      try expectKeys(count: index.spotMemberNumbers.count)
      try library.work()
      try library.expectSpots(of: index, "afterwards")
    }

    @Test func `a batch is stored completely or not at all`() throws {
      var generator = SeededGenerator(seed: 2)
      let library = try StoredLibrary(store, owner: "anna")
      let index = PhotoIndex(TestPlace.all[0].photos(100, withinMeters: 500, &generator))
      // A batch writes the row of `pending` last.
      try store.database.execute(
        "alter table pending add constraint refused check (owner < 0) not valid")
      #expect(throws: PostgresError.self) { try library.upload(index) }
      for table in ["photo", "cell", "mark"] {
        #expect(try store.database.execute("select count(*) from \(table)") == ["0"])
      }
    }

    @Test func `an upload leaves the photos of the owner's other sources unchanged`() throws {
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

    @Test func `photos in two sources are counted twice`() throws {
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

    @Test func `a source is found by its token, and its name is taken over only on request`()
      throws
    {
      let library = try StoredLibrary(store, owner: "anna")
      let source = try library.source("laptop", token: 1)
      // The name of the first call is kept.
      #expect(try library.source("other", token: 1) == source)
      let connection = library.connection
      let taken = try PhotoSource.find(named: "laptop", token: 2, takesOver: false, connection)
      #expect(taken == .failure(.taken("laptop")))
      let made = try PhotoSource.find(named: "laptop", token: 2, takesOver: true, connection).get()
      #expect(made == source)
      #expect(try library.source("desktop", token: 1) != source)
    }

    @Test func `two owners can upload the same photos independently`() throws {
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

    @Test func `extreme times and unusual file names are stored unchanged`() throws {
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
