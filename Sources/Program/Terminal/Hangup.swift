import CLibrary
package import Dispatch
import Synchronization
import SystemPackage

/// The handling of SIGHUP, which asks services to reload their files and signals that a terminal
/// was closed; and of SIGUSR1, which asks `serve` for a new address.
package enum Hangup {
  private static let wakeUpDescriptor = Atomic<CInt>(-1)
  private static let codeDescriptor = Atomic<CInt>(-1)

  /// Calls a closure, on a separate queue, each time the files should be reloaded.
  ///
  /// - Returns: A token that ends the calls when it is cancelled.
  /// - Throws: An `Errno` if no more file descriptors are available.
  package static func calling(
    _ body: @escaping @Sendable () -> Void
  ) throws -> any DispatchSourceRead {
    try source(of: try observe(SIGHUP, wakeUpDescriptor, handleSignal), body)
  }

  /// Calls a closure, on a separate queue, each time SIGUSR1 is received.
  ///
  /// - Returns: A token that ends the calls when it is cancelled.
  /// - Throws: An `Errno` if no more file descriptors are available.
  package static func callingForCode(
    _ body: @escaping @Sendable () -> Void
  ) throws -> any DispatchSourceRead {
    try source(of: try observe(SIGUSR1, codeDescriptor, handleCodeSignal), body)
  }

  private static func source(
    of descriptor: FileDescriptor, _ body: @escaping @Sendable () -> Void
  ) throws -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(
      fileDescriptor: descriptor.rawValue, queue: DispatchQueue(label: "photospots.hangup"))
    source.setEventHandler {
      take(from: descriptor)
      body()
    }
    source.activate()
    return source
  }

  /// Installs a signal handler.
  ///
  /// - Returns: A descriptor that becomes readable when the signal is received.
  private static func observe(
    _ number: CInt, _ wakeUpDescriptor: borrowing Atomic<CInt>,
    _ handler: @escaping @convention(c) (CInt) -> Void
  ) throws -> FileDescriptor {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    for end in [readEnd, writeEnd] {
      _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
    }
    wakeUpDescriptor.store(writeEnd.rawValue, ordering: .relaxed)
    // Evaluated before the handler runs, since lazy initialization is not safe in a signal handler.
    _ = StandardError.isTerminal
    signal(number, handler)
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
    if StandardError.isTerminal, isatty(STDERR_FILENO) == 0 { return StopSignal.request() }
    var byte: UInt8 = 0
    _ = write(wakeUpDescriptor.load(ordering: .relaxed), &byte, 1)
  }

  private static let handleCodeSignal: @convention(c) (CInt) -> Void = { _ in
    var byte: UInt8 = 0
    _ = write(codeDescriptor.load(ordering: .relaxed), &byte, 1)
  }
}
