/// The language of alerts and the schedule of digests.
public struct AlertSettings: Hashable, Sendable {
  /// The language of alerts.
  public var language: AlertLanguage
  /// When digests are sent; `nil` sends none.
  public var digest: DigestSchedule?

  /// Creates settings: by default English, and no digest.
  public init(language: AlertLanguage = .english, digest: DigestSchedule? = nil) {
    self.language = language
    self.digest = digest
  }
}
