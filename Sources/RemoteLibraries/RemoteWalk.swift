package import CivilTime
package import Interchange
package import PhotoLibrary
package import WebRequests

/// A page of a walk over a remote library.
package struct RemotePage: Hashable, Sendable {
  /// The assets, in the order of the answer.
  package var records: [RemoteRecord] = []
  /// The ids of assets that are gone.
  package var removed: [String] = []
  /// Assets with an album that they are in.
  package var albums: [Membership] = []

  /// An asset that is in an album.
  package struct Membership: Hashable, Sendable {
    /// The asset's id.
    package let id: String
    /// The album's name.
    package let album: String
  }

  /// The ids of all assets that the page names.
  var ids: [String] { records.map(\.id) + removed + albums.map(\.id) }
}

/// A walk over a remote library: pure, from answers to the next request.
///
/// Its state is written after each page, so that a walk can be gone on with in another process.
package protocol RemoteWalk: Sendable {
  /// Begins a walk.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - anchor: The anchor of the walk before, from where changes are asked for; `nil` for all
  ///     assets.
  init(_ library: RemoteLibrary, from anchor: String?)

  /// Goes on with a walk whose state was written; `nil` where the state makes no sense.
  init?(_ library: RemoteLibrary, from anchor: String?, state: inout JSONReader)

  /// Writes the state as an object.
  func write(to writer: inout JSONWriter)

  /// Whether the walk is over all assets.
  var isWhole: Bool { get }
  /// The next request; `nil` at the end.
  var request: RemoteRequest? { get }
  /// The number of assets that the server has, where it says so.
  var total: Int? { get }
  /// Whether albums changed and were read.
  var hasReadAlbums: Bool { get }
  /// The anchor for the walk after this one.
  var anchor: String { get }
  /// Whether assets are still being read, of which each page must bring new ones.
  var isListing: Bool { get }

  /// Takes the answer to ``request``.
  ///
  /// - Parameters:
  ///   - answer: An answer with the status 200, or one that ``accepts(status:)``.
  ///   - now: The time, where the answer has none.
  /// - Returns: What the answer brought.
  /// - Throws: ``RemoteError`` where it is no answer of the program.
  mutating func take(_ answer: WebAnswer, now: Instant) throws(RemoteError) -> RemotePage

  /// Whether the walk can go on after an answer with a status other than 200.
  func accepts(status: Int) -> Bool
}

/// Bounds of walks, which no honest library meets.
package enum RemoteLimits {
  /// The items of a page that is asked for.
  static let pageSize = 1000
  /// The items of a page that are read.
  static let longestPage = 10_000
  /// The longest answer in bytes.
  package static let longestAnswer = 64 << 20
  /// The pages of a walk.
  static let mostPages = 50_000
  /// The assets of a library.
  static let mostAssets = 5_000_000
  /// The pages in a row that bring nothing new.
  static let mostRepeats = 3
  /// The albums of a library.
  static let mostAlbums = 20_000
  /// Changes within so many seconds before an anchor are asked for again, since one that was made
  /// before may have become visible after.
  static let marginSeconds = 60.0
}

extension RemoteLibrary {
  /// The kind of walk that the program of the library needs.
  package var walk: any RemoteWalk.Type {
    switch program {
    case .immich: ImmichWalk.self
    case .photoprism: PhotoPrismWalk.self
    }
  }
}

extension WebAnswer {
  /// A reader of the body.
  ///
  /// - Throws: ``RemoteError/webPage(_:)`` for HTML.
  func json(of library: RemoteLibrary) throws(RemoteError) -> JSONReader {
    let first = body.first { $0 > 0x20 }
    if first == UInt8(ascii: "<") { throw .webPage(library) }
    return JSONReader(body)
  }
}

extension JSONReader {
  /// Reads a text; `nil` for any other value.
  mutating func text() throws(JSONError) -> String? {
    guard try peek() == .string else {
      try skipValue()
      return nil
    }
    return try string()
  }

  /// Reads a number, also one in quotes; `nil` for any other value.
  mutating func number() throws(JSONError) -> Double? {
    switch try peek() {
    case .number: return try double()
    case .string: return Double(try string()).flatMap { $0.isFinite ? $0 : nil }
    default:
      try skipValue()
      return nil
    }
  }

  /// Reads true or false; `nil` for any other value.
  mutating func flag() throws(JSONError) -> Bool? {
    guard try peek() == .boolean else {
      try skipValue()
      return nil
    }
    return try boolean()
  }

  /// Reads an object's members, or passes over what is none.
  mutating func members(
    _ body: (inout JSONReader, String) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .object else { return try skipValue() }
    try beginObject()
    while let key = try nextKey() { try body(&self, key) }
  }

  /// Reads an array's elements, at most ``RemoteLimits/longestPage``, or passes over what is none.
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
