import CivilTime
import Encodings
import HTTPClient
import PhotoLibrary
import PhotoMetadata
import Spatial
import Synchronization
import TestSupport
import Testing

@testable import RemoteLibraries

@Suite struct ImmichWalkTests {
  /// Twenty photos, four of which have the same time.
  private static func assets() -> [FakeImmich.Asset] {
    (0..<20).map { number in
      let day = (5...8).contains(number) ? 5 : number
      return FakeImmich.Asset(
        number, taken: 1_600_000_000_000 + Int64(day) * 86_400_000, updated: 1_700_000_000_000)
    }
  }

  private func walk(
    _ server: FakeImmich, from anchor: String? = nil,
    then change: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> (walk: any RemoteWalk, walked: WalkedLibrary, requests: [WebRequest]) {
    let walking = Walking(try library())
    var walk: any RemoteWalk = ImmichWalk(try library(), from: anchor)
    var walked = WalkedLibrary()
    try await walking.run(
      &walk, into: &walked, key: server.key, Walking.answers(of: server, then: change))
    return (walk, walked, walking.sent.withLock { $0 })
  }

  @Test func `an asset is parsed as documented by Immich`() throws {
    // AssetResponseDto with ExifResponseDto, Immich 2.0.
    let text = """
      {"id":"7f6d4f0c-5c1e-4f0e-8a51-0a5a4c1f7b11","checksum":"7CmqJ4cBLvr1iQ==",
      "createdAt":"2025-06-02T10:11:12.000Z","deviceAssetId":"web-a","deviceId":"WEB",
      "duration":"0:00:00.00000","exifInfo":{"city":"Lisbon","country":"Portugal",
      "dateTimeOriginal":"2024-05-06T07:08:09.120Z","description":"A \\"tram\\"\\n up the hill",
      "exifImageHeight":3024,"exifImageWidth":4032,
      "exposureTime":"1/121","fNumber":1.78,"fileSizeInByte":2481734,
      "focalLength":6.86,"iso":64,"latitude":38.7118,"longitude":-9.1366,
      "lensModel":"iPhone 14 Pro back","make":"Apple","model":"iPhone 14 Pro",
      "modifyDate":"2024-05-06T07:08:09.000Z","orientation":"6","projectionType":null,"rating":4,
      "state":"Lisboa","timeZone":"UTC+1"},"fileCreatedAt":"2024-05-06T07:08:09.120Z",
      "fileModifiedAt":"2024-05-06T07:08:09.000Z","hasMetadata":true,"isArchived":false,
      "isFavorite":true,"isOffline":false,"isTrashed":false,"libraryId":null,
      "livePhotoVideoId":"0f2d4f0c-5c1e-4f0e-8a51-0a5a4c1f7b12",
      "localDateTime":"2024-05-06T08:08:09.120Z","originalFileName":"IMG_4711.HEIC",
      "originalMimeType":"image/heic","originalPath":"upload/a.heic","ownerId":"u","people":[],
      "resized":true,"stack":null,"tags":[],"thumbhash":"1QcSHQRnh493V4dIh4eXh1h4kJUI",
      "type":"IMAGE","unassignedFaces":[],"updatedAt":"2025-06-02T10:12:00.500Z",
      "visibility":"timeline"}
      """
    var reader = JSONReader(Array(text.utf8))
    let asset = try ImmichAsset(from: &reader)
    let record = try #require(asset.record)
    #expect(record.id == "7f6d4f0c-5c1e-4f0e-8a51-0a5a4c1f7b11")
    #expect(record.name == "IMG_4711.HEIC")
    #expect(record.size == 2_481_734)
    #expect(record.isShown && !asset.isTrashed)
    #expect(record.properties.coordinate?.latitude == 38.7118)
    #expect(record.properties.coordinate?.longitude == -9.1366)
    #expect(record.properties.captured?.iso8601 == "2024-05-06T08:08:09.120+01:00")
    #expect(record.properties.rating == 4)
    #expect(record.properties.caption == #"A "tram" up the hill"#)
    #expect(record.properties.isFavorite)
    #expect(record.properties.model == "iPhone 14 Pro")
    #expect(record.version == Instant(iso8601: "2025-06-02T10:12:00.500Z")?.millisecondsSince1970)
  }

  @Test func `missing, null and mistyped members are nil, and so is the position 0, 0`() throws {
    for text in [
      #"{"id":"a-1","exifInfo":null,"fileCreatedAt":5,"isFavorite":"yes"}"#,
      #"{"id":"a-1","exifInfo":{"latitude":0,"longitude":0,"rating":1e300,"fileSizeInByte":-5}}"#,
      #"{"id":"a-1","exifInfo":{"latitude":91,"longitude":4,"dateTimeOriginal":"soon"}}"#,
      #"{"id":"a-1","exifInfo":{"latitude":12}}"#,
    ] {
      var reader = JSONReader(Array(text.utf8))
      let record = try #require(try ImmichAsset(from: &reader).record, "\(text)")
      #expect(record.properties.coordinate == nil && record.properties.captured == nil)
      #expect(record.properties.rating == nil && record.size == 0)
    }
    for id in ["", "../x", "a/b", "a b", "-a", String(repeating: "a", count: 200)] {
      var reader = JSONReader(Array(#"{"id":"\#(id)"}"#.utf8))
      #expect(try ImmichAsset(from: &reader).record == nil, "\(id)")
    }
  }

  @Test func `a full walk finds every photo once, including those of equal time`() async throws {
    let server = FakeImmich(Self.assets())
    let result = try await walk(server)
    #expect(Set(result.walked.records.keys) == Set(server.assets.keys))
    #expect(result.walk.isWhole && result.walk.total == 20)
  }

  @Test func `only read requests are sent`() async throws {
    let server = FakeImmich(Self.assets())
    server.change { assets, _ in for id in assets.keys { assets[id]?.album = "A" } }
    let first = try await walk(server)
    let second = try await walk(server, from: first.walk.anchor)
    for request in first.requests + second.requests {
      switch request.method {
      case .get: #expect(request.address.path == "/api/albums")
      case .post: #expect(request.address.path.hasPrefix("/api/search/"))
      default: Issue.record("\(request.method)")
      }
    }
  }

  @Test func `an incremental walk requests only changes, including removals to the trash`()
    async throws
  {
    let server = FakeImmich(Self.assets())
    let first = try await walk(server)
    server.wait(seconds: 3600)
    let ids = server.assets.keys.sorted()
    server.change { assets, now in
      assets[ids[1]]?.isTrashed = true
      assets[ids[1]]?.updated = now
      assets[ids[2]]?.isFavorite = true
      assets[ids[2]]?.updated = now
    }
    let second = try await walk(server, from: first.walk.anchor)
    #expect(!second.walk.isWhole)
    #expect(second.walked.removed == [ids[1]])
    #expect(Set(second.walked.records.keys) == [ids[2]])
    #expect(second.walked.count(after: Set(ids), isWhole: false) == second.walk.total)
    #expect(second.requests.count == 3)
  }

  @Test func `permanently deleted photos are noticed by the total count`() async throws {
    let server = FakeImmich(Self.assets())
    let first = try await walk(server)
    let ids = Set(server.assets.keys)
    server.change { assets, _ in assets[ids.min() ?? ""] = nil }
    let second = try await walk(server, from: first.walk.anchor)
    #expect(second.walk.total == 19)
    #expect(second.walked.count(after: ids, isWhole: false) == 20)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `photos changed during a walk are complete after the next walk`(
    seed: UInt64
  ) async throws {
    let server = FakeImmich(Self.assets())
    let random = Mutex(SeededGenerator(seed: seed))
    let change = { @Sendable (_: Int) in
      random.withLock { random in
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        server.change { assets, now in
          guard let id = assets.keys.sorted().randomElement(using: &random) else { return }
          let taken = 1_600_000_000_000 + Int64.random(in: 0...20, using: &random) * 86_400_000
          switch Int.random(in: 0..<4, using: &random) {
          case 0: assets[id] = nil
          case 1:
            assets[id]?.isTrashed = true
            assets[id]?.updated = now
          case 2:
            assets[id]?.taken = taken
            assets[id]?.updated = now
          default:
            let new = FakeImmich.Asset(
              100 + Int.random(in: 0..<100, using: &random), taken: taken, updated: now)
            assets[new.id] = new
          }
        }
      }
    }
    let first = try await walk(server, then: change)
    let wanted = server.assets.filter { !$0.value.isTrashed }
    // No photo is missed, whatever changed.
    for id in wanted.keys where first.walked.records[id] == nil {
      let second = try await walk(server, from: first.walk.anchor)
      #expect(second.walked.records[id] != nil, "seed \(seed): \(id) is missing")
    }
    let second = try await walk(server, from: first.walk.anchor)
    var known = Set(first.walked.records.keys)
    known.formUnion(second.walked.records.keys)
    known.subtract(second.walked.removed)
    let gone = known.subtracting(wanted.keys)
    #expect(known.isSuperset(of: wanted.keys), "seed \(seed)")
    // Photos deleted permanently after they were seen are noticed by the count.
    let count = second.walked.count(after: Set(first.walked.records.keys), isWhole: false)
    #expect(gone.isEmpty == (count == second.walk.total), "seed \(seed)")
  }

  @Test func `a walk can be resumed after each page`() async throws {
    let server = FakeImmich(Self.assets())
    server.change { assets, _ in for id in assets.keys { assets[id]?.album = "A" } }
    let whole = try await walk(server)
    for limit in 1..<whole.requests.count {
      let asked = Mutex(0)
      let walking = Walking(try library())
      var walk: any RemoteWalk = ImmichWalk(try library(), from: nil)
      var walked = WalkedLibrary()
      var states: [[UInt8]] = []
      await #expect(throws: RemoteError.interrupted) {
        try await walking.run(
          &walk, into: &walked, key: server.key,
          isCancelled: { asked.withLock { $0 >= limit } },
          keeping: { _, walk in
            var writer = JSONWriter()
            walk.write(to: &writer)
            states.append(writer.bytes)
          }, Walking.answers(of: server, then: { _ in asked.withLock { $0 += 1 } }))
      }
      var reader = JSONReader(states.last ?? Array("{}".utf8))
      var next: any RemoteWalk = try #require(
        ImmichWalk(try library(), from: nil, state: &reader))
      try await walking.run(
        &next, into: &walked, key: server.key, Walking.answers(of: server))
      #expect(walked.records == whole.walked.records, "\(limit)")
      #expect(walked.albums == whole.walked.albums, "\(limit)")
    }
  }

  @Test func `a walk that an earlier version began is continued in its album`() throws {
    let states = [
      #"{"phase":"album","began":"2025-06-15T08:00:00.000Z","page":2,"countsPages":false,"album":1,"albumsNow":"ab","total":7,"albums":[["a1","Lisbon"],["a2","Porto"]]}"#,
      #"{"phase":"count","began":"2025-06-15T08:00:00.000Z","page":1,"countsPages":false,"album":0}"#,
    ]
    for (state, isInAlbum) in zip(states, [true, false]) {
      var reader = JSONReader(Array(state.utf8))
      let walk = try #require(ImmichWalk(try library(), from: nil, state: &reader))
      #expect(walk.hasReadAlbums == isInAlbum && walk.total == (isInAlbum ? 7 : nil))
      let body = String(decoding: walk.request?.search ?? [], as: UTF8.self)
      #expect(body.contains(#""albumIds":["a2"]"#) == isInAlbum, "\(body)")
    }
    for damaged in [#"{"phase":"album","album":0}"#, #"{"album":-1}"#, #"{"page":0}"#, "[]", "{"] {
      var reader = JSONReader(Array(damaged.utf8))
      #expect(ImmichWalk(try library(), from: nil, state: &reader) == nil, "\(damaged)")
    }
  }

  @Test func `albums are read at first, and again after one of them changed`() async throws {
    let server = FakeImmich(Self.assets())
    let ids = server.assets.keys.sorted()
    server.change { assets, _ in
      for id in ids.prefix(5) { assets[id]?.album = "Lisbon" }
      assets[ids[7]]?.album = "Porto"
    }
    let first = try await walk(server)
    #expect(first.walk.hasReadAlbums)
    #expect(first.walked.albums.count == 6 && first.walked.albums[ids[7]] == "Porto")
    let second = try await walk(server, from: first.walk.anchor)
    #expect(!second.walk.hasReadAlbums && second.walked.albums.isEmpty)
    server.change { assets, _ in assets[ids[9]]?.album = "Porto" }
    let third = try await walk(server, from: second.walk.anchor)
    #expect(third.walk.hasReadAlbums && third.walked.albums[ids[9]] == "Porto")
  }
}
