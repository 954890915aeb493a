package import PhotoMetadata

/// An asset of a remote library, as its server describes it.
package struct RemoteRecord: Hashable, Sendable {
  /// The asset's id on the server; see ``RemotePhoto/isID(_:)``.
  package var id: String
  /// The name of the original file.
  package var name: String
  /// The size of the original file in bytes; 0 if unknown.
  package var size: Int64
  /// The time of its last change on the server, in milliseconds since 1970.
  package var version: Int64
  /// Whether it is shown as a photo or movie of its own, unlike the hidden movie of a Live Photo.
  package var isShown: Bool
  /// The position, time and camera.
  package var properties: PhotoProperties

  /// Creates a record.
  package init(
    id: String, name: String, size: Int64, version: Int64, isShown: Bool = true,
    properties: PhotoProperties
  ) {
    (self.id, self.name, self.size) = (id, name, size)
    (self.version, self.isShown, self.properties) = (version, isShown, properties)
  }
}

/// A part of a remote library that could not be read.
package struct RemoteShortfall: Hashable, Sendable {
  /// The reason, and what the scan lacks without the part.
  package let reason: String
  /// Whether it is a failure, rather than a part that the key does not give access to.
  package let isFailure: Bool

  /// Creates a shortfall.
  package init(reason: String, isFailure: Bool) {
    (self.reason, self.isFailure) = (reason, isFailure)
  }
}

/// The assets and albums of a remote library that could not be read. Their entries in the index
/// stay as they were.
package struct RemoteGaps: Hashable, Sendable {
  /// The ids of assets whose descriptions could not be read.
  package var ids: Set<String> = []
  /// Whether assets with unknown ids could not be read, so that an asset that is not listed may
  /// still exist.
  package var hasUnknownAssets = false
  /// The names of albums whose assets could not be listed.
  package var albums: Set<String> = []

  /// Creates a set of gaps; empty if everything could be read.
  package init() {}
}

/// Changes of a remote library since its anchor, or its complete contents.
package struct RemoteChanges: Sendable {
  /// The library.
  package let library: RemoteLibrary
  /// Whether ``records`` are all assets of the library, so that other assets of the index are gone.
  package let isWhole: Bool
  /// The new and changed assets, or all; of several with the same id, the last is used.
  package let records: [RemoteRecord]
  /// The ids of assets that are gone.
  package let removed: Set<String>
  /// The albums of assets by asset id; `nil` if albums did not change.
  package let albums: [String: String]?
  /// The anchor from which the next walk continues.
  package let anchor: String
  /// The number of assets that the server reports; `nil` if it reports none.
  package let total: Int?
  /// The parts of the library that could not be read.
  package let shortfalls: [RemoteShortfall]
  /// The assets and albums that could not be read, and stay as they were.
  package let gaps: RemoteGaps

  /// Creates a set of changes.
  package init(
    of library: RemoteLibrary, isWhole: Bool, records: [RemoteRecord], removed: Set<String> = [],
    albums: [String: String]? = nil, anchor: String, total: Int? = nil,
    shortfalls: [RemoteShortfall] = [], gaps: RemoteGaps = RemoteGaps()
  ) {
    self.gaps = gaps
    (self.library, self.isWhole, self.records) = (library, isWhole, records)
    (self.removed, self.albums, self.anchor) = (removed, albums, anchor)
    (self.total, self.shortfalls) = (total, shortfalls)
  }
}
