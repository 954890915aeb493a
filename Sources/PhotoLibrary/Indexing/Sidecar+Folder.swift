public import PhotoMetadata
import Storage
public import SystemPackage

extension Sidecar {
  /// Finds the sidecars of one photo in its folder, in the order in which they are asked; none
  /// where the folder cannot be read.
  ///
  /// - Complexity: Reads the whole folder; an indexer, which does so anyway, has them from its
  ///   listing.
  public static func all(of photo: FilePath) -> [Sidecar] {
    let listing = FolderListing(
      path: photo.removingLastComponent().bytes, followsLink: true, needsStatus: false,
      excludes: ExcludePatterns([], root: []))
    guard let name = photo.lastComponent?.bytes else { return [] }
    return listing.files.first { listing.name(of: $0).elementsEqual(name) }?.sidecars ?? []
  }
}
