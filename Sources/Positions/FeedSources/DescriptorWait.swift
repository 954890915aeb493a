import CLibrary
import CivilTime
import SystemPackage

/// A wait for file descriptors with a deadline on the monotonic clock.
struct DescriptorWait {
  /// The reason for which a wait ended.
  enum Outcome {
    case ready, interrupted, timedOut
  }

  /// An operation for which a descriptor must be ready.
  enum Use {
    case reading, writing

    fileprivate var events: Int16 { Int16(self == .reading ? POLLIN : POLLOUT) }
  }

  private let deadline: ContinuousClock.Instant
  let interruption: FileDescriptor?

  /// Starts the time of a wait, which a descriptor can end early by becoming readable.
  init(upTo timeout: Duration, orUntil interruption: FileDescriptor?) {
    // Waits are limited to a day, which keeps the arithmetic in range.
    deadline = .now + min(max(timeout, .zero), .seconds(86_400))
    self.interruption = interruption
  }

  /// Waits until a descriptor is ready or at its end, the interruption is signalled, or the time is
  /// up.
  ///
  /// The interruption takes precedence if both are ready. Signals do not end the wait.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to wait for; `nil` waits for the interruption alone.
  ///   - use: The operation for which the descriptor must be ready.
  ///   - limit: A time limit for this call, in addition to the deadline.
  /// - Returns: The reason for which the wait ended.
  /// - Throws: An `Errno` where the descriptor is not open, or `poll` fails.
  func wait(
    for descriptor: FileDescriptor?, to use: Use = .reading, atMost limit: Duration? = nil
  ) throws(Errno) -> Outcome {
    let end = limit.map { min(deadline, .now + $0) } ?? deadline
    var entries = [
      pollfd(fd: interruption?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor?.rawValue ?? -1, events: use.events, revents: 0),
    ]
    while true {
      let count = poll(&entries, nfds_t(entries.count), Self.milliseconds(until: end))
      if count < 0 {
        let error = Errno(rawValue: errno)
        guard error == .interrupted else { throw error }
        continue
      }
      if entries[0].revents != 0 { return .interrupted }
      if entries[1].revents & Int16(POLLNVAL) != 0 { throw .badFileDescriptor }
      if entries[1].revents != 0 { return .ready }
      if ContinuousClock.now >= end { return .timedOut }
    }
  }

  /// Whether the time is up.
  var isOver: Bool { ContinuousClock.now >= deadline }

  /// Returns the milliseconds until a time, rounded up so that the last one is not spent in a busy
  /// loop.
  private static func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
    let left = ContinuousClock.now.duration(to: end).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    let part = (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(clamping: left.seconds * 1000 + part)
  }
}
