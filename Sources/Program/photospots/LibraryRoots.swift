import ArgumentParser
import IndexUpdates
import PhotoLibrary
import ProgramSettings
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
    LinkedRoot.resolved(try root(text), known: known, log: .terminal)
  }
}
