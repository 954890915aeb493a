import CivilTime
import Encodings
import PhotoMetadata
import Storage
import SystemPackage

extension IndexUpdate {
  /// Walks folder trees, of which none is inside another, and copies everything else.
  ///
  /// - Throws: `PhotoIndexerError` if a folder cannot be read and is new to the index.
  mutating func walk(_ folders: [FilePath]) throws(PhotoIndexerError) {
    for folder in folders {
      options.apply(settings.options, to: folder)
      try walk(folder)
    }
    keepOthers(than: folders)
    detectMovedRoots()
  }

  /// Returns the patterns of names that a scan of a folder skips.
  func patterns(under folder: FilePath) -> ExcludePatterns {
    ExcludePatterns(settings.excludes, root: folder.bytes, options: options)
  }

  /// Lists the folders of a tree and decides for each file whether it has to be read.
  ///
  /// - Throws: `PhotoIndexerError` if the folder cannot be read and is new to the index.
  private mutating func walk(_ folder: FilePath) throws(PhotoIndexerError) {
    let path = folder.bytes
    let covering = roots.firstIndex { folder.starts(with: $0.path) }
    let listings = listings(under: folder)
    let knownFolders = previous.folders.map { Array($0) }.filter { Self.lies($0, in: path) }
    if let top = listings.first, top.path == path,
      try isStale(folder, top, isKnown: !knownFolders.isEmpty)
    {
      return keepStale(folder, knownFolders)
    }
    noteVolumes(of: listings, under: path)
    let isFull = settings.isFull || covering.map { isOutdated(roots[$0]) } ?? false
    // Files already read by an interrupted re-read are not read again.
    let isResumed = isFull && covering.map { isResumable(roots[$0], as: folder) } ?? false
    let unreadFolders = plan(listings, isFull: isFull, isResumed: isResumed)
    for known in knownFolders where !plannedPaths.contains(FolderKey(known)) {
      // A folder that could not be listed may still exist.
      let isUnseen = monitor.isCancelled || unreadFolders.contains { Self.lies(known, in: $0) }
      if isUnseen { keepAsItWas(known) }
    }
    noteRoot(folder, covering: covering, isFull: isFull, isResumed: isResumed)
    noteUnread(unreadFolders, under: path)
  }

  private mutating func listings(under folder: FilePath) -> [FolderListing] {
    let skipped = mounts.pseudoFileSystems(below: folder)
    let patterns = patterns(under: folder)
    let listings = FolderWalk.listings(
      under: folder.bytes, needsStatus: !previous.files.isEmpty || settings.settleSeconds > 0,
      excludes: patterns, skipped: Set(skipped), jobs: settings.jobs, monitor: monitor)
    report.pseudoFileSystems += skipped.map { FilePath(bytes: $0) }
    report.walked[folder] = ScanReport.Walked(folders: listings.map(\.path), patterns: patterns)
    return listings
  }

  /// Returns whether a folder that should contain photos is missing or empty; throws if the index
  /// has nothing of the folder.
  private mutating func isStale(
    _ folder: FilePath, _ top: FolderListing, isKnown: Bool
  ) throws(PhotoIndexerError) -> Bool {
    if let error = top.problem {
      guard isKnown || roots.contains(where: { $0.lies(in: folder) }) else {
        throw .unreadableFolder(folder, error)
      }
      report.staleProblems[folder] = error
      return true
    }
    // An unmounted disk leaves an empty folder behind, which is on another file system.
    guard top.isEmpty, isKnown else { return false }
    guard settings.isFull else { return true }
    guard isOnOtherDevice(top) else { return false }
    let known = previousFiles.lazy.filter { Self.lies($0.key.path, in: top.path) }
      .reduce(0) { $0 + $1.value.count }
    report.heldBack[folder] = .init(missing: known, known: known, isOtherDevice: true)
    return true
  }

  /// Returns whether a folder is known to have been on another file system.
  private func isOnOtherDevice(_ top: FolderListing) -> Bool {
    let known = previous.roots.lazy.flatMap(\.volumes).first { $0.path == top.path }
    guard let known, let device = top.device else { return false }
    return known.device != device
  }

  /// The age in seconds up to which an interrupted re-read is continued. Results of an older one
  /// may be outdated.
  private static let rereadLifetime = 86_400.0

  /// Returns whether a scan of a folder continues an interrupted re-read of a root.
  private func isResumable(_ root: PhotoIndex.Root, as folder: FilePath) -> Bool {
    guard root.path == folder, let since = root.rereadSince else { return false }
    return (0...Self.rereadLifetime).contains(now.seconds(since: since))
  }

  /// Returns whether the last full reading of a root is older than the setting allows.
  private func isOutdated(_ root: PhotoIndex.Root) -> Bool {
    guard let fullyRead = root.fullyRead else { return true }
    return now.seconds(since: fullyRead) > settings.maximumAgeSeconds
  }

  /// Plans what to do with the files of folders, and returns the folders that could not be read.
  private mutating func plan(
    _ listings: [FolderListing], isFull: Bool, isResumed: Bool
  ) -> [[UInt8]] {
    var unreadFolders: [[UInt8]] = []
    for listing in listings {
      if let error = listing.problem {
        unreadFolders.append(listing.path)
        noteUnreadable(listing.path, error)
        continue
      }
      report.entries.add(listing.entries)
      report.unowned += listing.unowned.map { FilePath(bytes: FilePath.join(listing.path, $0)) }
      for failure in listing.failures {
        // The entry may be a folder, whose photos are kept then.
        let path = FilePath.join(listing.path, failure.name)
        unreadFolders.append(path)
        noteUnreadable(path, failure.error)
      }
      noteLinks(of: listing)
      let planned = plannedFiles(of: listing, isFull: isFull, isResumed: isResumed)
      guard !planned.isEmpty else { continue }
      append(PlannedFolder(path: listing.path, files: planned, names: listing.names))
    }
    return unreadFolders
  }

  /// Counts the symbolic links of a folder, and notes those in the place of a known folder or file.
  private mutating func noteLinks(of listing: FolderListing) {
    guard !listing.links.isEmpty else { return }
    report.linkCount += listing.links.count
    let rows = previousFiles[FolderKey(listing.path)] ?? 0..<0
    let files = Set(rows.map { Array(previous.name(of: FileID($0))) })
    for name in listing.links {
      let path = FilePath.join(listing.path, name)
      guard files.contains(name) || knownFolders.contains(FolderKey(path)) else { continue }
      report.replacedByLinks.append(FilePath(bytes: path))
    }
  }

  private mutating func noteUnreadable(_ path: [UInt8], _ error: Errno) {
    report.furtherUnreadable += 1
    report.problems.append(
      .init(
        path: FilePath(bytes: path), isUnreadable: true, reason: error.description, isNew: true))
  }

  /// Plans what to do with the files of a folder. They are sorted in the same order as its files in
  /// the previous index.
  private mutating func plannedFiles(
    of listing: FolderListing, isFull: Bool, isResumed: Bool
  ) -> [PlannedFile] {
    var known = (previousFiles[FolderKey(listing.path)] ?? 0..<0)[...]
    var planned: [PlannedFile] = []
    // Growing the array would copy large elements.
    planned.reserveCapacity(listing.files.count)
    for file in listing.files {
      let name = listing.name(of: file)
      known = known.drop { previous.name(of: FileID($0)).lexicographicallyPrecedes(name) }
      let older = known.first.flatMap {
        previous.name(of: FileID($0)).elementsEqual(name) ? $0 : nil
      }
      if let older { isKept[older] = true }
      let wasReread = isResumed && older.map { previous.reread.contains($0) } ?? false
      if let file = plannedFile(file, named: name, older: older, isFull: isFull && !wasReread) {
        planned.append(file)
      }
    }
    return planned
  }

  /// Plans what to do with a file; returns `nil` for a new file that is not read yet.
  ///
  /// - Parameters: Those of ``source(of:named:older:isFull:)``.
  private mutating func plannedFile(
    _ file: FolderListing.File, named name: ArraySlice<UInt8>, older: Int?, isFull: Bool
  ) -> PlannedFile? {
    if file.isUncertain, let older {
      return PlannedFile(
        name: file.name, claimsToBePhoto: true, source: .known(older), status: nil)
    }
    // Its properties cannot be read, and it is not known yet.
    if file.isUncertain, file.sidecars.isEmpty { return nil }
    if isUnsettled(file, older: older) {
      report.unsettled += 1
      return older.map {
        PlannedFile(name: file.name, claimsToBePhoto: true, source: .known($0), status: nil)
      }
    }
    return PlannedFile(
      name: file.name, claimsToBePhoto: file.claimsToBePhoto,
      source: source(of: file, named: name, older: older, isFull: isFull),
      status: file.status, inode: file.inode, sidecars: file.sidecars,
      sidecarStamp: file.sidecarStamp, sidecarChanges: file.sidecarChanges)
  }

  /// Returns whether a file has to be read or its recorded metadata is still valid.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: Its name.
  ///   - older: The file's row in the previous index; `nil` for a new file.
  ///   - isFull: Whether every file is read again.
  /// - Returns: The source of the file's metadata.
  func source(
    of file: FolderListing.File, named name: ArraySlice<UInt8>, older: Int?, isFull: Bool
  ) -> Source {
    guard let older, !isFull, let status = file.status else { return .toRead(older: older) }
    // A file that could not be read may be readable now without having changed.
    if case .unreadable = previous.outcomes[previous.files.outcome[older]] {
      return .toRead(older: older)
    }
    if settings.readsUnlocated, previous.lacksFacts(of: FileID(older)) {
      return .toRead(older: older)
    }
    let known = previous.files.status(of: FileID(older))
    if known.content == 0, previous.isRecognisedByContent(FileID(older)) {
      return .toRead(older: older)
    }
    guard known.isUnchanged(status), !hasOtherDateOfName(FileID(older), name) else {
      return .toRead(older: older)
    }
    return .known(older)
  }

  /// Returns whether a photo that has no date but that of its name has another one by its present
  /// name: it was renamed, the setting was changed, or an earlier version of the program read it.
  func hasOtherDateOfName(_ file: FileID, _ name: ArraySlice<UInt8>) -> Bool {
    guard let known = previous.dateOutsideMetadata(of: file) else { return false }
    let date = settings.datesFromNames ? NameDate.captureTime(inName: name, now: now) : nil
    return known.captured != date
  }

  /// Returns whether a file is new or changed, and was modified within the settle time.
  private func isUnsettled(_ file: FolderListing.File, older: Int?) -> Bool {
    guard settings.settleSeconds > 0, let status = file.status else { return false }
    if let older, previous.files.status(of: FileID(older)).isUnchanged(status) { return false }
    let written = Instant(millisecondsSince1970: status.modified / 1_000_000)
    // A time in the future comes from another clock and does not show that the file is being
    // written.
    return abs(now.seconds(since: written)) < settings.settleSeconds
  }

  /// Makes a scanned folder a root in place of the roots inside it, unless it is inside a root.
  private mutating func noteRoot(
    _ folder: FilePath, covering: Int?, isFull: Bool, isResumed: Bool
  ) {
    if let covering, roots[covering].path != folder { return }
    let covered = roots.filter { $0.lies(in: folder) }
    roots.removeAll { $0.lies(in: folder) }
    let began = covered.first { $0.path == folder }?.rereadSince
    if isFull, !covered.isEmpty { rereads[folder] = isResumed ? began : now }
    var root = PhotoIndex.Root(path: folder, fullyRead: rereads[folder] ?? now)
    root.volumes = covered.flatMap(\.volumes)
    root.unread = covered.flatMap(\.unread)
    if !covered.isEmpty {
      let oldest =
        covered.contains { $0.fullyRead == nil } ? nil : covered.compactMap(\.fullyRead).min()
      fullyReadBefore[folder] = .some(oldest)
      if !isFull { (root.fullyRead, root.rereadSince) = (oldest, began) }
    }
    roots.append(root)
  }

  /// Records in the root of a scanned folder what could not be read inside it.
  private mutating func noteUnread(_ unread: [[UInt8]], under folder: [UInt8]) {
    // After an incomplete walk, more may be unreadable.
    guard !monitor.isCancelled else { return }
    for index in roots.indices where Self.lies(folder, in: roots[index].path.bytes) {
      let others = roots[index].unread.filter { !Self.lies($0.bytes, in: folder) }
      let all = (others + unread.map { FilePath(bytes: $0) })
        .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      roots[index].unread = Array(all.prefix(PhotoIndex.Root.maximumUnreadCount))
    }
  }
}
