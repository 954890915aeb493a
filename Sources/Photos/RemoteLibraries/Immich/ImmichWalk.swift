package import CivilTime
package import Encodings
package import HTTPClient
package import PhotoLibrary

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
  private var progress: WalkProgress
  private var phase: Phase
  /// The file time from which the next page is requested.
  private var takenAfter: String?
  private var page = 1
  /// The number of assets to request per page, which is reduced where a page fails.
  private var size = RemoteLimits.pageSize
  /// The number of assets in a page that was not the last, where the server limits it.
  private var served: Int?
  /// The number of reduced pages since the last failure.
  private var calm = 0
  /// Whether pages are requested by number, since the server does not return assets in order.
  private var countsPages = false
  package private(set) var total: Int?

  package var isWhole: Bool { progress.isWhole }
  package var hasReadAlbums: Bool { progress.hasReadAlbums }
  package var anchor: String { progress.anchor }

  package init(_ library: RemoteLibrary, from anchor: String?) {
    self.library = library
    progress = WalkProgress(from: anchor)
    phase = progress.isWhole ? .assets : .changes
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
      writer.member("size", size)
      writer.member("page", page)
      writer.member("order", "asc")
      writer.member("takenAfter", takenAfter)
      switch phase {
      case .changes:
        writer.member("withExif", true)
        writer.member("withDeleted", true)
        writer.member("updatedAfter", progress.changesSince?.iso8601)
      case .album: writer.array("albumIds") { $0.string(progress.album?.id ?? "") }
      default: writer.member("withExif", true)
      }
    }
    return writer.bytes
  }

  package func accepts(status: Int) -> Bool {
    // Versions before 1.133 have no search statistics.
    phase == .count && (status == 400 || status == 404)
  }

  package var isExtra: Bool { !isListing || size < RemoteLimits.pageSize }
  package var shortfalls: [RemoteShortfall] { progress.shortfalls }
  package var gaps: RemoteGaps { progress.gaps }

  package mutating func recover(from error: RemoteError) -> Bool {
    if isListing { return WalkProgress.isOfPage(error) && narrow(because: error) }
    if phase == .album {
      progress.skipAlbum(because: error)
      advance(to: progress.album == nil ? .done : .album)
    } else if phase == .count {
      progress.lacks(
        "statistics", permission: "asset.statistics",
        effect: "Photos deleted for good are found only by a full scan.", because: error)
      advance()
    } else {
      progress.lacks(
        "albums", permission: "album.read", effect: "Photos stay in the albums known so far.",
        because: error)
      progress.skipAlbums()
      advance(to: .done)
    }
    return true
  }

  /// Requests a smaller page at the same place, or goes on behind an asset that cannot be read
  /// alone.
  private mutating func narrow(because error: RemoteError) -> Bool {
    calm = 0
    let length = min(size, served ?? size)
    guard length > 1 else {
      guard progress.skipAsset(because: error) else { return false }
      page += 1
      return true
    }
    let before = (page - 1) * length
    // A page of one asset is always at a whole number of pages.
    let smaller = [100, 10].first { $0 < length && before.isMultiple(of: $0) } ?? 1
    (size, page) = (smaller, before / smaller + 1)
    return true
  }

  /// Requests larger pages again, some time after a failure.
  private mutating func widen() {
    calm += 1
    let (larger, before) = (size * 10, (page - 1) * size)
    guard calm >= 9, larger <= served ?? larger || before == 0, before.isMultiple(of: larger)
    else { return }
    (size, page, calm) = (larger, before / larger + 1, 0)
  }

  // MARK: - Answers

  package mutating func take(
    _ answer: WebAnswer, now: Instant
  ) throws(RemoteError) -> RemotePage {
    progress.begin(with: answer, now: now)
    guard answer.status == 200 || answer.status == 201 else {
      advance()
      return RemotePage()
    }
    return try answer.json(of: library) { (reader) throws(JSONError) in
      switch phase {
      case .assets, .changes, .album: return try takeSearch(&reader)
      case .count: try takeTotal(&reader)
      case .albums: try takeAlbums(&reader)
      case .done: break
      }
      return RemotePage()
    }
  }

  private mutating func takeSearch(_ reader: inout JSONReader) throws(JSONError) -> RemotePage {
    let answer = try ImmichSearchPage(&reader)
    var page = RemotePage()
    progress.endGap()
    for asset in answer.assets {
      guard let record = asset.record else {
        if asset.isTrashed, let id = asset.fault?.id {
          page.removed.append(id)
        } else if let fault = asset.fault, phase != .album {
          progress.lacksAsset(fault.id, because: fault.reason)
        }
        continue
      }
      if phase == .album {
        page.albums.append(.init(id: record.id, album: progress.album?.name ?? ""))
      } else if asset.isTrashed {
        page.removed.append(record.id)
      } else {
        page.records.append(record)
      }
    }
    if answer.nextPage == nil || answer.assets.isEmpty {
      advance()
    } else {
      if answer.assets.count < size { served = answer.assets.count }
      turnPage(after: answer.assets.compactMap(\.fileCreatedAt))
      if size < RemoteLimits.pageSize { widen() }
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
    total = try reader.objectIfAny()?.number("total").map { Int(saturating: $0) }
    advance()
  }

  private mutating func takeAlbums(_ reader: inout JSONReader) throws(JSONError) {
    progress.add(try RemoteAlbums(&reader, .immich))
    progress.endList()
    advance()
  }

  private mutating func advance() {
    switch phase {
    case .assets: advance(to: .changes)
    case .changes: advance(to: .count)
    case .count: advance(to: .albums)
    case .albums: advance(to: progress.album == nil ? .done : .album)
    case .album:
      progress.turnAlbum()
      advance(to: progress.album == nil ? .done : .album)
    case .done: break
    }
  }

  private mutating func advance(to next: Phase) {
    (phase, takenAfter, page, countsPages) = (next, nil, 1, false)
    (size, served, calm) = (RemoteLimits.pageSize, nil, 0)
  }

  // MARK: - State

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("phase", phase.rawValue)
      writer.member("takenAfter", takenAfter)
      writer.member("page", page)
      writer.member("countsPages", countsPages)
      if size < RemoteLimits.pageSize { writer.member("size", size) }
      writer.member("served", served)
      writer.member("total", total)
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
      takenAfter = try state.string("takenAfter")
      page = try state.int("page") ?? page
      countsPages = try state.boolean("countsPages") ?? false
      total = try state.int("total")
      size = try state.int("size") ?? size
      served = try state.int("served")
    } catch { return nil }
    guard size >= 1, size <= RemoteLimits.pageSize, served ?? 1 > 0,
      (page >= 1 || countsPages) && page < 1 << 32, phase != .album || progress.album != nil
    else { return nil }
  }
}
