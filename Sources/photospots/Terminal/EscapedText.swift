import Interchange
import PhotoLibrary
import Storage
import SystemPackage

extension FilePath {
  /// The path escaped by ``Interchange/TerminalText/escaped(_:)``.
  var escaped: String { shown.escaped }

  /// The path as a shell argument, quoted if necessary.
  var quoted: String {
    let text = escaped
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
      default: "/._-+,:@%".utf8.contains(byte)
      }
    }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

extension String {
  /// The text escaped by ``Interchange/TerminalText/escaped(_:)``.
  var escaped: String { utf8.escaped }
}

extension Sequence<UInt8> {
  /// The bytes escaped by ``Interchange/TerminalText/escaped(_:)``.
  var escaped: String { TerminalText.escaped(self) }
}
