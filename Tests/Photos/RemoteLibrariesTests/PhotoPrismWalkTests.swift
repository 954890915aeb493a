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

@Suite struct PhotoPrismWalkTests {
  /// A server that lists photos as PhotoPrism's search does (internal/api/photos_search.go):
  /// `count` and `offset` number files, and the photos of a page are merged.
  private final class FakePhotoPrism: Sendable {
    struct Photo: Sendable {
      var uid: String
      var day: Int
      var files = 1
      var updated = 0
      var isArchived = false
    }

    let photos: Mutex<[Photo]>

    init(_ photos: [Photo]) { self.photos = Mutex(photos) }

    func answer(_ request: WebRequest) -> WebClient.Exchange {
      let parts = request.address.path.split(separator: "?", maxSplits: 1)
      var query: [Substring: Substring] = [:]
      for pair in (parts.last ?? "").split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1)
        if sides.count == 2 { query[sides[0]] = sides[1] }
      }
      let count = query["count"].flatMap { Int($0) } ?? 0
      let offset = query["offset"].flatMap { Int($0) } ?? 0
      let date = "Date: Sun, 15 Jun 2025 08:00:00 GMT\r\n"
      guard parts.first == "/api/v1/photos" else {
        let albums = #"[{"UID":"aq1","Title":"Lisbon","PhotoCount":1,"UpdatedAt":"x"}]"#
        return RemoteLibrariesTests.answer(200, date, albums)
      }
      let isArchive = query["archived"] == "true"
      let isChanged = query["updated"] != nil
      let rows = photos.withLock { $0 }
        .filter { $0.isArchived == isArchive && (!isChanged || $0.updated > 0) }
        .filter { query["s"] == nil || $0.uid == "pq0003" }
        .sorted { ($0.day, $0.uid) < ($1.day, $1.uid) }
        .flatMap { photo in (0..<photo.files).map { (photo, $0) } }
      let page = rows.dropFirst(offset).prefix(count)
      var texts: [(uid: String, files: [String], day: Int)] = []
      for (photo, file) in page {
        if texts.last?.uid != photo.uid { texts.append((photo.uid, [], photo.day)) }
        texts[texts.count - 1].files.append(
          """
          {"UID":"fq","Name":"2020/\(photo.uid).\(file == 0 ? "heic" : "heic.jpg")",\
          "Root":"\(file == 0 ? "/" : "sidecar")","Hash":"h\(photo.uid)\(file)","Size":\(1000 + file),\
          "Primary":\(file == photo.files - 1),"Sidecar":false}
          """)
      }
      let body = texts.map { text in
        let time = Instant(secondsSince1970: 1_577_836_800 + Int64(text.day) * 86_400).iso8601
        return """
          {"ID":"1-1","UID":"\(text.uid)","Type":"image","TakenAt":"\(time)",\
          "TakenAtLocal":"\(time)","TakenSrc":"meta","TimeZone":"UTC","Path":"2020","Name":"x",\
          "Favorite":true,"Lat":38.7,"Lng":-9.1,"PlaceSrc":"meta","CameraMake":"Apple",\
          "Title":"Lisbon / 2020","Caption":"Tram",\
          "CameraModel":"iPhone 14","FocalLength":7,"Altitude":12,"Hash":"h",\
          "FileName":"2020/\(text.uid).heic.jpg","UpdatedAt":"2025-01-02T03:04:05Z",\
          "Files":[\(text.files.joined(separator: ","))]}
          """
      }
      return RemoteLibrariesTests.answer(
        200, date + "X-Count: \(page.count)\r\nX-Limit: \(count)\r\nX-Offset: \(offset)\r\n",
        "[\(body.joined(separator: ","))]")
    }
  }

  private func walk(
    _ server: FakePhotoPrism, from anchor: String? = nil,
    then change: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> (walk: any RemoteWalk, walked: WalkedLibrary, requests: [WebRequest]) {
    let library = try library("photoprism://photos.example")
    let walking = Walking(library)
    var walk: any RemoteWalk = PhotoPrismWalk(library, from: anchor)
    var walked = WalkedLibrary()
    try await walking.run(&walk, into: &walked, key: "app-password") { number, request in
      let answer = server.answer(request)
      change(number)
      return answer
    }
    return (walk, walked, walking.sent.withLock { $0 })
  }

  private static func uid(_ number: Int) -> String {
    "pq" + String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
  }

  private static func photos(_ count: Int) -> [FakePhotoPrism.Photo] {
    (0..<count).map { .init(uid: uid($0), day: $0, files: $0 % 3 == 0 ? 2 : 1) }
  }

  @Test func `a photo has the name and size of its original file`()
    async throws
  {
    let result = try await walk(FakePhotoPrism(Self.photos(1)))
    let record = try #require(result.walked.records["pq0000"])
    #expect(record.name == "pq0000.heic" && record.size == 1000)
    #expect(record.properties.coordinate?.latitude == 38.7)
    #expect(record.properties.captured?.iso8601 == "2020-01-01T00:00:00.000+00:00")
    #expect(record.properties.isFavorite && record.properties.rating == nil)
    #expect(record.properties.altitudeMeters == 12)
    #expect(record.properties.caption == "Tram" && record.properties.title == nil)
  }

  @Test func `an estimated place or time is ignored`() throws {
    let text =
      #"{"UID":"pq1","Lat":3,"Lng":4,"PlaceSrc":"estimate","TakenAt":"2020-01-01T00:00:00Z","TakenSrc":""}"#
    var reader = JSONReader(Array(text.utf8))
    let record = try #require(try PhotoPrismPhoto(from: &reader).record)
    #expect(record.properties.coordinate == nil && record.properties.captured == nil)
  }

  @Test func `all photos are found across pages that split a photo's files`() async throws {
    let result = try await walk(FakePhotoPrism(Self.photos(1400)))
    #expect(result.walked.records.count == 1400)
    #expect(result.walk.hasReadAlbums && result.walked.albums == ["pq0003": "Lisbon"])
    for request in result.requests {
      #expect(request.method == .get)
      #expect(request.headers.contains { $0.value == "Bearer app-password" })
      #expect(!request.address.url.contains("app-password"))
    }
  }

  @Test func `photos removed during a walk do not hide others`() async throws {
    let server = FakePhotoPrism(Self.photos(1400))
    let result = try await walk(server) { number in
      guard number == 0 || number == 2 else { return }
      server.photos.withLock { $0.removeFirst(7) }
    }
    let left = server.photos.withLock { $0.map(\.uid) }
    #expect(Set(result.walked.records.keys).isSuperset(of: left))
  }

  @Test func `an incremental walk requests updated and archived photos`() async throws {
    let server = FakePhotoPrism(Self.photos(20))
    let first = try await walk(server)
    server.photos.withLock {
      $0[4].updated = 1
      $0[5].isArchived = true
    }
    let second = try await walk(server, from: first.walk.anchor)
    #expect(Set(second.walked.records.keys) == [Self.uid(4)])
    #expect(second.walked.removed == [Self.uid(5)])
    let asked = second.requests.map(\.address.path)
    #expect(asked[0].contains("updated=2025-06-15T07%3A59%3A00"), "\(asked)")
  }

  @Test func `a picture is requested by its primary file and the configuration's token`()
    async throws
  {
    let folder = TemporaryFolder()
    let sent = Mutex<[String]>([])
    let pictures = RemotePictures(
      folder: folder.path("remote"), key: { _ in "app-password" },
      send: { request, _ in
        sent.withLock { $0.append(request.address.path) }
        switch request.address.path {
        case "/api/v1/photos/pq1":
          return answer(
            200, "",
            #"{"UID":"pq1","Files":[{"Hash":"aa","Primary":false},{"Hash":"bb","Primary":true}]}"#)
        case "/api/v1/config": return answer(200, "", #"{"previewToken":"tok1","count":{"all":1}}"#)
        default: return answer(200, "", "JPEG")
        }
      })
    let photo = try #require(
      RemotePhoto(shown: Array("photoprism://photos.example/pq1/x.jpg".utf8)))
    _ = try await pictures.file(of: photo)
    #expect(
      sent.withLock { $0 } == [
        "/api/v1/photos/pq1", "/api/v1/config", "/api/v1/t/bb/tok1/fit_1280",
      ])
  }
}
