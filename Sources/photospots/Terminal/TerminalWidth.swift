import CLibrary
import SystemPackage

/// How wide lines may be.
enum TerminalWidth {
  /// The columns of most terminals, for text that goes elsewhere.
  static let usual = 80

  /// The columns of the terminal that a descriptor leads to; ``usual`` where it is none, or does
  /// not say.
  static func columns(of descriptor: FileDescriptor) -> Int {
    var size = winsize()
    guard ioctl(descriptor.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return usual
    }
    return Int(size.ws_col)
  }
}

extension String {
  /// The text in lines of at most so many columns, broken at spaces; a word that is longer has a
  /// line of its own.
  ///
  /// - Parameters:
  ///   - columns: How wide a line may be, its indent with it.
  ///   - indent: How many spaces stand before each line but the first.
  /// - Returns: The lines, with line ends between them.
  func wrapped(to columns: Int, indent: Int = 0) -> String {
    var lines: [String] = []
    var line: String?
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      guard let current = line else {
        // Spaces between columns go where a line is broken.
        if lines.isEmpty || !word.isEmpty { line = String(word) }
        continue
      }
      if current.contains(where: { $0 != " " }), current.count + 1 + word.count > columns - indent {
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
