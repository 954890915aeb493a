import CivilTime
import HTTPClient
import PhotoLibrary
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RemoteLibraries

@Suite struct RemoteWalkerTests {
  private static let key = "SECRETKEY0123456789"

  private func failure(
    _ address: String = "immich://photos.example",
    _ answer: @escaping @Sendable (Int, WebRequest) -> WebClient.Exchange
  ) async throws -> (error: RemoteError?, walking: Walking) {
    let walking = Walking(try library(address))
    var walk: any RemoteWalk = try library(address).walk.init(try library(address), from: nil)
    var walked = WalkedLibrary()
    do throws(RemoteError) {
      try await walking.run(&walk, into: &walked, key: Self.key, answer)
      return (nil, walking)
    } catch { return (error, walking) }
  }

  private static let emptyPage =
    #"{"assets":{"total":0,"count":0,"items":[],"facets":[],"nextPage":null}}"#

  private static func page(_ ids: [Int], next: Bool) -> String {
    let items = ids.map {
      #"{"id":"a-\#($0)","fileCreatedAt":"2020-01-01T00:00:00.000Z"}"#
    }
    return """
      {"assets":{"items":[\(items.joined(separator: ","))],"nextPage":\(next ? "\"2\"" : "null")}}
      """
  }

  @Test(arguments: ["immich://photos.example", "photoprism://photos.example"])
  func `errors for a wrong key, a web page, a redirect or foreign JSON say what to do`(
    address: String
  ) async throws {
    let wrong = try await failure(address) { _, _ in answer(401) }
    #expect("\(try #require(wrong.error))".contains("refuses the key"))
    let html = try await failure(address) { _, _ in answer(200, "", "\n<!doctype html><p>Login") }
    #expect("\(try #require(html.error))".contains("web page"))
    let moved = try await failure(address) { _, _ in
      answer(302, "Location: https://login.example/path?secret=1\r\n")
    }
    let text = "\(try #require(moved.error))"
    #expect(text.contains("to login.example") && !text.contains("secret"))
    for body in ["", "null", "{}", "[[[", #"{"assets":5}"#, "true", #"{"assets":{"items":{}}}"#] {
      let foreign = try await failure(address) { _, _ in answer(200, "", body) }
      if address.hasPrefix("immich") || body != "[]" { #expect(foreign.error != nil, "\(body)") }
    }
    for error in [wrong.error, html.error, moved.error] {
      #expect(!"\(error.map { "\($0)" } ?? "")".contains(Self.key))
    }
  }

  @Test func `descriptions of servers and errors do not contain the key`() throws {
    let server = RemoteServer(try library(), key: Self.key)
    #expect(!"\(server)".contains(Self.key))
    for error in [
      RemoteError.noKey(try library()), .unreachable(try library(), "no answer"),
      .refused(try library(), status: 401), .forbidden(try library(), .pictures),
      .failed(try library(), status: 500),
      .redirected(try library(), host: nil), .webPage(try library()), .endless(try library()),
      .foreign(try library(), "no"), .missing(try library()), .interrupted,
    ] {
      #expect(!"\(error)".contains(Self.key))
      #expect(!"\(error)".isEmpty)
    }
  }

  @Test func `a busy server is retried after the requested delay`() async throws {
    let result = try await failure { number, _ in
      switch number {
      case 0: answer(429, "Retry-After: 7\r\n")
      case 1: answer(503)
      case 2:
        answer(
          503,
          "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:50:37 GMT\r\n")
      case 3: answer(429, "Retry-After: 99999999\r\n")
      default: answer(200, "", Self.emptyPage)
      }
    }
    // An empty page is not a list of albums, without which the assets are complete.
    #expect(result.error == nil)
    #expect(result.walking.pauses.withLock { $0.prefix(4) } == [7, 2, 60, 300])
  }

  @Test func `retries end after some attempts, and a refused first connection is not retried`()
    async throws
  {
    let busy = try await failure { _, _ in answer(503) }
    #expect(busy.error == .failed(try library(), status: 503))
    // Six for the page, and two for each of its parts.
    #expect(busy.walking.sent.withLock { $0.count } == 18)
    let away = try await failure { _, _ in .failed("no connection: refused") }
    #expect(away.error == .unreachable(try library(), "no connection: refused"))
    #expect(away.walking.sent.withLock { $0.count } == 1)
    let flaky = try await failure { number, _ in
      switch number {
      case 0: answer(200, "", Self.page([1], next: true))
      case 1...5: .failed("the receiver closed the connection")
      default: answer(403)
      }
    }
    #expect(flaky.walking.sent.withLock { $0.count } == 7)
    #expect(flaky.error == .forbidden(try library(), .assets))
  }

  @Test func `a server that repeats the same page is abandoned`() async throws {
    let same = try await failure { _, _ in answer(200, "", Self.page([1, 2], next: true)) }
    #expect(same.error == .endless(try library()))
    #expect(same.walking.sent.withLock { $0.count } < 10)
  }

  @Test func `an album that repeats the same page is abandoned`() async throws {
    let album = #"[{"id":"b-1","albumName":"A","assetCount":1}]"#
    let same = try await failure { number, request in
      switch request.address.path {
      case "/api/albums": answer(200, "", album)
      case "/api/search/statistics": answer(404)
      default: answer(200, "", Self.page([1], next: number > 2))
      }
    }
    #expect(same.error == .endless(try library()))
    #expect(same.walking.sent.withLock { $0.count } < 12)
  }

  @Test(arguments: [
    ("/api/albums", 500, true, "albums"), ("/api/albums", 403, false, "album.read"),
    ("/api/search/statistics", 502, true, "statistics"),
    ("/api/search/statistics", 403, false, "asset.statistics"),
  ])
  func `an extra that fails is named, and the assets are complete without it`(
    path: String, status: Int, isFailure: Bool, word: String
  ) async throws {
    let walking = Walking(try library())
    var walk: any RemoteWalk = try library().walk.init(try library(), from: nil)
    var walked = WalkedLibrary()
    try await walking.run(&walk, into: &walked, key: "k") { number, request in
      switch request.address.path {
      case path: answer(status)
      case "/api/albums": answer(200, "", "[]")
      case "/api/search/statistics": answer(200, "", #"{"total":2}"#)
      default: answer(200, "", number == 0 ? Self.page([1, 2], next: false) : Self.emptyPage)
      }
    }
    #expect(walk.request == nil && walked.records.count == 2)
    let changes = walked.changes(by: walk, of: try library())
    #expect((changes.albums == nil) == (path == "/api/albums"))
    #expect(changes.shortfalls.map(\.isFailure) == [isFailure])
    #expect(changes.shortfalls.allSatisfy { $0.reason.contains(word) })
  }

  @Test func `an oversized page is rejected`() async throws {
    let body = Self.page(Array(0..<20_000), next: true)
    let long = try await failure { _, _ in answer(200, "", body) }
    #expect("\(try #require(long.error))".contains("a list is too long"))
  }

  @Test func `a key applies to all servers or to a single one`() throws {
    let common = try #require(RemoteKeys("abc"))
    #expect(common.key(for: "a.example") == "abc")
    let several = try #require(RemoteKeys("a.example=k1,b.example:2283=k2"))
    #expect(several.key(for: "a.example") == "k1")
    #expect(several.key(for: "b.example:2283") == "k2")
    #expect(several.key(for: "c.example") == nil)
    for text in ["", "a b", "a=", "=k", "a=k,b", "ä"] {
      #expect(RemoteKeys(text) == nil, "\(text)")
    }
  }

  @Test func `a truncated spool resumes after its last complete page`() async throws {
    let assets = (0..<7).map {
      FakeImmich.Asset($0, taken: 1_600_000_000_000 + Int64($0), updated: 1_700_000_000_000)
    }
    let server = FakeImmich(assets)
    let folder = TemporaryFolder()
    let path = folder.path("index.json.remote")
    func walk(_ server: FakeImmich) async throws -> WalkedLibrary {
      let spool = try WalkSpool(path, of: try library(), from: nil)
      var walk = spool.walk
      var walked = spool.walked
      try await Walking(try library()).run(
        &walk, into: &walked, key: server.key,
        keeping: { page, walk in try? spool.append(page, walk) }, Walking.answers(of: server))
      return walked
    }
    let whole = try await walk(server)
    #expect(whole.records.count == 7)
    let bytes = try folder.contents(of: path)
    for length in stride(from: 0, through: bytes.count, by: 97) {
      try folder.write(bytes.prefix(length), to: path)
      let again = try await walk(FakeImmich(assets))
      #expect(again.records == whole.records, "\(length)")
      #expect(try folder.contents(of: path).count == bytes.count, "\(length)")
    }
    // Another program's file is left unchanged.
    try folder.write("my diary", to: path)
    #expect(throws: Errno.self) { try WalkSpool(path, of: try library(), from: nil) }
    #expect(try folder.contents(of: path) == Array("my diary".utf8))
  }

  @Test func `a spool of another anchor or library is discarded`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("spool")
    let page = RemotePage(removed: ["a-1"])
    do {
      let spool = try WalkSpool(path, of: try library(), from: nil)
      try spool.append(page, spool.walk)
    }
    #expect(try WalkSpool(path, of: try library(), from: nil).walked.removed == ["a-1"])
    let anchor = #"{"since":"2025-01-01T00:00:00Z"}"#
    #expect(try !WalkSpool(path, of: try library(), from: anchor).isResumed)
    #expect(try !WalkSpool(path, of: try library("immich://b"), from: anchor).isResumed)
  }

  @Test func `a picture is requested once, with the key only in a header`() async throws {
    let folder = TemporaryFolder()
    let sent = Mutex<[WebRequest]>([])
    let pictures = RemotePictures(
      folder: folder.path("remote"), key: { _ in Self.key },
      send: { request, _ in
        sent.withLock { $0.append(request) }
        return answer(200, "Content-Type: image/jpeg\r\n", "JPEG")
      })
    let photo = try #require(
      RemotePhoto(shown: Array("immich://photos.example/a-1/IMG 1.jpg".utf8)))
    let file = try await pictures.file(of: photo)
    #expect(try folder.contents(of: file) == Array("JPEG".utf8))
    #expect(try await pictures.file(of: photo) == file)
    let requests = sent.withLock { $0 }
    #expect(requests.count == 1)
    #expect(requests[0].address.path == "/api/assets/a-1/thumbnail?size=preview")
    #expect(!requests[0].address.url.contains(Self.key))
    #expect(requests[0].headers.contains { $0.name == "x-api-key" && $0.value == Self.key })
  }

  @Test func `a failed picture request is an error, and nothing is stored`()
    async throws
  {
    let folder = TemporaryFolder()
    let photo = try #require(RemotePhoto(shown: Array("immich://photos.example/a-1/x".utf8)))
    for (status, error) in [
      (404, RemoteError.missing(try library())), (401, .refused(try library(), status: 401)),
      (302, .redirected(try library(), host: nil)),
    ] {
      let pictures = RemotePictures(
        folder: folder.path("remote"), key: { _ in Self.key },
        send: { _, _ in answer(status) })
      await #expect(throws: error) { try await pictures.file(of: photo) }
    }
    let none = RemotePictures(
      folder: folder.path("remote"), key: { _ in nil }, send: { _, _ in answer(200) })
    await #expect(throws: RemoteError.noKey(try library())) { try await none.file(of: photo) }
  }
}
