import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
    var (lines, line, room) = ([String](), "", columns - indent)
    for word in split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > max(room, 1) {
        lines.append(line)
        (line, room) = (String(word), columns - indent)
      } else {
        line += line.isEmpty ? String(word) : " " + word
      }
    }
    return (lines + [line]).joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
