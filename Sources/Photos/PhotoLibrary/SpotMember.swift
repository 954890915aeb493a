import CivilTime
package import PhotoMetadata
package import Spatial
import Storage

/// The representative photo of a shot, with all properties that affect its spot.
package struct SpotMember: Hashable, Sendable {
  /// The absolute path of the representative file, as bytes.
  package let path: [UInt8]
  /// The position where it was taken.
  package let coordinate: Coordinate
  /// The capture time; `nil` if unknown.
  package let captured: CaptureTime?
  /// The best rating of all files of the shot; 0 if none is rated.
  package let rating: Int8
  /// Whether any file of the shot is a favourite.
  package let isFavorite: Bool
  /// The absolute path, as bytes, of the file of the shot that is most suitable as a cover; `nil`
  /// if none is an image, and browsers show none.
  package let picture: [UInt8]?

  /// Creates a member of a spot.
  package init(
    path: [UInt8], coordinate: Coordinate, captured: CaptureTime?, rating: Int8 = 0,
    isFavorite: Bool = false, picture: [UInt8]?
  ) {
    self.path = path
    self.coordinate = coordinate
    self.captured = captured
    self.rating = rating
    self.isFavorite = isFavorite
    self.picture = picture
  }
}

extension PhotoIndex {
  /// The numbers of the shots' representative photos, ascending.
  package var spotMemberNumbers: [Int32] {
    photos.ids.lazy.filter { standsForShot($0) }.map(\.number)
  }

  /// Returns the representative photo with a number.
  ///
  /// - Precondition: The number is one of ``spotMemberNumbers``.
  package func spotMember(_ number: Int32) -> SpotMember {
    let photo = PhotoID(number: number)
    let file = photos.file[photo.row]
    let path = pathBytes(of: file)
    return SpotMember(
      path: path, coordinate: photos.coordinate(of: photo), captured: photos.captured(of: photo),
      rating: rating(ofShotOf: photo) ?? 0, isFavorite: isFavorite(shotOf: photo),
      picture: picture(ofShotOf: file).map { $0 == file ? path : pathBytes(of: $0) })
  }

  /// The number of the folder of a photo's file. Photos of one number have one folder.
  ///
  /// - Precondition: The number of the photo is one of ``spotMemberNumbers``.
  package func folderNumber(ofSpotMember number: Int32) -> Int32 {
    files.folder[photos.file[PhotoID(number: number).row].row].number
  }

  /// The path of a folder as bytes.
  ///
  /// - Precondition: The number is one of ``folderNumber(ofSpotMember:)``.
  package func folderPath(_ number: Int32) -> ArraySlice<UInt8> {
    folder(FolderID(number: number))
  }

  /// Appends bytes that differ for photos whose ``SpotMember`` differs, and returns the position.
  ///
  /// - Precondition: The number of the photo is one of ``spotMemberNumbers``.
  package func appendIdentity(ofSpotMember number: Int32, to bytes: inout [UInt8]) -> Coordinate {
    let photo = PhotoID(number: number)
    let file = photos.file[photo.row]
    let (position, captured) = (photos.coordinate(of: photo), photos.captured(of: photo))
    bytes.append(littleEndian: position.latitude.bitPattern)
    bytes.append(littleEndian: position.longitude.bitPattern)
    bytes.append(littleEndian: captured?.instant.millisecondsSince1970 ?? 0)
    bytes.append(littleEndian: Int32(truncatingIfNeeded: captured?.storedOffset ?? 1 << 20))
    bytes.append(littleEndian: rating(ofShotOf: photo) ?? 0)
    let picture = picture(ofShotOf: file)
    bytes.append(
      (captured == nil ? 0 : 1) | (isFavorite(shotOf: photo) ? 2 : 0)
        | (picture == nil ? 0 : picture == file ? 4 : 8))
    // No path holds the byte 0.
    bytes.append(contentsOf: folder(files.folder[file.row]))
    bytes.append(0)
    bytes.append(contentsOf: name(of: file))
    if let picture, picture != file {
      bytes.append(0)
      bytes.append(contentsOf: folder(files.folder[picture.row]))
      bytes.append(0)
      bytes.append(contentsOf: name(of: picture))
    }
    return position
  }
}

extension [UInt8] {
  @inline(__always)
  fileprivate mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
