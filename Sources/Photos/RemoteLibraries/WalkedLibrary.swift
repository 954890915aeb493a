package import PhotoLibrary

/// The combined content of the pages of a walk so far.
package struct WalkedLibrary: Sendable {
  /// The assets by id, each from the latest page that contains it.
  package private(set) var records: [String: RemoteRecord] = [:]
  /// The ids of deleted assets.
  package private(set) var removed: Set<String> = []
  /// The album of each asset that is in one; of several, the first by name.
  package private(set) var albums: [String: String] = [:]

  /// Creates an empty collection.
  package init() {}

  /// Adds a page.
  ///
  /// - Returns: Whether it contained an asset, a deletion or an album membership that was not known
  ///   yet.
  package mutating func add(_ page: RemotePage) -> Bool {
    var isNew = false
    for record in page.records {
      if records.updateValue(record, forKey: record.id) == nil { isNew = true }
      removed.remove(record.id)
    }
    for id in page.removed {
      if removed.insert(id).inserted { isNew = true }
      records[id] = nil
    }
    for membership in page.albums where !membership.album.isEmpty {
      if let album = albums[membership.id] {
        albums[membership.id] = min(album, membership.album)
      } else {
        albums[membership.id] = membership.album
        isNew = true
      }
    }
    return isNew
  }

  /// Returns the number of assets in the library after the walk.
  ///
  /// - Parameters:
  ///   - known: The ids known before the walk.
  ///   - isWhole: Whether the walk covered all assets.
  /// - Returns: The number of assets.
  package func count(after known: Set<String>, isWhole: Bool) -> Int {
    if isWhole { return records.count }
    let added = records.keys.count { !known.contains($0) }
    let gone = removed.count { known.contains($0) }
    return known.count + added - gone
  }

  /// Returns the changes found by the walk.
  package func changes(by walk: any RemoteWalk, of library: RemoteLibrary) -> RemoteChanges {
    RemoteChanges(
      of: library, isWhole: walk.isWhole, records: Array(records.values), removed: removed,
      albums: walk.hasReadAlbums ? albums : nil, anchor: walk.anchor, total: walk.total,
      shortfalls: walk.shortfalls, gaps: walk.gaps)
  }
}
