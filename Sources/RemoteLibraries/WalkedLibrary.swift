package import PhotoLibrary

/// What the pages of a walk have brought so far.
package struct WalkedLibrary: Sendable {
  /// The assets by id, each as the last page has it.
  package private(set) var records: [String: RemoteRecord] = [:]
  /// The ids of assets that are gone.
  package private(set) var removed: Set<String> = []
  /// The album of each asset that is in one; of several the first by name.
  package private(set) var albums: [String: String] = [:]

  /// Creates one of no page.
  package init() {}

  /// Takes a page in.
  ///
  /// - Returns: Whether it brought an asset that was not known yet.
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

  /// The number of assets that the library has after the walk.
  ///
  /// - Parameters:
  ///   - known: The ids that were known before.
  ///   - isWhole: Whether the walk was over all assets.
  /// - Returns: The number.
  package func count(after known: Set<String>, isWhole: Bool) -> Int {
    if isWhole { return records.count }
    let added = records.keys.count { !known.contains($0) }
    let gone = removed.count { known.contains($0) }
    return known.count + added - gone
  }

  /// The changes that the walk found.
  package func changes(by walk: any RemoteWalk, of library: RemoteLibrary) -> RemoteChanges {
    RemoteChanges(
      of: library, isWhole: walk.isWhole, records: Array(records.values), removed: removed,
      albums: walk.hasReadAlbums ? albums : nil, anchor: walk.anchor)
  }
}
