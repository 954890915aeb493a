import CivilTime
import Encodings
import HTTPClient
import PhotoLibrary
import Synchronization
import TestSupport
import Testing

@testable import RemoteLibraries

/// Walks over libraries of which the server cannot describe a part.
@Suite struct RemoteGapTests {
  private static let key = "SECRETKEY0123456789"
  private static let emptyPage = #"{"assets":{"items":[],"nextPage":null}}"#

  private static func page(_ ids: [Int]) -> String {
    let items = ids.map { #"{"id":"a-\#($0)","fileCreatedAt":"2020-01-01T00:00:00.000Z"}"# }
    return #"{"assets":{"items":[\#(items.joined(separator: ","))],"nextPage":null}}"#
  }

  private func walk(
    _ library: RemoteLibrary, from anchor: String? = nil,
    _ answer: @escaping @Sendable (Int, WebRequest) -> WebClient.Exchange
  ) async throws -> (changes: RemoteChanges, walk: any RemoteWalk, requestCount: Int) {
    let walking = Walking(library)
    var walk: any RemoteWalk = library.walk.init(library, from: anchor)
    var walked = WalkedLibrary()
    try await walking.run(&walk, into: &walked, key: Self.key, answer)
    return (walked.changes(by: walk, of: library), walk, walking.sent.withLock { $0.count })
  }

  @Test(
    arguments: [[7], [1], [30], [7, 8], [1, 2, 29, 30], [4, 14, 24]], [1000, 7])
  func `an asset at which the server fails is skipped, and all others are listed`(
    bad: [Int], longestPage: Int
  ) async throws {
    // A day apart.
    let assets = (1...30).map {
      FakeImmich.Asset(
        $0, taken: 1_600_000_000_000 + Int64($0) * 86_400_000, updated: 1_700_000_000_000)
    }
    let server = FakeImmich(assets, longestPage: longestPage, key: Self.key)
    let names = bad.map { "\"IMG_\($0).jpg\"" }
    let (changes, _, requestCount) = try await walk(try library()) { _, request in
      let found = server.answer(
        request.method.rawValue, request.address.path, key: Self.key, body: request.body)
      if names.contains(where: found.body.contains) {
        return answer(bad.count == 1 ? 502 : 500, found.head)
      }
      return answer(found.status, found.head, found.body)
    }
    #expect(Set(changes.records.map(\.name)).count == 30 - bad.count)
    #expect(changes.gaps.hasUnknownAssets && changes.gaps.ids.isEmpty)
    let reasons = changes.shortfalls.map(\.reason)
    #expect(reasons.count == 1 && reasons[0].contains("No photo is removed"), "\(reasons)")
    #expect(requestCount < 250)
  }

  @Test(arguments: [[40], [1], [700], [250, 251]])
  func `a photo at which PhotoPrism fails is skipped, and the others are listed`(
    bad: [Int]
  ) async throws {
    let library = try library("photoprism://photos.example")
    // Photos 1 to 700 of one file each.
    let (changes, _, requestCount) = try await walk(library) { _, request in
      let path = request.address.path
      guard path.hasPrefix("/api/v1/photos?"), !path.contains("archived="),
        !path.contains("updated=")
      else { return answer(200, "", "[]") }
      func number(_ name: String) -> Int {
        path.split(separator: "?").last?.split(separator: "&")
          .first { $0.hasPrefix("\(name)=") }
          .flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
      }
      let files = (1...700).dropFirst(number("offset")).prefix(number("count"))
      if files.contains(where: bad.contains) { return answer(500) }
      let items = files.map { #"{"UID":"pq\#($0)","FileName":"\#($0).jpg"}"# }
      return answer(
        200, "X-Count: \(files.count)\r\n", "[\(items.joined(separator: ","))]")
    }
    // The photo before a bad one may be skipped with it.
    #expect(changes.records.count >= 700 - 2 * bad.count)
    #expect(!changes.records.contains { bad.contains(Int($0.id.dropFirst(2)) ?? 0) })
    #expect(changes.gaps.hasUnknownAssets && changes.shortfalls.count == 1)
    #expect(requestCount < 250)
  }

  /// Failures of one page of a server that answers otherwise: of its program, of a proxy before it,
  /// and of the connection.
  private static let pageFailures: [WebClient.Exchange] = [
    answer(500), answer(502), answer(503), answer(504), .failed("no answer within 60 s"),
    .failed("the receiver closed the connection"),
  ]

  @Test(arguments: pageFailures.indices, [10, 17])
  func `a page without an answer is read in parts, and what is left out stays`(
    failure: Int, bad: Int
  ) async throws {
    let assets = (1...30).map {
      FakeImmich.Asset(
        $0, taken: 1_600_000_000_000 + Int64($0) * 86_400_000, updated: 1_700_000_000_000)
    }
    // More than one page, so that the first request is answered.
    let server = FakeImmich(assets, longestPage: 7, key: Self.key)
    let fails = Self.pageFailures[failure]
    let (changes, _, requestCount) = try await walk(try library()) { _, request in
      let found = server.answer(
        request.method.rawValue, request.address.path, key: Self.key, body: request.body)
      if found.body.contains("\"IMG_\(bad).jpg\"") { return fails }
      return answer(found.status, found.head, found.body)
    }
    #expect(Set(changes.records.map(\.name)).count == 29)
    #expect(changes.gaps.hasUnknownAssets && changes.gaps.ids.isEmpty)
    #expect(changes.shortfalls.count == 1 && requestCount < 100)
  }

  @Test(
    arguments: ["immich://photos.example", "photoprism://photos.example"], pageFailures.indices)
  func `a server that fails at every asset is abandoned`(
    address: String, failure: Int
  ) async throws {
    let library = try library(address)
    let walking = Walking(library)
    var walk: any RemoteWalk = library.walk.init(library, from: nil)
    var walked = WalkedLibrary()
    await #expect(throws: RemoteError.self) {
      try await walking.run(&walk, into: &walked, key: Self.key) { _, _ in
        Self.pageFailures[failure]
      }
    }
    #expect(walking.sent.withLock { $0.count } < 30)
    #expect(!walk.gaps.hasUnknownAssets && walk.shortfalls.isEmpty)
  }

  @Test(arguments: pageFailures.indices)
  func `a server that goes away during a walk leaves no gaps, and the walk continues later`(
    failure: Int
  ) async throws {
    let library = try library()
    let walking = Walking(library)
    let first = #"{"id":"a-1","fileCreatedAt":"2020-01-01T00:00:00.000Z"}"#
    let page = #"{"assets":{"items":[\#(first)],"nextPage":"2"}}"#
    var walk: any RemoteWalk = library.walk.init(library, from: nil)
    var walked = WalkedLibrary()
    var request: RemoteRequest?
    await #expect(throws: RemoteError.self) {
      try await walking.run(
        &walk, into: &walked, key: Self.key, keeping: { _, walk in request = walk.request }
      ) { number, _ in number == 0 ? answer(200, "", page) : Self.pageFailures[failure] }
    }
    #expect(!walk.gaps.hasUnknownAssets && walk.shortfalls.isEmpty && walked.records.count == 1)
    #expect(request != nil && walk.request == request)
    #expect(walking.sent.withLock { $0.count } < 30)
  }

  @Test func `a server that names the time of its return is away as a whole`() async throws {
    let library = try library()
    let walking = Walking(library)
    var walk: any RemoteWalk = library.walk.init(library, from: nil)
    var walked = WalkedLibrary()
    await #expect(throws: RemoteError.failed(library, status: 503)) {
      try await walking.run(&walk, into: &walked, key: Self.key) { _, _ in
        answer(503, "Retry-After: 300\r\n")
      }
    }
    #expect(walking.sent.withLock { $0.count } == 6)
  }

  @Test func `a server that goes away during the albums is not asked for each of them`()
    async throws
  {
    let albums = (1...50).map { #"{"id":"b-\#($0)","albumName":"A\#($0)"}"# }
    let (changes, _, requestCount) = try await walk(try library()) { number, request in
      switch request.address.path {
      case "/api/albums": answer(200, "", "[\(albums.joined(separator: ","))]")
      case "/api/search/statistics": answer(200, "", #"{"total":2}"#)
      default:
        String(decoding: request.body, as: UTF8.self).contains("albumIds")
          ? .failed("no connection: refused")
          : answer(200, "", number == 0 ? Self.page([1, 2]) : Self.emptyPage)
      }
    }
    #expect(changes.records.count == 2 && changes.gaps.albums.count == 50 && requestCount < 20)
  }

  @Test func `an album that cannot be listed does not take the others along`() async throws {
    let albums = #"[{"id":"b-1","albumName":"Walks"},{"id":"b-2","albumName":"Coast"}]"#
    let (changes, _, _) = try await walk(try library()) { number, request in
      switch request.address.path {
      case "/api/albums": return answer(200, "", albums)
      case "/api/search/statistics": return answer(200, "", #"{"total":2}"#)
      default:
        let body = String(decoding: request.body, as: UTF8.self)
        if body.contains("b-1") { return answer(500) }
        let isFull = body.contains("b-2") || number == 0
        return answer(200, "", isFull ? Self.page([1, 2]) : Self.emptyPage)
      }
    }
    #expect(changes.albums?.values.sorted() == ["Coast", "Coast"])
    #expect(changes.gaps.albums == ["Walks"] && changes.records.count == 2)
    let reasons = changes.shortfalls.map(\.reason)
    #expect(reasons.contains { $0.contains("1 album cannot be read: 'Walks'") }, "\(reasons)")
    // The next walk reads the albums, though they are the same.
    let (next, _, _) = try await walk(try library(), from: changes.anchor) { _, request in
      switch request.address.path {
      case "/api/albums": return answer(200, "", albums)
      case "/api/search/statistics": return answer(200, "", #"{"total":2}"#)
      default:
        let body = String(decoding: request.body, as: UTF8.self)
        return answer(200, "", body.contains("b-1") ? Self.page([1]) : Self.emptyPage)
      }
    }
    #expect(next.albums?.values.sorted() == ["Walks"])
  }

  @Test func `a description that cannot be read is named by its id, also after a restart`()
    async throws
  {
    let items = [
      #"{"id":"a-1","exifInfo":{"latitude":true,"longitude":2}}"#, #"{"id":"a-2"}"#, "5",
      #"{"id":"a-3","exifInfo":[]}"#,
    ]
    let page = #"{"assets":{"items":[\#(items.joined(separator: ","))],"nextPage":null}}"#
    let (changes, walk, _) = try await walk(try library()) { number, request in
      switch request.address.path {
      case "/api/albums": answer(200, "", "[]")
      case "/api/search/statistics": answer(404)
      default: answer(200, "", number == 0 ? page : Self.emptyPage)
      }
    }
    #expect(changes.records.map(\.id) == ["a-2"])
    #expect(changes.gaps.ids == ["a-1", "a-3"] && changes.gaps.hasUnknownAssets)
    #expect(changes.shortfalls.count == 2 && changes.shortfalls[0].reason.contains("a-1: its lat"))
    var writer = JSONWriter()
    walk.write(to: &writer)
    var reader = JSONReader(writer.bytes)
    let resumed = try #require(try library().walk.init(try library(), from: nil, state: &reader))
    #expect(resumed.gaps == walk.gaps && resumed.shortfalls == walk.shortfalls)
  }

  private static let lacking: [(path: String, message: String, words: String)] = [
    ("/api/search/metadata", "", "asset.read, which lists"),
    ("/api/assets/a/thumbnail?size=preview", "", "asset.view, which shows"),
    ("/api/albums", "", "album.read, which finds"),
    ("/api/search/metadata", "Missing required permission: album.read", "album.read"),
    ("/api/search/metadata", "Missing required permission: <script>", "asset.read"),
  ]

  @Test(arguments: lacking.indices)
  func `a key without a permission is told which one, and its use`(number: Int) throws {
    let (path, message, words) = Self.lacking[number]
    guard case .answered(let forbidden) = answer(403, "", #"{"message":"\#(message)"}"#) else {
      return
    }
    let error = RemoteServer(try library(), key: "k").error(of: forbidden, to: .get(path))
    #expect("\(error)".contains(words) && !"\(error)".contains("script"), "\(error)")
  }
}
