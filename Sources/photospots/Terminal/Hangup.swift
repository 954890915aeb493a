import CLibrary
import Dispatch
import Synchronization
import SystemPackage

/// The handling of SIGHUP, which asks services to reload their files and signals that a terminal
/// was closed.
enum Hangup {
  private static let wakeUpDescriptor = Atomic<CInt>(-1)

  /// Calls a closure, on a separate queue, each time the files should be reloaded.
  ///
  /// - Returns: A token that ends the calls when it is cancelled.
  /// - Throws: An `Errno` if no more file descriptors are available.
  static func calling(
    _ body: @escaping @Sendable () -> Void
  ) throws -> any DispatchSourceRead {
    let descriptor = try observe()
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor.rawValue, queue: DispatchQueue(label: "photospots.hangup"))
    source.setEventHandler {
      take(from: descriptor)
      body()
    }
    source.activate()
    return source
  }

  /// Installs the signal handler.
  ///
  /// - Returns: A descriptor that becomes readable when files should be reloaded.
  private static func observe() throws -> FileDescriptor {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    for end in [readEnd, writeEnd] {
      _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
    }
    wakeUpDescriptor.store(writeEnd.rawValue, ordering: .relaxed)
    // Evaluated before the handler runs, since lazy initialization is not safe in a signal handler.
    _ = StandardError.isTerminal
    signal(SIGHUP, handleSignal)
    return readEnd
  }

  /// Reads the pending bytes, so that the descriptor is no longer readable.
  private static func take(from descriptor: FileDescriptor) {
    var bytes = (UInt64(0), UInt64(0))
    while withUnsafeMutableBytes(of: &bytes, { read(descriptor.rawValue, $0.baseAddress, 16) }) > 0
    {}
  }

  /// The signal handler, in which only atomics and system calls are safe.
  private static let handleSignal: @convention(c) (CInt) -> Void = { _ in
    // The terminal was closed.
    if StandardError.isTerminal, isatty(STDERR_FILENO) == 0 { return Interruption.request() }
    var byte: UInt8 = 0
    _ = write(wakeUpDescriptor.load(ordering: .relaxed), &byte, 1)
  }
}
