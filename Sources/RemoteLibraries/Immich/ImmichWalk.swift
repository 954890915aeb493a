package import CivilTime
import Codecs
package import Interchange
package import PhotoLibrary
package import WebRequests

/// A walk over a library of Immich.
///
/// `POST /api/search/metadata` lists assets by the time of their file, oldest first. Each page is
/// requested from the time of the last asset on (`takenAfter`), so that assets added or deleted
/// meanwhile do not move others across the edge of a page. A whole walk then requests the changes
/// since it began (`updatedAfter`, with the bin); later walks request only the changes. Assets
/// deleted permanently appear nowhere: `POST /api/search/statistics` returns the number of assets,
/// and where it differs, the caller begins a whole walk. The synchronisation of Immich's own apps
/// (`/api/sync/stream`) would report deletions too, but it does not accept API keys.
///
/// Albums are listed by `GET /api/albums`, and searched one by one if any of them changed.
package struct ImmichWalk: RemoteWalk {
  private enum Phase: String {
    case assets, changes, count, albums, album, done
  }

  private let library: RemoteLibrary
  package let isWhole: Bool
  /// The time from which changes are requested.
  private var since: Instant?
  /// The start of the walk, by the server's clock.
  private var began: Instant?
  private var phase: Phase
  /// The file time from which the next page is requested.
  private var takenAfter: String?
  private var page = 1
  /// Whether pages are requested by number, since the server does not return assets in order.
  private var countsPages = false
  private var albums: [ImmichAlbums.Album] = []
  /// The index of the album that is being read.
  private var album = 0
  /// The hashes of the members that show whether albums changed, of the previous walk and of this
  /// one.
  private var albumsBefore: String?
  private var albumsNow: String?
  package private(set) var total: Int?
  package private(set) var hasReadAlbums = false

  package init(_ library: RemoteLibrary, from anchor: String?) {
    self.library = library
    let before = anchor.flatMap { WalkAnchor($0) }
    isWhole = before == nil
    since = before?.since
    albumsBefore = before?.albums
    phase = before == nil ? .assets : .changes
  }

  // MARK: - Requests

  package var request: RemoteRequest? {
    switch phase {
    case .assets, .changes, .album: .search("/api/search/metadata", searchBody)
    case .count: .search("/api/search/statistics", Array("{}".utf8))
    case .albums: .get("/api/albums")
    case .done: nil
    }
  }

  package var isListing: Bool { phase == .assets || phase == .changes }

  private var searchBody: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("size", RemoteLimits.pageSize)
      writer.member("page", page)
      writer.member("order", "asc")
      writer.member("takenAfter", takenAfter)
      switch phase {
      case .changes:
        writer.member("withExif", true)
        writer.member("withDeleted", true)
        let since = since ?? began
        writer.member(
          "updatedAfter", since?.advanced(bySeconds: -RemoteLimits.marginSeconds).iso8601)
      case .album: writer.array("albumIds") { $0.string(albums[album].id) }
      default: writer.member("withExif", true)
      }
    }
    return writer.bytes
  }

  package func accepts(status: Int) -> Bool {
    // Versions before 1.133 have no search statistics (400–404), and a key may lack access to
    // albums (403).
    (phase == .count && (400...404).contains(status)) || (phase == .albums && status == 403)
  }

  // MARK: - Answers

  package mutating func take(
    _ answer: WebAnswer, now: Instant
  ) throws(RemoteError) -> RemotePage {
    if began == nil { began = answer.date.flatMap { Instant(httpDate: $0) } ?? now }
    guard answer.status == 200 || answer.status == 201 else {
      advance()
      return RemotePage()
    }
    var reader = try answer.json(of: library)
    do throws(JSONError) {
      switch phase {
      case .assets, .changes, .album: return try takeSearch(&reader)
      case .count: try takeTotal(&reader)
      case .albums: try takeAlbums(&reader)
      case .done: break
      }
    } catch {
      throw .foreign(library, error.reason)
    }
    return RemotePage()
  }

  private mutating func takeSearch(_ reader: inout JSONReader) throws(JSONError) -> RemotePage {
    let answer = try ImmichSearchPage(&reader)
    var page = RemotePage()
    for asset in answer.assets {
      guard let record = asset.record else { continue }
      if phase == .album {
        page.albums.append(.init(id: record.id, album: albums[album].name))
      } else if asset.isTrashed {
        page.removed.append(record.id)
      } else {
        page.records.append(record)
      }
    }
    if answer.nextPage == nil || answer.assets.isEmpty {
      advance()
    } else {
      turnPage(after: answer.assets.compactMap(\.fileCreatedAt))
    }
    return page
  }

  /// Moves on to the page after assets with these file times.
  private mutating func turnPage(after times: [String]) {
    let isInOrder = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    if !isInOrder, !countsPages {
      // If the server does not keep the order, the pages are requested by number, from the first
      // on.
      countsPages = true
      if takenAfter != nil { (takenAfter, page) = (nil, 0) }
    }
    guard !countsPages, let last = times.last, last > takenAfter ?? "",
      Instant(iso8601: last) != nil
    else {
      page += 1
      return
    }
    (takenAfter, page) = (last, 1)
  }

  private mutating func takeTotal(_ reader: inout JSONReader) throws(JSONError) {
    try reader.members { (reader, key) throws(JSONError) in
      if key == "total" {
        total = try reader.number().map { Int(saturating: $0) }
      } else {
        try reader.skipValue()
      }
    }
    advance()
  }

  private mutating func takeAlbums(_ reader: inout JSONReader) throws(JSONError) {
    let answer = try ImmichAlbums(&reader)
    let hash = Hexadecimal.text(SHA256.hash(Array(answer.signature.utf8)).prefix(8))
    albumsNow = hash
    guard isWhole || hash != albumsBefore else { return advance(to: .done) }
    albums = Array(answer.albums.prefix(RemoteLimits.maximumAlbums))
    hasReadAlbums = true
    advance(to: albums.isEmpty ? .done : .album)
  }

  private mutating func advance() {
    switch phase {
    case .assets: advance(to: .changes)
    case .changes: advance(to: .count)
    case .count: advance(to: .albums)
    case .albums: advance(to: .done)
    case .album:
      album += 1
      advance(to: album < albums.count ? .album : .done)
    case .done: break
    }
  }

  private mutating func advance(to next: Phase) {
    (phase, takenAfter, page, countsPages) = (next, nil, 1, false)
  }

  // MARK: - State

  package var anchor: String {
    let since = began ?? since ?? Instant(millisecondsSince1970: 0)
    return WalkAnchor(since: since, albums: albumsNow ?? albumsBefore).text
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("phase", phase.rawValue)
      writer.member("began", began?.iso8601)
      writer.member("takenAfter", takenAfter)
      writer.member("page", page)
      writer.member("countsPages", countsPages)
      writer.member("album", album)
      writer.member("albumsNow", albumsNow)
      writer.member("total", total)
      guard hasReadAlbums else { return }
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
    guard page >= 1 || countsPages, album >= 0, phase != .album || album < albums.count else {
      return nil
    }
  }

  private mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case "phase": phase = Phase(rawValue: try reader.string()) ?? phase
      case "began": began = Instant(iso8601: try reader.string())
      case "takenAfter": takenAfter = try reader.string()
      case "page": page = Int(clamping: try reader.integer())
      case "countsPages": countsPages = try reader.boolean()
      case "album": album = Int(clamping: try reader.integer())
      case "albumsNow": albumsNow = try reader.string()
      case "total": total = Int(clamping: try reader.integer())
      case "albums":
        hasReadAlbums = true
        for pair in try reader.pairs() { albums.append(.init(id: pair.0, name: pair.1)) }
      default: try reader.skipValue()
      }
    }
  }
}
