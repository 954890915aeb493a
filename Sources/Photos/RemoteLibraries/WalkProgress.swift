import CivilTime
import Encodings
import HTTPClient
import PhotoLibrary

/// The part of a walk that is the same for the servers of all programs: its start, and the albums,
/// which are listed, and read one by one if any of them changed.
struct WalkProgress: Sendable {
  /// Whether the walk covers all assets.
  let isWhole: Bool
  /// The start of the previous walk, by the server's clock.
  private let since: Instant?
  /// The start of the walk, by the server's clock.
  private var began: Instant?
  /// The albums to read.
  private var albums: [RemoteAlbums.Album] = []
  /// The index of the album that is being read.
  private var index = 0
  /// The hashes of the members that show whether albums changed, of the previous walk and of this
  /// one.
  private let albumsBefore: String?
  private var albumsNow: String?
  /// Whether albums changed and are read.
  private(set) var hasReadAlbums = false
  /// The parts of the library that could not be read, without assets and single albums.
  private var parts: [RemoteShortfall] = []
  /// The assets and albums that could not be read, and stay as they were.
  private(set) var gaps = RemoteGaps()
  /// The number of assets with unknown ids that could not be read, and the reason for the first of
  /// them.
  private var unknownCount = 0
  private var unknownReason = ""
  /// The reason why the first of the assets in ``gaps`` could not be read, with its id.
  private var unreadReason = ""
  /// The reason why the first of the albums in ``gaps`` could not be read.
  private var albumReason = ""
  /// The number of assets with unknown ids, or of albums, since the last page that could be read.
  private var gapsInSuccession = 0

  /// Begins a walk; without an anchor it covers all assets.
  init(from anchor: String?) {
    let before = anchor.flatMap { WalkAnchor($0) }
    isWhole = before == nil
    (since, albumsBefore) = (before?.since, before?.albums)
  }

  /// Notes the time of the first answer.
  mutating func begin(with answer: WebAnswer, now: Instant) {
    began = began ?? answer.date.flatMap { Instant(httpDate: $0) } ?? now
  }

  /// The time from which changes are requested; `nil` before the first answer of a whole walk.
  var changesSince: Instant? {
    (since ?? began)?.advanced(bySeconds: -RemoteLimits.marginSeconds)
  }

  /// The anchor for the next walk.
  var anchor: String {
    let since = began ?? since ?? Instant(millisecondsSince1970: 0)
    // Albums that could not be read are read by the next walk.
    return WalkAnchor(since: since, albums: gaps.albums.isEmpty ? albumsNow ?? albumsBefore : nil)
      .text
  }

  // MARK: - Albums

  /// The album that is being read; `nil` after the last one.
  var album: RemoteAlbums.Album? { albums.indices.contains(index) ? albums[index] : nil }

  /// The number of albums listed so far.
  var albumCount: Int { albums.count }

  /// Adds a part of the list of albums.
  mutating func add(_ list: RemoteAlbums) {
    albums += list.albums.prefix(RemoteLimits.maximumAlbums - albums.count)
    let text = (albumsNow ?? "") + list.signature
    albumsNow = Hexadecimal.text(SHA256.hash(Array(text.utf8)).prefix(8))
  }

  /// Ends the list of albums, which are read if the walk is whole or any of them changed.
  mutating func endList() {
    hasReadAlbums = isWhole || albumsNow != albumsBefore
    if !hasReadAlbums { albums = [] }
  }

  /// Moves on to the next album.
  mutating func turnAlbum() { index += 1 }

  /// Keeps the albums of the previous walk, since those of this one cannot be read. The next walk
  /// reads them again.
  mutating func skipAlbums() {
    (albums, index, albumsNow, hasReadAlbums) = ([], 0, nil, false)
  }

  // MARK: - Shortfalls

  /// Notes that a part of the library cannot be read.
  ///
  /// - Parameters:
  ///   - part: The part, in the plural.
  ///   - permission: The permission that the key needs for it; `nil` where keys have none.
  ///   - effect: What the walk lacks without the part, as a sentence.
  ///   - error: The error.
  mutating func lacks(
    _ part: String, permission: String? = nil, effect: String, because error: RemoteError
  ) {
    var text = "the \(part) cannot be read: \(error)"
    var isFailure = true
    switch error {
    case .refused, .forbidden:
      isFailure = false
      text = "the key has no permission to read the \(part)"
      if let permission { text += "; it needs \(permission)" }
      text += "."
    default: break
    }
    let shortfall = RemoteShortfall(reason: "\(text) \(effect)", isFailure: isFailure)
    if !parts.contains(shortfall) { parts.append(shortfall) }
  }

  /// Notes an asset whose description cannot be read, by its id, or without one.
  mutating func lacksAsset(_ id: String?, because reason: String) {
    guard let id, gaps.ids.count < RemoteLimits.maximumUnreadIDs else {
      return lacksUnknownAsset(because: reason)
    }
    if gaps.ids.isEmpty { unreadReason = "\(id): \(reason)" }
    gaps.ids.insert(id)
  }

  private mutating func lacksUnknownAsset(because reason: String) {
    if unknownCount == 0 { unknownReason = reason }
    unknownCount += 1
    gaps.hasUnknownAssets = true
  }

  /// Notes that the request for a single asset failed, and returns whether the walk may continue
  /// behind it.
  mutating func skipAsset(because error: RemoteError) -> Bool {
    gapsInSuccession += 1
    guard gapsInSuccession <= RemoteLimits.maximumGapsInSuccession,
      unknownCount < RemoteLimits.maximumGaps
    else { return false }
    lacksUnknownAsset(because: "\(error)")
    return true
  }

  /// Notes that a page could be read.
  mutating func endGap() { gapsInSuccession = 0 }

  /// Continues with the next album, since the assets of this one cannot be listed; after several of
  /// them in succession, with none, since the server is then away.
  mutating func skipAlbum(because error: RemoteError) {
    gapsInSuccession += 1
    let isAway = gapsInSuccession > RemoteLimits.maximumGapsInSuccession
    repeat {
      guard let album else { return }
      if gaps.albums.isEmpty { albumReason = "\(error)" }
      gaps.albums.insert(album.name)
      turnAlbum()
    } while isAway
  }

  /// Returns whether a page may be readable in parts: the server, or a proxy before it, failed or
  /// gave up while the answer was made, or the answer is damaged. A server that is away answers
  /// none of the parts.
  static func isOfPage(_ error: RemoteError) -> Bool {
    switch error {
    case .failed(_, let status): [500, 502, 503, 504].contains(status)
    case .unreachable, .foreign: true
    default: false
    }
  }

  /// The parts of the library that could not be read.
  var shortfalls: [RemoteShortfall] {
    var all = parts
    func add(_ count: Int, _ noun: String, _ rest: String) {
      guard count > 0 else { return }
      let isOne = count == 1
      all.append(
        RemoteShortfall(
          reason: "\(count) \(noun)\(isOne ? "" : "s") cannot be read\(rest)", isFailure: true))
    }
    add(
      gaps.ids.count, "asset",
      ", such as \(unreadReason). What the index has of them stays as it was.")
    add(
      unknownCount, "asset",
      """
       in the list, the first since: \(unknownReason) No photo is removed, and the next scan reads \
      the list again.
      """)
    let names = gaps.albums.sorted().prefix(5).map { "'\($0)'" }.joined(separator: ", ")
    add(
      gaps.albums.count, "album",
      """
      : \(names)\(gaps.albums.count > 5 ? ", …" : ""), since: \(albumReason) Photos stay in the \
      albums known so far, and the next scan reads all albums again.
      """)
    return all
  }

  // MARK: - State

  /// Writes the members of the state.
  func write(to writer: inout JSONWriter) {
    writer.member("began", began?.iso8601)
    writer.member("album", index)
    writer.member("albumsNow", albumsNow)
    writer.member("hasReadAlbums", hasReadAlbums)
    writeGaps(to: &writer)
    if !parts.isEmpty {
      writer.array("shortfalls") { writer in
        for shortfall in parts {
          writer.array { writer in
            writer.string(shortfall.reason)
            writer.string(shortfall.isFailure ? "failure" : "")
          }
        }
      }
    }
    guard hasReadAlbums || !albums.isEmpty else { return }
    writer.array("albums") { writer in
      for album in albums {
        writer.array { writer in
          writer.string(album.id)
          writer.string(album.name)
        }
      }
    }
  }

  /// Continues a walk from its written state; returns `nil` where the state is invalid.
  init?(from anchor: String?, _ state: JSONObject) throws(JSONError) {
    self.init(from: anchor)
    began = try state.string("began").flatMap { Instant(iso8601: $0) }
    albumsNow = try state.string("albumsNow")
    index = try state.int("album") ?? 0
    let pairs = try state.value("albums") { (reader) throws(JSONError) in try reader.pairs() }
    albums = (pairs ?? []).map { RemoteAlbums.Album(id: $0.0, name: $0.1) }
    // Earlier versions wrote the albums of Immich only when they were read.
    hasReadAlbums = try state.boolean("hasReadAlbums") ?? (pairs != nil)
    let lacking = try state.value("shortfalls") { (reader) throws(JSONError) in
      try reader.pairs()
    }
    parts = (lacking ?? []).map { RemoteShortfall(reason: $0.0, isFailure: !$0.1.isEmpty) }
    try readGaps(state)
    guard index >= 0 else { return nil }
  }

  private func writeGaps(to writer: inout JSONWriter) {
    guard gaps != RemoteGaps() else { return }
    writer.array("unread") { writer in for id in gaps.ids { writer.string(id) } }
    writer.member("unreadReason", unreadReason)
    writer.member("unknown", unknownCount)
    writer.member("unknownReason", unknownReason)
    writer.array("unreadAlbums") { writer in for name in gaps.albums { writer.string(name) } }
    writer.member("albumReason", albumReason)
  }

  private mutating func readGaps(_ state: JSONObject) throws(JSONError) {
    gaps.ids = Set(
      try state.array("unread") { reader throws(JSONError) in try reader.string() } ?? [])
    unreadReason = try state.string("unreadReason") ?? ""
    unknownCount = try state.int("unknown") ?? 0
    unknownReason = try state.string("unknownReason") ?? ""
    gaps.hasUnknownAssets = unknownCount > 0
    gaps.albums = Set(
      try state.array("unreadAlbums") { reader throws(JSONError) in try reader.string() } ?? [])
    albumReason = try state.string("albumReason") ?? ""
  }
}
