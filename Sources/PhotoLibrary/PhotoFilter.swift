public import Interchange
import PhotoMetadata
import Storage
import SystemPackage

/// Conditions that a photo may have to meet.
public struct PhotoFilter: Sendable {
  /// Whether only favourites are accepted.
  public var isFavorite: Bool
  /// Only photos that were taken at or before this instant are accepted, no undated ones; `nil` for any.
  public var takenBefore: Instant?
  /// Only photos in a folder of this name, as the system's bytes, are accepted; `nil` for any.
  public var album: [UInt8]?

  /// Creates a filter; without conditions it accepts every photo.
  public init(isFavorite: Bool = false, takenBefore: Instant? = nil, album: [UInt8]? = nil) {
    self.isFavorite = isFavorite
    self.takenBefore = takenBefore
    self.album = album
  }

  /// Whether a photo meets all conditions.
  public func accepts(_ photo: PhotoLocation) -> Bool {
    if isFavorite, !photo.isFavorite { return false }
    if let takenBefore {
      guard let captured = photo.captured, captured.instant <= takenBefore else { return false }
    }
    if let album, photo.album?.bytes != album { return false }
    return true
  }
}
