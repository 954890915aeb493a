import CLibrary
import CivilTime
import Encodings
import ProcessControl
package import Synchronization
import SystemPackage

/// The output of messages, as opposed to results.
package enum StandardError {
  /// Whether standard error is a terminal.
  package static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Whether each line is written as a JSON object, for log collectors.
  package static let isStructured = Atomic(false)

  private static let quietFlag = Atomic(false)
  private static let verboseFlag = Atomic(false)

  /// Whether only warnings and errors are written.
  package static var isQuiet: Bool {
    get { quietFlag.load(ordering: .relaxed) }
    set { quietFlag.store(newValue, ordering: .relaxed) }
  }

  /// Whether details are written.
  package static var isVerbose: Bool {
    get { verboseFlag.load(ordering: .relaxed) }
    set { verboseFlag.store(newValue, ordering: .relaxed) }
  }

  /// Writes an informational message, with the program's name as prefix, unless `--quiet` is given.
  package static func note(_ text: String) {
    if !isQuiet { writeLine("photospots: " + text) }
  }

  /// Writes a detail if `--verbose` is given.
  package static func detail(_ text: @autoclosure () -> String) {
    if isVerbose { writeLine("photospots: " + text()) }
  }

  /// Writes a line. On a terminal all control characters are escaped, whatever their origin.
  package static func writeLine(_ text: String) {
    if isStructured.load(ordering: .relaxed) { return writeRecord(text) }
    send(printable(text + "\n"))
  }

  /// Writes `{"time":…,"message":…}`, without the program's name, which log collectors add
  /// themselves.
  private static func writeRecord(_ text: String) {
    let name = "photospots: "
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("time", Instant.now.iso8601)
      writer.member("message", text.hasPrefix(name) ? String(text.dropFirst(name.count)) : text)
    }
    writer.newline()
    let bytes = writer.takeBytes()
    send(isTerminal ? TerminalText.printableJSON(bytes) : bytes)
  }

  /// Overwrites the last progress line, cut to the width of the terminal. Only meaningful on a
  /// terminal.
  package static func showProgress(_ text: String) {
    let text = cut(text, to: TerminalWidth.columns(of: .standardError))
    send(Array("\r".utf8) + printable(text) + Array("\u{1B}[K".utf8))
  }

  /// Returns the text cut to less than a terminal row: a full row would wrap, and a wrapped line
  /// cannot be overwritten.
  package static func cut(_ text: String, to columns: Int) -> String {
    String(text.prefix(columns: max(0, columns - 1)))
  }

  /// Erases the progress line.
  package static func hideProgress() { send(Array("\r\u{1B}[K".utf8)) }

  private static func printable(_ text: String) -> [UInt8] {
    isTerminal ? TerminalText.printable(Array(text.utf8)) : Array(text.utf8)
  }

  /// Writes bytes. This is the only function that writes to standard error. Errors are ignored,
  /// since there is nowhere to report them.
  private static func send(_ bytes: [UInt8]) {
    _ = try? FileDescriptor.standardError.writeAll(bytes)
  }
}
