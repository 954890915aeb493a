import CLibrary
import Encodings
public import SystemPackage

/// Writes a line for each alert immediately to standard output or another descriptor.
public struct StandardOutputNotifier: Notifier {
  /// The format of a line.
  public enum Format: Hashable, Sendable {
    /// A sentence for people, preceded by the device if the feed names it, and followed by the
    /// quality of the fix.
    case text
    /// The alert as JSON.
    case ndjson
  }

  /// `stdout`.
  public let name = "stdout"
  private let descriptor: FileDescriptor
  private let format: Format

  /// Creates a notifier that writes to a descriptor, which the caller closes.
  ///
  /// The process then ignores SIGPIPE, so that a closed pipe is reported as an error instead of
  /// ending the process.
  public init(descriptor: FileDescriptor = .standardOutput, format: Format) {
    self.descriptor = descriptor
    self.format = format
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes the line. The result is `closed` if the reader is gone, and `lost` if the descriptor is
  /// not open.
  public func deliver(_ alert: Alert) async -> DeliveryResult {
    var rest = line(of: alert)[...]
    while !rest.isEmpty {
      do {
        guard try await waitUntilWritable() else { return .closed }
        // A pipe that is ready accepts this much without blocking (POSIX, PIPE_BUF).
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
        return .failed("interrupted before the line was written to standard output")
      }
    }
    return .delivered
  }

  private static let chunkSize = 4096

  /// Waits without blocking a thread until the descriptor is writable; false if the reader is gone.
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

  /// Returns the line of an alert; for a terminal, without control characters.
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
