package import PhotoMetadata
package import Spatial
import Storage

/// A photo that stands for a shot, with all that the spot of it depends on.
package struct SpotMember: Hashable, Sendable {
  /// The absolute path of the file that stands for the shot, as the system's bytes.
  package let path: [UInt8]
  /// Where it was taken.
  package let coordinate: Coordinate
  /// When it was taken; `nil` where it is undated.
  package let captured: CaptureTime?
  /// The best rating of the files of the shot; 0 where none is rated.
  package let rating: Int8
  /// Whether a file of the shot is a favourite.
  package let isFavorite: Bool
  /// The path of the first file of the shot that is neither RAW nor a movie; `nil` where there is
  /// none.
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
  /// The numbers of the photos that stand for shots, ascending.
  package var spotMemberNumbers: [Int32] {
    photos.ids.lazy.filter { standsForShot($0) }.map(\.number)
  }

  /// The photo of a number, which stands for a shot.
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
}
