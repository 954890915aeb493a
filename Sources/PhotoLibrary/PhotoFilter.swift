public import Interchange
import PhotoMetadata
import Storage
import SystemPackage

/// Conditions that a shot may have to meet.
public struct PhotoFilter: Sendable {
  /// Whether only favourites are accepted.
  public var isFavorite: Bool
  /// Only shots that were taken at or before this instant are accepted, no undated ones; `nil` for any.
  public var takenBefore: Instant?
  /// Only shots with a file in a folder of this name, as the system's bytes, are accepted; `nil` for any.
  public var album: [UInt8]?

  /// Creates a filter; without conditions it accepts every shot.
  public init(isFavorite: Bool = false, takenBefore: Instant? = nil, album: [UInt8]? = nil) {
    self.isFavorite = isFavorite
    self.takenBefore = takenBefore
    self.album = album
  }

  /// Whether a shot meets all conditions.
  public func accepts(_ shot: PhotoShot) -> Bool {
    if isFavorite, !shot.photo.isFavorite { return false }
    if let takenBefore {
      guard let captured = shot.photo.captured, captured.instant <= takenBefore else {
        return false
      }
    }
    guard let album else { return true }
    return shot.files.contains {
      $0.removingLastComponent().lastComponent?.bytes == album
    }
  }
}
