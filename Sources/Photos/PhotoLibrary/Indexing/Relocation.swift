package import CivilTime
import PhotoMetadata
import Storage
package import SystemPackage

/// A comparison of the files of a folder in the index with those of the folder to which the library
/// was moved or restored.
package struct Relocation {
  /// The folder in the index.
  package let old: FilePath
  /// The folder where its files are now.
  package let new: FilePath
  /// The number of known photos.
  package fileprivate(set) var knownCount = 0
  /// The number of them with a file of the same size at the same relative path.
  package fileprivate(set) var foundCount = 0
  /// The number of these whose contents were compared.
  package fileprivate(set) var comparedCount = 0
  /// The files that hold another photo.
  package fileprivate(set) var differing: [FilePath] = []
  /// The files at the new place, by path.
  fileprivate var seen: [[UInt8]: FileStatus] = [:]

  /// Whether the new folder holds the library: at least half of the photos are there, and of those
  /// compared at most a quarter differ, which may have been edited.
  package var isConvincing: Bool {
    foundCount > 0 && 2 * foundCount >= knownCount
      && comparedCount > 0 && 4 * differing.count <= comparedCount
  }

  /// Returns a path that is the old folder, or is in it, at the new place; `nil` for other paths.
  package func moved(_ path: FilePath) -> FilePath? {
    moved(path.bytes).map { FilePath(bytes: $0) }
  }

  fileprivate func moved(_ path: some RandomAccessCollection<UInt8>) -> [UInt8]? {
    guard IndexUpdate.lies(path, in: old.bytes) else { return nil }
    return new.bytes + path.dropFirst(old.bytes.count)
  }

  /// The relocation that takes this one back, without looking at the folders.
  package static func takingBack(_ old: FilePath, _ new: FilePath) -> Relocation {
    Relocation(old: new, new: old)
  }
}

extension PhotoIndexer {
  /// The number of files whose contents are compared.
  private static let sampleSize = 32

  /// Compares the files of a folder in an index with those of another folder on the disk.
  ///
  /// - Parameters:
  ///   - old: The folder in the index. It need not exist any more.
  ///   - new: The folder on the disk.
  ///   - index: The index, which must not have been read for questions only.
  /// - Returns: The comparison.
  /// - Throws: `PhotoIndexerError` if the new folder cannot be read.
  package func compare(
    _ old: FilePath, with new: FilePath, in index: PhotoIndex
  ) throws(PhotoIndexerError) -> Relocation {
    var relocation = Relocation(old: old, new: new)
    var options = index.options
    options.move(from: old, to: new)
    let monitor = ScanMonitor()
    let listings = FolderWalk.listings(
      under: new.bytes, needsStatus: true,
      excludes: ExcludePatterns([], root: new.bytes, options: options),
      skipped: Set(MountTable.current().pseudoFileSystems(below: new)), jobs: settings.jobs,
      monitor: monitor)
    if let error = listings.first?.problem { throw .unreadableFolder(new, error) }
    var places: [[UInt8]: (listing: Int, file: Int)] = [:]
    for (number, listing) in listings.enumerated() {
      for (place, file) in listing.files.enumerated() {
        let path = FilePath.join(listing.path, listing.name(of: file))
        relocation.seen[path] = file.status
        places[path] = (number, place)
      }
    }
    var found: [(row: FileID, request: FileReading.Request)] = []
    for row in index.files.ids where index.outcomes[index.files.outcome[row.row]] != .notAPhoto {
      guard let path = relocation.moved(index.pathBytes(of: row)) else { continue }
      relocation.knownCount += 1
      guard let status = relocation.seen[path], status.size == index.files.size[row.row],
        let place = places[path]
      else { continue }
      let listing = listings[place.listing]
      let file = listing.files[place.file]
      found.append(
        (
          row,
          FileReading.Request(
            folder: listing.path, name: listing.name(of: file), inode: file.inode,
            claimsToBePhoto: file.claimsToBePhoto, sidecars: file.sidecars,
            sidecarStamp: file.sidecarStamp, sidecarChanges: file.sidecarChanges,
            needsContent: index.files.content[row.row] != 0)
        ))
    }
    relocation.foundCount = found.count
    let step = max(1, found.count / Self.sampleSize)
    let sample = stride(from: 0, to: found.count, by: step).map { found[$0] }
    let readings = FileReading.read(
      sample.map(\.request), from: 0, until: nil, jobs: settings.jobs, monitor: monitor)
    for reading in readings.readings.joined() {
      let (row, request) = sample[reading.index]
      let path = FilePath(bytes: FilePath.join(request.folder, request.name))
      guard let isSame = index.isSame(row, as: reading, at: LibraryFile(path, in: [new]))
      else { continue }
      relocation.comparedCount += 1
      if !isSame { relocation.differing.append(path) }
    }
    relocation.differing.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    return relocation
  }

  /// Moves the entries of a folder, and the options kept with it, to another path, without
  /// accessing the disk.
  ///
  /// Where both paths have an entry, that of the new path stays, unless only the other has a given
  /// position. Files that are known from the comparison to be unchanged are not read again by the
  /// next scan.
  ///
  /// - Parameters:
  ///   - relocation: The comparison.
  ///   - previous: The index so far, which must not have been read for questions only.
  ///   - now: The time.
  /// - Returns: The new index.
  package func relocate(
    _ relocation: Relocation, in previous: PhotoIndex, now: Instant
  ) -> PhotoIndex {
    var update = IndexUpdate(
      previous: previous, settings: settings, readsByInode: false, now: now,
      monitor: ScanMonitor())
    update.relocate(relocation)
    return update.finish().index
  }
}

extension PhotoIndex {
  /// Returns whether a file that was just read holds the photo of a row; `nil` if nothing shows it.
  ///
  /// The evidence is, in this order: the hash of the content, the content of the old file if it is
  /// still there, the capture time and the position, and the modification time.
  fileprivate func isSame(_ row: FileID, as reading: FileReading, at file: LibraryFile) -> Bool? {
    let known = files.status(of: row)
    if known.content != 0, reading.status.content != 0 {
      return known.content == reading.status.content
    }
    let before = ContentHash.of(libraryFile(path(of: row)))
    if before != 0 { return before == ContentHash.of(file) }
    let photo = files.photo[row.row]
    let captured =
      (photo.flatMap { photos.captured(of: $0) }
      ?? unlocated.row(of: row).flatMap { unlocated[$0].captured })?.exact
    let own = photo.flatMap { photos.source[$0.row].isGiven ? nil : photos.coordinate(of: $0) }
    if captured != nil || own != nil {
      let now = reading.properties
      return captured?.instant == now?.captured?.exact?.instant && own == now?.coordinate
    }
    return known.modified == reading.status.modified ? true : nil
  }

  /// A folder of the index that holds the files of another one.
  package struct Counterpart: Hashable, Sendable {
    /// The folder whose files are away.
    package let old: FilePath
    /// The folder that holds them.
    package let new: FilePath
    /// The number of files with the same relative path and size.
    package let foundCount: Int
    /// The number of files of the old folder.
    package let knownCount: Int
  }

  /// Returns the folder that holds at least half of the files of another one, of which none is in
  /// its place any more: a library that was moved or restored elsewhere.
  ///
  /// Files are the same by relative path and size. A copy need not have kept their modification
  /// times; where most of them differ, ``counterpartSizes`` different sizes are needed too, because
  /// cameras repeat names, and some write each photo in the same size.
  ///
  /// - Parameters:
  ///   - old: The folder.
  ///   - roots: The roots in which its files may be.
  /// - Returns: The folder with most of the files; `nil` if there is none.
  /// - Complexity: O(*n*) for *n* files.
  package func counterpart(of old: FilePath, in roots: [FilePath]) -> Counterpart? {
    struct Key: Hashable {
      let name: [UInt8]
      let size: Int64
    }
    struct Agreement {
      var count = 0
      var sameTimeCount = 0
      var sizes: Set<Int64> = []
    }
    let path = old.bytes
    let isOld = folders.map { IndexUpdate.lies($0, in: path) }
    let known = files.ids.filter { isOld[files.folder[$0.row].row] }
    guard !known.isEmpty, !old.isRemote, !isInPlace(known) else { return nil }
    func key(_ file: FileID) -> Key {
      Key(name: Array(name(of: file)), size: files.size[file.row])
    }
    var below: [Key: [(folder: ArraySlice<UInt8>, modified: Int64)]] = [:]
    for file in known {
      let folder = folder(files.folder[file.row]).dropFirst(path.count)
      below[key(file), default: []].append((folder, files.modified[file.row]))
    }
    let inRoots = roots.map(\.bytes)
    let isNew = folders.map { folder in
      !IndexUpdate.lies(folder, in: path) && inRoots.contains { IndexUpdate.lies(folder, in: $0) }
    }
    var agreements: [[UInt8]: Agreement] = [:]
    for file in files.ids where isNew[files.folder[file.row].row] {
      let key = key(file)
      guard let relative = below[key] else { continue }
      let folder = folder(files.folder[file.row])
      for (below, modified) in relative
      where folder.count > below.count && folder.suffix(below.count) == below {
        let new = Array(folder.dropLast(below.count))
        agreements[new, default: Agreement()].count += 1
        agreements[new, default: Agreement()].sizes.insert(key.size)
        if modified == files.modified[file.row] {
          agreements[new, default: Agreement()].sameTimeCount += 1
        }
      }
    }
    let convincing = agreements.filter { _, found in
      2 * found.count >= known.count && found.count <= known.count
        && (2 * found.sameTimeCount >= known.count || found.sizes.count >= Self.counterpartSizes)
    }
    let best = convincing.max { first, second in
      (first.value.count, first.value.sameTimeCount, second.key.count)
        < (second.value.count, second.value.sameTimeCount, first.key.count)
    }
    guard let best else { return nil }
    return Counterpart(
      old: old, new: FilePath(bytes: best.key), foundCount: best.value.count,
      knownCount: known.count)
  }

  /// The number of different sizes that agree, from which files with other modification times are
  /// taken for those of a folder that is away.
  private static let counterpartSizes = 4

  /// Returns whether one of some files is still in its place, of which up to 16 are looked at.
  private func isInPlace(_ known: [FileID]) -> Bool {
    stride(from: 0, to: known.count, by: max(1, known.count / 16)).contains {
      Disk.exists(path(of: known[$0]))
    }
  }

  /// Returns the name on the page of the photo in a file, or of the photo that stands for its shot;
  /// `nil` if there is none.
  package func photoName(ofFileAt path: FilePath) -> String? {
    guard let file = file(at: path), let lead = files(ofShotOf: file).first,
      let photo = files.photo[lead.row]
    else { return nil }
    return PhotoNames.name(of: photo.number, self)
  }
}

extension IndexUpdate {
  /// Moves the entries, the roots and the options of a folder to another path.
  fileprivate mutating func relocate(_ relocation: Relocation) {
    var entries: [[UInt8]: [[UInt8]: Source]] = [:]
    var statuses: [[UInt8]: FileStatus] = [:]
    for (key, rows) in previousFiles {
      let folder = key.path
      let target = relocation.moved(folder)
      for row in rows {
        isKept[row] = true
        let name = Array(previous.name(of: FileID(row)))
        if let target {
          let path = FilePath.join(target, name)
          let other = previousFiles[FolderKey(target)]?.first {
            previous.name(of: FileID($0)).elementsEqual(name)
          }
          if let other, !prevails(row, over: other) { continue }
          statuses[path] = unchangedStatus(row, relocation.seen[path])
          entries[target, default: [:]][name] = .known(row)
        } else if entries[folder]?[name] == nil {
          entries[folder, default: [:]][name] = .known(row)
        }
      }
    }
    for (path, sources) in entries {
      var names: [UInt8] = []
      let files = sources.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { name, source in
        let start = names.count
        names += name
        return PlannedFile(
          name: start..<names.count, claimsToBePhoto: true, source: source,
          status: statuses[FilePath.join(path, name)])
      }
      append(PlannedFolder(path: path, files: files, names: names, isScanned: false))
    }
    relocateRoots(relocation)
    relocateOptions(relocation)
  }

  /// Returns whether the entry of the old path is kept instead of that of the new one: it has a
  /// given position, and the other has none of its own.
  private func prevails(_ row: Int, over other: Int) -> Bool {
    guard previous.givenPosition(of: FileID(row)) != nil else { return false }
    return previous.files.photo[other] == nil
  }

  /// Returns the status of a file at its new path, if the file and its sidecars are unchanged.
  private func unchangedStatus(_ row: Int, _ seen: FileStatus?) -> FileStatus? {
    guard let seen, previous.files.status(of: FileID(row)).hasSameTimes(as: seen) else {
      return nil
    }
    return seen
  }

  private mutating func relocateRoots(_ relocation: Relocation) {
    var all: [PhotoIndex.Root] = []
    func add(_ root: PhotoIndex.Root) {
      if let place = all.firstIndex(where: { root.lies(in: $0.path) }) {
        all[place].fullyRead = Self.earlier(all[place].fullyRead, root.fullyRead)
        return
      }
      var root = root
      for inner in all where inner.lies(in: root.path) {
        root.fullyRead = Self.earlier(root.fullyRead, inner.fullyRead)
      }
      all.removeAll { $0.lies(in: root.path) }
      all.append(root)
    }
    for root in roots where relocation.moved(root.path) == nil { add(root) }
    for root in roots {
      var moved = root
      if let path = relocation.moved(root.path) {
        moved.path = path
      } else if relocation.old.starts(with: root.path) {
        moved.path = relocation.new
      } else {
        continue
      }
      (moved.isStale, moved.rereadSince, moved.volumes, moved.unread) = (false, nil, [], [])
      add(moved)
    }
    roots = all
  }

  private static func earlier(_ first: Instant?, _ second: Instant?) -> Instant? {
    guard let first, let second else { return nil }
    return min(first, second)
  }

  private mutating func relocateOptions(_ relocation: Relocation) {
    options.move(from: relocation.old, to: relocation.new)
    for (path, own) in options {
      options[path]?.tracks = own.tracks.map { tracks in
        TrackRoot(relocation.moved(tracks.path) ?? tracks.path, name: tracks.name)
      }
    }
  }
}
