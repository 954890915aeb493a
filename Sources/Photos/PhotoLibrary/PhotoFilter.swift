public import CivilTime
import PhotoMetadata
import Storage
import SystemPackage

/// Conditions on shots.
public struct PhotoFilter: Sendable {
  /// Whether only favourites are accepted.
  public var isFavorite: Bool
  /// The latest accepted capture time, inclusive; undated shots are not accepted then. `nil` for
  /// any.
  public var takenBefore: Instant?
  /// The days on which a shot was taken, by the clock of its place; undated shots are not accepted
  /// then. `nil` for any.
  public var taken: CivilPeriod?
  /// The accepted folder names, as bytes: a shot needs a file in a folder of one of these names.
  /// `nil` for any.
  public var albums: Set<[UInt8]>?

  /// Creates a filter; without conditions it accepts every shot.
  public init(
    isFavorite: Bool = false, takenBefore: Instant? = nil, taken: CivilPeriod? = nil,
    albums: Set<[UInt8]>? = nil
  ) {
    self.isFavorite = isFavorite
    self.takenBefore = takenBefore
    self.taken = taken
    self.albums = albums
  }

  /// Returns whether a shot meets all conditions.
  public func accepts(_ shot: PhotoShot) -> Bool {
    if isFavorite, !shot.photo.isFavorite { return false }
    if let takenBefore {
      guard let captured = shot.photo.captured, captured.instant <= takenBefore else {
        return false
      }
    }
    if let taken {
      guard let captured = shot.photo.captured, taken.contains(captured.day) else {
        return false
      }
    }
    guard let albums else { return true }
    return shot.files.contains { file in
      FilePath.lastName(of: FilePath.parent(of: file.bytes[...])).map { albums.contains(Array($0)) }
        == true
    }
  }
}
