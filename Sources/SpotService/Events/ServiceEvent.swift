/// Something that happened while pages are open.
public struct ServiceEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A device moved: an item of `devices`.
    case position
    /// A spot fired or was kept silent: an item of `alerts`.
    case alert
    /// The index changed: `updated`, `photos`, `spots`.
    case index
    /// A scan goes on: `folder`, `scanned`, `located`, `secondsLeft`.
    case progress
    /// The muted spots changed; empty.
    case mutes
    /// The places of one's own changed; empty.
    case places
    /// The settings changed; empty.
    case settings
    /// A picture was taken again: an item of `recreations`.
    case recreation
    /// Events were missed; empty: all is to be asked for again.
    case gap
  }

  /// What happened.
  public let kind: Kind
  /// Its place among all events of this run of the program, from 1 on.
  public let number: Int
  /// What the page is told: an object of JSON on one line.
  public let json: [UInt8]
  /// The device of a position: only its latest waits for a slow page.
  public let device: String?

  /// Returns the event as a page reads it (WHATWG HTML, section 9.2).
  ///
  /// - Parameter boot: What tells this run of the program from others.
  /// - Returns: Lines with an empty one behind them.
  public func text(boot: String) -> [UInt8] {
    Array("id: \(boot)-\(number)\nevent: \(kind.rawValue)\ndata: ".utf8) + json
      + Array("\n\n".utf8)
  }

  /// What a stream begins with: how long a page waits before it connects again, in milliseconds.
  public static let streamStart = Array("retry: 2000\n\n".utf8)

  /// What is sent each ``keepAliveSeconds`` where nothing happens, so that a page sees that the
  /// connection lives.
  public static let keepAlive = Array(": still here\n\n".utf8)

  /// How often ``keepAlive`` is sent.
  public static let keepAliveSeconds = 15.0

  /// How many pages may listen at a time.
  public static let maximumListenerCount = 1000
}
