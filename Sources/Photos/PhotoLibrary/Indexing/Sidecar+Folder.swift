public import PhotoMetadata
import Storage
public import SystemPackage

extension Sidecar {
  /// Returns the sidecars of one photo in its folder, in order of precedence; none if the folder
  /// cannot be read.
  ///
  /// - Complexity: Reads the whole folder. An indexer takes the sidecars from its folder listing
  ///   instead.
  public static func all(of photo: FilePath) -> [Sidecar] {
    let listing = FolderListing(
      path: photo.removingLastComponent().bytes, followsLink: true, needsStatus: false,
      excludes: ExcludePatterns([], root: []))
    guard let name = photo.lastComponent?.bytes else { return [] }
    return listing.files.first { listing.name(of: $0).elementsEqual(name) }?.sidecars ?? []
  }
}
