public import SystemPackage

/// One press of the shutter: a photo with a position, and the files that are of it too, a RAW file,
/// the movie of a Live Photo, edited copies, copies in other folders.
public struct PhotoShot: Hashable, Sendable {
  /// The photo that stands for the shot, with the best rating of all its files.
  public let photo: PhotoLocation
  /// The absolute paths of the other files; those without a position come last.
  public let otherFiles: [FilePath]

  /// The absolute paths of all files, first that of ``photo``.
  public var files: [FilePath] { [photo.path] + otherFiles }

  /// Where a browser finds the photo on the server of a remote library; `nil` where it is in none.
  package var webAddress: String? {
    files.lazy.compactMap { RemotePhoto(path: $0)?.webAddress }.first
  }
}
