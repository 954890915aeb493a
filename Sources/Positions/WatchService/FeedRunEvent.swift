public import FeedServer
public import FeedSources
public import LocationFeeds

/// An event of feeds while they are being read.
public enum FeedRunEvent: Sendable {
  /// An event of a source that is reopened after errors, with its feed's label.
  case source(String, FeedEvent)
  /// Some lines could not be parsed. Reported at most once a minute for each feed, and at its end.
  case badLines(BadLines)
  /// A listener accepts positions at an address.
  case listening(FeedAddress)
  /// An event of a listener, with its address.
  case listener(FeedAddress, FeedServerEvent)
  /// One of several feeds failed and the others continue, with its label.
  case failed(String, any Error)

  /// The lines or records of a feed that could not be read so far.
  public struct BadLines: Hashable, Sendable {
    /// The feed's label; `nil` if it is the only feed.
    public let label: String?
    /// The statistics of the feed so far.
    public let statistics: FeedStatistics
    /// Whether the feed is a document.
    public let isDocument: Bool
  }
}
