import PhotoMetadata
import Spatial

extension ShotSearch {
  /// Joins copies: located files with the same size, instant, position and camera.
  mutating func joinCopies(_ alike: inout AlikeRows) {
    let index = index
    var clear = ShotTable()
    var ambiguous: [[Int32]] = []
    alike.forEachGroup(
      of: 0..<Int32(index.photos.count), hash: { index.hashOfCopies(ofPhoto: $0) },
      areAlike: { index.areCopies($0, $1) }
    ) { group in
      let files = group.lazy.map { index.photos[Int($0)].file }
      let folders = files.map { index.files[Int($0)].folder }
      // Folders come in order.
      let isClear = zip(folders, folders.dropFirst()).allSatisfy { $0 != $1 }
      if isClear { clear.append(files) } else { ambiguous.append(Array(files)) }
    }
    for files in ambiguous { joinNamedCopies(files) }
    // What is clear helps to tell the others apart: a RAW file by its JPEG.
    for group in 0..<Int32(clear.count) { joinClear(clear[group]) }
    for files in ambiguous { joinAcrossFolders(files[...]) }
  }

  /// Joins the files of each folder whose names are those of copies.
  private mutating func joinNamedCopies(_ files: [Int32]) {
    var originals: [CopyKey: Int32] = [:]
    for file in files {
      let key = CopyKey(folder: index.files[Int(file)].folder, name: copyName(of: file))
      if let original = originals[key] {
        joined.join(original, file)
      } else {
        originals[key] = file
      }
    }
  }

  private struct CopyKey: Hashable {
    let folder: Int32
    let name: [UInt8]
  }

  private func copyName(of file: Int32) -> [UInt8] {
    CopyName.original(of: index.place(ofName: file), in: index.names)
  }

  /// Joins files that are alike, each of another folder.
  private mutating func joinClear(_ files: ArraySlice<Int32>) {
    // Dated ones need no choice, as long as nothing is in the way.
    let first = files[files.startIndex]
    let isDone =
      isDated(first) && files.dropFirst().allSatisfy { joined.joinAcrossFolders($0, first) }
    if !isDone { joinAcrossFolders(files) }
  }

  private func isDated(_ file: Int32) -> Bool {
    index.photos[Int(index.files[Int(file)].photo)].captured != nil
  }

  /// Joins files that are alike with those of other folders.
  ///
  /// Each folder's files are matched with the different photos that the folders before it gave: those that
  /// are joined already, then those of the same name, then, if they are dated, the first with the first that
  /// is left.
  private mutating func joinAcrossFolders(_ files: ArraySlice<Int32>) {
    let byOrder = isDated(files[files.startIndex])
    var photos = AlikePhotos()
    var start = files.startIndex
    while start < files.endIndex {
      let folder = index.files[Int(files[start])].folder
      var end = start + 1
      while end < files.endIndex, index.files[Int(files[end])].folder == folder { end += 1 }
      match(files[start..<end], with: &photos, byOrder: byOrder)
      start = end
    }
  }

  /// The different photos among files that are alike.
  private struct AlikePhotos {
    /// A file of each.
    var files: [Int32] = []
    /// The number of a photo by the root of its set, which may be out of date, and by a name of it.
    var byRoot: [Int32: Int] = [:]
    var byName: [[UInt8]: Int] = [:]
  }

  private mutating func match(
    _ files: ArraySlice<Int32>, with photos: inout AlikePhotos, byOrder: Bool
  ) {
    let known = photos.files.count
    var isTaken: Set<Int> = []
    var roots: Set<Int32> = []
    var left: [(file: Int32, name: [UInt8])] = []
    for file in files {
      let root = joined.root(of: file)
      // Of copies in one folder the first speaks for all.
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

  private mutating func join(_ file: Int32, to photo: Int, _ photos: inout AlikePhotos) -> Bool {
    guard joined.joinAcrossFolders(file, photos.files[photo]) else { return false }
    photos.byRoot[joined.root(of: file)] = photo
    return true
  }

  private mutating func add(_ file: Int32, _ name: [UInt8], to photos: inout AlikePhotos) {
    let photo = photos.files.count
    photos.files.append(file)
    photos.byRoot[joined.root(of: file)] = photo
    photos.byName[name] = photos.byName[name] ?? photo
  }
}

extension PhotoIndex {
  /// Whether two photos may be copies of one another, all but their names.
  fileprivate func areCopies(_ left: Int32, _ right: Int32) -> Bool {
    let (left, right) = (photos[Int(left)], photos[Int(right)])
    return statuses[Int(left.file)].size == statuses[Int(right.file)].size
      && left.coordinate == right.coordinate && left.camera == right.camera
      && left.captured?.instant == right.captured?.instant
  }

  /// A hash of what is the same in copies, good for this run of the program.
  fileprivate func hashOfCopies(ofPhoto photo: Int32) -> UInt64 {
    let photo = photos[Int(photo)]
    var hasher = Hasher()
    hasher.combine(statuses[Int(photo.file)].size)
    hasher.combine(photo.coordinate)
    hasher.combine(photo.captured?.instant)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
