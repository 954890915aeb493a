public import CivilTime
public import PhotoMetadata
public import Spatial
public import SystemPackage

/// A position of a photo that was inferred from a track or imported from another program, not read
/// from the photo's file, its sidecars or its server.
public struct GivenPosition: Hashable, Sendable {
  /// The position.
  public let coordinate: Coordinate
  /// The altitude in metres above sea level, negative below; `nil` if unknown.
  public let altitudeMeters: Double?
  /// The radius of the position's uncertainty in metres; `nil` if unknown.
  public let horizontalAccuracyMeters: Double?
  /// The origin: a track or another program.
  public let source: PositionSource

  /// Creates a position.
  ///
  /// - Precondition: The source is a track or another program: `PositionSource.isGiven`.
  public init(
    _ coordinate: Coordinate, altitudeMeters: Double? = nil,
    horizontalAccuracyMeters: Double? = nil, source: PositionSource
  ) {
    precondition(source.isGiven)
    self.coordinate = coordinate
    self.altitudeMeters = altitudeMeters
    self.horizontalAccuracyMeters = horizontalAccuracyMeters
    self.source = source
  }
}

/// A photo whose file has no position.
public struct UnlocatedPhoto: Hashable, Sendable {
  /// The absolute path of the file.
  public let path: FilePath
  /// The size of the file in bytes.
  public let size: Int64
  /// The capture time; `nil` if unknown, or if only the name of the file has a date.
  public let captured: CaptureTime?
  /// The camera; `nil` if unknown.
  public let camera: Camera?
  /// The position assigned from a track or another program; `nil` if there is none.
  public let given: GivenPosition?
  let file: FileID
}

extension PhotoIndex {
  /// The photos whose files have no position, with or without an assigned position, in the order of
  /// their files.
  ///
  /// Photos read by an earlier version of the program are missing until they are read again
  /// (``PhotoIndexer/Settings/readsUnlocated``).
  ///
  /// - Complexity: O(*n*) for *n* photos.
  /// - Precondition: The index was not read for questions only.
  public var unlocatedPhotos: [UnlocatedPhoto] {
    precondition(files.hasStatuses, "read for questions only")
    var all: [UnlocatedPhoto] = []
    var row = 0
    for photo in photos.ids where photos.source[photo.row].isGiven {
      while row < unlocated.count, unlocated.file[row] < photos.file[photo.row] {
        all.append(unlocatedPhoto(unlocated[row], given: nil))
        row += 1
      }
      let located = photos[photo].facts
      all.append(unlocatedPhoto(located, given: givenPosition(of: located.file)))
    }
    while row < unlocated.count {
      all.append(unlocatedPhoto(unlocated[row], given: nil))
      row += 1
    }
    return all
  }

  /// The number of photos with an assigned position.
  package var givenCount: Int { photos.ids.count { photos.source[$0.row].isGiven } }

  private func unlocatedPhoto(_ photo: PhotoFacts, given: GivenPosition?) -> UnlocatedPhoto {
    UnlocatedPhoto(
      path: path(of: photo.file), size: files.size[photo.file.row], captured: photo.captured?.exact,
      camera: photo.camera.map { cameras[$0] }, given: given, file: photo.file)
  }

  /// Calls a closure with the path, size in bytes and capture time of each photo whose position is
  /// its own, in the order of the files. Photos of remote libraries are omitted.
  ///
  /// - Complexity: O(*n*) for *n* photos.
  /// - Precondition: The index was not read for questions only.
  package func forEachPhotoWithOwnPosition(
    _ body: (_ path: FilePath, _ size: Int64, _ captured: CaptureTime?) -> Void
  ) {
    precondition(files.hasStatuses, "read for questions only")
    for photo in photos.ids where !photos.source[photo.row].isGiven {
      let file = photos.file[photo.row]
      let path = path(of: file)
      if !path.isRemote { body(path, files.size[file.row], photos.captured(of: photo)?.exact) }
    }
  }

  /// Calls a closure with the path, capture time, camera, position and accuracy in metres of each
  /// dated photo whose position is its own, in the order of the files.
  ///
  /// - Complexity: O(*n*) for *n* photos.
  /// - Precondition: The index was not read for questions only.
  package func forEachDatedPhotoWithOwnPosition(
    _ body: (
      _ path: FilePath, _ captured: CaptureTime, _ camera: Camera?, _ position: Coordinate,
      _ accuracyMeters: Double?
    ) -> Void
  ) {
    precondition(files.hasStatuses, "read for questions only")
    for photo in photos.ids where !photos.source[photo.row].isGiven {
      guard let captured = photos.captured(of: photo)?.exact else { continue }
      body(
        path(of: photos.file[photo.row]), captured, photos.camera[photo.row].map { cameras[$0] },
        photos.coordinate(of: photo), photos.horizontalAccuracy[photo.row])
    }
  }

  /// The number of photos without a position that an earlier version of the program read; they are
  /// missing in ``unlocatedPhotos`` until they are read again.
  ///
  /// - Complexity: O(*n* log *n*) for *n* files.
  public var unknownUnlocatedCount: Int { files.ids.count { lacksFacts(of: $0) } }

  /// Returns the position assigned to the photo in a file; `nil` if the photo has a position of its
  /// own or none, or the index does not contain the file.
  public func givenPosition(ofFileAt path: FilePath) -> GivenPosition? {
    file(at: path).flatMap { givenPosition(of: $0) }
  }

  /// The most frequent UTC offset, in minutes, in the capture times of each day's located photos,
  /// by the number of days from 1970-01-01 to the day in UTC. Of equally frequent offsets, the
  /// smallest counts.
  public var statedOffsets: [Int: Int] {
    var counts: [Int: [Int: Int]] = [:]
    for photo in photos.ids where !photos.source[photo.row].isGiven {
      guard let captured = photos.captured(of: photo), let offset = captured.utcOffsetMinutes
      else { continue }
      counts[captured.instant.utcDayNumber, default: [:]][offset, default: 0] += 1
    }
    return counts.compactMapValues { offsets in
      offsets.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
  }

  /// Returns the position assigned to the photo in a file; `nil` if the photo has a position of its
  /// own or none.
  func givenPosition(of file: FileID) -> GivenPosition? {
    guard let photo = files.photo[file.row], photos.source[photo.row].isGiven else { return nil }
    return GivenPosition(
      photos.coordinate(of: photo), altitudeMeters: photos.altitude[photo.row],
      horizontalAccuracyMeters: photos.horizontalAccuracy[photo.row],
      source: photos.source[photo.row])
  }

  /// Returns whether a file holds an undated photo with an assigned position, which only the
  /// content shows to be the same.
  func isRecognisedByContent(_ file: FileID) -> Bool {
    guard let photo = files.photo[file.row], photos.source[photo.row].isGiven else { return false }
    return photos.captured(of: photo)?.exact == nil
      && RemoteLibrary(path: folder(files.folder[file.row])) == nil
  }

  /// Returns the date of a photo whose metadata has none: that of its name, or none; `nil` for
  /// another file.
  func dateOutsideMetadata(of file: FileID) -> FileNameDate? {
    let (time, isPartial): (CaptureTime?, Bool)
    if let photo = files.photo[file.row] {
      // Most photos have a date of their own.
      if photos.captured[photo.row] != nil, photos.captured(of: photo)?.isFromName != true {
        return nil
      }
      let known = photos[photo].facts
      (time, isPartial) = (known.captured, known.hasPartialDate)
    } else if let row = unlocated.row(of: file) {
      let known = unlocated[row]
      (time, isPartial) = (known.captured, known.hasPartialDate)
    } else {
      return nil
    }
    return isPartial || time?.isFromName == false ? nil : FileNameDate(captured: time)
  }

  /// The date in the file name of a photo whose metadata has none.
  struct FileNameDate {
    /// The day in the file's name; `nil` if the photo is undated.
    let captured: CaptureTime?
  }

  /// Returns whether a file is a photo without a position whose capture time and camera were not
  /// recorded, because an earlier version of the program read it.
  func lacksFacts(of file: FileID) -> Bool {
    outcomes[files.outcome[file.row]] == .noPosition && unlocated.row(of: file) == nil
  }

  /// Assigns positions to photos whose files have none, or removes assigned positions.
  ///
  /// - Parameter positions: Elements of this index's ``unlocatedPhotos``, each with its new
  ///   position; `nil` for none. Other photos do not change.
  /// - Returns: The number of photos whose position changed.
  /// - Precondition: The index was not read for questions only.
  public mutating func assign(_ positions: [(photo: UnlocatedPhoto, position: GivenPosition?)])
    -> Int
  {
    var changes: [FileID: GivenPosition?] = [:]
    for (photo, position) in positions where photo.given != position {
      changes[photo.file] = .some(position)
    }
    guard !changes.isEmpty else { return 0 }
    let old = (photos: photos, unlocated: unlocated)
    (photos, unlocated) = (PhotoTable(), UnlocatedTable())
    let (located, noPosition) = (outcomes.index(of: .located), outcomes.index(of: .noPosition))
    var newOutcomes = files.outcome.storedValues.map { $0 }
    var (photo, row) = (0, 0)
    func place(_ facts: PhotoFacts, _ position: GivenPosition?) {
      newOutcomes[facts.file.row] = (position == nil ? noPosition : located).stored
      if let position {
        photos.append(PhotoTable.Photo(facts, at: position))
      } else {
        unlocated.append(facts)
      }
    }
    while photo < old.photos.count || row < old.unlocated.count {
      let isPhotoNext =
        row == old.unlocated.count
        || photo < old.photos.count && old.photos.file[photo] < old.unlocated.file[row]
      if isPhotoNext {
        let known = old.photos[PhotoID(photo)]
        photo += 1
        if let position = changes[known.facts.file] {
          place(known.facts, position)
        } else {
          photos.append(known)
        }
      } else {
        let facts = old.unlocated[row]
        row += 1
        place(facts, changes[facts.file] ?? nil)
      }
    }
    files.outcome = Column(own: newOutcomes)
    linkFilesToLocatedPhotos()
    var contents = files.content.storedValues
    for file in changes.keys where contents[file.row] == 0 && isRecognisedByContent(file) {
      contents[file.row] = ContentHash.of(libraryFile(path(of: file))).stored
    }
    files.content = Column(own: contents)
    findShots()
    computedSpots = nil
    return changes.count
  }

  /// Sets the photo of each file.
  private mutating func linkFilesToLocatedPhotos() {
    var photoOfFile = Array(repeating: PhotoID?.none.stored, count: files.count)
    for photo in photos.ids { photoOfFile[photos.file[photo.row].row] = photo.stored }
    files.photo = Column(own: photoOfFile)
  }
}

extension PhotoTable.Photo {
  /// Creates a photo with an assigned position.
  init(_ facts: PhotoFacts, at position: GivenPosition) {
    self.init(
      facts: facts, coordinate: position.coordinate, altitudeMeters: position.altitudeMeters,
      horizontalAccuracyMeters: position.horizontalAccuracyMeters, source: position.source)
  }
}

extension Instant {
  /// The number of days from 1970-01-01 to the day in UTC.
  public var utcDayNumber: Int {
    LocalClock.dayNumber(at: self, utcOffsetMinutes: 0)
  }
}
