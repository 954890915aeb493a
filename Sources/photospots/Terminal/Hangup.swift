import CLibrary
import Dispatch
import Synchronization
import SystemPackage

/// SIGHUP, by which services are asked to read their files again, and terminals say that they are
/// closed.
enum Hangup {
  private static let wakeUpDescriptor = Atomic<CInt>(-1)

  /// Begins to call a closure, on a queue of its own, each time files are to be read again.
  ///
  /// - Returns: What ends it when it is cancelled.
  /// - Throws: An `Errno` where there are no more descriptors.
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

  /// Begins to take note of the signal.
  ///
  /// - Returns: A descriptor that becomes readable when files are to be read again.
  private static func observe() throws -> FileDescriptor {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    for end in [readEnd, writeEnd] {
      _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
    }
    wakeUpDescriptor.store(writeEnd.rawValue, ordering: .relaxed)
    // Known before the handler runs, which must not be the first to ask.
    _ = StandardError.isTerminal
    signal(SIGHUP, handleSignal)
    return readEnd
  }

  /// Makes the descriptor unreadable again.
  private static func take(from descriptor: FileDescriptor) {
    var bytes = (UInt64(0), UInt64(0))
    while withUnsafeMutableBytes(of: &bytes, { read(descriptor.rawValue, $0.baseAddress, 16) }) > 0
    {}
  }

  /// Runs in the signal handler, where only atomics and system calls are safe.
  private static let handleSignal: @convention(c) (CInt) -> Void = { _ in
    // The terminal is closed: nobody is there any more.
    if StandardError.isTerminal, isatty(STDERR_FILENO) == 0 { return Interruption.request() }
    var byte: UInt8 = 0
    _ = write(wakeUpDescriptor.load(ordering: .relaxed), &byte, 1)
  }
}
