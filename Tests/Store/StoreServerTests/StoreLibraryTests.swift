#if Postgres
  import Storage
  import PhotoLibrary
  import PostgresStore
  import Spatial
  import SpotService
  import TestSupport
  import Testing

  @testable import StoreServer

  /// The libraries of `serve --store`, which are read as a whole with the first request.
  @Suite(
    .enabled(if: PostgresServer.isInstalled, "\(PostgresServer.hint)"), .timeLimit(.minutes(30)))
  struct StoreLibraryTests {
    private let bench: StoreAccountsBench

    init() throws { bench = try StoreAccountsBench(connections: 8) }

    /// Makes an owner with photos, and returns the access of a key.
    private func access(_ name: String, photos count: Int) throws -> AccountAccess {
      let center = try #require(Coordinate(latitude: 43.318, longitude: 11.331))
      try bench.upload(StoreAccountsBench.photos(of: name, center, count: count), for: name)
      let key = try #require(AccountKeyName(of: try bench.key(for: name).text))
      let (connection, owner) = try bench.connection(for: name)
      return try #require(try AccountAccess.find(key.number, of: owner.id, connection))
    }

    @Test func `a library that is read slowly does not delay those of other owners`()
      async throws
    {
      let (anna, ben) = (try access("anna", photos: 3), try access("ben", photos: 2))
      let (isReading, isReleased) = (Observed(0), Observed(false))
      let libraries = StoredLibraries(
        bench.pool,
        reader: { count, connection throws(PostgresError) in
          let found = try StoredPhotos.read(atMost: count, connection)
          if found.index?.photoCount == 3 {
            isReading.update { $0 += 1 }
            isReleased.wait { $0 }
          }
          return found
        }, report: { _ in })
      async let first = libraries.prepare(for: anna)
      async let second = libraries.prepare(for: anna)
      await onThread { isReading.wait { $0 == 1 } }
      #expect(await libraries.prepare(for: ben) == nil)
      #expect(try libraries.library(for: ben).index.photoCount == 2)
      isReleased.update { $0 = true }
      #expect(await first == nil)
      #expect(await second == nil)
      #expect(try libraries.library(for: anna).index.photoCount == 3)
      #expect(isReading.value == 1, "equal requests share a reading")
    }

    @Test func `a library is read once for requests that wait for it on threads`() async throws {
      let anna = try access("anna", photos: 3)
      let count = Observed(0)
      let libraries = StoredLibraries(
        bench.pool,
        reader: { maximum, connection throws(PostgresError) in
          count.update { $0 += 1 }
          return try StoredPhotos.read(atMost: maximum, connection)
        }, report: { _ in })
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { await onThread { _ = try? libraries.library(for: anna) } }
        }
      }
      #expect(count.value == 1)
    }

    @Test func `a store that cannot be read is a problem, which the next request does not keep`()
      async throws
    {
      let anna = try access("anna", photos: 3)
      let isBroken = Observed(true)
      let libraries = StoredLibraries(
        bench.pool,
        reader: { count, connection throws(PostgresError) in
          if isBroken.value { throw PostgresError(.exhausted, "test") }
          return try StoredPhotos.read(atMost: count, connection)
        }, report: { _ in })
      #expect(await libraries.prepare(for: anna)?.kind == .storeUnavailable)
      isBroken.update { $0 = false }
      #expect(await libraries.prepare(for: anna) == nil)
      var limits = StoredLibraries.Limits()
      limits.photosOfLibrary = 2
      let small = StoredLibraries(bench.pool, limits: limits, report: { _ in })
      // Requests that need no photos are answered.
      #expect(await small.prepare(for: anna) == nil)
      #expect(throws: Problem.self) { try small.library(for: anna) }
    }
  }
#endif
