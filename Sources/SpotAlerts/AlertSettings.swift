/// The language of alerts, their links, and the schedule of digests.
public struct AlertSettings: Hashable, Sendable {
  /// The language of alerts.
  public var language: AlertLanguage
  /// When digests are sent; `nil` sends none.
  public var digest: DigestSchedule?

  /// The links that go with alerts; `nil` for none.
  public var links: AlertLinks?

  /// Creates settings: by default English, no digest and no links.
  public init(
    language: AlertLanguage = .english, digest: DigestSchedule? = nil, links: AlertLinks? = nil
  ) {
    self.language = language
    self.digest = digest
    self.links = links
  }
}
