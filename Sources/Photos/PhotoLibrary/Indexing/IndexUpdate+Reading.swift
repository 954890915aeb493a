import Encodings
import PhotoMetadata
import Storage
import SystemPackage

extension IndexUpdate {
  /// Reads the files whose recorded metadata is missing or outdated.
  ///
  /// - Parameter save: Receives a checkpoint of the index and of the report from time to time.
  ///   Files not reached yet are in it as they were before, so that nothing is lost.
  mutating func read(saving save: ((PhotoIndex, ScanReport) -> Void)? = nil) {
    let (requests, places) = requests()
    monitor.willRead(requests.count)
    let clock = ContinuousClock()
    var interval = settings.checkpointSeconds
    var next = 0
    while next < requests.count, !monitor.isCancelled {
      let part = FileReading.read(
        requests, from: next, until: save.map { _ in clock.now + .seconds(saturating: interval) },
        jobs: settings.jobs, monitor: monitor)
      next = part.next
      store(part.readings, of: places)
      report.bytesRead += part.bytesRead
      guard let save, next < requests.count, !monitor.isCancelled else { continue }
      let cost = clock.measure {
        let (index, report) = finish(isPartial: true)
        save(index, report)
      }
      // Saving a large index takes long; limit it to an eighth of the time.
      if interval > 0 { interval = max(settings.checkpointSeconds, 8 * (cost / .seconds(1))) }
    }
  }

  /// The position of a file in ``folders``.
  private typealias Place = (folder: Int, file: Int)

  /// The files to read, in the order of reading.
  private func requests() -> ([FileReading.Request], [Place]) {
    var requests: [FileReading.Request] = []
    var places: [Place] = []
    for (folderIndex, folder) in folders.enumerated() {
      for (fileIndex, file) in folder.files.enumerated() {
        guard case .toRead(let older) = file.source else { continue }
        requests.append(
          FileReading.Request(
            folder: folder.path, name: folder.names[file.name], inode: file.inode,
            claimsToBePhoto: file.claimsToBePhoto, sidecars: file.sidecars,
            sidecarStamp: file.sidecarStamp, sidecarChanges: file.sidecarChanges,
            needsContent: older.map { previous.isRecognisedByContent(FileID($0)) } ?? false,
            datesNameAt: settings.datesFromNames ? now : nil))
        places.append((folderIndex, fileIndex))
      }
    }
    guard readsByInode else { return (requests, places) }
    let order = FileReading.Request.orderByInode(requests)
    return (order.map { requests[$0] }, order.map { places[$0] })
  }

  /// Stores new readings, of each thread, and updates the sources of their files and the report.
  private mutating func store(_ new: [[FileReading]], of places: [Place]) {
    for own in new {
      let thread = readings.count
      readings.append(own)
      report.filesRead += own.count
      for (index, reading) in own.enumerated() {
        let place = places[reading.index]
        var source = Source.read(thread: thread, index)
        if case .toRead(let older) = folders[place.folder].files[place.file].source {
          if keepsPosition(of: older, reading) { continue }
          if !folders[place.folder].files[place.file].isMoved { count(reading, older: older) }
          source = .read(thread: thread, index, older: older)
        }
        note(reading.sidecarProblems)
        let unusable = reading.properties?.unusablePosition.map { [$0] } ?? []
        let blocks = (reading.properties?.unread ?? []) + unusable
        if !blocks.isEmpty {
          let folder = folders[place.folder]
          let path = FilePath(
            bytes: folder.path + [0x2F] + folder.names[folder.files[place.file].name])
          report.unread.append(ScanReport.Unread(path: path, blocks: blocks))
        }
        folders[place.folder].files[place.file].source = source
      }
    }
  }

  /// Adds the problems of sidecars to the report, each sidecar once, since several photos may share
  /// one.
  private mutating func note(_ problems: [Sidecar.Problem]) {
    for problem in problems where reportedSidecars.insert(problem.path).inserted {
      if problem.isUnreadable { report.furtherUnreadable += 1 }
      report.problems.append(
        ScanReport.Problem(
          path: problem.path, isUnreadable: problem.isUnreadable, reason: problem.reason,
          isNew: true))
    }
  }

  /// Returns whether a photo with a known position cannot be read now. Its entry is then kept and
  /// the problem reported.
  private mutating func keepsPosition(of older: Int?, _ reading: FileReading) -> Bool {
    guard case .unreadable = reading.outcome, let older, previous.files.photo[older] != nil else {
      return false
    }
    report.furtherUnreadable += 1
    report.note(reading.outcome, of: previous.path(of: FileID(older)))
    return true
  }

  /// Counts a file as new or changed in the report.
  private mutating func count(_ reading: FileReading, older: Int?) {
    guard let older else {
      if reading.outcome != .notAPhoto { report.new += 1 }
      return
    }
    if case .unreadable = reading.outcome { return }
    if !previous.files.status(of: FileID(older)).hasSameTimes(as: reading.status)
      || !hasSameMetadata(reading, as: FileID(older))
    {
      report.changed += 1
    }
  }

  /// Returns whether a reading gives the position and time that are already known.
  private func hasSameMetadata(_ reading: FileReading, as older: FileID) -> Bool {
    guard let photo = previous.files.photo[older.row] else {
      return reading.outcome != .located
    }
    if previous.photos.source[photo.row].isGiven { return reading.outcome != .located }
    let known = previous.photos[photo]
    return known.coordinate == reading.properties?.coordinate
      && known.facts.captured == reading.properties?.captured
  }
}
