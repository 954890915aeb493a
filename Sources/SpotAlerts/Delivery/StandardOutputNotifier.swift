import CLibrary
import Interchange
public import SystemPackage

/// Writes a line for each alert, at once, to standard output or whatever a descriptor leads
/// to.
public struct StandardOutputNotifier: Notifier {
  /// What a line holds.
  public enum Format: Hashable, Sendable {
    /// A sentence for people, the device before it where the feed names one, and how good the fix
    /// is behind it.
    case text
    /// The alert as JSON.
    case ndjson
  }

  /// `stdout`.
  public let name = "stdout"
  private let descriptor: FileDescriptor
  private let format: Format

  /// Creates a notifier that writes to a descriptor, which stays the caller's to close.
  ///
  /// The process ignores SIGPIPE from then on, so that a reader who goes away is an answer, not the
  /// end.
  public init(descriptor: FileDescriptor = .standardOutput, format: Format) {
    self.descriptor = descriptor
    self.format = format
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes the line; `closed` where nobody reads any more, `lost` where the descriptor is not
  /// open.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    var rest = line(of: alert)[...]
    while !rest.isEmpty {
      do {
        guard try await waitUntilWritable() else { return .closed }
        // A pipe that is ready takes this much without blocking (POSIX, PIPE_BUF).
        let chunk = rest.prefix(Self.chunkSize)
        rest = rest.dropFirst(try chunk.withUnsafeBytes { try descriptor.write($0) })
      } catch Errno.brokenPipe {
        return .closed
      } catch Errno.badFileDescriptor {
        return .lost("standard output is closed")
      } catch Errno.resourceTemporarilyUnavailable {
        continue
      } catch let error as Errno {
        return .failed("\(error)")
      } catch {
        return .failed("interrupted before standard output took the line")
      }
    }
    return .delivered
  }

  private static let chunkSize = 4096

  /// Waits without a thread until something can be written; false where nobody reads any more.
  private func waitUntilWritable() async throws -> Bool {
    while true {
      var poll = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
      let count = systemPoll(&poll)
      guard count >= 0 || errno == EINTR else { throw Errno(rawValue: errno) }
      if count > 0 {
        return poll.revents & Int16(POLLERR) == 0 || poll.revents & Int16(POLLOUT) != 0
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func systemPoll(_ descriptor: inout pollfd) -> CInt { poll(&descriptor, 1, 0) }

  /// What is written; to a terminal without anything that it would obey.
  private func line(of alert: Alert) -> [UInt8] {
    let isTerminal = isatty(descriptor.rawValue) == 1
    switch format {
    case .ndjson: return isTerminal ? TerminalText.printableJSON(alert.ndjson) : alert.ndjson
    case .text:
      let line = Array("\(alert.line)\n".utf8)
      return isTerminal ? TerminalText.printable(line) : line
    }
  }
}
