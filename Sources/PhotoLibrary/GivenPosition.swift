public import CivilTime
public import PhotoMetadata
public import Spatial
public import SystemPackage

/// A position that a photo has from elsewhere than its file and its sidecars.
public struct GivenPosition: Hashable, Sendable {
  /// The position.
  public let coordinate: Coordinate
  /// Metres above sea level, negative below; `nil` where unknown.
  public let altitudeMeters: Double?
  /// The radius in metres within which the photo was taken; `nil` where unknown.
  public let horizontalAccuracyMeters: Double?
  /// The origin: a track or another program.
  public let source: PositionSource

  /// Creates a position.
  ///
  /// - Precondition: The source is not a file: `PositionSource.isGiven`.
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
  /// The capture time; `nil` where the photo has none.
  public let captured: CaptureTime?
  /// The camera.
  public let camera: Camera?
  /// The position that was given to it.
  public let given: GivenPosition?
  let file: FileID
}

extension PhotoIndex {
  /// The photos whose files have no position, those with a given position included, in the order of
  /// their files.
  ///
  /// Photos that an earlier program read are missing until they are read again
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
      let located = photos[photo]
      all.append(
        unlocatedPhoto(
          UnlocatedTable.Photo(located), given: givenPosition(of: located.file)))
    }
    while row < unlocated.count {
      all.append(unlocatedPhoto(unlocated[row], given: nil))
      row += 1
    }
    return all
  }

  private func unlocatedPhoto(
    _ photo: UnlocatedTable.Photo, given: GivenPosition?
  ) -> UnlocatedPhoto {
    UnlocatedPhoto(
      path: path(of: photo.file), size: files.size[photo.file.row], captured: photo.captured,
      camera: photo.camera.map { cameras[$0] }, given: given, file: photo.file)
  }

  /// Hands over the path, the size in bytes and the capture time of each photo that has a position
  /// of its own, in the order of the files; photos of remote libraries are left out.
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
      if !path.isRemote { body(path, files.size[file.row], photos.captured(of: photo)) }
    }
  }

  /// The number of photos without a position that an earlier program read, which are missing in
  /// ``unlocatedPhotos`` until they are read again.
  ///
  /// - Complexity: O(*n* log *n*) for *n* files.
  public var unknownUnlocatedCount: Int { files.ids.count { lacksFacts(of: $0) } }

  /// The position that was given to the photo in a file; `nil` where it has one of its own, or
  /// none, or the index has no such file.
  public func givenPosition(ofFileAt path: FilePath) -> GivenPosition? {
    file(at: path).flatMap { givenPosition(of: $0) }
  }

  /// The offset from UTC in minutes that most located photos of a day state, by the number of the
  /// day in UTC, counted from 1970-01-01.
  ///
  /// - Complexity: O(*n*) for *n* located photos.
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

  /// The position that was given to a photo; `nil` where its file has one, or it has none.
  func givenPosition(of file: FileID) -> GivenPosition? {
    guard let photo = files.photo[file.row], photos.source[photo.row].isGiven else { return nil }
    return GivenPosition(
      photos.coordinate(of: photo), altitudeMeters: photos.altitude[photo.row],
      horizontalAccuracyMeters: photos.horizontalAccuracy[photo.row],
      source: photos.source[photo.row])
  }

  /// Whether nothing is known of a photo without a position but that it has none.
  func lacksFacts(of file: FileID) -> Bool {
    outcomes[files.outcome[file.row]] == .noPosition && unlocated.row(of: file) == nil
  }

  /// Gives positions to photos whose files have none, or takes given ones away.
  ///
  /// - Parameter positions: The photos, as ``unlocatedPhotos`` of this index has them, each with
  ///   its position from now on; `nil` for none. Others stay as they are.
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
    func place(_ facts: UnlocatedTable.Photo, _ position: GivenPosition?) {
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
        if let position = changes[known.file] {
          place(UnlocatedTable.Photo(known), position)
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
    tieFilesToLocatedPhotos()
    findShots()
    testSpots = nil
    return changes.count
  }

  /// Notes for each file its photo.
  private mutating func tieFilesToLocatedPhotos() {
    var photoOfFile = Array(repeating: PhotoID?.none.stored, count: files.count)
    for photo in photos.ids { photoOfFile[photos.file[photo.row].row] = photo.stored }
    files.photo = Column(own: photoOfFile)
  }
}

extension PhotoTable.Photo {
  /// A photo at a given position.
  init(_ facts: UnlocatedTable.Photo, at position: GivenPosition) {
    self.init(
      file: facts.file, coordinate: position.coordinate, captured: facts.captured,
      altitudeMeters: position.altitudeMeters,
      horizontalAccuracyMeters: position.horizontalAccuracyMeters, heading: nil,
      camera: facts.camera, rating: facts.rating, isFavorite: facts.isFavorite,
      positionSource: position.source, focalLength: facts.focalLength)
  }
}

extension UnlocatedTable.Photo {
  /// The facts of a photo without its position.
  init(_ photo: PhotoTable.Photo) {
    self.init(
      file: photo.file, captured: photo.captured, camera: photo.camera, rating: photo.rating,
      isFavorite: photo.isFavorite, focalLength: photo.focalLength)
  }
}

extension Instant {
  /// The number of the day in UTC, counted from 1970-01-01.
  public var utcDayNumber: Int {
    LocalClock.dayNumber(at: self, utcOffsetMinutes: 0)
  }
}
