import PhotoLibrary
package import ProcessControl
import Storage
package import SystemPackage

/// Roots of the index that are links to folders.
package enum LinkedRoot {
  /// Returns the folder to index for a root that a person named.
  ///
  /// A link to a folder is resolved now and not again, since another link could take its place; a
  /// root that an index has already is kept.
  ///
  /// - Parameters:
  ///   - root: The root.
  ///   - known: The roots of the index.
  ///   - log: Receives a note about a resolved link.
  /// - Returns: The folder, or the root itself if it is not a link.
  package static func resolved(
    _ root: FilePath, known: [FilePath], log: MessageLog
  ) -> FilePath {
    guard !known.contains(root), let folder = Disk.folder(linkedFrom: root) else { return root }
    if !known.contains(folder) {
      log.note("\(root.escaped) is a link; the folder \(folder.escaped) is indexed")
    }
    return folder
  }
}
