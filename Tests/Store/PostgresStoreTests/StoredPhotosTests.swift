#if Postgres
  import PhotoLibrary
  import PostgresStore
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"))
  struct StoredPhotosTests {
    private let store: StoreDatabase

    init() throws { store = try StoreDatabase() }

    private func read(
      _ library: StoredLibrary, atMost count: Int = 100_000, pageSize: Int = 7
    ) throws -> (index: PhotoIndex?, token: Int64?) {
      try StoredPhotos.read(atMost: count, library.connection, pageSize: pageSize)
    }

    @Test(arguments: 0..<TestPlace.all.count)
    func `an index read from the store has the same spots as the uploaded index`(place: Int) throws
    {
      var generator = SeededGenerator(seed: UInt64(place))
      let sent = PhotoIndex(TestPlace.all[place].photos(120, withinMeters: 120, &generator))
      let library = try StoredLibrary(store, owner: "anna")
      try library.upload(sent)
      // Spots are computed from the photos, with or without previous work of workers.
      let found = try #require(try read(library, pageSize: 1 + place * 5).index)
      #expect(found.shotCount == sent.shotCount)
      let (spots, expected) = (found.spots(clusterRadius: 15), sent.spots(clusterRadius: 15))
      #expect(spots.map(\.id) == expected.map(\.id))
      #expect(spots.map(\.photoCount) == expected.map(\.photoCount))
      #expect(spots.map(\.favoriteCount) == expected.map(\.favoriteCount))
      #expect(spots.map(\.coordinate) == expected.map(\.coordinate))
      #expect(spots.map(\.firstCaptured) == expected.map(\.firstCaptured))
      #expect(spots.map(\.cover) == expected.map(\.cover))
      #expect(spots.map(\.album) == expected.map(\.album))
    }

    @Test func `photos with equal paths from several sources are all read`() throws {
      var generator = SeededGenerator(seed: 1)
      let photos = TestPlace.all[0].photos(40, withinMeters: 200, &generator)
      let library = try StoredLibrary(store, owner: "anna")
      let index = PhotoIndex(photos)
      try library.upload(index, as: library.source("laptop", token: 1))
      try library.upload(index, as: library.source("desktop", token: 2))
      try library.work()
      let found = try #require(try read(library).index)
      #expect(found.shotCount == 2 * index.shotCount)
      let spots = found.spots(clusterRadius: 15)
      #expect(spots.map(\.id) == (try library.spots()).map(\.id))
      #expect(spots.map(\.photoCount) == (try library.spots()).map(\.photoCount))
    }

    @Test func `a library's token changes only with its photos and its cluster radius`() throws {
      var generator = SeededGenerator(seed: 2)
      let photos = TestPlace.all[0].photos(50, withinMeters: 200, &generator)
      let library = try StoredLibrary(store, owner: "anna")
      #expect(try read(library).token == nil)
      try library.upload(PhotoIndex(photos))
      let first = try read(library).token
      #expect(first != nil)
      try library.work()
      try library.upload(PhotoIndex(photos))
      #expect(try read(library).token == first)
      let ben = try StoredLibrary(store, owner: "ben")
      try ben.upload(PhotoIndex(photos))
      #expect(try read(library).token == first)
      try library.upload(PhotoIndex(Array(photos[1...])))
      let second = try read(library).token
      #expect(second != first)
      _ = try library.owner.changeClusterRadius(to: 30, library.connection)
      #expect(try read(library).token != second)
    }

    @Test func `a library above the size limit is not read`() throws {
      var generator = SeededGenerator(seed: 3)
      let index = PhotoIndex(TestPlace.all[0].photos(30, withinMeters: 200, &generator))
      let library = try StoredLibrary(store, owner: "anna")
      try library.upload(index)
      #expect(try read(library, atMost: index.shotCount).index?.shotCount == index.shotCount)
      #expect(try read(library, atMost: index.shotCount - 1).index == nil)
    }
  }
#endif
