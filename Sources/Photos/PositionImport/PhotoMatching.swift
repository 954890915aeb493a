import CivilTime
package import PhotoLibrary
import PhotoMetadata
import Storage
import SystemPackage

/// The matching of records of another program's database with the photos of an index.
///
/// A record matches the photo at its path. If the database uses a different mount point or another
/// system's paths, the record matches the only photo that has the most path components in common,
/// counted from the file name and including at least one folder. Otherwise it matches the only
/// photo with the same name and the same capture time or size. Copies of one photo in several
/// folders match together. A photo whose time, or else size, contradicts the record never matches.
/// Names are compared ignoring case and the composition of characters.
package struct PhotoMatching {
  /// A photo of the index.
  struct Photo {
    let path: FilePath
    let name: Int32
    /// An index into ``folders``.
    let folder: Int32
    let size: Int64
    let captured: CaptureTime?
    let camera: Camera?
    /// Whether the file has a position.
    let isLocated: Bool
  }

  private(set) var photos: [Photo] = []
  /// The components of folders from the last upwards, with ``root`` at the end.
  private var folders: [[Int32]] = []
  private var components = ComponentTable()
  private var tree = SuffixTree()
  private var keys = CandidateTable()

  /// The component above the first one of an absolute path.
  private static let root: Int32 = 0

  /// Creates the matching for an index.
  ///
  /// - Parameter index: The index, which must not have been read for questions only.
  package init(_ index: PhotoIndex) {
    var last: (path: FilePath, place: Int32)?
    func add(
      _ path: FilePath, _ size: Int64, _ captured: CaptureTime?, _ camera: Camera?,
      isLocated: Bool, to matching: inout PhotoMatching
    ) {
      guard !path.isRemote, let name = path.lastName.map(Array.init) else { return }
      let parent = path.removingLastComponent()
      if last?.path != parent { last = (parent, matching.add(folder: parent)) }
      matching.add(
        Photo(
          path: path, name: matching.components.add(name), folder: last?.place ?? 0, size: size,
          captured: captured, camera: camera, isLocated: isLocated))
    }
    for photo in index.unlocatedPhotos {
      add(photo.path, photo.size, photo.captured, photo.camera, isLocated: false, to: &self)
    }
    index.forEachPhotoWithOwnPosition { add($0, $1, $2, nil, isLocated: true, to: &self) }
  }

  private mutating func add(folder: FilePath) -> Int32 {
    var reversed = folder.components.reversed().map { components.add(Array($0.bytes)) }
    reversed.append(Self.root)
    folders.append(reversed)
    return Int32(folders.count - 1)
  }

  private mutating func add(_ photo: Photo) {
    let place = Int32(photos.count)
    photos.append(photo)
    let (photos, folders) = (photos, folders)
    tree.insert(place) { Self.component(of: photos[Int($0)], $1, folders) }
    keys.add(photo, place)
  }

  /// Returns the component of a photo's path at a depth, counted from the file name; `nil` above
  /// the root.
  private func component(of photo: Int32, _ depth: Int) -> Int32? {
    Self.component(of: photos[Int(photo)], depth, folders)
  }

  private static func component(of photo: Photo, _ depth: Int, _ folders: [[Int32]]) -> Int32? {
    if depth == 0 { return photo.name }
    let folder = folders[Int(photo.folder)]
    return depth <= folder.count ? folder[depth - 1] : nil
  }

  // MARK: - Matching

  /// The basis of a match, the most reliable last.
  package enum Basis: String, Comparable, Sendable, CaseIterable {
    /// By its name and its capture time or size.
    case name
    /// By the end of the path.
    case pathEnd
    /// By the whole path.
    case path

    package static func < (first: Basis, second: Basis) -> Bool {
      allCases.firstIndex(of: first) ?? 0 < allCases.firstIndex(of: second) ?? 0
    }
  }

  /// The result for a record.
  enum Result: Equatable {
    case found(Int32, Basis, depth: Int)
    /// Copies of one photo.
    case copies([Int32], Basis, depth: Int)
    /// Several photos are possible matches.
    case ambiguous
    /// The photo with the best path has another capture time or size.
    case contradicted
    case missing
  }

  /// Finds the photo that matches a path of a record.
  ///
  /// The size, time and names of the record are compared only if the path is that of its own file
  /// (`isOwn`), because the other paths are those of files beside it.
  func find(_ path: RecordedPath, of record: RecordedPhoto, isOwn: Bool) -> Result {
    var place = path.reversed.map { components[$0] ?? ComponentTable.none }
    if path.isAbsolute { place.append(Self.root) }
    let size = isOwn ? record.size : nil
    var result = Result.missing
    switch tree.find(place) {
    case .one(let photo):
      let depth = commonDepth(photo, place)
      if path.isAbsolute, depth == place.count { return .found(photo, .path, depth: depth) }
      if depth >= 2 {
        if isPlausible(photo, record.captured, size) {
          return .found(photo, .pathEnd, depth: depth)
        }
        result = .contradicted
      }
    case .several(let depth):
      if let exact = exact(path, place) { return .found(exact, .path, depth: place.count) }
      if depth >= 2 {
        let tied = candidates(place[0], record, size)?.filter { commonDepth($0, place) >= depth }
        return tied.map { choice($0, record, size, .pathEnd, depth: depth) } ?? .ambiguous
      }
    case .none: break
    }
    guard isOwn else { return result }
    return named(place[0], record) ?? result
  }

  /// Returns the photo with exactly the given path among several that differ only in case.
  private func exact(_ path: RecordedPath, _ place: [Int32]) -> Int32? {
    guard path.isAbsolute else { return nil }
    return tree.exactMatches(place).first { photos[Int($0)].path.bytes == path.text }
  }

  /// Finds the photo with the name of a record, or with one of its alternative names.
  private func named(_ name: Int32, _ record: RecordedPhoto) -> Result? {
    var all: Set<Int32> = []
    for name in [name] + record.names.map({ components[$0] ?? ComponentTable.none }) {
      guard let found = candidates(name, record, record.size) else { return .ambiguous }
      all.formUnion(found)
    }
    guard !all.isEmpty else { return nil }
    return choice(Array(all), record, record.size, .name, depth: 1)
  }

  /// Returns the result for several candidates that fit equally well.
  private func choice(
    _ candidates: [Int32], _ record: RecordedPhoto, _ size: Int64?, _ basis: Basis, depth: Int
  ) -> Result {
    if let only = only(candidates, record, size) { return .found(only, basis, depth: depth) }
    return areCopies(candidates) ? .copies(candidates.sorted(), basis, depth: depth) : .ambiguous
  }

  /// Returns whether photos are copies of one photo, by the rule of the index: files in different
  /// folders with the same size, time to the millisecond and camera, here without a position.
  private func areCopies(_ candidates: [Int32]) -> Bool {
    guard let first = candidates.first.map({ photos[Int($0)] }), first.captured != nil else {
      return false
    }
    var folders: Set<FilePath> = []
    return candidates.allSatisfy { candidate in
      let photo = photos[Int(candidate)]
      return !photo.isLocated && photo.size == first.size && photo.captured == first.captured
        && photo.camera == first.camera
        && folders.insert(photo.path.removingLastComponent()).inserted
    }
  }

  private func commonDepth(_ photo: Int32, _ place: [Int32]) -> Int {
    var depth = 0
    while depth < place.count, component(of: photo, depth) == place[depth] { depth += 1 }
    return depth
  }

  /// Returns the photos with a name and a record's time, or with its size if their times do not
  /// contradict it; `nil` if there are too many.
  private func candidates(
    _ name: Int32, _ record: RecordedPhoto, _ size: Int64?
  ) -> [Int32]? {
    guard name != ComponentTable.none else { return [] }
    var found: Set<Int32> = []
    if let captured = record.captured {
      guard let some = keys.photos(name, at: captured) else { return nil }
      found.formUnion(
        some.filter { Agreement(photos[Int($0)].captured, captured) == .same })
    }
    if let size {
      guard let some = keys.photos(name, size: size) else { return nil }
      found.formUnion(
        some.filter { Agreement(photos[Int($0)].captured, record.captured) != .contradictory })
    }
    return Array(found)
  }

  /// Returns the only candidate, or the only one that agrees in both time and size.
  private func only(_ candidates: [Int32], _ record: RecordedPhoto, _ size: Int64?) -> Int32? {
    if candidates.count == 1 { return candidates[0] }
    let both = candidates.filter { candidate in
      let photo = photos[Int(candidate)]
      return photo.size == size && Agreement(photo.captured, record.captured) == .same
    }
    return both.count == 1 ? both[0] : nil
  }

  /// Returns whether a match is consistent with the time or, if a time is missing, with the size.
  private func isPlausible(_ photo: Int32, _ captured: CaptureTime?, _ size: Int64?) -> Bool {
    let photo = photos[Int(photo)]
    switch Agreement(photo.captured, captured) {
    case .same, .zoneApart: return true
    case .contradictory: return false
    case .unknown: return size.map { $0 == photo.size } ?? true
    }
  }
}

/// The agreement of two capture times.
enum Agreement {
  /// Equal within the two seconds by which programs round.
  case same
  /// Different by a multiple of 15 minutes, as for clocks in two time zones: some programs
  /// interpret times as local that others interpret as UTC, for example in movies.
  case zoneApart
  case contradictory
  /// One of the times is unknown.
  case unknown

  static let toleranceSeconds = 2.0

  init(_ first: CaptureTime?, _ second: CaptureTime?) {
    guard let first, let second else {
      self = .unknown
      return
    }
    let difference = first.clockTime.seconds(since: second.clockTime)
    let quarters = (difference / 900).rounded()
    if abs(difference) <= Self.toleranceSeconds {
      self = .same
    } else if first.utcOffsetMinutes != nil, second.utcOffsetMinutes != nil {
      let apart = first.instant.seconds(since: second.instant)
      self = abs(apart) <= Self.toleranceSeconds ? .same : .contradictory
    } else if abs(quarters) <= 60, abs(difference - quarters * 900) <= Self.toleranceSeconds {
      self = .zoneApart
    } else {
      self = .contradictory
    }
  }
}

extension CaptureTime {
  /// The time shown by the camera's clock, interpreted as UTC.
  var clockTime: Instant { instant.advanced(bySeconds: Double(utcOffsetMinutes ?? 0) * 60) }
}
