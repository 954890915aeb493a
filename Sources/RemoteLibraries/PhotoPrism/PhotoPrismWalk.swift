package import CivilTime
import Codecs
package import Interchange
package import PhotoLibrary
package import WebRequests

/// A walk over a library of PhotoPrism.
///
/// `GET /api/v1/photos` lists photos, oldest first. `count` and `offset` count files, of which a
/// photo may have several, and the header `X-Count` is the number of files in an answer. Each page
/// begins with the last file of the page before. If its photo is a different one, photos were added
/// or deleted meanwhile, and the walk goes back by a page. Later walks request the photos `updated`
/// since the previous walk, and the archive. Photos deleted permanently are found by the next whole
/// walk.
package struct PhotoPrismWalk: RemoteWalk {
  private enum Phase: String {
    case photos, changes, archive, albums, album, done
  }

  /// The number of files to request per page.
  private static let pageSize = 500
  /// The maximum number of times that a walk goes back by a page.
  private static let maximumReturns = 100

  private let library: RemoteLibrary
  package let isWhole: Bool
  private var since: Instant?
  private var began: Instant?
  private var phase: Phase
  private var offset = 0
  /// The photo of the last file so far, with which the next page must begin.
  private var last: String?
  private var returns = 0
  private var albums: [PhotoPrismAlbums.Album] = []
  private var album = 0
  private var albumsBefore: String?
  private var albumsNow: String?
  package private(set) var hasReadAlbums = false

  package init(_ library: RemoteLibrary, from anchor: String?) {
    self.library = library
    let before = anchor.flatMap { WalkAnchor($0) }
    isWhole = before == nil
    since = before?.since
    albumsBefore = before?.albums
    phase = before == nil ? .photos : .changes
  }

  /// `nil`: PhotoPrism counts pictures in several ways, none of which matches its search.
  package var total: Int? { nil }

  package func accepts(status: Int) -> Bool { phase == .albums && status == 403 }

  package var isListing: Bool { phase == .photos || phase == .changes }

  // MARK: - Requests

  package var request: RemoteRequest? {
    let page = "count=\(Self.pageSize)&offset=\(offset)"
    let photos = "/api/v1/photos?\(page)&merged=true&order=oldest"
    switch phase {
    case .photos: return .get(photos)
    case .changes:
      let time = (since ?? began)?.advanced(bySeconds: -RemoteLimits.marginSeconds)
      let seconds = Instant(
        secondsSince1970: (time?.millisecondsSince1970 ?? 0) / 1000)
      return .get(
        photos + "&updated="
          + PercentEncoding.text(
            Array(seconds.iso8601.utf8), keeping: "-._~"))
    case .archive: return .get(photos + "&archived=true")
    case .albums: return .get("/api/v1/albums?count=\(Self.pageSize)&offset=\(offset)&type=album")
    case .album: return .get(photos + "&s=\(albums[album].id)")
    case .done: return nil
    }
  }

  // MARK: - Answers

  package mutating func take(
    _ answer: WebAnswer, now: Instant
  ) throws(RemoteError) -> RemotePage {
    if began == nil { began = answer.date.flatMap { Instant(httpDate: $0) } ?? now }
    guard answer.status == 200 else {
      advance()
      return RemotePage()
    }
    var reader = try answer.json(of: library)
    do throws(JSONError) {
      if phase == .albums {
        try takeAlbums(&reader)
        return RemotePage()
      }
      var records: [RemoteRecord?] = []
      guard try reader.peek() == .array else {
        throw JSONError(offset: 0, reason: "it has no list of photos")
      }
      try reader.elements { (reader) throws(JSONError) in
        records.append(try PhotoPrismPhoto(from: &reader).record)
      }
      try reader.end()
      let count = answer.itemCount.flatMap { Int($0) } ?? records.count
      return take(records.compactMap { $0 }, fileCount: min(max(count, 0), Self.pageSize))
    } catch {
      throw .foreign(library, error.reason)
    }
  }

  /// Processes a page of photos, and moves on to the next page or phase, or back by a page.
  private mutating func take(_ records: [RemoteRecord], fileCount: Int) -> RemotePage {
    if let last, records.first?.id != last, returns < Self.maximumReturns {
      offset = max(0, offset - Self.pageSize)
      returns += 1
      self.last = nil
      return RemotePage()
    }
    var page = RemotePage()
    switch phase {
    case .archive: page.removed = records.map(\.id)
    case .album:
      page.albums = records.map { .init(id: $0.id, album: albums[album].name) }
    default:
      // The first photo was returned already; in this page it may lack the files of the page
      // before.
      page.records = records.filter { $0.id != last }
    }
    if fileCount < Self.pageSize || records.isEmpty {
      advance()
    } else {
      offset += fileCount - 1
      last = records.last?.id
    }
    return page
  }

  private mutating func takeAlbums(_ reader: inout JSONReader) throws(JSONError) {
    let answer = try PhotoPrismAlbums(&reader)
    albums += answer.albums
    let before = albumsNow ?? ""
    albumsNow = Hexadecimal.text(SHA256.hash(Array((before + answer.signature).utf8)).prefix(8))
    if answer.albums.count >= Self.pageSize, albums.count < RemoteLimits.maximumAlbums {
      offset += answer.albums.count
      return
    }
    guard isWhole || albumsNow != albumsBefore else { return advance(to: .done) }
    hasReadAlbums = true
    advance(to: albums.isEmpty ? .done : .album)
  }

  private mutating func advance() {
    switch phase {
    case .photos: advance(to: .changes)
    case .changes: advance(to: .archive)
    case .archive: advance(to: .albums)
    case .albums: advance(to: .done)
    case .album:
      album += 1
      advance(to: album < albums.count ? .album : .done)
    case .done: break
    }
  }

  private mutating func advance(to next: Phase) { (phase, offset, last) = (next, 0, nil) }

  // MARK: - State

  package var anchor: String {
    let since = began ?? since ?? Instant(millisecondsSince1970: 0)
    return WalkAnchor(since: since, albums: albumsNow ?? albumsBefore).text
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("phase", phase.rawValue)
      writer.member("began", began?.iso8601)
      writer.member("offset", offset)
      writer.member("last", last)
      writer.member("returns", returns)
      writer.member("album", album)
      writer.member("albumsNow", albumsNow)
      writer.member("hasReadAlbums", hasReadAlbums)
      writer.array("albums") { writer in
        for album in albums {
          writer.array { writer in
            writer.string(album.id)
            writer.string(album.name)
          }
        }
      }
    }
  }

  package init?(_ library: RemoteLibrary, from anchor: String?, state reader: inout JSONReader) {
    self.init(library, from: anchor)
    do throws(JSONError) { try read(&reader) } catch { return nil }
    guard offset >= 0, album >= 0, phase != .album || album < albums.count else { return nil }
  }

  private mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case "phase": phase = Phase(rawValue: try reader.string()) ?? phase
      case "began": began = Instant(iso8601: try reader.string())
      case "offset": offset = Int(clamping: try reader.integer())
      case "last": last = try reader.string()
      case "returns": returns = Int(clamping: try reader.integer())
      case "album": album = Int(clamping: try reader.integer())
      case "albumsNow": albumsNow = try reader.string()
      case "hasReadAlbums": hasReadAlbums = try reader.boolean()
      case "albums":
        for pair in try reader.pairs() { albums.append(.init(id: pair.0, name: pair.1)) }
      default: try reader.skipValue()
      }
    }
  }
}

/// The albums of `GET /api/v1/albums`.
package struct PhotoPrismAlbums: Sendable {
  /// An album.
  package struct Album: Hashable, Sendable {
    /// The UID.
    package var id = ""
    /// The title, at most 100 characters.
    package var name = ""
  }

  /// The albums.
  package var albums: [Album] = []
  /// A text of all members that show whether an album changed.
  package var signature = ""

  /// Reads an answer.
  package init(_ reader: inout JSONReader) throws(JSONError) {
    guard try reader.peek() == .array else {
      throw JSONError(offset: reader.offset, reason: "it has no list of albums")
    }
    try reader.elements { (reader) throws(JSONError) in
      var album = Album()
      var changes = ""
      try reader.members { (reader, key) throws(JSONError) in
        switch key {
        case "UID": album.id = try reader.text() ?? ""
        case "Title": album.name = String((try reader.text() ?? "").prefix(100))
        case "PhotoCount": changes += " \(try reader.number() ?? 0)"
        case "UpdatedAt": changes += " \(try reader.text() ?? "")"
        default: try reader.skipValue()
        }
      }
      guard RemotePhoto.isID(album.id.utf8) else { return }
      signature += "\(album.id) \(album.name)\(changes)\n"
      albums.append(album)
    }
    try reader.end()
  }
}
