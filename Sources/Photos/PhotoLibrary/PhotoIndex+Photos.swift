import PhotoMetadata

/// A photo of a library that is not on this machine: a shot with the properties that its spot
/// depends on.
package struct IndexedPhoto: Sendable {
  /// The shot.
  package var member: SpotMember
  /// The number of the index that the photo comes from; photos of several may have the same path.
  package var source: Int32
  /// A number that changes with the photo.
  package var stamp: Int64

  /// Creates a photo.
  package init(member: SpotMember, source: Int32, stamp: Int64) {
    (self.member, self.source, self.stamp) = (member, source, stamp)
  }
}

extension PhotoIndex {
  /// Creates an index of photos whose files are not on this machine, without roots.
  ///
  /// It has the files that stand for shots, and the pictures of shots where they are other files.
  /// The spots of the index are those that the photos have in the order of their paths, then of
  /// their sources.
  ///
  /// - Complexity: O(*n* log *n*) for *n* photos.
  package init(_ stored: [IndexedPhoto]) {
    self.init()
    let (folders, entries) = Self.entries(of: stored)
    // The file of each photo, and that of its picture, by the number of the photo.
    var filesOfPhoto = Array(repeating: [FileID](), count: stored.count)
    let order = folders.indices.sorted { folders[$0].lexicographicallyPrecedes(folders[$1]) }
    for folder in order {
      self.folders.append(folders[folder])
      for entry in entries[folder].sorted(by: Self.precedes) {
        let photo = stored[entry.photo]
        if filesOfPhoto[entry.photo].isEmpty || entry.isPicture {
          filesOfPhoto[entry.photo].append(FileID(files.count))
        } else {
          filesOfPhoto[entry.photo].insert(FileID(files.count), at: 0)
        }
        appendFile(
          name: entry.name, status: FileStatus(size: 0, modified: photo.stamp, inode: 0),
          outcome: entry.isPicture ? .noPosition : .located,
          photo: entry.isPicture ? nil : Self.row(of: photo.member))
      }
    }
    for files in filesOfPhoto where files.count > 1 { shots.append(files) }
    linkFilesToShots()
  }

  /// A file of a stored photo.
  private struct Entry {
    let name: ArraySlice<UInt8>
    /// The number of the photo.
    let photo: Int
    let source: Int32
    /// Whether it is the picture of the shot and not the file that stands for it.
    let isPicture: Bool
  }

  /// Returns the files of photos by their folders, in no order.
  private static func entries(
    of photos: [IndexedPhoto]
  ) -> (folders: [ArraySlice<UInt8>], entries: [[Entry]]) {
    var (folders, entries): ([ArraySlice<UInt8>], [[Entry]]) = ([], [])
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    func add(_ path: [UInt8], _ photo: Int, isPicture: Bool) {
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
      let folder = slash.map { path[..<max($0, 1)] } ?? []
      let number = numbers[folder] ?? folders.count
      if number == folders.count {
        numbers[folder] = number
        folders.append(folder)
        entries.append([])
      }
      entries[number].append(
        Entry(
          name: path[(slash.map { $0 + 1 } ?? 0)...], photo: photo, source: photos[photo].source,
          isPicture: isPicture))
    }
    for (number, photo) in photos.enumerated() {
      add(photo.member.path, number, isPicture: false)
      if let picture = photo.member.picture, picture != photo.member.path {
        add(picture, number, isPicture: true)
      }
    }
    return (folders, entries)
  }

  private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
    if left.name.lexicographicallyPrecedes(right.name) { return true }
    if right.name.lexicographicallyPrecedes(left.name) { return false }
    return left.source < right.source
  }

  private static func row(of member: SpotMember) -> PhotoTable.Photo {
    PhotoTable.Photo(
      facts: PhotoFacts(
        file: FileID(0), captured: member.captured,
        rating: member.rating == 0 ? nil : member.rating, isFavorite: member.isFavorite),
      coordinate: member.coordinate, source: .server)
  }
}
