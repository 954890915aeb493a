public import CivilTime
public import Interchange
public import Spatial
public import SpotWatcher

/// Something that happened at a spot: it fired, or it would have, had the device stayed.
public struct HistoryEntry: Hashable, Sendable {
  /// What happened.
  public enum Kind: String, Hashable, Sendable {
    /// The spot fired.
    case notified
    /// The device left while the notification waited.
    case lapsed
    /// The spot would have fired, but a setting of the user kept it silent.
    case suppressed
    /// The spot would have fired, but a rule against nagging, or for which photos count, refused
    /// it.
    case refused
    /// The spot began to wait for something; what became of that is an entry of its own.
    case waited
  }

  /// How a notification fared with one notifier.
  public struct Delivery: Hashable, Sendable {
    /// What became of it.
    public enum Outcome: Hashable, Sendable {
      /// It was delivered, at a time of the machine's clock.
      case delivered(Instant)
      /// It is waiting, for its first try or for the next at a time.
      case pending(next: Instant?)
      /// It was given up, at a time of the machine's clock.
      case expired(Instant)
      /// It was given up since the program ended during two tries, at a time of the machine's
      /// clock.
      case setAside(Instant)
    }

    /// The notifier's name.
    public let notifier: String
    /// What became of it.
    public internal(set) var outcome: Outcome
    /// How often it was tried.
    public internal(set) var tries: Int
    /// Why the last try failed, or why it was given up.
    public internal(set) var failure: String?
    /// The latest tries, where no record says how they ended.
    var unended: UnendedTries?
  }

  /// Tries to deliver that no record says the end of: one is running, or the program ended during
  /// it.
  package struct UnendedTries: Hashable, Sendable {
    /// How many there are.
    package var count: Int
    /// When the last of them began, by the machine's clock.
    package var latest: Instant

    /// Creates the tries.
    package init(count: Int, latest: Instant) {
      self.count = count
      self.latest = latest
    }
  }

  /// What happened.
  public let kind: Kind
  /// When the spot was entered; the feed's time in a replay.
  public let time: Instant
  /// When it was recorded, by the machine's clock.
  public let recorded: Instant
  /// The device; `nil` where the feed names none.
  public let device: String?
  /// The spot's id.
  public let spotID: String
  /// The spot's centre.
  public let coordinate: Coordinate
  /// What was sent; `nil` if nothing was.
  public let notification: SpotNotification?
  /// What kept it silent: `WatcherDecision.Kind` `muted`, `quiet`, `disabled`, `overBudget`,
  /// `reserved` or `overRate`; of what lapsed the decision that it waited by, such as `tooFast`;
  /// `nil` where something was sent or that is not known.
  public internal(set) var suppressedBy: WatcherDecision.Kind?
  /// What was measured by that decision, in the unit of `WatcherDecision.Kind.figureNames`; `nil`
  /// where nothing was, or an earlier program recorded it.
  public let figure: Double?
  /// What it was measured against.
  public let limit: Double?
  /// How close the device was or came, in metres, where nothing was sent; `nil` as of ``figure``.
  public let closestMeters: Double?
  /// When the device left, where it did before the spot fired; `nil` as of ``figure``.
  public let left: Instant?
  /// How it fared with each notifier.
  public internal(set) var deliveries: [Delivery]
}

extension HistoryEntry {
  /// Writes the entry as a JSON object: `kind`, `time`, `recorded`, `device`, `spot`, `latitude`,
  /// `longitude`, `suppressedBy`, its figure and limit, `closest`, `left`, `notification`, and
  /// `deliveries` with `notifier`, `result` (`delivered`, `pending`, `expired`, `setAside`), `at`
  /// or `next`, `tries`, `failure`.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("kind", kind.rawValue)
      writer.member("time", time.iso8601)
      writer.member("recorded", recorded.iso8601)
      writer.member("device", device)
      writer.member("spot", spotID)
      writer.member("latitude", degrees: coordinate.latitude)
      writer.member("longitude", degrees: coordinate.longitude)
      writer.member("suppressedBy", suppressedBy?.rawValue)
      if let names = suppressedBy?.figureNames {
        writer.member(names.figure, figure)
        writer.member(names.limit, limit)
      }
      writer.member("closest", closestMeters)
      writer.member("left", left?.iso8601)
      if let notification {
        writer.key("notification")
        notification.write(to: &writer)
      }
      writer.array("deliveries") { writer in
        for delivery in deliveries { delivery.write(to: &writer) }
      }
    }
  }
}

extension HistoryEntry.Delivery {
  /// Writes the delivery as a JSON object: `notifier`, `result` (`delivered`, `pending`, `expired`,
  /// `setAside`), `at` or `next`, `tries`, `failure`.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("notifier", notifier)
      switch outcome {
      case .delivered(let time):
        writer.member("result", "delivered")
        writer.member("at", time.iso8601)
      case .pending(let next):
        writer.member("result", "pending")
        writer.member("next", next?.iso8601)
      case .expired(let time):
        writer.member("result", "expired")
        writer.member("at", time.iso8601)
      case .setAside(let time):
        writer.member("result", "setAside")
        writer.member("at", time.iso8601)
      }
      writer.member("tries", tries)
      writer.member("failure", failure)
    }
  }
}
