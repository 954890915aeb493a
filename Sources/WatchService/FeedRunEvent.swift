public import FeedServer
public import FeedSources
public import LocationFeeds

/// What happens to feeds while they are read.
public enum FeedRunEvent: Sendable {
  /// Something happened to a source that is opened again when it breaks; with its feed's label.
  case source(String, FeedEvent)
  /// Lines cannot be read; told at most once a minute for each feed, and at its end.
  case badLines(BadLines)
  /// Phones may send positions to an address now.
  case listening(FeedAddress)
  /// What a listener tells of itself, with its address.
  case listener(FeedAddress, FeedServerEvent)
  /// One of several feeds cannot be read any further, and the others go on; with its label.
  case failed(String, any Error)

  /// The lines or records of a feed that could not be read so far.
  public struct BadLines: Hashable, Sendable {
    /// The feed's label; `nil` where it is the only one.
    public let label: String?
    /// What the feed has brought.
    public let statistics: FeedStatistics
    /// Whether the feed is a document.
    public let isDocument: Bool
  }
}
