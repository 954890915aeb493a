import CLibrary
import Encodings
package import SystemPackage

/// The maximum width of lines.
package enum TerminalWidth {
  /// The width of most terminals, used for other outputs.
  package static let usual = 80

  /// Returns the number of columns of a descriptor's terminal; ``usual`` if it is not a terminal or
  /// its width is unknown.
  package static func columns(of descriptor: FileDescriptor) -> Int {
    var size = winsize()
    guard ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return usual
    }
    return Int(size.ws_col)
  }

  /// Returns a row of text in lines of at most the given number of columns. The further lines are
  /// indented behind the beginning; by four columns if the beginning takes more than half a line.
  package static func row(_ beginning: String, _ text: String, columns: Int) -> String {
    beginning.columns * 2 > columns
      ? (beginning + text).wrapped(to: columns, indent: 4)
      : beginning + text.wrapped(to: columns, indent: beginning.columns)
  }
}

extension String {
  /// Returns the text in lines of at most the given number of columns, broken at spaces. A longer
  /// word gets its own line.
  ///
  /// - Parameters:
  ///   - columns: The maximum width of a line, including its indent.
  ///   - indent: The number of spaces before each line except the first.
  /// - Returns: The lines, separated by line ends.
  package func wrapped(to columns: Int, indent: Int = 0) -> String {
    var lines: [String] = []
    var line: String?
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      guard let current = line else {
        // Spaces at a line break are dropped.
        if lines.isEmpty || !word.isEmpty { line = String(word) }
        continue
      }
      let width = current.columns + 1 + word.columns
      if current.contains(where: { $0 != " " }), width > columns - indent {
        lines.append(current.trimmedAtEnd)
        line = word.isEmpty ? nil : String(word)
      } else {
        line = current + " " + word
      }
    }
    if let line { lines.append(line) }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
