package import CivilTime
package import Interchange
package import PhotoLibrary
package import WebRequests

/// A page of a walk over a remote library.
package struct RemotePage: Hashable, Sendable {
  /// The assets, in the order of the answer.
  package var records: [RemoteRecord] = []
  /// The ids of assets that were deleted.
  package var removed: [String] = []
  /// Pairs of an asset and an album that contains it.
  package var albums: [Membership] = []

  /// An asset that is in an album.
  package struct Membership: Hashable, Sendable {
    /// The asset's id.
    package let id: String
    /// The album's name.
    package let album: String
  }

  /// The ids of all assets in the page.
  var ids: [String] { records.map(\.id) + removed + albums.map(\.id) }
}

/// A walk over a remote library: a pure state machine that turns answers into the next request.
///
/// Its state is written after each page, so that another process can continue the walk.
package protocol RemoteWalk: Sendable {
  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - anchor: The anchor of the previous walk, from which changes are requested; `nil` requests
  ///     all assets.
  init(_ library: RemoteLibrary, from anchor: String?)

  /// Continues a walk from its written state; returns `nil` where the state is invalid.
  init?(_ library: RemoteLibrary, from anchor: String?, state: inout JSONReader)

  /// Writes the state as an object.
  func write(to writer: inout JSONWriter)

  /// Whether the walk covers all assets.
  var isWhole: Bool { get }
  /// The next request; `nil` at the end.
  var request: RemoteRequest? { get }
  /// The number of assets reported by the server; `nil` where it reports none.
  var total: Int? { get }
  /// Whether albums changed and were read.
  var hasReadAlbums: Bool { get }
  /// The anchor for the next walk.
  var anchor: String { get }
  /// Whether the walk is listing assets, so that each page must contain new ones.
  var isListing: Bool { get }

  /// Processes the answer to ``request``.
  ///
  /// - Parameters:
  ///   - answer: An answer with the status 200 or 201, or one that ``accepts(status:)``.
  ///   - now: The current time, used where the answer has no date.
  /// - Returns: The content of the answer.
  /// - Throws: ``RemoteError`` where it is not an answer of the library's program.
  mutating func take(_ answer: WebAnswer, now: Instant) throws(RemoteError) -> RemotePage

  /// Returns whether the walk can continue after an answer with an error status.
  func accepts(status: Int) -> Bool
}

/// Bounds of walks, which no real library reaches.
package enum RemoteLimits {
  /// The number of items to request per page.
  static let pageSize = 1000
  /// The maximum number of items in a page.
  static let longestPage = 10_000
  /// The maximum length of an answer in bytes.
  package static let longestAnswer = 64 << 20
  /// The maximum number of pages in a walk.
  static let maximumPages = 50_000
  /// The maximum number of assets in a library.
  static let maximumAssets = 5_000_000
  /// The maximum number of consecutive pages with nothing new.
  static let maximumRepeats = 3
  /// The maximum number of albums in a library.
  static let maximumAlbums = 20_000
  /// The number of seconds before an anchor from which changes are requested again, since an
  /// earlier change may become visible later.
  static let marginSeconds = 60.0
}

extension RemoteLibrary {
  /// The type of walk for the library's program.
  package var walk: any RemoteWalk.Type {
    switch program {
    case .immich: ImmichWalk.self
    case .photoprism: PhotoPrismWalk.self
    }
  }
}

extension WebAnswer {
  /// Returns a reader of the body.
  ///
  /// - Throws: ``RemoteError/webPage(_:)`` for HTML.
  func json(of library: RemoteLibrary) throws(RemoteError) -> JSONReader {
    let first = body.first { $0 > 0x20 }
    if first == UInt8(ascii: "<") { throw .webPage(library) }
    return JSONReader(body)
  }
}

extension JSONReader {
  /// Reads a string; returns `nil` for any other value.
  mutating func text() throws(JSONError) -> String? {
    guard try peek() == .string else {
      try skipValue()
      return nil
    }
    return try string()
  }

  /// Reads a number, or a string that holds one; returns `nil` for any other value.
  mutating func number() throws(JSONError) -> Double? {
    switch try peek() {
    case .number: return try double()
    case .string: return Double(try string()).flatMap { $0.isFinite ? $0 : nil }
    default:
      try skipValue()
      return nil
    }
  }

  /// Reads a Boolean; returns `nil` for any other value.
  mutating func flag() throws(JSONError) -> Bool? {
    guard try peek() == .boolean else {
      try skipValue()
      return nil
    }
    return try boolean()
  }

  /// Reads an object's members; skips any other value.
  mutating func members(
    _ body: (inout JSONReader, String) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .object else { return try skipValue() }
    try beginObject()
    while let key = try nextKey() { try body(&self, key) }
  }

  /// Reads an array's elements, at most ``RemoteLimits/longestPage``; skips any other value.
  mutating func elements(
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .array else { return try skipValue() }
    var count = 0
    try beginArray()
    while try nextElement() {
      count += 1
      guard count <= RemoteLimits.longestPage else {
        throw JSONError(offset: offset, reason: "a list is too long")
      }
      try body(&self)
    }
  }
}
