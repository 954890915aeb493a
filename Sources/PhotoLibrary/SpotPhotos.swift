import CivilTime
import Codecs
import Interchange
package import PhotoMetadata
package import Spatial
import Storage
package import SystemPackage

/// The photos of spots by their numbers in the index, for a program that counts all of them:
/// nothing is made of a photo that is only counted.
///
/// A photo stands for its shot here, with the best rating of the shot's files.
package struct SpotPhotos: Sendable {
  private let tables: SpotIndexTables
  private var index: PhotoIndex { tables.index }

  /// Takes the photos of spots; `nil` for spots that were made without an index.
  package init?(of spots: SpotIndex) {
    guard let tables = spots.spots.tables else { return nil }
    self.tables = tables
  }

  /// Calls a closure with the photos of a spot, the earliest first.
  ///
  /// - Parameters:
  ///   - spot: The spot's place in ``SpotIndex/spots``.
  ///   - body: Is given the number of a photo.
  @inline(__always)
  package func forEachPhoto(ofSpotAt spot: Int, _ body: (_ photo: Int32) -> Void) {
    for photo in tables.spots.members[spot] { body(photo.number) }
  }

  /// The time of capture on the clock of the camera, in milliseconds since the beginning of 1970 on
  /// that clock; `nil` where the photo is undated.
  package func clockMilliseconds(of photo: Int32) -> Int64? {
    let row = PhotoID(number: photo).row
    return index.photos.captured[row].map {
      $0.millisecondsSince1970 &+ Int64(index.photos.utcOffset[row]?.stored ?? 0) * 60_000
    }
  }

  /// The photo that stands for the shot of a file; `nil` where the index does not have it.
  package func photo(ofFileAt path: FilePath) -> Int32? { index.shot(ofFileAt: path)?.number }

  /// When a photo was taken.
  package func captured(of photo: Int32) -> CaptureTime? {
    index.photos.captured(of: PhotoID(number: photo))
  }

  /// The position of a photo.
  package func coordinate(of photo: Int32) -> Coordinate {
    index.photos.coordinate(of: PhotoID(number: photo))
  }

  /// The direction that the camera faced in degrees, clockwise from north.
  package func headingDegrees(of photo: Int32) -> Double? {
    index.photos.heading[PhotoID(number: photo).row]
  }

  /// Whether a file of the shot is a favourite.
  package func isFavorite(_ photo: Int32) -> Bool {
    index.isFavorite(shotOf: PhotoID(number: photo))
  }

  /// The focal length of a photo, with the equivalent on 35 mm film where the camera's sensor is
  /// known.
  package func focalLength(of photo: Int32) -> FocalLength? {
    index.focalLength(of: index.photos[PhotoID(number: photo)])
  }

  /// Returns the folders of a name, by their numbers.
  ///
  /// - Parameter album: The folder's name as ``Interchange/NameText`` writes it.
  /// - Returns: The numbers; none where no folder has the name.
  package func folders(named album: String) -> Set<Int32> {
    Set(
      index.folders.indices.lazy.filter { folder in
        let name = index.folders[folder].split(separator: UInt8(ascii: "/")).last
        return name.map { NameText.text(of: $0) } == album
      }.map { Int32(truncatingIfNeeded: $0) })
  }

  /// Whether a file of the shot lies in one of some folders.
  package func isPhoto(_ photo: Int32, inOneOf folders: Set<Int32>) -> Bool {
    let file = index.photos.file[PhotoID(number: photo).row]
    guard let shot = index.files.shot[file.row] else {
      return folders.contains(index.files.folder[file.row].number)
    }
    return index.shots[shot].contains { folders.contains(index.files.folder[$0.row].number) }
  }

  /// The photo that stands for a spot.
  package func cover(ofSpotAt spot: Int) -> Int32 {
    photo(standingFor: tables.spots.cover[spot]) ?? tables.spots.members[spot].first?.number ?? 0
  }

  /// The photo of some of a spot's that would stand for it; `nil` where there is none.
  package func cover(of photos: [Int32]) -> Int32? {
    guard let first = photos.first else { return nil }
    return photo(standingFor: index.cover(of: photos.map { PhotoID(number: $0) })) ?? first
  }

  private func photo(standingFor file: FileID) -> Int32? {
    index.files(ofShotOf: file).first.flatMap { index.files.photo[$0.row] }?.number
  }

  /// The spot's place of each photo that stands for a shot, −1 for the others.
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

/// The names of photos that do not tell where they lie, and change with the file.
///
/// A name is sixteen characters of base32: a hash of the path, the size and the time of
/// modification of the file that stands for the shot. So a picture of a name never changes.
package struct PhotoNames: Sendable {
  private let index: PhotoIndex
  /// The photos that stand for shots, in the order of their keys.
  private let sorted: [Int32]

  /// Sorts the photos of an index by their names.
  ///
  /// - Complexity: O(*n*) for *n* photos: a second for some millions.
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

  /// The photo of a name; `nil` where there is none.
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

  /// The name of a photo that stands for a shot, which takes no sorting.
  package static func name(of photo: Int32, _ index: PhotoIndex) -> String {
    var hash = hash(of: photo, index)
    let first = Base32.text(hash.mixed)
    hash.combine(0xFF)
    return first + Base32.text(hash.mixed).prefix(3)
  }

  /// The bits as a number that is sorted as they are.
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
    // An index that was read from an early document by a question has no sizes.
    guard index.files.size.count == index.files.count else { return hash }
    for number in [index.files.size[file.row], index.files.modified[file.row]] {
      withUnsafeBytes(of: number.littleEndian) { hash.combine($0) }
    }
    return hash
  }

  /// The number that the first thirteen digits of a name are; `nil` where they are none.
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
