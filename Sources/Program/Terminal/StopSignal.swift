import CLibrary
import Synchronization
package import SystemPackage

/// The handling of Ctrl-C, SIGTERM and the end of a session: they set a flag instead of ending the
/// process.
package enum StopSignal {
  private static let isRequestedFlag = Atomic(false)
  private static let wakeUpDescriptor = Atomic<CInt>(-1)

  /// Whether the process was asked to stop.
  package static var isRequested: Bool { isRequestedFlag.load(ordering: .relaxed) }

  /// Installs the signal handlers. A second signal ends the process immediately.
  ///
  /// - Parameter includesHangup: Whether to handle SIGHUP too, which is sent at the end of a
  ///   session. It stays ignored if it already is, as under nohup(1). Shells and the system may
  ///   send it more than once, so a second one does not end the process.
  /// - Returns: A descriptor that becomes readable when the process is asked to stop, for use in
  ///   blocking system calls.
  /// - Throws: An `Errno` if no more file descriptors are available.
  package static func observe(includingHangup includesHangup: Bool = false) throws -> FileDescriptor
  {
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
    // The C structure has its handlers in a union, which Swift imports under different names on
    // each system.
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
  package static func request() {
    isRequestedFlag.store(true, ordering: .relaxed)
    var byte: UInt8 = 0
    _ = write(wakeUpDescriptor.load(ordering: .relaxed), &byte, 1)
  }

  /// The signal handler, in which only atomics and system calls are safe.
  private static let handleSignal: @convention(c) (CInt) -> Void = { number in
    if number != SIGHUP { signal(number, SIG_DFL) }
    request()
  }
}
