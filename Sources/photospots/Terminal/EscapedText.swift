import Interchange
import Storage
import SystemPackage

extension FilePath {
  /// The path as ``Interchange/TerminalText/escaped(_:)`` shows it.
  var escaped: String { bytes.escaped }
}

extension String {
  /// The text as ``Interchange/TerminalText/escaped(_:)`` shows it.
  var escaped: String { utf8.escaped }
}

extension Sequence<UInt8> {
  /// The bytes as ``Interchange/TerminalText/escaped(_:)`` shows them.
  var escaped: String { TerminalText.escaped(self) }
}
