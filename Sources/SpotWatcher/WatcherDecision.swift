public import CivilTime
public import Interchange
public import LocationFeeds
package import Spatial

/// What became of a fix, or of a spot near it, and why.
public struct WatcherDecision: Hashable, Sendable {
  /// The name of a decision; the raw value is how it is written.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    // Of a fix, in the order in which they are looked for.
    /// The position is off the globe or exactly 0,0, or the time is missing or ahead of the clock.
    case invalid
    /// The fix is not newer than the device's last accepted one.
    case late
    /// The fix of a live feed is too old to fire; the state follows it.
    case stale
    /// The fix is too inaccurate to be believed.
    case inaccurate
    /// The device would have moved too fast to be believed.
    case jump
    /// The device has not moved enough for the fix to be looked at.
    case unmoved
    /// No spot was entered or left, and the device is at none.
    case clear
    /// No spot was entered or left; the device is within the radius of one that it entered before.
    case inside
    /// No spot was entered or left; the device is beyond the radius of those that it entered
    /// before, and has not left them yet: that takes two fixes beyond the exit distance.
    case leaving

    // Of a spot.
    /// The spot was left.
    case exit
    /// The spot was left, or could not be told about, while its notification was waiting.
    case lapsed
    /// The spot was entered and must be stayed at.
    case dwelling
    /// The spot was entered and fires.
    case notify
    /// The spot was entered and is named in the notification of another.
    case alsoNear
    /// The spot was entered and waits until the device may be notified again.
    case paced
    /// The spot was entered, but its place fired lately.
    case cooldown
    /// The spot was entered, but one close to it fired lately.
    case sibling
    /// The spot was entered, but it fired lately on another device that is along.
    case shared
    /// The spot was entered, but it is muted, or it or the device is in a muted zone.
    case muted
    /// The spot was entered, but at a quiet hour.
    case quiet
    /// The spot was entered by a late fix of a live feed, and waits for newer ones.
    case burst
    /// The spot was entered at the speed of a vehicle, and waits until the device is slow.
    case tooFast
    /// The spot waits until the device was slow for a time after a ride.
    case arriving
    /// The spot was entered soon after the first fix or a gap, and must be stayed at.
    case settling
    /// The spot was entered, but none of its photos is old enough.
    case tooRecent
    /// The spot was entered, but none of its photos is a favourite.
    case filtered
    /// The spot was entered, but it was taken again lately.
    case recreated
    /// The spot was entered, but notifications are switched off.
    case disabled
    /// The spot was entered, but the day's budget is used up.
    case overBudget
    /// The spot was entered, but what is left of the day's budget is kept for spots with more
    /// photos.
    case reserved
    /// The spot was entered, but all devices together have had as many notifications in the last
    /// minute as they may.
    case overRate
  }

  /// The decision.
  public let kind: Kind
  /// The fix that it is about; where time alone decided, the device's last accepted fix.
  public var fix: LocationFix { sharedFix.fix }
  private let sharedFix: SharedFix
  /// The time of the decision.
  public let time: Instant
  /// The spot that it is about; `nil` where it is about the fix.
  public let spotID: String?
  /// From the fix to the spot's centre in metres.
  public let distanceMeters: Double?
  /// How close the way from the last accepted fix came to the spot, where that is what entered it.
  public let passMeters: Double?
  /// What was measured, in the unit of ``Kind/figureNames``.
  public let figure: Double?
  /// What it was measured against.
  public let limit: Double?
  /// Of a fix that decides nothing: the visit that waits meanwhile, of several the longest.
  public let waiting: Waiting?
  /// Whether the visit waits for this for the first time.
  package var isFirst = true
  private let payload: Payload?

  /// A visit that waits.
  public struct Waiting: Hashable, Sendable {
    /// The spot's id.
    public let spotID: String
    /// The decision of the rule that keeps it.
    public let kind: Kind
    /// When the spot was entered.
    public let since: Instant
  }

  init(
    _ kind: Kind, fix: SharedFix, time: Instant, spotID: String? = nil,
    distanceMeters: Double? = nil, passMeters: Double? = nil, figure: Double? = nil,
    limit: Double? = nil, waiting: Waiting? = nil, payload: Payload? = nil
  ) {
    self.kind = kind
    sharedFix = fix
    self.time = time
    self.spotID = spotID
    self.distanceMeters = distanceMeters
    self.passMeters = passMeters
    self.figure = figure
    self.limit = limit
    self.waiting = waiting
    self.payload = payload
  }

  /// What is to be sent; only with `notify`.
  public var notification: SpotNotification? { payload?.notification }
  /// Whether something is to be sent.
  var isNotification: Bool { kind == .notify }
  /// The place that was left; only with `exit` and `lapsed`.
  package var left: LeftPlace? { payload?.left }

  /// Kept apart, so that the many decisions that send nothing stay small.
  final class Payload: Hashable, Sendable {
    let notification: SpotNotification?
    let left: LeftPlace?

    init(_ notification: SpotNotification) {
      self.notification = notification
      left = nil
    }

    init(_ left: LeftPlace) {
      notification = nil
      self.left = left
    }

    static func == (left: Payload, right: Payload) -> Bool {
      left.notification == right.notification && left.left == right.left
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(notification)
      hasher.combine(left)
    }
  }
}

/// A place that a device left.
package struct LeftPlace: Hashable, Sendable {
  package let center: Coordinate
  package let enteredAt: Instant
  /// When the device was there last.
  package let lastThere: Instant
  /// Whether it fired, in this visit or in one before that its cooldown tells of, or on a device
  /// that was along.
  package let isKnown: Bool
  /// What it still waited for.
  package let waitedFor: WatcherDecision.Kind?
  private let waited: Verdict.Reason?
  /// How close the device came, in metres.
  package let closestMeters: Double

  init(_ place: Place, lastThere: Instant) {
    center = place.center
    enteredAt = place.enteredAt
    self.lastThere = lastThere
    isKnown = place.isKnown
    waitedFor = place.waitingFor
    waited = place.waited
    closestMeters = place.closestMeters
  }

  /// What was measured when it began to wait for that; the unit is that of the decision's kind.
  package var figure: Double? { waited?.figure }
  /// What that was held against.
  package var limit: Double? { waited?.limit }
}

extension WatcherDecision.Kind {
  /// Whether a fix with this decision was believed and had moved.
  package var isLookedAt: Bool {
    switch self {
    case .invalid, .late, .stale, .inaccurate, .jump, .unmoved: false
    default: true
    }
  }

  /// Whether the spot may still fire in this visit.
  package var isWaiting: Bool { waitNumber != nil }

  /// The number of a decision that lets a visit wait, below 8; `nil` for others.
  var waitNumber: Int? {
    switch self {
    case .burst: 0
    case .tooFast: 1
    case .arriving: 2
    case .settling: 3
    case .dwelling: 4
    case .paced: 5
    default: nil
    }
  }

  /// The names under which the figure and its limit are written: seconds, metres, or as the name
  /// says.
  public var figureNames: (figure: String, limit: String)? {
    switch self {
    case .invalid: ("aheadOfClock", "maximumAhead")
    case .late: ("behindLast", "")
    case .stale: ("age", "maximumFixAge")
    case .inaccurate: ("horizontalAccuracy", "maximumAccuracy")
    case .sibling: ("sinceFired", "cooldown")
    case .shared: ("sinceFiredElsewhere", "sharedInterval")
    case .burst: ("age", "maximumAge")
    case .arriving: ("slowFor", "minimumSlow")
    case .settling: ("stayed", "coldStart")
    case .jump, .tooFast: ("kilometersPerHour", "maximumKilometersPerHour")
    case .unmoved: ("moved", "distanceFilter")
    case .exit, .lapsed: ("stayed", "exitDistance")
    case .dwelling: ("stayed", "dwell")
    case .paced: ("sinceLastNotification", "minimumInterval")
    case .cooldown: ("sinceFired", "cooldown")
    case .muted: ("zoneDistance", "zoneRadius")
    case .quiet: ("minuteOfDay", "quietUntilMinute")
    case .tooRecent: ("photoAge", "minimumPhotoAge")
    case .filtered: ("favorites", "minimumFavorites")
    case .recreated: ("sinceRecreated", "recreationInterval")
    case .overBudget: ("firedToday", "dailyBudget")
    case .reserved: ("photoCount", "reservedFrom")
    case .overRate: ("firedInMinute", "alertsPerMinute")
    case .leaving: ("", "exitDistance")
    case .notify, .alsoNear, .inside, .clear, .disabled: nil
    }
  }
}

extension WatcherDecision {
  /// Writes the decision as a JSON object: `decision`, `time`, `device`, `spot`, `distance`, the
  /// figures that decided, `waitedFor` (of what lapsed), `notification` (its id), `waiting` (of a
  /// fix that decides nothing: `spot`, `for`, `since`), `accuracyClass`, `fix`; what does not apply
  /// is left out.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("decision", kind.rawValue)
      writer.member("time", time.iso8601)
      writer.member("device", fix.device)
      writer.member("spot", spotID)
      writer.member("distance", distanceMeters)
      writer.member("passedAt", passMeters)
      if let names = kind.figureNames {
        writer.member(names.figure, figure)
        writer.member(names.limit, limit)
      }
      writer.member("waitedFor", left?.waitedFor?.rawValue)
      writer.member("notification", notification?.id)
      if let waiting {
        writer.key("waiting")
        writer.object { writer in
          writer.member("spot", waiting.spotID)
          writer.member("for", waiting.kind.rawValue)
          writer.member("since", waiting.since.iso8601)
        }
      }
      writer.member("accuracyClass", fix.accuracyClass?.rawValue)
      writer.key("fix")
      fix.write(to: &writer)
    }
  }
}
