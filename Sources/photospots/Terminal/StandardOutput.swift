import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where results go, and nothing else.
enum StandardOutput {
  /// Whether a person reads it as it is written.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Puts `/dev/null` where standard input, output or error is closed: the next file that is opened would
  /// take its number, and results would go there.
  static func fillClosedDescriptors() {
    while true {
      let descriptor = open("/dev/null", O_RDWR)
      guard descriptor > STDERR_FILENO || descriptor < 0 else { continue }
      if descriptor >= 0 { close(descriptor) }
      return
    }
  }

  /// Lets writing to a pipe that nobody reads any more be an error instead of the end of the process.
  ///
  /// A handler that does nothing is used, since ignoring the signal would be passed on to hook scripts.
  static func survivesClosedPipe() {
    signal(SIGPIPE) { _ in }
  }

  /// Writes bytes. A reader that has gone away has seen enough: then the process ends with success.
  static func write(_ bytes: [UInt8]) throws {
    do {
      _ = try FileDescriptor.standardOutput.writeAll(bytes)
    } catch Errno.brokenPipe {
      exit(EXIT_SUCCESS)
    } catch {
      throw Failure("the output cannot be written: \(error)")
    }
  }

  /// Writes text.
  static func write(_ text: String) throws {
    try write(Array(text.utf8))
  }
}
