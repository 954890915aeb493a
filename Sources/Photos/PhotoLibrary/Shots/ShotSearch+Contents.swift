import PhotoMetadata
import Spatial

extension ShotSearch {
  /// Joins files of equal content: in different folders under whatever names, such as a copy that
  /// was renamed, or whose position or date was in a sidecar that did not go along; in one folder
  /// under related names (``ShotNames/areRelated(_:_:)``).
  ///
  /// Sidecars may have given two copies different places or times. Such copies stay apart, and so
  /// does a third that may belong to either.
  mutating func joinContents(_ alike: inout AlikeRows) {
    let index = index
    let files = Array(
      index.files.ids.filter { index.files.content[$0.row] != 0 && isComparable($0) })
    guard files.count > 1 else { return }
    alike.forEachGroup(
      of: files, hash: { index.files.content[$0.row] &* 0x9E37_79B9_7F4A_7C15 },
      areAlike: {
        index.files.content[$0.row] == index.files.content[$1.row]
          && index.files.size[$0.row] == index.files.size[$1.row]
      }
    ) { group in
      joinContents(group.map { CopyEvidence($0, in: index) })
    }
  }

  private mutating func joinContents(_ files: [CopyEvidence]) {
    joinWithinFolders(files.filter { $0.coordinate != nil })
    var leads: [CopyEvidence] = []
    for file in files where file.coordinate != nil {
      let isJoined = leads.contains {
        $0.agrees(with: file) && joined.joinAcrossFolders($0.file, file.file)
      }
      if !isJoined, leads.count < Self.maximumGroupCount { leads.append(file) }
    }
    for file in files where file.coordinate == nil {
      let fitting = leads.filter { $0.agrees(with: file) }
      guard fitting.count == 1 else { continue }
      if !joined.joinAcrossFolders(fitting[0].file, file.file) {
        joinWithinFolders(files.filter { $0.coordinate != nil } + [file])
      }
    }
  }

  /// Joins files of equal content in one folder if their names are related.
  private mutating func joinWithinFolders(_ files: [CopyEvidence]) {
    guard files.count <= Self.maximumGroupCount else { return }
    for one in files.indices {
      for other in files.indices where other > one {
        let (left, right) = (files[one], files[other])
        guard index.files.folder[left.file.row] == index.files.folder[right.file.row],
          left.agrees(with: right), names.areRelated(left.file, right.file)
        else { continue }
        joined.join(left.file, right.file)
      }
    }
  }

  private func isComparable(_ file: FileID) -> Bool {
    !isRemote[index.files.folder[file.row].row] && index.isPhoto(file)
  }
}

/// The facts about a file's picture besides its content.
struct CopyEvidence {
  let file: FileID
  let coordinate: Coordinate?
  let captured: CaptureTime?
  private let camera: CameraID?

  /// The maximum distance in metres between two positions of one picture.
  private static let maximumDistanceMeters = 100.0

  init(_ file: FileID, in index: PhotoIndex) {
    self.file = file
    if let photo = index.files.photo[file.row] {
      coordinate = index.photos.coordinate(of: photo)
      captured = index.photos.captured(of: photo)?.exact
      camera = index.photos.camera[photo.row]
    } else {
      let facts = index.unlocated.row(of: file).map { index.unlocated[$0] }
      (coordinate, captured, camera) = (nil, facts?.captured?.exact, facts?.camera)
    }
  }

  /// Returns whether two files can be of one picture: what both of them say is the same.
  func agrees(with other: CopyEvidence) -> Bool {
    if let captured, let others = other.captured, captured.instant != others.instant {
      return false
    }
    if let camera, let others = other.camera, camera != others { return false }
    guard let coordinate, let others = other.coordinate else { return true }
    return coordinate.distance(to: others) <= Self.maximumDistanceMeters
  }
}

extension PhotoIndex {
  /// Returns whether a file is a photo, with or without a position.
  func isPhoto(_ file: FileID) -> Bool {
    if files.photo[file.row] != nil { return true }
    return outcomes[files.outcome[file.row]] == .noPosition
  }

  /// Returns the files whose content may show whether they are copies: of equal size, with a time,
  /// place and camera that agree as far as they are known, and in different folders without being
  /// of one shot by other evidence, or in one folder with related names.
  ///
  /// - Complexity: O(*n*) for *n* files; at most 64 files of one size are compared with one
  ///   another, so that uncompressed pictures of one size cost no reading.
  func filesToCompare() -> [FileID] {
    let isRemote = folders.map { RemoteLibrary(path: $0) != nil }
    let candidates = Array(
      files.ids.filter {
        files.size[$0.row] > 0 && isPhoto($0) && !isRemote[files.folder[$0.row].row]
      })
    let order = RadixSort.order(of: candidates.map { files.size[$0.row] })
      .map { candidates[Int($0)] }
    let names = ShotNames(files)
    var wanted: [FileID] = []
    var start = 0
    while start < order.count {
      let size = files.size[order[start].row]
      let alike = order[start...].prefix { files.size[$0.row] == size }
      start = alike.endIndex
      guard alike.count > 1, alike.contains(where: { files.photo[$0.row] != nil }) else { continue }
      let evidence = alike.map { CopyEvidence($0, in: self) }
      // Without a time, a file may be a copy of any other.
      if evidence.contains(where: { $0.captured == nil }) {
        wanted += agreeing(evidence, names)
      } else {
        for group in Dictionary(grouping: evidence, by: \.captured?.instant).values {
          wanted += agreeing(group, names)
        }
      }
    }
    return wanted
  }

  /// Returns the files that agree with another one, at least one of both located, and may be its
  /// copy.
  private func agreeing(_ evidence: [CopyEvidence], _ names: ShotNames) -> [FileID] {
    guard evidence.count > 1, evidence.count <= ShotSearch.maximumGroupCount else { return [] }
    var found: Set<Int> = []
    for one in evidence.indices {
      for other in evidence.indices where other > one {
        let (left, right) = (evidence[one], evidence[other])
        guard left.coordinate != nil || right.coordinate != nil,
          left.agrees(with: right), mayBeCopies(left.file, right.file, names)
        else { continue }
        found.formUnion([one, other])
      }
    }
    return found.sorted().map { evidence[$0].file }
  }

  /// Returns whether two files may be copies, which their contents decide.
  private func mayBeCopies(_ one: FileID, _ other: FileID, _ names: ShotNames) -> Bool {
    files.folder[one.row] == files.folder[other.row]
      ? names.areRelated(one, other) : !areOfOneShot(one, other)
  }

  private func areOfOneShot(_ one: FileID, _ other: FileID) -> Bool {
    guard let shot = files.shot[one.row] else { return false }
    return files.shot[other.row] == shot
  }

  /// Reads the hash of the content of files that may be copies, and finds the shots again if there
  /// are new ones.
  ///
  /// - Parameter isCancelled: Whether to stop; the next scan goes on.
  mutating func compareContents(orUntil isCancelled: () -> Bool) {
    var contents = files.content.storedValues.map { $0 }
    var hasNew = false
    for file in filesToCompare() where contents[file.row] == 0 {
      if isCancelled() { break }
      let hash = ContentHash.of(libraryFile(path(of: file)))
      guard hash != 0 else { continue }
      contents[file.row] = hash.stored
      hasNew = true
    }
    guard hasNew else { return }
    files.content = Column(own: contents)
    findShots()
  }
}
