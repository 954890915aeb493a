package import CivilTime
package import Encodings
package import HTTPClient
package import PhotoLibrary

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

  /// Whether ``request`` asks for something without which the other assets can still be used, such
  /// as albums, or a part of a page that failed.
  var isExtra: Bool { get }
  /// The parts of the library that could not be read; the assets are complete without them.
  var shortfalls: [RemoteShortfall] { get }

  /// The assets and albums that could not be read although the walk continued.
  var gaps: RemoteGaps { get }

  /// Continues without the answer to ``request``, with a smaller part of it, or with what follows.
  ///
  /// - Returns: Whether the walk can continue; the request is unchanged otherwise.
  mutating func recover(from error: RemoteError) -> Bool

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
  /// The maximum number of assets in succession that cannot be read, and in a walk.
  static let maximumGapsInSuccession = 3
  static let maximumGaps = 100
  /// The maximum number of ids of assets that are kept because their descriptions cannot be read.
  static let maximumUnreadIDs = 1000
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
