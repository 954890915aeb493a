import CivilTime
import Encodings
import Synchronization

/// A simulated Immich server that implements its documented API (open-api/immich-openapi-specs.json
/// of Immich: SearchResponseDto, AssetResponseDto, ExifResponseDto, AlbumResponseDto). A test can
/// change its assets between two requests.
public final class FakeImmich: Sendable {
  /// An asset.
  public struct Asset: Sendable, Hashable {
    public var id: String
    public var name: String
    /// The capture time, in milliseconds since 1970.
    public var taken: Int64
    /// The time of the last change, in milliseconds since 1970.
    public var updated: Int64
    public var size = 1_234_567
    public var latitude: Double? = 48.1
    public var longitude: Double? = 11.5
    public var isFavorite = false
    public var isTrashed = false
    public var visibility = "timeline"
    public var album: String?

    public init(_ number: Int, taken: Int64, updated: Int64, name: String? = nil) {
      let digits = String(number, radix: 16)
      let padded = String(repeating: "0", count: 12 - digits.count) + digits
      id = "00000000-0000-4000-8000-\(padded)"
      self.name = name ?? "IMG_\(number).jpg"
      (self.taken, self.updated) = (taken, updated)
      latitude = 48 + Double(number % 1000) / 1000
    }
  }

  private struct State {
    var assets: [String: Asset] = [:]
    var now = Instant(secondsSince1970: 1_750_000_000)
    var requests: [String] = []
  }

  private let state: Mutex<State>
  /// The maximum page size, whatever size is requested.
  private let longestPage: Int
  /// The API key that the server accepts.
  public let key: String

  /// Creates a server.
  public init(_ assets: [Asset] = [], longestPage: Int = 3, key: String = "SECRETKEY0123456789") {
    var state = State()
    for asset in assets { state.assets[asset.id] = asset }
    self.state = Mutex(state)
    (self.longestPage, self.key) = (longestPage, key)
  }

  /// The assets by id.
  public var assets: [String: Asset] { state.withLock { $0.assets } }
  /// The requests so far: method, path and body.
  public var requests: [String] { state.withLock { $0.requests } }

  /// Changes assets, at a time one second after the last change.
  public func change(_ body: (inout [String: Asset], _ now: Int64) -> Void) {
    state.withLock { state in
      state.now = state.now.advanced(bySeconds: 1)
      body(&state.assets, state.now.millisecondsSince1970)
    }
  }

  /// Advances the server's clock.
  public func wait(seconds: Double) {
    state.withLock { $0.now = $0.now.advanced(bySeconds: seconds) }
  }

  /// Answers a request with a status, headers and a body.
  public func answer(
    _ method: String, _ path: String, key: String?, body: [UInt8]
  ) -> (status: Int, head: String, body: String) {
    state.withLock { state in
      state.requests.append("\(method) \(path) \(String(decoding: body, as: UTF8.self))")
      let head = "Date: \(state.now.httpDate)\r\nContent-Type: application/json\r\n"
      guard key == self.key else {
        return (
          401, head, #"{"message":"Invalid API key","error":"Unauthorized","statusCode":401}"#
        )
      }
      switch (method, path) {
      case ("POST", "/api/search/metadata"):
        return (200, head, search(Query(body), state.assets.values))
      case ("POST", "/api/search/statistics"):
        return (200, head, #"{"total":\#(state.assets.values.count { !$0.isTrashed })}"#)
      case ("GET", "/api/albums"): return (200, head, albums(state.assets.values))
      default: return (404, head, #"{"message":"Cannot \#(method) \#(path)","statusCode":404}"#)
      }
    }
  }

  /// Answers a request with the complete text of the response.
  public func text(
    _ method: String, _ path: String, key: String?, body: [UInt8]
  ) -> LoopbackServer.Answer {
    let answer = answer(method, path, key: key, body: body)
    let length = answer.body.utf8.count
    return .bytes(
      "HTTP/1.1 \(answer.status) X\r\n\(answer.head)Content-Length: \(length)\r\n\r\n\(answer.body)"
    )
  }

  private struct Query {
    var size = 250
    var page = 1
    var isAscending = false
    var takenAfter: Int64?
    var updatedAfter: Int64?
    var withDeleted = false
    var withExif = false
    var albums: [String] = []

    init(_ body: [UInt8]) {
      var reader = JSONReader(body)
      do throws(JSONError) {
        try reader.beginObject()
        while let key = try reader.nextKey() {
          switch key {
          case "size": size = Int(clamping: try reader.integer())
          case "page": page = Int(clamping: try reader.integer())
          case "order": isAscending = try reader.string() == "asc"
          case "takenAfter":
            takenAfter = Instant(iso8601: try reader.string())?.millisecondsSince1970
          case "updatedAfter":
            updatedAfter = Instant(iso8601: try reader.string())?.millisecondsSince1970
          case "withDeleted": withDeleted = try reader.boolean()
          case "withExif": withExif = try reader.boolean()
          case "albumIds":
            try reader.beginArray()
            while try reader.nextElement() { albums.append(try reader.string()) }
          default: try reader.skipValue()
          }
        }
      } catch {}
    }
  }

  private func search(_ query: Query, _ assets: some Collection<Asset>) -> String {
    let found = assets.filter { asset in
      (query.withDeleted || !asset.isTrashed) && asset.taken >= query.takenAfter ?? .min
        && asset.updated >= query.updatedAfter ?? .min
        && query.albums.allSatisfy { asset.album.map(Self.albumID) == $0 }
    }.sorted {
      query.isAscending
        ? ($0.taken, $0.id) < ($1.taken, $1.id) : ($0.taken, $0.id) > ($1.taken, $1.id)
    }
    let size = min(query.size, longestPage)
    let page = found.dropFirst((query.page - 1) * size).prefix(size)
    let hasNext = found.count > query.page * size
    let items = page.map { Self.text($0, withExif: query.withExif) }.joined(separator: ",")
    return """
      {"albums":{"total":0,"count":0,"items":[],"facets":[]},"assets":{"total":\(page.count),\
      "count":\(page.count),"items":[\(items)],"facets":[],\
      "nextPage":\(hasNext ? "\"\(query.page + 1)\"" : "null")}}
      """
  }

  private static func albumID(_ name: String) -> String {
    "a0000000-\(name.utf8.reduce(0) { $0 * 31 % 9973 + Int($1) })"
  }

  private func albums(_ assets: some Collection<Asset>) -> String {
    let names = Set(assets.compactMap(\.album)).sorted()
    let items = names.map { name in
      let count = assets.count { $0.album == name }
      return """
        {"id":"\(Self.albumID(name))","albumName":"\(name)","description":"","assetCount":\(count),\
        "ownerId":"u","shared":false,"assets":[],"albumUsers":[],"isActivityEnabled":true,\
        "createdAt":"2024-01-01T00:00:00.000Z","updatedAt":"2024-01-01T00:00:00.000Z"}
        """
    }
    return "[\(items.joined(separator: ","))]"
  }

  private static func text(_ asset: Asset, withExif: Bool) -> String {
    let taken = Instant(millisecondsSince1970: asset.taken).iso8601
    let local = Instant(millisecondsSince1970: asset.taken + 7_200_000).iso8601
    let number = { (value: Double?) in value.map { "\($0)" } ?? "null" }
    let exif = """
      ,"exifInfo":{"make":"Apple","model":"iPhone 14","exifImageWidth":4032,"exifImageHeight":3024,\
      "fileSizeInByte":\(asset.size),"orientation":"6","dateTimeOriginal":"\(taken)",\
      "modifyDate":"\(taken)","timeZone":"UTC+2","lensModel":null,"fNumber":1.6,"focalLength":4.2,\
      "iso":32,"exposureTime":"1/60","latitude":\(number(asset.latitude)),\
      "longitude":\(number(asset.longitude)),"city":null,"state":null,"country":null,\
      "description":"","projectionType":null,"rating":null}
      """
    return """
      {"id":"\(asset.id)","deviceAssetId":"x","ownerId":"u","deviceId":"d","libraryId":null,\
      "type":"IMAGE","originalPath":"upload/x.jpg","originalFileName":"\(asset.name)",\
      "originalMimeType":"image/jpeg","thumbhash":"aaaa","fileCreatedAt":"\(taken)",\
      "fileModifiedAt":"\(taken)","localDateTime":"\(local)",\
      "updatedAt":"\(Instant(millisecondsSince1970: asset.updated).iso8601)",\
      "isFavorite":\(asset.isFavorite),"isArchived":false,"isTrashed":\(asset.isTrashed),\
      "visibility":"\(asset.visibility)","duration":"0:00:00.00000","livePhotoVideoId":null,\
      "people":[],"checksum":"c2hhMQ==","isOffline":false,"hasMetadata":true,"duplicateId":null,\
      "resized":true\(withExif ? exif : "")}
      """
  }
}
