/// An event sent to open pages.
public struct ServiceEvent: Hashable, Sendable {
  /// The kind of an event.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A device moved. The data is an item of `devices`.
    case position
    /// A spot fired or was suppressed. The data is an item of `alerts`.
    case alert
    /// A delivery of an alert ended. The data is the item of `alerts`.
    case delivery
    /// The index changed. The data is `updated`, `photos`, `spots`.
    case index
    /// A scan made progress. The data is `folder`, `found`, `total`, `scanned`, `located`,
    /// `secondsLeft`.
    case progress
    /// A scan ended. It carries no data.
    case indexing
    /// The muted spots changed. It carries no data.
    case mutes
    /// The places of the user's own changed. It carries no data.
    case places
    /// The phones changed. It carries no data.
    case phones
    /// The settings changed. It carries no data.
    case settings
    /// A recreation was stored. The data is an item of `recreations`.
    case recreation
    /// The `outages` of the status changed. It carries no data.
    case outages
    /// The stream of a new page begins. Its id says where the stream stands, so that the page can
    /// reconnect without missing events before the first of another kind. It carries no data.
    case start
    /// Events were missed; the page must request everything again. It carries no data.
    case gap
  }

  /// The kind.
  public let kind: Kind
  /// The number of the event in this run of the program, from 1.
  public let number: Int
  /// The data: a JSON object on one line.
  public let json: [UInt8]
  /// The device of a position; only its latest position waits for a slow page.
  public let device: String?

  /// Returns the event in the format of event streams (WHATWG HTML, section 9.2).
  ///
  /// - Parameter boot: The identifier of this run of the program.
  /// - Returns: Lines followed by an empty line.
  public func text(boot: String) -> [UInt8] {
    Array("id: \(boot)-\(number)\nevent: \(kind.rawValue)\ndata: ".utf8) + json
      + Array("\n\n".utf8)
  }

  /// The start of a stream: the time in milliseconds after which a page reconnects.
  public static let streamStart = Array("retry: 2000\n\n".utf8)

  /// A comment sent every ``keepAliveSeconds`` without events, so that the page detects broken
  /// connections.
  public static let keepAlive = Array(": still here\n\n".utf8)

  /// The interval in seconds at which ``keepAlive`` is sent.
  public static let keepAliveSeconds = 15.0

  /// The maximum number of listening pages.
  public static let maximumListenerCount = 1000
}
