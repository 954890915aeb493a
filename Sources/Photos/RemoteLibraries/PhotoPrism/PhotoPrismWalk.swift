package import CivilTime
package import Encodings
package import HTTPClient
package import PhotoLibrary

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
  private var progress: WalkProgress
  private var phase: Phase
  private var offset = 0
  /// The number of files to request, which is reduced where a page fails.
  private var size = Self.pageSize
  /// The photo of the last file so far, with which the next page must begin.
  private var last: String?
  private var returns = 0

  package var isWhole: Bool { progress.isWhole }
  package var hasReadAlbums: Bool { progress.hasReadAlbums }
  package var anchor: String { progress.anchor }

  package init(_ library: RemoteLibrary, from anchor: String?) {
    self.library = library
    progress = WalkProgress(from: anchor)
    phase = progress.isWhole ? .photos : .changes
  }

  /// `nil`: PhotoPrism counts pictures in several ways, none of which matches its search.
  package var total: Int? { nil }

  package func accepts(status: Int) -> Bool { false }

  package var isExtra: Bool { phase == .albums || phase == .album || size < Self.pageSize }
  package var shortfalls: [RemoteShortfall] { progress.shortfalls }
  package var gaps: RemoteGaps { progress.gaps }

  package mutating func recover(from error: RemoteError) -> Bool {
    switch phase {
    case .albums:
      progress.lacks(
        "albums", permission: "the scope albums",
        effect: "Photos stay in the albums known so far.", because: error)
      progress.skipAlbums()
      advance(to: .done)
    case .album:
      progress.skipAlbum(because: error)
      advance(to: progress.album == nil ? .done : .album)
    default: return WalkProgress.isOfPage(error) && narrow(because: error)
    }
    return true
  }

  /// Requests fewer files at the same place, or goes on behind a file that cannot be read alone:
  /// the second one, as the first is the last of the page before.
  private mutating func narrow(because error: RemoteError) -> Bool {
    guard size <= 2 else {
      size = max(size / 5, 2)
      return true
    }
    guard progress.skipAsset(because: error) else { return false }
    (offset, last) = (offset + size, nil)
    return true
  }

  package var isListing: Bool { phase == .photos || phase == .changes }

  // MARK: - Requests

  package var request: RemoteRequest? {
    let page = "count=\(size)&offset=\(offset)"
    let photos = "/api/v1/photos?\(page)&merged=true&order=oldest"
    switch phase {
    case .photos: return .get(photos)
    case .changes:
      let seconds = Instant(
        secondsSince1970: (progress.changesSince?.millisecondsSince1970 ?? 0) / 1000)
      return .get(
        photos + "&updated="
          + PercentEncoding.text(
            Array(seconds.iso8601.utf8), keeping: "-._~"))
    case .archive: return .get(photos + "&archived=true")
    case .albums: return .get("/api/v1/albums?count=\(Self.pageSize)&offset=\(offset)&type=album")
    case .album: return .get(photos + "&s=\(progress.album?.id ?? "")")
    case .done: return nil
    }
  }

  // MARK: - Answers

  package mutating func take(
    _ answer: WebAnswer, now: Instant
  ) throws(RemoteError) -> RemotePage {
    progress.begin(with: answer, now: now)
    guard answer.status == 200 else {
      advance()
      return RemotePage()
    }
    return try answer.json(of: library) { (reader) throws(JSONError) in
      if phase == .albums {
        try takeAlbums(&reader)
        return RemotePage()
      }
      var records: [RemoteRecord] = []
      var itemCount = 0
      let isOfAlbum = phase == .album
      guard try reader.peek() == .array else {
        throw JSONError(offset: 0, reason: "it has no list of photos")
      }
      try reader.elements { (reader) throws(JSONError) in
        itemCount += 1
        if let record = try PhotoPrismPhoto(from: &reader).record {
          records.append(record)
        } else if !isOfAlbum {
          progress.lacksAsset(nil, because: "it has no UID")
        }
      }
      try reader.end()
      progress.endGap()
      let count = answer.itemCount.flatMap { Int($0) } ?? itemCount
      return take(records, fileCount: min(max(count, 0), size))
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
      page.albums = records.map { .init(id: $0.id, album: progress.album?.name ?? "") }
    default:
      // The first photo was returned already; in this page it may lack the files of the page
      // before.
      page.records = records.filter { $0.id != last }
    }
    if fileCount < size || records.isEmpty {
      advance()
    } else {
      offset += fileCount - 1
      last = records.last?.id
      size = min(size * 5, Self.pageSize)
    }
    return page
  }

  private mutating func takeAlbums(_ reader: inout JSONReader) throws(JSONError) {
    let list = try RemoteAlbums(&reader, .photoPrism)
    progress.add(list)
    if list.albums.count >= Self.pageSize, progress.albumCount < RemoteLimits.maximumAlbums {
      offset += list.albums.count
      return
    }
    progress.endList()
    advance()
  }

  private mutating func advance() {
    switch phase {
    case .photos: advance(to: .changes)
    case .changes: advance(to: .archive)
    case .archive: advance(to: .albums)
    case .albums: advance(to: progress.album == nil ? .done : .album)
    case .album:
      progress.turnAlbum()
      advance(to: progress.album == nil ? .done : .album)
    case .done: break
    }
  }

  private mutating func advance(to next: Phase) {
    (phase, offset, last, size) = (next, 0, nil, Self.pageSize)
  }

  // MARK: - State

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("phase", phase.rawValue)
      writer.member("offset", offset)
      writer.member("last", last)
      writer.member("returns", returns)
      if size < Self.pageSize { writer.member("size", size) }
      progress.write(to: &writer)
    }
  }

  package init?(_ library: RemoteLibrary, from anchor: String?, state reader: inout JSONReader) {
    self.init(library, from: anchor)
    do throws(JSONError) {
      let state = try JSONObject(&reader)
      guard let progress = try WalkProgress(from: anchor, state) else { return nil }
      self.progress = progress
      phase = try state.string("phase").flatMap { Phase(rawValue: $0) } ?? phase
      offset = try state.int("offset") ?? 0
      last = try state.string("last")
      returns = try state.int("returns") ?? 0
      size = try state.int("size") ?? size
    } catch { return nil }
    guard (0..<1 << 32).contains(offset), size >= 2, size <= Self.pageSize,
      phase != .album || progress.album != nil
    else { return nil }
  }
}

extension RemoteAlbums.Names {
  /// The members of an album in the answer to `GET /api/v1/albums`.
  static let photoPrism = RemoteAlbums.Names(
    id: "UID", name: "Title", count: "PhotoCount", times: ["UpdatedAt"])
}
