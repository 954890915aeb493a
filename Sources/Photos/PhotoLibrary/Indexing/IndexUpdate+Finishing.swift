import Encodings
import PhotoMetadata
import Storage
import SystemPackage

extension IndexUpdate {
  /// Assembles the next index from the results so far, and completes the report.
  ///
  /// - Parameter isPartial: Whether files are still to be read. They are added as they were in the
  ///   previous index, or omitted if they are new.
  /// - Returns: The index and the report.
  func finish(isPartial: Bool = false) -> (index: PhotoIndex, report: ScanReport) {
    var report = report
    var index = PhotoIndex()
    index.roots = finishedRoots(isPartial: isPartial || monitor.isCancelled)
    index.setOptions(options)
    index.updated = now
    let reread = index.roots.filter { $0.rereadSince != nil }.map(\.path.bytes)
    for folder in folders.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
      index.folders.append(folder.path)
      let isReread = reread.contains { Self.lies(folder.path, in: $0) }
      for file in folder.files {
        if isReread, wasReread(file) { index.reread.append(Int32(index.files.count)) }
        if file.isMoved, let older = samePhoto(as: file) {
          report.moves.append(FileMove(before: older, after: FileID(index.files.count)))
        }
        add(file, of: folder, to: &index, &report)
      }
    }
    if report.filesRead == 0, index.hasFiles(of: previous),
      index.staleRoots == previous.staleRoots
    {
      index.takeShots(of: previous)
    } else {
      index.findShots()
      if !isPartial { index.compareContents(orUntil: { monitor.isCancelled }) }
    }
    report.removed = zip(previous.files.outcome, isKept).count { outcome, isKept in
      !isKept && previous.outcomes[outcome] != .notAPhoto
    }
    if !isPartial { report.lostPositions = lostPositions }
    report.wasCancelled = monitor.isCancelled
    report.problems.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    return (index, report)
  }

  /// The photos of the previous index that are gone and had an imported position.
  private var lostPositions: [FilePath] {
    previous.photos.ids.compactMap { photo in
      let file = previous.photos.file[photo.row]
      guard previous.photos.source[photo.row] == .imported, !isKept[file.row] else { return nil }
      return previous.path(of: file)
    }
  }

  /// Returns whether a file was read by this scan or by the interrupted re-read that it continues.
  func wasReread(_ file: PlannedFile) -> Bool {
    switch file.source {
    case .read: true
    case .known(let known): previous.reread.contains(known)
    case .toRead: false
    }
  }

  /// Returns the roots of the next index, sorted by path.
  private func finishedRoots(isPartial: Bool) -> [PhotoIndex.Root] {
    var roots = roots.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    guard isPartial else { return roots }
    // Files of known roots that were not reached are read by the next scan, so the times before
    // this scan still apply. In a new root, such files will be new files.
    for index in roots.indices {
      if let before = fullyReadBefore[roots[index].path] { roots[index].fullyRead = before }
      if let since = rereads[roots[index].path] { roots[index].rereadSince = since }
    }
    return roots
  }

  /// Returns whether a file that was read again still contains the same photo: it is the same
  /// unchanged file, or the photo has the same capture time, or, without a time, the same content.
  /// An editor changes the file but not the time; another photo has another time.
  private func holdsSamePhoto(
    as older: FileID, _ captured: CaptureTime?, _ status: FileStatus
  ) -> Bool {
    guard let photo = previous.files.photo[older.row] else { return false }
    let before = previous.files.status(of: older)
    if before.identity == status.identity, before.isUnchanged(status) { return true }
    let known = previous.photos.captured(of: photo)?.exact
    if let known, let captured = captured?.exact { return known.instant == captured.instant }
    if before.content != 0, status.content != 0 { return before.content == status.content }
    // An asset of a remote library has an id, by which it was found, and no content here.
    return before.identity == status.identity
      || status.inode == 0 && before.size == status.size
  }

  /// Returns the older state of a file if it holds the same photo; `nil` if it may be another one.
  private func samePhoto(as file: PlannedFile) -> FileID? {
    switch file.source {
    // Files that an interrupted scan did not reach are added as they were.
    case .known(let known), .toRead(older: .some(let known)): return FileID(known)
    case .read(let thread, let place, .some(let older)):
      let reading = readings[thread][place]
      let isSame = holdsSamePhoto(
        as: FileID(older), reading.properties?.captured, reading.status)
      return isSame ? FileID(older) : nil
    case .read, .toRead: return nil
    }
  }

  /// Appends a file to the next index, with its metadata as read now or as in the previous index.
  private func add(
    _ file: PlannedFile, of folder: PlannedFolder, to index: inout PhotoIndex,
    _ report: inout ScanReport
  ) {
    let name = folder.names[file.name]
    switch file.source {
    case .read(let thread, let place, let older):
      let reading = readings[thread][place]
      var outcome = reading.outcome
      var photo = reading.properties.flatMap { index.photo(of: $0) }
      if outcome == .noPosition, let properties = reading.properties {
        let facts = index.facts(of: properties)
        // An assigned position does not come from the file. It is kept when the file is read again,
        // as long as the file still contains the same photo.
        if let older, let given = previous.givenPosition(of: FileID(older)),
          holdsSamePhoto(as: FileID(older), facts.captured, reading.status)
        {
          (outcome, photo) = (.located, PhotoTable.Photo(facts, at: given))
        } else {
          if let older, previous.givenPosition(of: FileID(older)) != nil {
            report.droppedPositions.append(FilePath(bytes: FilePath.join(folder.path, name)))
          }
          index.unlocated.append(facts)
        }
      }
      report.files.count(outcome)
      if reading.properties?.captured?.isFromName == true { report.datedByName += 1 }
      report.note(outcome, of: FilePath(bytes: FilePath.join(folder.path, name)))
      index.appendFile(name: name, status: reading.status, outcome: outcome, photo: photo)
    case .known(let known), .toRead(older: .some(let known)):
      let old = previous.files[FileID(known)]
      // The same file may have a new inode, after a move from another disk or a restore.
      var status = previous.files.status(of: FileID(known))
      if case .known = file.source { status = file.status ?? status }
      let outcome = previous.outcomes[old.outcome]
      if folder.isScanned {
        report.files.count(outcome)
        if previous.dateOutsideMetadata(of: FileID(known))?.captured != nil {
          report.datedByName += 1
        }
        report.note(
          outcome, of: FilePath(bytes: FilePath.join(folder.path, name)), isNew: false)
      }
      status.content = previous.files.content[known]
      var photo = old.photo.map { previous.photos[$0] }
      if let facts = photo?.facts { photo?.facts = index.copy(of: facts, in: previous) }
      if let row = previous.unlocated.row(of: FileID(known)) {
        index.unlocated.append(index.copy(of: previous.unlocated[row], in: previous))
      }
      index.appendFile(name: name, status: status, outcome: outcome, photo: photo)
    case .toRead(older: nil):
      // Not reached before the scan was cancelled or a checkpoint was made.
      break
    }
  }
}

extension PhotoIndex {
  /// Returns the recorded facts of a photo of another index, renumbered for the next file of this
  /// index.
  fileprivate mutating func copy(of facts: PhotoFacts, in other: PhotoIndex) -> PhotoFacts {
    var facts = facts
    facts.file = FileID(files.count)
    facts.camera = facts.camera.map { cameras.index(of: other.cameras[$0]) }
    facts.focalLength = facts.focalLength.map { focalLengths.index(of: other.focalLengths[$0]) }
    facts.caption = facts.caption.flatMap { captions.index(of: other.captions.texts[$0.row]) }
    return facts
  }

  /// Returns the recorded facts of the next file, from its properties.
  fileprivate mutating func facts(of properties: PhotoProperties) -> PhotoFacts {
    let camera = Camera(make: properties.make, model: properties.model)
    return PhotoFacts(
      file: FileID(files.count), captured: properties.captured,
      hasPartialDate: properties.partialCapture != nil,
      camera: camera.map { cameras.index(of: $0) }, rating: properties.rating.map { Int8($0) },
      isFavorite: properties.isFavorite,
      focalLength: properties.focalLength.map { focalLengths.index(of: $0) },
      caption: properties.words.flatMap { captions.index(of: Array($0.utf8)[...]) })
  }

  /// Returns the row of the next file, a photo with some properties; `nil` if they include no
  /// position.
  fileprivate mutating func photo(of properties: PhotoProperties) -> PhotoTable.Photo? {
    guard let coordinate = properties.coordinate, let source = properties.positionSource else {
      return nil
    }
    return PhotoTable.Photo(
      facts: facts(of: properties), coordinate: coordinate,
      altitudeMeters: properties.altitudeMeters,
      horizontalAccuracyMeters: properties.horizontalAccuracyMeters, heading: properties.heading,
      source: source)
  }
}
