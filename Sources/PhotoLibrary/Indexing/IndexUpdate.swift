import CivilTime
import PhotoMetadata
import Storage
import SystemPackage

/// A scan on its way from the previous index to the next.
///
/// The steps in order: `walk` each folder, which decides for every file whether what is known of it
/// still holds; `keepOthers`; `detectMovedRoots`; `detectMoves`; `read` the rest; `finish`.
struct IndexUpdate {
  private let previous: PhotoIndex
  private let settings: PhotoIndexer.Settings
  /// Whether files are read in the order of their inodes, which is about that of a disk that turns.
  private let readsByInode: Bool
  private let now: Instant
  private let monitor: ScanMonitor
  private let mounts = MountTable.current()
  private var report = ScanReport()
  private var roots: [PhotoIndex.Root]
  /// When the files under a root that the previous index knows were last all read.
  private var fullyReadBefore: [FilePath: Instant?] = [:]
  /// When the re-reads of roots began that this scan is a part of.
  private var rereads: [FilePath: Instant] = [:]
  /// The folders as they are to be in the next index, by path.
  private var folders: [PlannedFolder] = []
  private var plannedPaths: Set<[UInt8]> = []
  /// The sidecars of which the report tells.
  private var toldSidecars: Set<FilePath> = []
  /// What reading files gave, for each thread that read some.
  private var readings: [[FileReading]] = []
  /// The files of the previous index that are found again; the others are gone.
  private var isKept: [Bool]
  /// For each folder of the previous index its files.
  private let previousFiles: [[UInt8]: Range<Int>]

  private struct PlannedFolder {
    let path: [UInt8]
    var files: [PlannedFile]
    let names: [UInt8]
    /// Whether the folder is a part of this scan, or only kept from the previous index.
    var isScanned = true
  }

  private struct PlannedFile {
    let name: Range<Int>
    let claimsToBePhoto: Bool
    var source: Source
    /// The size and times that were seen in the walk.
    let status: FileStatus?
    /// Zero where it is not to be read.
    var inode: UInt64 = 0
    var sidecars: [Sidecar] = []
    var sidecarStamp: UInt64 = 0
  }

  private enum Source {
    /// What the previous index says of this file.
    case known(Int)
    /// The file has to be read; the previous index may know an older state of it.
    case toRead(older: Int?)
    /// The file was read; the place of what that gave in `readings`.
    case read(thread: Int, Int)
  }

  init(
    previous: PhotoIndex, settings: PhotoIndexer.Settings, readsByInode: Bool, now: Instant,
    monitor: ScanMonitor
  ) {
    precondition(previous.files.hasStatuses, "read for questions only")
    self.previous = previous
    self.settings = settings
    self.readsByInode = readsByInode
    self.now = now
    self.monitor = monitor
    roots = previous.roots
    isKept = Array(repeating: false, count: previous.files.count)
    previousFiles = previous.fileRanges()
  }

  // MARK: - Walking

  mutating func walk(_ folder: FilePath) throws(PhotoIndexerError) {
    let path = folder.bytes
    let covering = roots.firstIndex { folder.starts(with: $0.path) }
    let skipped = mounts.pseudoFileSystems(below: folder)
    let listings = FolderWalk.listings(
      under: path, needsStatus: !previous.files.isEmpty || settings.settleSeconds > 0,
      excludes: settings.excludes, skipped: Set(skipped), jobs: settings.jobs, monitor: monitor)
    report.pseudoFileSystems += skipped.map { FilePath(bytes: $0) }
    report.walked[folder] = listings.map(\.path)
    let knownFolders = previous.folders.map { Array($0) }.filter { Self.lies($0, in: path) }
    if let top = listings.first, top.path == path {
      if let error = top.problem {
        guard covering != nil || roots.contains(where: { $0.path.starts(with: folder) }) else {
          throw .unreadableFolder(folder, error)
        }
        report.staleProblems[folder] = error
        return keepStale(folder, knownFolders)
      }
      // A disk that is not mounted leaves an empty folder behind.
      if top.isEmpty, !settings.isFull, !knownFolders.isEmpty {
        return keepStale(folder, knownFolders)
      }
    }
    let isFull = settings.isFull || covering.map { isOutdated(roots[$0]) } ?? false
    // What an earlier re-read has reached that was not done is not read a third time.
    let isResumed = isFull && covering.map { isResumable(roots[$0], as: folder) } ?? false
    let unreadFolders = plan(listings, isFull: isFull, isResumed: isResumed)
    for known in knownFolders where !plannedPaths.contains(known) {
      // What could not be looked into is not gone.
      let isUnseen = monitor.isCancelled || unreadFolders.contains { Self.lies(known, in: $0) }
      if isUnseen { keepAsItWas(known) }
    }
    noteRoot(folder, covering: covering, isFull: isFull, isResumed: isResumed)
  }

  /// A re-read is only gone on with within a day, in seconds: after that it says little of today.
  private static let rereadLifetime = 86_400.0

  private func isResumable(_ root: PhotoIndex.Root, as folder: FilePath) -> Bool {
    guard root.path == folder, let since = root.rereadSince else { return false }
    return (0...Self.rereadLifetime).contains(now.seconds(since: since))
  }

  /// Whether it is long ago that every file under a root was read.
  private func isOutdated(_ root: PhotoIndex.Root) -> Bool {
    guard let fullyRead = root.fullyRead else { return true }
    return now.seconds(since: fullyRead) > settings.maximumAgeSeconds
  }

  /// Plans what to do with the files of folders; returns the folders that could not be read.
  private mutating func plan(
    _ listings: [FolderListing], isFull: Bool, isResumed: Bool
  ) -> [[UInt8]] {
    var unreadFolders: [[UInt8]] = []
    for listing in listings {
      if let error = listing.problem {
        unreadFolders.append(listing.path)
        report.unreadable += 1
        report.problems.append(
          .init(
            path: FilePath(bytes: listing.path), isUnreadable: true, reason: error.description,
            isNew: true))
        continue
      }
      guard !listing.files.isEmpty else { continue }
      var known = previousFiles[listing.path]?.makeIterator()
      var candidate = known?.next()
      let planned = listing.files.compactMap { file -> PlannedFile? in
        let name = listing.name(of: file)
        while let index = candidate,
          previous.name(of: FileID(index)).lexicographicallyPrecedes(name)
        {
          candidate = known?.next()
        }
        var older: Int?
        if let index = candidate, previous.name(of: FileID(index)).elementsEqual(name) {
          older = index
          isKept[index] = true
        }
        if isUnsettled(file, older: older) {
          report.unsettled += 1
          return older.map {
            PlannedFile(
              name: file.name, claimsToBePhoto: true, source: .known($0), status: nil)
          }
        }
        return PlannedFile(
          name: file.name, claimsToBePhoto: file.claimsToBePhoto,
          source: source(
            of: file, older: older,
            isFull: isFull && !(isResumed && older.map { previous.reread.contains($0) } ?? false)),
          status: file.status,
          inode: file.inode, sidecars: file.sidecars, sidecarStamp: file.sidecarStamp)
      }
      guard !planned.isEmpty else { continue }
      append(PlannedFolder(path: listing.path, files: planned, names: listing.names))
    }
    return unreadFolders
  }

  private func source(of file: FolderListing.File, older: Int?, isFull: Bool) -> Source {
    guard let older, !isFull, let status = file.status else { return .toRead(older: older) }
    // What could not be read may be readable now without having changed.
    if case .unreadable = previous.outcomes[previous.files.outcome[older]] {
      return .toRead(older: older)
    }
    return previous.files.status(of: FileID(older)).isUnchanged(status)
      ? .known(older) : .toRead(older: older)
  }

  /// Whether a file is new or changed, and was written to only now.
  private func isUnsettled(_ file: FolderListing.File, older: Int?) -> Bool {
    guard settings.settleSeconds > 0, let status = file.status else { return false }
    if let older, previous.files.status(of: FileID(older)).isUnchanged(status) { return false }
    let written = Instant(millisecondsSince1970: status.modified / 1_000_000)
    // A file of the future was written by another clock: nothing says that it is being written now.
    return abs(now.seconds(since: written)) < settings.settleSeconds
  }

  private mutating func keepStale(_ folder: FilePath, _ knownFolders: [[UInt8]]) {
    for known in knownFolders { keepAsItWas(known) }
    for index in roots.indices where roots[index].path.starts(with: folder) {
      roots[index].isStale = true
    }
    report.staleRoots.append(folder)
  }

  private mutating func append(_ folder: PlannedFolder) {
    // Where two given folders meet, the first walk has seen it.
    guard plannedPaths.insert(folder.path).inserted else { return }
    folders.append(folder)
  }

  /// Takes over what the previous index says of folders that are no part of this scan.
  mutating func keepOthers(than scanned: [FilePath]) {
    let scannedPaths = scanned.map(\.bytes)
    for folder in previous.folders.lazy.map({ Array($0) }) {
      let isScanned = scannedPaths.contains { Self.lies(folder, in: $0) }
      if !isScanned { keepAsItWas(folder, isScanned: false) }
    }
  }

  /// Takes over what the previous index says of a folder.
  private mutating func keepAsItWas(_ folder: [UInt8], isScanned: Bool = true) {
    guard let range = previousFiles[folder] else { return }
    var names: [UInt8] = []
    let files = range.map { index in
      isKept[index] = true
      let start = names.count
      names.append(contentsOf: previous.name(of: FileID(index)))
      return PlannedFile(
        name: start..<names.count, claimsToBePhoto: true, source: .known(index), status: nil)
    }
    append(PlannedFolder(path: folder, files: files, names: names, isScanned: isScanned))
  }

  private mutating func noteRoot(
    _ folder: FilePath, covering: Int?, isFull: Bool, isResumed: Bool
  ) {
    if let covering, roots[covering].path != folder { return }
    let covered = roots.filter { $0.path.starts(with: folder) }
    roots.removeAll { $0.path.starts(with: folder) }
    let began = covered.first { $0.path == folder }?.rereadSince
    if isFull, !covered.isEmpty { rereads[folder] = isResumed ? began : now }
    var root = PhotoIndex.Root(path: folder, fullyRead: rereads[folder] ?? now)
    if !covered.isEmpty {
      let oldest =
        covered.contains { $0.fullyRead == nil } ? nil : covered.compactMap(\.fullyRead).min()
      fullyReadBefore[folder] = .some(oldest)
      if !isFull { (root.fullyRead, root.rereadSince) = (oldest, began) }
    }
    roots.append(root)
  }

  /// Drops a folder from the next index with all that is known below it, and keeps everything else.
  mutating func forget(_ folders: [FilePath]) {
    roots.removeAll { root in folders.contains { root.path.starts(with: $0) } }
    keepOthers(than: folders)
  }

  /// Whether a folder is another one or lies in it.
  static func lies(_ folder: some RandomAccessCollection<UInt8>, in outer: [UInt8]) -> Bool {
    folder.starts(with: outer)
      && (folder.count == outer.count || outer.last == UInt8(ascii: "/")
        || folder.dropFirst(outer.count).first == UInt8(ascii: "/"))
  }

  // MARK: - Moved roots

  /// Finds roots that are gone, and whose files are under another root now: a renamed folder, or a
  /// disk that is mounted elsewhere. What is left of such a root is gone with it.
  ///
  /// Half of its files must be found, by inode, size and modification time, so that neither a copy
  /// nor a few files that were moved away make a root that is missing for now forgotten.
  mutating func detectMovedRoots() {
    // Where not all was seen, what was not is not gone.
    guard !monitor.isCancelled else { return }
    let gone = roots.filter { root in
      previous.roots.contains { $0.path == root.path } && RootSight.isGone(root.path)
    }
    guard !gone.isEmpty else { return }
    var found: Set<FileStatus> = []
    for folder in folders where folder.isScanned {
      for file in folder.files { if let status = file.status { found.insert(status) } }
    }
    guard !found.isEmpty else { return }
    for root in gone { dropIfMoved(root, found) }
  }

  private mutating func dropIfMoved(_ root: PhotoIndex.Root, _ found: Set<FileStatus>) {
    let path = root.path.bytes
    let known = previousFiles.filter { Self.lies($0.key, in: path) }.flatMap(\.value)
    let foundCount = known.count { found.contains(previous.files.status(of: FileID($0))) }
    guard foundCount > 0, 2 * foundCount >= known.count else { return }
    for file in known { isKept[file] = false }
    folders.removeAll { Self.lies($0.path, in: path) }
    roots.removeAll { $0.path == root.path }
    report.staleRoots.removeAll { $0 == root.path }
    report.movedRoots.append(root.path)
    // Its files are not read now, so the root that they are under is no younger than theirs.
    for index in roots.indices where !settings.isFull {
      guard !previous.roots.contains(where: { $0.path == roots[index].path }) else { continue }
      guard let own = roots[index].fullyRead, let other = root.fullyRead else {
        roots[index].fullyRead = nil
        continue
      }
      roots[index].fullyRead = min(own, other)
    }
  }

  // MARK: - Moves

  /// What tells that a file at a new path is one that was at another.
  private enum Identity: Hashable {
    case inode(FileStatus)
    case name([UInt8], size: Int64, modified: Int64)
  }

  /// Finds files that were at another path before, so that they need not be read again: those with
  /// the same inode, size and modification time, or the same name, size and modification time.
  mutating func detectMoves() {
    var gone: [Identity: Int] = [:]
    for file in previous.files.ids where !isKept[file.row] {
      if case .unreadable = previous.outcomes[previous.files.outcome[file.row]] { continue }
      let status = previous.files.status(of: file)
      gone[.inode(status)] = file.row
      gone[identity(Array(previous.name(of: file)), status)] = file.row
    }
    guard !gone.isEmpty, !settings.isFull else { return }
    for folder in folders.indices {
      for file in folders[folder].files.indices {
        let planned = folders[folder].files[file]
        guard case .toRead(older: nil) = planned.source, let status = planned.status else {
          continue
        }
        let name = Array(folders[folder].names[planned.name])
        let match = gone[.inode(status)] ?? gone[identity(name, status)]
        guard let match, !isKept[match] else { continue }
        isKept[match] = true
        folders[folder].files[file].source = .known(match)
        if previous.outcomes[previous.files.outcome[match]] != .notAPhoto { report.moved += 1 }
      }
    }
  }

  private func identity(_ name: [UInt8], _ status: FileStatus) -> Identity {
    .name(name, size: status.size, modified: status.modified)
  }

  // MARK: - Reading

  /// Reads what has to be read.
  ///
  /// - Parameter save: Takes what is known by then, from time to time: the files that were not
  ///   reached yet are as they were before, so that nothing is lost with it.
  mutating func read(saving save: ((PhotoIndex) -> Void)? = nil) {
    var requests: [FileReading.Request] = []
    var places: [(folder: Int, file: Int)] = []
    for (folderIndex, folder) in folders.enumerated() {
      for (fileIndex, file) in folder.files.enumerated() {
        guard case .toRead = file.source else { continue }
        requests.append(
          FileReading.Request(
            folder: folder.path, name: folder.names[file.name], inode: file.inode,
            claimsToBePhoto: file.claimsToBePhoto, sidecars: file.sidecars,
            sidecarStamp: file.sidecarStamp))
        places.append((folderIndex, fileIndex))
      }
    }
    if readsByInode {
      let order = FileReading.Request.orderByInode(requests)
      requests = order.map { requests[$0] }
      places = order.map { places[$0] }
    }
    monitor.willRead(requests.count)
    let clock = ContinuousClock()
    var interval = settings.checkpointSeconds
    var next = 0
    while next < requests.count, !monitor.isCancelled {
      let part = FileReading.read(
        requests, from: next, until: save.map { _ in clock.now + .seconds(saturating: interval) },
        jobs: settings.jobs, monitor: monitor)
      next = part.next
      take(part.readings, of: places)
      report.bytesRead += part.bytesRead
      guard let save, next < requests.count, !monitor.isCancelled else { continue }
      let cost = clock.measure { save(finish(isPartial: true).index) }
      // A large index takes long to save: that may be an eighth of the time at most.
      if interval > 0 { interval = max(settings.checkpointSeconds, 8 * (cost / .seconds(1))) }
    }
  }

  private mutating func take(_ new: [[FileReading]], of places: [(folder: Int, file: Int)]) {
    for own in new {
      let thread = readings.count
      readings.append(own)
      report.filesRead += own.count
      for (index, reading) in own.enumerated() {
        let place = places[reading.index]
        if case .toRead(let older) = folders[place.folder].files[place.file].source {
          if keepsPosition(of: older, reading) { continue }
          count(reading, older: older)
        }
        note(reading.sidecarProblems)
        folders[place.folder].files[place.file].source = .read(thread: thread, index)
      }
    }
  }

  /// Takes sidecars into the report with which something is wrong; one may speak for several
  /// photos.
  private mutating func note(_ problems: [Sidecar.Problem]) {
    for problem in problems where toldSidecars.insert(problem.path).inserted {
      if problem.isUnreadable { report.unreadable += 1 }
      report.problems.append(
        ScanReport.Problem(
          path: problem.path, isUnreadable: problem.isUnreadable, reason: problem.reason,
          isNew: true))
    }
  }

  /// Whether a photo with a known position cannot be read now: then it stays as it was, and is told
  /// of.
  private mutating func keepsPosition(of older: Int?, _ reading: FileReading) -> Bool {
    guard case .unreadable = reading.outcome, let older, previous.files.photo[older] != nil else {
      return false
    }
    report.unreadable += 1
    report.note(reading.outcome, of: previous.path(of: FileID(older)))
    return true
  }

  private mutating func count(_ reading: FileReading, older: Int?) {
    guard let older else {
      if reading.outcome != .notAPhoto { report.new += 1 }
      return
    }
    if case .unreadable = reading.outcome { return }
    if !previous.files.status(of: FileID(older)).isUnchanged(reading.status) { report.changed += 1 }
  }

  // MARK: - The next index

  /// Makes the next index of what is known by now; a part of it where files are still to be read.
  func finish(isPartial: Bool = false) -> (index: PhotoIndex, report: ScanReport) {
    var report = report
    var index = PhotoIndex()
    index.roots = finishedRoots(isPartial: isPartial || monitor.isCancelled)
    index.updated = now
    let reread = index.roots.filter { $0.rereadSince != nil }.map(\.path.bytes)
    for folder in folders.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      index.folders.append(folder.path)
      let isReread = reread.contains { Self.lies(folder.path, in: $0) }
      for file in folder.files {
        if isReread, wasReread(file) { index.reread.append(Int32(index.files.count)) }
        add(file, of: folder, to: &index, &report)
      }
    }
    if report.filesRead == 0, index.hasFiles(of: previous),
      index.staleRoots == previous.staleRoots
    {
      index.takeShots(of: previous)
    } else {
      index.findShots()
    }
    report.removed = zip(previous.files.outcome, isKept).count { outcome, isKept in
      !isKept && previous.outcomes[outcome] != .notAPhoto
    }
    report.wasCancelled = monitor.isCancelled
    report.problems.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    return (index, report)
  }

  /// Whether a file was read by this scan, or by the re-read that it goes on with.
  private func wasReread(_ file: PlannedFile) -> Bool {
    switch file.source {
    case .read: true
    case .known(let known): previous.reread.contains(known)
    case .toRead: false
    }
  }

  private func finishedRoots(isPartial: Bool) -> [PhotoIndex.Root] {
    var roots = roots.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    guard isPartial else { return roots }
    // What was not reached of a known folder is still to be read again; of a new one it is new next
    // time.
    for index in roots.indices {
      if let before = fullyReadBefore[roots[index].path] { roots[index].fullyRead = before }
      if let since = rereads[roots[index].path] { roots[index].rereadSince = since }
    }
    return roots
  }

  private func add(
    _ file: PlannedFile, of folder: PlannedFolder, to index: inout PhotoIndex,
    _ report: inout ScanReport
  ) {
    let name = folder.names[file.name]
    switch file.source {
    case .read(let thread, let place):
      let reading = readings[thread][place]
      report.count(reading.outcome)
      report.note(reading.outcome, of: FilePath(bytes: FilePath.join(folder.path, name)))
      let photo = reading.properties.flatMap { index.photo(of: $0) }
      index.appendFile(
        name: name, status: reading.status, outcome: reading.outcome, photo: photo)
    case .known(let known), .toRead(older: .some(let known)):
      let old = previous.files[FileID(known)]
      // The same file may have another inode now, moved from another disk or restored.
      var status = previous.files.status(of: FileID(known))
      if case .known = file.source { status = file.status ?? status }
      let outcome = previous.outcomes[old.outcome]
      if folder.isScanned {
        report.count(outcome)
        report.note(
          outcome, of: FilePath(bytes: FilePath.join(folder.path, name)), isNew: false)
      }
      let photo = old.photo.map { id in
        var photo = previous.photos[id]
        photo.camera = photo.camera.map { index.cameras.index(of: previous.cameras[$0]) }
        photo.focalLength = photo.focalLength.map {
          index.focalLengths.index(of: previous.focalLengths[$0])
        }
        return photo
      }
      index.appendFile(name: name, status: status, outcome: outcome, photo: photo)
    case .toRead(older: nil):
      // Not reached before the scan was ended.
      break
    }
  }
}

extension PhotoIndex {
  /// For each folder the places of its files.
  fileprivate func fileRanges() -> [[UInt8]: Range<Int>] {
    var ranges: [[UInt8]: Range<Int>] = [:]
    var start = 0
    while start < files.count {
      let folder = files.folder[start]
      var end = start + 1
      while end < files.count, files.folder[end] == folder { end += 1 }
      ranges[Array(self.folder(folder))] = start..<end
      start = end
    }
    return ranges
  }

  /// The row of a photo with these properties; `nil` where they hold no position.
  fileprivate mutating func photo(of properties: PhotoProperties) -> PhotoTable.Photo? {
    guard let coordinate = properties.coordinate, let source = properties.positionSource else {
      return nil
    }
    let camera = Camera(make: properties.make, model: properties.model)
    return PhotoTable.Photo(
      file: FileID(0), coordinate: coordinate, captured: properties.captured,
      altitudeMeters: properties.altitudeMeters,
      horizontalAccuracyMeters: properties.horizontalAccuracyMeters, heading: properties.heading,
      camera: camera.map { cameras.index(of: $0) }, rating: properties.rating.map { Int8($0) },
      isFavorite: properties.isFavorite, positionSource: source,
      focalLength: properties.focalLength.map { focalLengths.index(of: $0) })
  }
}
