import ArgumentParser
import IndexUpdates
import PhotoLibrary
import ProgramSettings
import SystemPackage
import TerminalOutput

extension Paths {
  /// Checks that the text of an argument is not empty. As a path it would be the working folder,
  /// though it mostly comes from a script's variable that is not set.
  ///
  /// - Parameters:
  ///   - text: The text of the argument; `nil` if it is not given.
  ///   - name: The argument's name in the message.
  /// - Throws: A `ValidationError` for an empty text.
  static func checkIsNamed(_ text: String?, as name: String) throws {
    guard text?.isEmpty == true else { return }
    throw ValidationError(
      "\(name) is empty: is a variable of a script not set? Write . for the working folder")
  }

  /// Returns a root of the index typed by the user: a folder, or the address of a remote library.
  static func root(_ text: String) throws -> FilePath {
    try checkIsNamed(text, as: "the name of a folder")
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
