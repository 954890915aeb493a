/// The language of alerts, their links, the schedule of digests, and what phones are told.
public struct AlertSettings: Hashable, Sendable {
  /// The language of alerts.
  public var language: AlertLanguage
  /// When digests are sent; `nil` sends none.
  public var digest: DigestSchedule?

  /// The links that go with alerts; `nil` for none.
  public var links: AlertLinks?

  /// Whether OwnTracks is told which regions it is to watch by itself.
  public var sendsRegions: Bool

  /// Creates settings: by default English, no digest, no links and no regions.
  public init(
    language: AlertLanguage = .english, digest: DigestSchedule? = nil, links: AlertLinks? = nil,
    sendsRegions: Bool = false
  ) {
    self.language = language
    self.digest = digest
    self.links = links
    self.sendsRegions = sendsRegions
  }
}
