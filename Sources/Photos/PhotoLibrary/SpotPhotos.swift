import CivilTime
import Encodings
package import PhotoMetadata
package import Spatial
import Storage
package import SystemPackage

/// The photos of spots by their numbers in the index, without creating a value for each photo.
///
/// A photo here represents its shot, with the best rating of the shot's files.
package struct SpotPhotos: Sendable {
  private let tables: SpotIndexTables
  private var index: PhotoIndex { tables.index }

  /// Creates the photos of spots; `nil` if the spots were made without a photo index.
  package init?(of spots: SpotIndex) {
    guard let tables = spots.spots.tables else { return nil }
    self.tables = tables
  }

  /// Calls a closure with the number of each photo of a spot, earliest first.
  ///
  /// - Parameters:
  ///   - spot: The spot's index in ``SpotIndex/spots``.
  ///   - body: Called with the number of each photo.
  @inline(__always)
  package func forEachPhoto(ofSpotAt spot: Int, _ body: (_ photo: Int32) -> Void) {
    for photo in tables.spots.members[spot] { body(photo.number) }
  }

  /// Returns the local capture time of a photo, in milliseconds since 1970-01-01T00:00 local time;
  /// `nil` if the photo is undated.
  package func clockMilliseconds(of photo: Int32) -> Int64? {
    captured(of: photo).map {
      $0.instant.millisecondsSince1970 &+ Int64($0.utcOffsetMinutes ?? 0) * 60_000
    }
  }

  /// Returns the representative photo of a file's shot; `nil` if the index does not have the file.
  package func photo(ofFileAt path: FilePath) -> Int32? { index.shot(ofFileAt: path)?.number }

  /// Returns the capture time of a photo.
  package func captured(of photo: Int32) -> CaptureTime? {
    index.photos.captured(of: PhotoID(number: photo))
  }

  /// Returns the position of a photo.
  package func coordinate(of photo: Int32) -> Coordinate {
    index.photos.coordinate(of: PhotoID(number: photo))
  }

  /// Returns the direction that the camera faced, in degrees clockwise from north.
  package func headingDegrees(of photo: Int32) -> Double? {
    index.photos.heading[PhotoID(number: photo).row]
  }

  /// Returns whether a file of the shot is a favourite.
  package func isFavorite(_ photo: Int32) -> Bool {
    index.isFavorite(shotOf: PhotoID(number: photo))
  }

  /// Returns the focal length of a photo, with the 35 mm equivalent if the camera's sensor is
  /// known.
  package func focalLength(of photo: Int32) -> FocalLength? {
    index.focalLength(of: index.photos[PhotoID(number: photo)].facts)
  }

  /// Returns the folders with a name.
  ///
  /// - Parameter album: The folder's name as ``Encodings/NameText`` writes it.
  /// - Returns: The numbers of the folders; empty if no folder has the name.
  package func folders(named album: String) -> Set<Int32> {
    Set(
      index.folders.indices.lazy.filter { folder in
        let name = index.folders[folder].split(separator: UInt8(ascii: "/")).last
        return name.map { NameText.text(of: $0) } == album
      }.map { Int32(truncatingIfNeeded: $0) })
  }

  /// Returns the number of the folder that contains a photo; `nil` for a recreation, since those of
  /// all places are in one folder.
  package func folder(of photo: Int32) -> Int32? {
    let file = index.photos.file[PhotoID(number: photo).row]
    guard !RecreatedFileName.matches(index.files.name[file.row]) else { return nil }
    return index.files.folder[file.row].number
  }

  /// The number of folders; they are numbered from zero.
  package var folderCount: Int { index.folders.count }

  /// Returns the name of a folder as ``Encodings/NameText`` writes it; `nil` for the root.
  package func name(ofFolder folder: Int32) -> String? {
    let parts = index.folders[Int(folder)].split(separator: UInt8(ascii: "/"))
    return parts.last.map { NameText.text(of: $0) }
  }

  /// Calls a closure with the number of the folder of each file of the shot.
  package func forEachFolder(of photo: Int32, _ body: (_ folder: Int32) -> Void) {
    forEachFile(of: photo) { body(index.files.folder[$0.row].number) }
  }

  private func forEachFile(of photo: Int32, _ body: (FileID) -> Void) {
    let file = index.photos.file[PhotoID(number: photo).row]
    guard let shot = index.files.shot[file.row] else { return body(file) }
    for file in index.shots[shot] { body(file) }
  }

  /// Returns a test whether names and captions contain all words of a text.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the names of all folders and of all captions.
  package func test(names text: String) -> PhotoNameTest {
    PhotoNameTest(
      text,
      folders: index.folders.indices.map { name(ofFolder: Int32(truncatingIfNeeded: $0)) },
      captions: index.captions)
  }

  /// Returns whether a file of the shot, together with its folder and caption, has all words of a
  /// test in its name.
  package func passes(_ test: PhotoNameTest, _ photo: Int32) -> Bool {
    var passes = false
    forEachFile(of: photo) { file in
      passes =
        passes
        || test.passes(
          index.name(of: file), folder: Int(index.files.folder[file.row].number),
          caption: index.files.photo[file.row].flatMap { index.photos.caption[$0.row] })
    }
    return passes
  }

  /// Returns whether any file of the shot is in one of the given folders.
  package func isPhoto(_ photo: Int32, inOneOf folders: Set<Int32>) -> Bool {
    let file = index.photos.file[PhotoID(number: photo).row]
    guard let shot = index.files.shot[file.row] else {
      return folders.contains(index.files.folder[file.row].number)
    }
    return index.shots[shot].contains { folders.contains(index.files.folder[$0.row].number) }
  }

  /// Returns the representative photo of a spot.
  package func cover(ofSpotAt spot: Int) -> Int32 {
    photo(standingFor: tables.spots.cover[spot]) ?? tables.spots.members[spot].first?.number ?? 0
  }

  /// Returns the photo that would represent a spot with only the given photos; `nil` if there are
  /// none.
  package func cover(of photos: [Int32]) -> Int32? {
    guard let first = photos.first else { return nil }
    return photo(standingFor: index.cover(of: photos.map { PhotoID(number: $0) })) ?? first
  }

  private func photo(standingFor file: FileID) -> Int32? {
    index.files(ofShotOf: file).first.flatMap { index.files.photo[$0.row] }?.number
  }

  /// Returns the spot's index for each photo that represents a shot, and −1 for other photos.
  package func spotPlaces() -> [Int32] {
    var places = Array(repeating: Int32(-1), count: index.photos.count)
    for spot in tables.spots.indices {
      for photo in tables.spots.members[spot] {
        places[photo.row] = Int32(truncatingIfNeeded: spot)
      }
    }
    return places
  }
}

/// Names of photos that do not reveal paths, and that change with the files.
///
/// A name is sixteen base32 characters: a hash of the path, size and modification time of the
/// shot's representative file. So the picture with a given name never changes.
package struct PhotoNames: Sendable {
  private let index: PhotoIndex
  /// The photos that represent shots, sorted by key.
  private let sorted: [Int32]

  /// Sorts the photos of an index by name.
  ///
  /// - Complexity: O(*n*) for *n* photos; about a second for some millions.
  package init(of index: PhotoIndex) {
    self.index = index
    var photos: [Int32] = []
    var keys: [Int64] = []
    var (folder, ofFolder) = (Int32(-1), FNV1a())
    for photo in index.photos.ids where index.standsForShot(photo) {
      let file = index.photos.file[photo.row]
      let number = index.files.folder[file.row].number
      if number != folder { (folder, ofFolder) = (number, Self.hash(ofFolderOf: file, index)) }
      photos.append(photo.number)
      keys.append(Self.order(Self.hash(of: file, index, ofFolder).mixed))
    }
    sorted = RadixSort.order(of: keys).map { photos[Int($0)] }
  }

  /// Returns the photo with a name; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) for *n* photos.
  package func photo(named name: String) -> Int32? {
    guard name.utf8.count == 16, let key = Self.key(of: name) else { return nil }
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.order(Self.hash(of: sorted[middle], index).mixed) < Self.order(key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    while low < sorted.count, Self.hash(of: sorted[low], index).mixed == key {
      if Self.name(of: sorted[low], index) == name { return sorted[low] }
      low += 1
    }
    return nil
  }

  /// Returns the name of a photo that represents a shot, without sorting.
  package static func name(of photo: Int32, _ index: PhotoIndex) -> String {
    var hash = hash(of: photo, index)
    let first = Base32.text(hash.mixed)
    hash.combine(0xFF)
    return first + Base32.text(hash.mixed).prefix(3)
  }

  /// Returns the key as a signed integer with the same bits, for sorting.
  private static func order(_ key: UInt64) -> Int64 { Int64(bitPattern: key) }

  private static func hash(of photo: Int32, _ index: PhotoIndex) -> FNV1a {
    let file = index.photos.file[PhotoID(number: photo).row]
    return hash(of: file, index, hash(ofFolderOf: file, index))
  }

  private static func hash(ofFolderOf file: FileID, _ index: PhotoIndex) -> FNV1a {
    var hash = FNV1a()
    hash.combine(index.folder(index.files.folder[file.row]))
    return hash
  }

  private static func hash(of file: FileID, _ index: PhotoIndex, _ ofFolder: FNV1a) -> FNV1a {
    var hash = ofFolder
    hash.combine(0)
    hash.combine(index.name(of: file))
    // An index read for questions from a document of an early version has no sizes.
    guard index.files.size.count == index.files.count else { return hash }
    for number in [index.files.size[file.row], index.files.modified[file.row]] {
      withUnsafeBytes(of: number.littleEndian) { hash.combine($0) }
    }
    return hash
  }

  /// Returns the integer encoded by the first thirteen digits of a name; `nil` if they are not
  /// base32.
  private static func key(of name: String) -> UInt64? {
    var key: UInt64 = 0
    for (place, digit) in name.utf8.prefix(13).enumerated() {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a")
      case UInt8(ascii: "2")...UInt8(ascii: "7"): value = digit - UInt8(ascii: "2") + 26
      default: return nil
      }
      key |= UInt64(value) << UInt64(5 * place)
    }
    return key
  }
}
