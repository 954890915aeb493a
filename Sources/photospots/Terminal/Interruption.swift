import Synchronization
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Ctrl-C and SIGTERM, as something to look at instead of the end of the process.
enum Interruption {
  private static let isRequestedFlag = Atomic(false)
  private static let wakeUpDescriptor = Atomic<CInt>(-1)

  /// Whether the process was asked to stop.
  static var isRequested: Bool { isRequestedFlag.load(ordering: .relaxed) }

  /// Begins to take note of the signals. A second one ends the process at once.
  ///
  /// - Returns: A descriptor that becomes readable when the process is asked to stop, for what waits in a
  ///   system call.
  static func observe() throws -> FileDescriptor {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    for end in [readEnd, writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    wakeUpDescriptor.store(writeEnd.rawValue, ordering: .relaxed)
    signal(SIGINT, handleSignal)
    signal(SIGTERM, handleSignal)
    return readEnd
  }

  /// Asks the process to stop, as the signals do.
  static func request() {
    isRequestedFlag.store(true, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = write(wakeUpDescriptor.load(ordering: .relaxed), &byte, 1)
  }

  /// Runs in the signal handler, where only atomics and system calls are safe.
  private static let handleSignal: @convention(c) (CInt) -> Void = { number in
    signal(number, SIG_DFL)
    request()
  }
}
