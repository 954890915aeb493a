import PhotoLibrary
package import ProcessControl
import Storage
package import SystemPackage

/// Roots of the index that are links to folders.
package enum LinkedRoot {
  /// Returns the folder to index for a root that a person named.
  ///
  /// A link to a folder is resolved now and not again, since another link could take its place.
  /// Links above the folder stay in its path, unless the index has the folder, or one inside or
  /// above it, under the path without links: a folder has one path, whichever way it is named. A
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
    guard !known.contains(root), !root.isRemote else { return root }
    if let folder = Disk.folder(linkedFrom: root) {
      if !known.contains(folder) {
        log.note("\(root.escaped) is a link; the folder \(folder.escaped) is indexed")
      }
      return folder
    }
    guard let folder = withoutLinksAbove(root),
      known.contains(where: { folder.starts(with: $0) || $0.starts(with: folder) })
    else { return root }
    return folder
  }

  /// Returns a path without links above its last component, which need not exist; `nil` if there
  /// are none.
  private static func withoutLinksAbove(_ path: FilePath) -> FilePath? {
    var (folder, below) = (path, [FilePath.Component]())
    while let name = folder.lastComponent {
      folder.removeLastComponent()
      below.insert(name, at: 0)
      if let linked = Disk.folder(linkedFrom: folder) { return linked.appending(below) }
    }
    return nil
  }
}
