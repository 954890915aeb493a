import ArgumentParser
import IndexUpdates
import PhotoLibrary
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput

extension Paths {
  /// Returns a root of the index typed by the user: a folder, or the address of a remote library.
  static func root(_ text: String) throws -> FilePath {
    guard RemoteLibrary.isAddress(text) else { return absolute(text) }
    guard let library = RemoteLibrary(text) else {
      // The address is not shown, since it may contain a key.
      throw ValidationError(
        """
        write the address of a library as immich://HOST, immich://HOST:PORT or, without TLS, \
        immich+http://HOST:PORT, or the same with photoprism; put keys into the environment or the \
        settings file
        """)
    }
    return library.rootPath
  }

  /// Returns a root of the index typed by the user, where links to folders are resolved, so that a
  /// folder has one path whichever way it is named.
  static func root(_ text: String, known: [FilePath]) throws -> FilePath {
    let root = LinkedRoot.resolved(try root(text), known: known, log: .terminal)
    // A folder inside or above a known root keeps the path that the index has for it.
    let isRelated = known.contains { root.starts(with: $0) || $0.starts(with: root) }
    guard !root.isRemote, !isRelated else { return root }
    return withoutLinks(root)
  }

  /// Returns a path without links above its last component, which need not exist.
  private static func withoutLinks(_ path: FilePath) -> FilePath {
    var (folder, below) = (path, [FilePath.Component]())
    while let name = folder.lastComponent {
      folder.removeLastComponent()
      below.insert(name, at: 0)
      if let linked = Disk.folder(linkedFrom: folder) { return linked.appending(below) }
    }
    return path
  }
}
