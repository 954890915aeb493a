public import SystemPackage

/// One press of the shutter: a photo with a position and the other files made of it, such as a RAW
/// file, the movie of a Live Photo, edited copies, or copies in other folders.
public struct PhotoShot: Hashable, Sendable {
  /// The representative photo of the shot, with the best rating of all files.
  public let photo: PhotoLocation
  /// The absolute paths of the other files; those without a position are last.
  public let otherFiles: [FilePath]

  /// The absolute paths of all files, that of ``photo`` first.
  public var files: [FilePath] { [photo.path] + otherFiles }

  /// The URL of the photo on the server of a remote library; `nil` if it is in none.
  package var webAddress: String? {
    files.lazy.compactMap { RemotePhoto(path: $0)?.webAddress }.first
  }
}
