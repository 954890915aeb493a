import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where everything goes that is not a result.
enum StandardError {
  /// Whether a person reads it as it is written.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Writes a line. What cannot be written there cannot be told anywhere.
  static func writeLine(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array((text + "\n").utf8))
  }

  /// Writes over the line that was shown last; only sensible on a terminal.
  static func showProgress(_ text: String) {
    _ = try? FileDescriptor.standardError.writeAll(Array(("\r" + text + "\u{1B}[K").utf8))
  }

  /// Takes the progress line away.
  static func hideProgress() {
    _ = try? FileDescriptor.standardError.writeAll(Array("\r\u{1B}[K".utf8))
  }
}
