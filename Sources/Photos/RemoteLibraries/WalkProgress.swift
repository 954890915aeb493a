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
  /// The parts of the library that could not be read.
  private(set) var shortfalls: [RemoteShortfall] = []

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
    return WalkAnchor(since: since, albums: albumsNow ?? albumsBefore).text
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
    if case .refused(_, let status) = error {
      isFailure = false
      text = "the key has no permission to read the \(part) (status \(status))"
      if let permission { text += "; it needs \(permission)" }
      text += "."
    }
    let shortfall = RemoteShortfall(reason: "\(text) \(effect)", isFailure: isFailure)
    if !shortfalls.contains(shortfall) { shortfalls.append(shortfall) }
  }

  // MARK: - State

  /// Writes the members of the state.
  func write(to writer: inout JSONWriter) {
    writer.member("began", began?.iso8601)
    writer.member("album", index)
    writer.member("albumsNow", albumsNow)
    writer.member("hasReadAlbums", hasReadAlbums)
    if !shortfalls.isEmpty {
      writer.array("shortfalls") { writer in
        for shortfall in shortfalls {
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
    shortfalls = (lacking ?? []).map { RemoteShortfall(reason: $0.0, isFailure: !$0.1.isEmpty) }
    guard index >= 0 else { return nil }
  }
}
