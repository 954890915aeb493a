import CLibrary
import CivilTime
import Interchange
import Synchronization
import SystemPackage

/// Where everything goes that is not a result.
enum StandardError {
  /// Whether a person reads it as it is written.
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Whether each line is an object of JSON, for programs that collect logs.
  static let isStructured = Atomic(false)

  private static let quietFlag = Atomic(false)
  private static let verboseFlag = Atomic(false)

  /// Whether nothing but warnings and errors is told.
  static var isQuiet: Bool {
    get { quietFlag.load(ordering: .relaxed) }
    set { quietFlag.store(newValue, ordering: .relaxed) }
  }

  /// Whether it is told what is done.
  static var isVerbose: Bool {
    get { verboseFlag.load(ordering: .relaxed) }
    set { verboseFlag.store(newValue, ordering: .relaxed) }
  }

  /// Tells what is good to know, without the name of the program; not where `--quiet` is given.
  static func note(_ text: String) {
    if !isQuiet { writeLine("photospots: " + text) }
  }

  /// Tells what is done, where `--verbose` is given.
  static func detail(_ text: @autoclosure () -> String) {
    if isVerbose { writeLine("photospots: " + text()) }
  }

  /// Writes a line. On a terminal everything is escaped that it would obey, whoever wrote it.
  static func writeLine(_ text: String) {
    if isStructured.load(ordering: .relaxed) { return writeRecord(text) }
    send(printable(text + "\n"))
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
    let bytes = writer.takeBytes()
    send(isTerminal ? TerminalText.printableJSON(bytes) : bytes)
  }

  /// Writes over the line that was shown last, no wider than the terminal; only sensible on one.
  static func showProgress(_ text: String) {
    let text = cut(text, to: TerminalWidth.columns(of: .standardError))
    send(Array("\r".utf8) + printable(text) + Array("\u{1B}[K".utf8))
  }

  /// The text on a row of a terminal: one that filled it would begin another row, which could not
  /// be written over.
  static func cut(_ text: String, to columns: Int) -> String {
    String(text.prefix(max(0, columns - 1)))
  }

  /// Takes the progress line away.
  static func hideProgress() { send(Array("\r\u{1B}[K".utf8)) }

  private static func printable(_ text: String) -> [UInt8] {
    isTerminal ? TerminalText.printable(Array(text.utf8)) : Array(text.utf8)
  }

  /// The only way to standard error. What cannot be written there cannot be told anywhere.
  private static func send(_ bytes: [UInt8]) {
    _ = try? FileDescriptor.standardError.writeAll(bytes)
  }
}
