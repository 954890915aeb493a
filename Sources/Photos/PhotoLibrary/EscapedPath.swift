import Encodings
import Storage
package import SystemPackage

extension FilePath {
  /// The path escaped by ``Encodings/TerminalText/escaped(_:)``.
  package var escaped: String { shown.escaped }

  /// The path as a shell argument, quoted if necessary.
  package var quoted: String { escaped.asShellArgument }
}

extension String {
  /// A text of printable characters as a shell argument, quoted if necessary.
  package var asShellArgument: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
      default: "/._-+,:@%".utf8.contains(byte)
      }
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
