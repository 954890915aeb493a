public import CivilTime
public import Encodings
public import Spatial
public import SpotWatcher

/// An event at a spot that a device entered: it fired, or was prevented from firing.
public struct HistoryEntry: Hashable, Sendable {
  /// The kinds of events.
  public enum Kind: String, Hashable, Sendable {
    /// The spot fired.
    case notified
    /// The device left while the notification waited.
    case lapsed
    /// The spot would have fired, but a setting of the user suppressed it.
    case suppressed
    /// The spot would have fired, but a rule against too frequent alerts, or about its photos,
    /// refused it.
    case refused
    /// The spot began to wait; the outcome has an entry of its own.
    case waited
  }

  /// The delivery of a notification by one notifier.
  public struct Delivery: Hashable, Sendable {
    /// The states of a delivery.
    public enum Outcome: Hashable, Sendable {
      /// It was delivered, at a time of the machine's clock.
      case delivered(Instant)
      /// It waits for its next attempt at a time; `nil` for the first attempt.
      case pending(next: Instant?)
      /// It was given up, at a time of the machine's clock.
      case expired(Instant)
      /// It was given up because the program ended during two attempts, at a time of the machine's
      /// clock.
      case setAside(Instant)
    }

    /// The notifier's name.
    public let notifier: String
    /// The state.
    public internal(set) var outcome: Outcome
    /// The number of attempts.
    public internal(set) var tries: Int
    /// The reason why the last attempt failed, or why the delivery was given up.
    public internal(set) var failure: String?
    /// The latest attempts whose end is not recorded; `nil` where there are none.
    var unended: UnendedTries?
  }

  /// Attempts to deliver whose end is not recorded: the last is running, or the program ended
  /// during it.
  package struct UnendedTries: Hashable, Sendable {
    /// The number of attempts.
    package var count: Int
    /// The start of the last of them, by the machine's clock.
    package var latest: Instant

    /// Creates the attempts.
    package init(count: Int, latest: Instant) {
      self.count = count
      self.latest = latest
    }
  }

  /// The kind of event.
  public let kind: Kind
  /// The time of the decision; for `lapsed`, the time at which the spot was entered. In a replay it
  /// is the feed's time.
  public let time: Instant
  /// The time of recording, by the machine's clock.
  public let recorded: Instant
  /// The device; `nil` where the feed names none.
  public let device: String?
  /// The spot's id.
  public let spotID: String
  /// The spot's centre.
  public let coordinate: Coordinate
  /// The notification that was sent; `nil` where none was.
  public let notification: SpotNotification?
  /// The decision that prevented a notification, or for which the visit waited, such as `tooFast`;
  /// `nil` where a notification was sent or the decision is not known.
  public internal(set) var suppressedBy: WatcherDecision.Kind?
  /// The value measured by that decision, in the unit of `WatcherDecision.Kind.figureNames`; `nil`
  /// where none was measured, or an earlier version of the program recorded the event.
  public let figure: Double?
  /// The limit for the measured value.
  public let limit: Double?
  /// The number of recent days on which the device was there, if the ground is familiar;
  /// otherwise `nil`.
  public let days: Int?
  /// The least distance of the device in metres where no notification was sent; `nil` where not
  /// known.
  public let closestMeters: Double?
  /// The time of the last fix at the spot, if the device left before the spot fired; `nil` if it
  /// did not leave, or if the time is not known.
  public let left: Instant?
  /// The delivery by each notifier.
  public internal(set) var deliveries: [Delivery]
  /// The centre of the muted zone that suppressed the spot; `nil` for a muted spot, another
  /// decision, or where an earlier version of the program recorded the event.
  package var mutedZone: Coordinate?
}

extension HistoryEntry {
  /// Writes the entry as a JSON object: `kind`, `time`, `recorded`, `device`, `spot`, `latitude`,
  /// `longitude`, `suppressedBy`, its figure and limit, `zoneLatitude` and `zoneLongitude` of a
  /// muted zone, `days`, `closest`, `left`, `notification`, and `deliveries` with `notifier`,
  /// `result` (`delivered`, `pending`, `expired`, `setAside`), `at` or `next`, `tries`, `failure`.
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
      if let mutedZone {
        writer.member("zoneLatitude", degrees: mutedZone.latitude)
        writer.member("zoneLongitude", degrees: mutedZone.longitude)
      }
      writer.member("days", days)
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
