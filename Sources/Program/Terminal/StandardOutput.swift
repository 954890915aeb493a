import ArgumentParser
import CLibrary
import Encodings
import SystemPackage

/// The output of results.
package enum StandardOutput {
  /// Whether standard output is a terminal.
  package static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// The maximum number of columns of a row of text.
  package static var columns: Int { TerminalWidth.columns(of: .standardOutput) }

  /// Returns a row of text that may be long. On a terminal it is wrapped, with the further lines
  /// indented; otherwise it stays one line for line-based tools.
  package static func row(_ beginning: String, _ text: String) -> String {
    isTerminal ? TerminalWidth.row(beginning, text, columns: columns) : beginning + text
  }

  /// Opens `/dev/null` for each of standard input, output and error that is closed. Otherwise the
  /// next file opened would take its number, and results would be written to that file.
  package static func fillClosedDescriptors() {
    while true {
      // Opened only for reading, so that writing a result to a closed descriptor fails instead of
      // losing the result.
      let descriptor = open("/dev/null", O_RDONLY)
      guard descriptor > STDERR_FILENO || descriptor < 0 else { continue }
      if descriptor >= 0 { close(descriptor) }
      return
    }
  }

  /// Makes writes to a closed pipe fail with an error instead of ending the process.
  ///
  /// It installs a handler that does nothing, since hook scripts would inherit an ignored signal.
  package static func survivesClosedPipe() {
    signal(SIGPIPE) { _ in }
  }

  /// Exits the process.
  package static func endProcess(_ status: CInt) -> Never { exit(status) }

  /// Writes text. On a terminal all control characters are escaped, whatever their origin.
  package static func write(_ text: String) throws { try write(text: Array(text.utf8)) }

  /// Writes text that may contain bytes that are not UTF-8, such as file names. Unless standard
  /// output is a terminal, the bytes are unchanged, so that the names can be used to open the
  /// files.
  package static func write(text bytes: [UInt8]) throws {
    try send(Style.written(bytes, isTerminal: isTerminal))
  }

  /// Writes JSON, which is escaped in a way that is still JSON on a terminal.
  package static func write(json bytes: [UInt8]) throws {
    try send(isTerminal ? TerminalText.printableJSON(bytes) : bytes)
  }

  /// Writes the content of a file unchanged.
  package static func write(file bytes: [UInt8]) throws { try send(bytes) }

  /// Writes bytes. All output except notifications goes through this function. A closed pipe means
  /// that the reader needs no more output: it is thrown as an exit with success, so that the
  /// command's cleanup is still executed.
  private static func send(_ bytes: [UInt8]) throws {
    do {
      _ = try FileDescriptor.standardOutput.writeAll(bytes)
    } catch Errno.brokenPipe {
      throw ExitCode.success
    } catch {
      throw MessageError("the output cannot be written: \(error)")
    }
  }
}
