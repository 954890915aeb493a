extension String {
  /// The text escaped by ``TerminalText/escaped(_:)``.
  package var escaped: String { utf8.escaped }
}

extension Sequence<UInt8> {
  /// The bytes escaped by ``TerminalText/escaped(_:)``.
  package var escaped: String { TerminalText.escaped(self) }
}
