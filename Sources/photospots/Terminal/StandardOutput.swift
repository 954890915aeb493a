import ArgumentParser
import CLibrary
import Interchange
import SystemPackage

/// Where results go, and nothing else.
enum StandardOutput {
  /// Whether a person reads it as it is written.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// How many columns a row of text may have.
  static var columns: Int { TerminalWidth.columns(of: .standardOutput) }

  /// A row of text that may be long, as it is written here: on a terminal it goes on below itself,
  /// behind its beginning; elsewhere it stays a line, for programs that look for lines.
  static func row(_ beginning: String, _ text: String) -> String {
    isTerminal ? beginning + text.wrapped(to: columns, indent: beginning.count) : beginning + text
  }

  /// Puts `/dev/null` where standard input, output or error is closed: the next file that is opened
  /// would take its number, and results would go there.
  static func fillClosedDescriptors() {
    while true {
      // Read from only, so that a result for a closed descriptor is an error and not lost.
      let descriptor = open("/dev/null", O_RDONLY)
      guard descriptor > STDERR_FILENO || descriptor < 0 else { continue }
      if descriptor >= 0 { close(descriptor) }
      return
    }
  }

  /// Lets writing to a pipe that nobody reads any more be an error instead of the end of the
  /// process.
  ///
  /// A handler that does nothing is used, since ignoring the signal would be passed on to hook
  /// scripts.
  static func survivesClosedPipe() {
    signal(SIGPIPE) { _ in }
  }

  /// Ends the process.
  static func endProcess(_ status: CInt) -> Never { exit(status) }

  /// Writes text. On a terminal everything is escaped that it would obey, whoever wrote it.
  static func write(_ text: String) throws { try write(text: Array(text.utf8)) }

  /// Writes text that may hold bytes that are none: names of files, which elsewhere than on a
  /// terminal are what opens them.
  static func write(text bytes: [UInt8]) throws {
    try send(Style.written(bytes, isTerminal: isTerminal))
  }

  /// Writes JSON, which stays JSON on a terminal too.
  static func write(json bytes: [UInt8]) throws {
    try send(isTerminal ? TerminalText.printableJSON(bytes) : bytes)
  }

  /// Writes the content of a file as it is.
  static func write(file bytes: [UInt8]) throws { try send(bytes) }

  /// The only way to standard output but for notifications. A reader that has gone away has seen
  /// enough: that is thrown as an exit with success, so that what a command has to see to at its
  /// end is not passed over.
  private static func send(_ bytes: [UInt8]) throws {
    do {
      _ = try FileDescriptor.standardOutput.writeAll(bytes)
    } catch Errno.brokenPipe {
      throw ExitCode.success
    } catch {
      throw Failure("the output cannot be written: \(error)")
    }
  }
}
