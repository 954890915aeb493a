import CLibrary
import Synchronization
import SystemPackage

/// Ctrl-C, SIGTERM and the end of a session, as something to look at instead of the end of the
/// process.
enum Interruption {
  private static let isRequestedFlag = Atomic(false)
  private static let wakeUpDescriptor = Atomic<CInt>(-1)

  /// Whether the process was asked to stop.
  static var isRequested: Bool { isRequestedFlag.load(ordering: .relaxed) }

  /// Begins to take note of the signals. A second one ends the process at once.
  ///
  /// - Parameter includesHangup: Whether SIGHUP, which comes at the end of a session, is one of
  ///   them; not where it is ignored, as nohup(1) has it. Shells and the system send it more than
  ///   once, so no further one of it ends the process.
  /// - Returns: A descriptor that becomes readable when the process is asked to stop, for what
  ///   waits in a system call.
  /// - Throws: An `Errno` where the system has no more descriptors.
  static func observe(includingHangup includesHangup: Bool = false) throws -> FileDescriptor {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    for end in [readEnd, writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    wakeUpDescriptor.store(writeEnd.rawValue, ordering: .relaxed)
    signal(SIGINT, handleSignal)
    signal(SIGTERM, handleSignal)
    if includesHangup { observeHangup() }
    return readEnd
  }

  private static func observeHangup() {
    var action = sigaction()
    // The C structure has its handlers in a union, which Swift imports under other names on each
    // system.
    guard sigaction(SIGHUP, nil, &action) == 0, !isIgnoring(action) else { return }
    signal(SIGHUP, handleSignal)
  }

  private static func isIgnoring(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Asks the process to stop, as the signals do.
  static func request() {
    isRequestedFlag.store(true, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = write(wakeUpDescriptor.load(ordering: .relaxed), &byte, 1)
  }

  /// Runs in the signal handler, where only atomics and system calls are safe.
  private static let handleSignal: @convention(c) (CInt) -> Void = { number in
    if number != SIGHUP { signal(number, SIG_DFL) }
    request()
  }
}
