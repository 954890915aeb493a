package import CivilTime
import PhotoMetadata
import Storage
import SystemPackage

extension PhotoIndexer {
  /// Updates an index with the changes of a remote library.
  ///
  /// - Parameters:
  ///   - previous: The index so far, which must not have been read for questions only.
  ///   - changes: The changes of the library since its anchor in the index.
  ///   - now: The time.
  /// - Returns: The new index and a report.
  package func update(
    _ previous: PhotoIndex, with changes: RemoteChanges, now: Instant
  ) -> (index: PhotoIndex, report: ScanReport) {
    if let reason = reasonToDoubt(changes, in: previous) {
      return markStale(changes.library, because: reason, in: previous, now: now)
    }
    var update = remoteUpdate(of: previous, now: now)
    update.apply(changes)
    for shortfall in changes.shortfalls {
      if shortfall.isFailure { update.report.furtherUnreadable += 1 }
      update.report.problems.append(
        .init(
          path: changes.library.rootPath, isUnreadable: shortfall.isFailure,
          reason: shortfall.reason, isNew: true))
    }
    return update.finish()
  }

  /// Marks a remote library as stale and keeps its photos.
  ///
  /// - Parameters:
  ///   - library: The library.
  ///   - reason: The reason, with what to do.
  ///   - previous: The index so far, which must not have been read for questions only.
  ///   - now: The time.
  /// - Returns: The index, and a report that names the library.
  package func markStale(
    _ library: RemoteLibrary, because reason: String, in previous: PhotoIndex, now: Instant
  ) -> (index: PhotoIndex, report: ScanReport) {
    var update = remoteUpdate(of: previous, now: now)
    update.keepOthers(than: [])
    update.markStale(library)
    update.report.staleReasons[library.rootPath] = reason
    return update.finish()
  }

  /// Returns why the complete contents of a library cannot be believed; `nil` if they can.
  ///
  /// A server that lists nothing, or less than half of the known photos, may have lost its
  /// database, or the key may be another user's. The number of assets that the server reports is a
  /// second look, which confirms that most are gone; that all are gone, only a full scan confirms.
  private func reasonToDoubt(_ changes: RemoteChanges, in previous: PhotoIndex) -> String? {
    guard changes.isWhole else { return nil }
    let library = changes.library
    let known = previous.assetIDs(of: library)
    let listed = Set(changes.records.map(\.id)).subtracting(changes.removed)
    let missing = known.subtracting(listed).subtracting(changes.removed)
      .subtracting(changes.gaps.ids).count
    // Where assets may be missing for a fault of the server, none is removed.
    guard missing > 0, !changes.gaps.hasUnknownAssets || listed.isEmpty else { return nil }
    let photos = "\(listed.count) photo\(listed.count == 1 ? "" : "s")"
    if let total = changes.total, 2 * listed.count < total {
      return "\(library) lists \(photos), but counts \(total)."
    }
    let isConfirmed = settings.isFull || !listed.isEmpty && changes.total == listed.count
    guard !isConfirmed,
      listed.isEmpty || RemovalGuard.doubts(missing: missing, of: known.count)
    else { return nil }
    return """
      \(library) lists \(photos); \(missing) of \(known.count) \(missing == 1 ? "is" : "are") missing. Check that its \
      database is complete, and that the key is of the right user. If they are gone for good: \
      \(settings.commands.text("index", "--full", "'\(library)'")).
      """
  }

  private func remoteUpdate(of previous: PhotoIndex, now: Instant) -> IndexUpdate {
    IndexUpdate(
      previous: previous, settings: settings, readsByInode: false, now: now,
      monitor: ScanMonitor())
  }
}

extension PhotoIndex {
  /// Returns the ids of a remote library's assets in the index, located or not.
  ///
  /// - Complexity: O(*n*) for *n* files, if the index has the library.
  package func assetIDs(of library: RemoteLibrary) -> Set<String> {
    let root = library.rootPath.bytes
    let isOfLibrary = folders.map { IndexUpdate.lies($0, in: root) }
    guard isOfLibrary.contains(true) else { return [] }
    var ids: Set<String> = []
    for file in files.ids where isOfLibrary[files.folder[file.row].row] {
      let name = name(of: file)
      guard let end = RemotePhoto.endOfID(in: name) else { continue }
      ids.insert(String(decoding: name[..<end], as: UTF8.self))
    }
    return ids
  }

  /// Returns the anchor of a remote library; `nil` if the index does not have the complete library.
  package func anchor(of library: RemoteLibrary) -> String? {
    let path = library.rootPath
    return roots.first { $0.path == path }?.anchor
  }
}

extension IndexUpdate {
  fileprivate mutating func markStale(_ library: RemoteLibrary) {
    let path = library.rootPath
    for index in roots.indices where roots[index].path == path { roots[index].isStale = true }
    report.staleRoots.append(path)
  }

  /// A file of the next index.
  private struct Asset {
    let name: [UInt8]
    let source: Source
    let status: FileStatus?
  }

  /// Adds the changed assets to the next index, and copies the unchanged ones from the previous
  /// index.
  fileprivate mutating func apply(_ changes: RemoteChanges) {
    let root = changes.library.rootPath
    options.apply(settings.options, to: root)
    keepOthers(than: [root])
    let records = Dictionary(changes.records.map { ($0.id, $0) }) { _, last in last }
    var known = knownAssets(of: root)
    var assets: [[UInt8]: [Asset]] = [:]
    readings.append([])
    for (id, record) in records where !changes.removed.contains(id) {
      let old = known.removeValue(forKey: id)
      let folder = folder(of: id, old, changes)
      assets[folder, default: []].append(asset(record, old, isFull: settings.isFull))
      countMove(of: old, to: folder)
    }
    if !changes.isWhole || changes.gaps != RemoteGaps() {
      let keepsAll = !changes.isWhole || changes.gaps.hasUnknownAssets
      for (id, row) in known where !changes.removed.contains(id) {
        guard keepsAll || changes.gaps.ids.contains(id) else { continue }
        isKept[row] = true
        let folder = folder(of: id, row, changes)
        let name = Array(previous.name(of: FileID(row)))
        assets[folder, default: []].append(Asset(name: name, source: .known(row), status: nil))
        countMove(of: row, to: folder)
      }
    }
    report.filesRead = readings[readings.count - 1].count
    for (folder, assets) in assets { append(folder, assets) }
    noteRoot(root, changes)
  }

  /// Returns the rows of the library's files in the previous index, by asset id.
  private func knownAssets(of root: FilePath) -> [String: Int] {
    let path = root.bytes
    var known: [String: Int] = [:]
    for (folder, range) in previousFiles where Self.lies(folder.path, in: path) {
      for row in range {
        let name = previous.name(of: FileID(row))
        guard let end = RemotePhoto.endOfID(in: name) else { continue }
        known[String(decoding: name[..<end], as: UTF8.self)] = row
      }
    }
    return known
  }

  /// Returns the folder of an asset: that of its album, or the library's own.
  private func folder(of id: String, _ old: Int?, _ changes: RemoteChanges) -> [UInt8] {
    let root = changes.library.rootPath.bytes
    let before = old.map { Array(previous.folder(previous.files.folder[$0])) }
    guard let albums = changes.albums else { return before ?? root }
    if let album = albums[id] { return FilePath.join(root, Self.component(album)) }
    // The asset may still be in an album that could not be read.
    let isKept = changes.gaps.albums.contains { FilePath.join(root, Self.component($0)) == before }
    return isKept ? before ?? root : root
  }

  /// Returns a name as a path component of at most 200 bytes, below the limit of file systems.
  private static func component(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in name {
      let part = Array(String(character).utf8)
      guard bytes.count + part.count <= 200 else { break }
      bytes += part.map { $0 == UInt8(ascii: "/") || $0 == 0 ? UInt8(ascii: "_") : $0 }
    }
    let isSpecial = bytes.isEmpty || bytes.allSatisfy { $0 == UInt8(ascii: ".") }
    return isSpecial ? Array("_".utf8) + bytes : bytes
  }

  /// Compares a record with the asset's row in the previous index, counts a new or changed asset,
  /// and returns the file.
  private mutating func asset(_ record: RemoteRecord, _ old: Int?, isFull: Bool) -> Asset {
    let name = Array("\(record.id):".utf8) + Self.component(record.name)
    let status = FileStatus(size: record.size, modified: record.version, inode: 0)
    let outcome: FileOutcome =
      !record.isShown ? .notAPhoto : record.properties.coordinate == nil ? .noPosition : .located
    if let old {
      isKept[old] = true
      // A given position does not come from the server.
      let known =
        previous.givenPosition(of: FileID(old)) == nil
        ? previous.outcomes[previous.files.outcome[old]] : .noPosition
      let isSame =
        previous.name(of: FileID(old)).elementsEqual(name)
        && previous.files.status(of: FileID(old)).isUnchanged(status) && known == outcome
      if isSame, !isFull { return Asset(name: name, source: .known(old), status: status) }
      if !isSame { report.changed += 1 }
    } else if record.isShown {
      report.new += 1
    }
    let thread = readings.count - 1
    readings[thread].append(
      FileReading(index: 0, status: status, outcome: outcome, properties: record.properties))
    return Asset(
      name: name, source: .read(thread: thread, readings[thread].count - 1, older: old),
      status: status)
  }

  /// Counts an asset as moved if its folder, that of its album, differs from the previous one.
  private mutating func countMove(of old: Int?, to folder: [UInt8]) {
    guard let old, !previous.folder(previous.files.folder[old]).elementsEqual(folder) else {
      return
    }
    report.moved += 1
  }

  private mutating func append(_ folder: [UInt8], _ assets: [Asset]) {
    var names: [UInt8] = []
    let files = assets.sorted { $0.name.lexicographicallyPrecedes($1.name) }.map { asset in
      let start = names.count
      names += asset.name
      return PlannedFile(
        name: start..<names.count, claimsToBePhoto: true, source: asset.source,
        status: asset.status)
    }
    append(PlannedFolder(path: folder, files: files, names: names))
  }

  private mutating func noteRoot(_ path: FilePath, _ changes: RemoteChanges) {
    let old = roots.first { $0.path == path }
    roots.removeAll { $0.path == path }
    // With gaps, the next walk asks for the same again.
    let hasGaps = changes.gaps.hasUnknownAssets
    var root = PhotoIndex.Root(
      path: path, fullyRead: changes.isWhole && !hasGaps ? now : old?.fullyRead)
    root.anchor = hasGaps ? old?.anchor : changes.anchor
    roots.append(root)
  }
}
