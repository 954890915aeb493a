public import Encodings
import LocationFeeds
package import Spatial
public import SpotWatcher

/// A message to receivers, sent once: a device came near a spot, or the summary of a day or week.
public struct Alert: Hashable, Sendable, Identifiable {
  /// The subject of an alert.
  public enum Content: Hashable, Sendable, Identifiable {
    /// A device came near a spot.
    case spot(SpotNotification)
    /// A day or week has ended.
    case digest(AlertDigest)

    /// The id, which is the same in every attempt to deliver it.
    public var id: String {
      switch self {
      case .spot(let notification): notification.id
      case .digest(let digest): digest.id
      }
    }
  }

  /// The subject.
  public let content: Content
  /// The language of the text.
  public let language: AlertLanguage
  /// The units of distances in the text.
  package let units: LengthUnits
  /// The links, at most one for each purpose; empty if there is no page to link to.
  public let links: [AlertLink]

  /// Creates an alert with distances in metric units.
  public init(
    _ content: Content, in language: AlertLanguage = .english, links: [AlertLink] = []
  ) {
    self.init(content, in: language, units: .metric, links: links)
  }

  /// Creates an alert.
  package init(
    _ content: Content, in language: AlertLanguage, units: LengthUnits, links: [AlertLink] = []
  ) {
    self.content = content
    self.language = language
    self.units = units
    self.links = links
  }

  /// The id, which is the same in every attempt to deliver it.
  public var id: String { content.id }

  /// The notification, if the alert is about a spot.
  public var notification: SpotNotification? {
    if case .spot(let notification) = content { notification } else { nil }
  }

  /// The title, for receivers that show one.
  public var title: String {
    switch content {
    case .spot(let notification): notification.title(in: language)
    case .digest(let digest): digest.title(in: language)
    }
  }

  /// The text: one line for a spot, several for a digest.
  public var text: String {
    switch content {
    case .spot(let notification): notification.text(in: language, units: units)
    case .digest(let digest): digest.lines(in: language).joined(separator: "\n")
    }
  }

  /// The alert in one line for standard output. A spot's line begins with the device, if the feed
  /// names it, and ends with the spot's id and the quality of the fix.
  package var line: String {
    switch content {
    case .spot(let notification):
      let device = notification.device.map { TerminalText.escaped($0.utf8) + ": " } ?? ""
      return device + text + notification.spot.label + accuracy(of: notification.fix)
    case .digest(let digest):
      return "\(title): \(digest.lines(in: language).joined(separator: "; "))"
    }
  }

  /// Returns the quality of the fix from which the distance was computed: ` (good fix, 8 m)`.
  private func accuracy(of fix: LocationFix) -> String {
    guard let meters = fix.horizontalAccuracyMeters, let accuracy = fix.accuracyClass else {
      return ""
    }
    let within =
      units == .metric
      ? "\(Int(saturating: meters.rounded())) m" : language.words.distance(meters, units)
    return " (\(language.words.accuracy(accuracy)), \(within))"
  }

  /// Returns the URL of the link for a purpose.
  public func address(_ purpose: AlertLink.Purpose) -> String? {
    links.first { $0.purpose == purpose }?.address
  }

  /// Writes the alert as a JSON object: the notification about the spot with the alert's `links`,
  /// or a digest with its `title` and `text`.
  public func write(to writer: inout JSONWriter) {
    switch content {
    case .spot(let notification): notification.write(links: links, to: &writer)
    case .digest(let digest): digest.write(to: &writer, title: title, text: text)
    }
  }

  /// The alert as a line of NDJSON, with its line feed.
  public var ndjson: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.newline()
    return writer.takeBytes()
  }
}
