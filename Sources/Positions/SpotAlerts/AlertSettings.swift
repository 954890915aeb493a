package import Spatial

/// The language of alerts, their links, the schedule of digests, and the responses to phones.
public struct AlertSettings: Hashable, Sendable {
  /// The language of alerts.
  public var language: AlertLanguage
  /// The units of distances in alerts.
  package var units = LengthUnits.metric
  /// The schedule of digests; `nil` for none.
  public var digest: DigestSchedule?

  /// The links added to alerts; `nil` for none.
  public var links: AlertLinks?

  /// Whether OwnTracks receives regions to monitor by itself.
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
