import PhotoMetadata
import Spatial

extension ShotSearch {
  /// Joins copies: located files with the same size, instant, position and camera.
  mutating func joinCopies(_ alike: inout AlikeRows) {
    let index = index
    var clear = ShotTable()
    var ambiguous: [[FileID]] = []
    alike.forEachGroup(
      of: index.photos.ids, hash: { index.hashOfCopies(ofPhoto: $0) },
      areAlike: { index.areCopies($0, $1) }
    ) { group in
      let files = group.map { index.photos.file[$0.row] }
      let folders = files.map { index.files.folder[$0.row] }
      // The files of a group are sorted by folder.
      let isClear = zip(folders, folders.dropFirst()).allSatisfy { $0 != $1 }
      if isClear { clear.append(files) } else { ambiguous.append(files) }
    }
    for files in ambiguous { joinNamedCopies(files) }
    // Unambiguous copies are joined first because they help with the others: a RAW file is matched
    // through its JPEG.
    for group in clear.ids { joinClear(Array(clear[group])[...]) }
    for files in ambiguous { joinAcrossFolders(files[...]) }
  }

  /// Joins the files of each folder that are named as copies, unless their contents are known to
  /// differ: `Beach (1).tif` and `Beach (2).tif` may be a burst.
  private mutating func joinNamedCopies(_ files: [FileID]) {
    var originals: [CopyKey: [FileID]] = [:]
    for file in files {
      let key = CopyKey(folder: index.files.folder[file.row], name: copyName(of: file))
      if let original = originals[key]?.first(where: { mayBeEqual($0, file) }) {
        joined.join(original, file)
      } else {
        originals[key, default: []].append(file)
      }
    }
  }

  private func mayBeEqual(_ one: FileID, _ other: FileID) -> Bool {
    let (content, others) = (index.files.content[one.row], index.files.content[other.row])
    return content == 0 || others == 0 || content == others
  }

  private struct CopyKey: Hashable {
    let folder: FolderID
    let name: [UInt8]
  }

  private func copyName(of file: FileID) -> [UInt8] {
    CopyName.original(of: names.range(of: file), in: names.bytes)
  }

  /// Joins equivalent files, each in a different folder.
  private mutating func joinClear(_ files: ArraySlice<FileID>) {
    // Dated files need no matching, unless two sets already contain files of the same folder.
    let first = files[files.startIndex]
    let isDone =
      isDated(first) && files.dropFirst().allSatisfy { joined.joinAcrossFolders($0, first) }
    if !isDone { joinAcrossFolders(files) }
  }

  private func isDated(_ file: FileID) -> Bool {
    index.files.photo[file.row].map { index.photos.captured(of: $0)?.exact != nil } ?? false
  }

  /// Joins equivalent files with those of other folders.
  ///
  /// Each folder's files are matched with the distinct photos of the folders before it: first those
  /// already joined, then those of the same name, then, if they are dated, the remaining ones in
  /// order.
  private mutating func joinAcrossFolders(_ files: ArraySlice<FileID>) {
    let byOrder = isDated(files[files.startIndex])
    var photos = AlikePhotos()
    var start = files.startIndex
    while start < files.endIndex {
      let folder = index.files.folder[files[start].row]
      var end = start + 1
      while end < files.endIndex, index.files.folder[files[end].row] == folder { end += 1 }
      match(files[start..<end], with: &photos, byOrder: byOrder)
      start = end
    }
  }

  /// The distinct photos among equivalent files.
  private struct AlikePhotos {
    /// One file of each photo.
    var files: [FileID] = []
    /// The index of a photo by the root of its set, which may be outdated, and by one of its names.
    var byRoot: [FileID: Int] = [:]
    var byName: [[UInt8]: Int] = [:]
  }

  /// Joins the files of one folder with known photos, and adds the unmatched files as photos.
  private mutating func match(
    _ files: ArraySlice<FileID>, with photos: inout AlikePhotos, byOrder: Bool
  ) {
    let known = photos.files.count
    var isTaken: Set<Int> = []
    var roots: Set<FileID> = []
    var left: [(file: FileID, name: [UInt8])] = []
    for file in files {
      let root = joined.root(of: file)
      // Of copies within one folder, only the first is matched.
      guard roots.insert(root).inserted else { continue }
      if let photo = photos.byRoot[root], joined.root(of: photos.files[photo]) == root {
        isTaken.insert(photo)
      } else {
        left.append((file, copyName(of: file)))
      }
    }
    left.removeAll { file, name in
      guard let photo = photos.byName[name], !isTaken.contains(photo),
        join(file, to: photo, &photos)
      else { return false }
      isTaken.insert(photo)
      return true
    }
    var next = 0
    for (file, name) in left {
      while isTaken.contains(next) { next += 1 }
      if byOrder, next < known, join(file, to: next, &photos) {
        isTaken.insert(next)
        photos.byName[name] = photos.byName[name] ?? next
        continue
      }
      add(file, name, to: &photos)
    }
  }

  /// Joins a file with a photo; returns `false` if the sets of both contain files of the same
  /// folder.
  private mutating func join(_ file: FileID, to photo: Int, _ photos: inout AlikePhotos) -> Bool {
    guard joined.joinAcrossFolders(file, photos.files[photo]) else { return false }
    photos.byRoot[joined.root(of: file)] = photo
    return true
  }

  private mutating func add(_ file: FileID, _ name: [UInt8], to photos: inout AlikePhotos) {
    let photo = photos.files.count
    photos.files.append(file)
    photos.byRoot[joined.root(of: file)] = photo
    photos.byName[name] = photos.byName[name] ?? photo
  }
}

extension PhotoIndex {
  /// Returns whether two photos can be copies of one another, disregarding their names.
  fileprivate func areCopies(_ left: PhotoID, _ right: PhotoID) -> Bool {
    files.size[photos.file[left.row].row] == files.size[photos.file[right.row].row]
      && photos.coordinate(of: left) == photos.coordinate(of: right)
      && photos.camera[left.row] == photos.camera[right.row]
      && photos.captured[left.row] == photos.captured[right.row]
  }

  /// Returns a hash of the properties that copies share, valid within this run of the program.
  fileprivate func hashOfCopies(ofPhoto photo: PhotoID) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(files.size[photos.file[photo.row].row])
    hasher.combine(photos.coordinate(of: photo))
    hasher.combine(photos.captured[photo.row])
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
