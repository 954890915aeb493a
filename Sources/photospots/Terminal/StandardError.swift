import Interchange
import Synchronization
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

  /// Whether each line is an object of JSON, for programs that collect logs.
  static let isStructured = Atomic(false)

  /// Writes a line. What cannot be written there cannot be told anywhere.
  static func writeLine(_ text: String) {
    if isStructured.load(ordering: .relaxed) { return writeRecord(text) }
    _ = try? FileDescriptor.standardError.writeAll(Array((text + "\n").utf8))
  }

  /// Writes `{"time":…,"message":…}`, without the name of the program, which a collector knows.
  private static func writeRecord(_ text: String) {
    let name = "photospots: "
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("time", Instant.now.iso8601)
      writer.member("message", text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text)
    }
    writer.newline()
    _ = try? FileDescriptor.standardError.writeAll(writer.takeBytes())
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
