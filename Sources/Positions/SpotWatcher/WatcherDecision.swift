public import CivilTime
public import Encodings
public import LocationFeeds
package import Spatial

/// The outcome for a fix, or for a spot near it, with the reason.
public struct WatcherDecision: Hashable, Sendable {
  /// The kinds of decisions. The raw value is the name in output.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    // About a fix, in the order of evaluation.
    /// The position is out of range or exactly 0,0, or the time is missing or ahead of the clock.
    case invalid
    /// The fix is not newer than the device's last accepted one.
    case late
    /// The fix of a live feed is too old to fire. It updates the state, unless it is inaccurate or
    /// a jump.
    case stale
    /// The fix is too inaccurate to be used.
    case inaccurate
    /// The device would have moved implausibly fast.
    case jump
    /// The device has moved less than the distance filter.
    case unmoved
    /// No spot was entered or left, and the device is at none.
    case clear
    /// No spot was entered or left; the device is within the radius of an entered spot.
    case inside
    /// No spot was entered or left; the device is beyond the radius of the entered spots but has
    /// not left them, which takes two fixes beyond the exit distance.
    case leaving

    // About a spot.
    /// The spot was left.
    case exit
    /// The spot was left, or its notification became impossible, while it was waiting to fire.
    case lapsed
    /// The spot was entered and waits for the dwell time.
    case dwelling
    /// The spot was entered and fires.
    case notify
    /// The spot was entered and is named in the notification about another one.
    case alsoNear
    /// The spot was entered and waits for the minimum interval between notifications.
    case paced
    /// The spot was entered, but its place fired within the cooldown.
    case cooldown
    /// The spot was entered, but the device was there before: the ground is a habit, or it fired
    /// some days ago.
    case familiar
    /// The spot was entered, but a spot close to it fired within the cooldown.
    case sibling
    /// The spot was entered, but it fired recently on another device carried along.
    case shared
    /// The spot was entered, but it is muted, or it or the device is in a muted zone.
    case muted
    /// The spot was entered during quiet hours.
    case quiet
    /// The spot was entered by a late fix of a live feed, and waits for newer fixes.
    case burst
    /// The spot was entered at the speed of a vehicle, and waits until the device is slow.
    case tooFast
    /// The spot waits, since the vehicle that the device came by may go on.
    case halted
    /// The spot waits for a second fix at which the device is slow.
    case unconfirmed
    /// The spot waits until it is probable enough that the device is within its radius.
    case uncertain
    /// The spot waits until the device has been slow for a time after a ride; of earlier versions.
    case arriving
    /// The spot was entered soon after the first fix or a jump, and waits until further fixes
    /// agree.
    case settling
    /// The spot was entered, but none of its photos is old enough.
    case tooRecent
    /// The spot was entered, but none of its photos is a favourite.
    case filtered
    /// The spot was entered, but its photo was taken again recently.
    case recreated
    /// The spot was entered, but notifications are switched off.
    case disabled
    /// The spot was entered, but the day's budget is used up.
    case overBudget
    /// The spot was entered, but the rest of the day's budget is reserved for spots with more
    /// photos; of earlier versions.
    case reserved
    /// The spot was entered, but the limit of notifications per minute is reached.
    case overRate
  }

  /// The decision.
  public let kind: Kind
  /// The fix of the decision. For a decision by time alone, it is the device's last accepted fix.
  public var fix: LocationFix { sharedFix.fix }
  private let sharedFix: SharedFix
  /// The time of the decision.
  public let time: Instant
  /// The spot of the decision; `nil` where the decision is about the fix.
  public let spotID: String?
  /// The distance from the estimated position to the spot's centre in metres.
  public let distanceMeters: Double?
  /// The measured value, in the unit of ``Kind/figureNames``.
  public let figure: Double?
  /// The limit for the measured value.
  public let limit: Double?
  /// The number of recent days on which the device was there; only for `familiar`.
  public let days: Int?
  /// For a fix that decides nothing, the visit that is waiting; of several, the one waiting for the
  /// longest time.
  public let waiting: Waiting?
  /// Whether the visit is delayed for this reason for the first time; true for a decision that
  /// delays nothing.
  package var isFirst = true
  private let payload: Payload?

  /// A visit that is waiting to fire.
  public struct Waiting: Hashable, Sendable {
    /// The spot's id.
    public let spotID: String
    /// The decision of the rule that delays it.
    public let kind: Kind
    /// The time at which the spot was entered.
    public let since: Instant
  }

  init(
    _ kind: Kind, fix: SharedFix, time: Instant, spotID: String? = nil,
    distanceMeters: Double? = nil, figure: Double? = nil, limit: Double? = nil,
    days: Int? = nil, waiting: Waiting? = nil, payload: Payload? = nil
  ) {
    self.kind = kind
    sharedFix = fix
    self.time = time
    self.spotID = spotID
    self.distanceMeters = distanceMeters
    self.figure = figure
    self.limit = limit
    self.days = days
    self.waiting = waiting
    self.payload = payload
  }

  /// The notification to send; only for `notify`.
  public var notification: SpotNotification? { payload?.notification }
  /// Whether there is a notification to send.
  package var isNotification: Bool { kind == .notify }
  /// The place that was left; only for `exit` and `lapsed`.
  package var left: LeftPlace? { payload?.left }
  /// The centre of the muted zone that decided; only for `muted`, and `nil` for a muted spot.
  package var mutedZone: Coordinate? { payload?.mutedZone }

  /// Large values that few decisions have, stored separately so that decisions are small.
  final class Payload: Hashable, Sendable {
    let notification: SpotNotification?
    let left: LeftPlace?
    let mutedZone: Coordinate?

    init(_ notification: SpotNotification) {
      self.notification = notification
      (left, mutedZone) = (nil, nil)
    }

    init(_ left: LeftPlace) {
      self.left = left
      (notification, mutedZone) = (nil, nil)
    }

    init(mutedZone: Coordinate) {
      self.mutedZone = mutedZone
      (notification, left) = (nil, nil)
    }

    static func == (left: Payload, right: Payload) -> Bool {
      left.notification == right.notification && left.left == right.left
        && left.mutedZone == right.mutedZone
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(notification)
      hasher.combine(left)
      hasher.combine(mutedZone)
    }
  }
}

/// A place that a device left.
package struct LeftPlace: Hashable, Sendable {
  /// The centre of the spot.
  package let center: Coordinate
  /// The time at which the device entered the place.
  package let enteredAt: Instant
  /// The time of the last fix within the exit distance.
  package let lastThere: Instant
  /// Whether the place fired during this visit, during an earlier one whose cooldown is running, or
  /// on another device carried along.
  package let isKnown: Bool
  /// The decision for which the visit was still waiting; `nil` for none.
  package let waitedFor: WatcherDecision.Kind?
  private let waited: Verdict.Reason?
  /// The least distance of the device, in metres.
  package let closestMeters: Double

  init(_ place: SpotVisit, lastThere: Instant) {
    center = place.center
    enteredAt = place.enteredAt
    self.lastThere = lastThere
    isKnown = place.isKnown
    waitedFor = place.waitingFor
    waited = place.waited
    closestMeters = place.closestMeters
  }

  /// The measured value when the visit began to wait, in the unit of the decision's kind.
  package var figure: Double? { waited?.figure }
  /// The limit for that value.
  package var limit: Double? { waited?.limit }
}

extension WatcherDecision.Kind {
  /// Whether a fix with this decision was accepted and evaluated against the spots.
  package var isLookedAt: Bool {
    switch self {
    case .invalid, .late, .stale, .inaccurate, .jump, .unmoved: false
    default: true
    }
  }

  /// Whether the decision concerns a spot that was entered or left, or whose waiting time is over;
  /// false for a decision about a fix.
  package var isAboutSpot: Bool {
    switch self {
    case .invalid, .late, .stale, .inaccurate, .jump, .unmoved, .clear, .inside, .leaving: false
    default: true
    }
  }

  /// Whether the spot may still fire during this visit.
  package var isWaiting: Bool { waitNumber != nil }

  /// A number below 16 for a decision by which a visit waits; `nil` for others.
  var waitNumber: Int? {
    switch self {
    case .burst: 0
    case .tooFast: 1
    case .arriving: 2
    case .settling: 3
    case .dwelling: 4
    case .paced: 5
    case .halted: 6
    case .unconfirmed: 7
    case .uncertain: 8
    default: nil
    }
  }

  /// The names under which the figure and its limit are written. Units are seconds, metres, or
  /// those in the name.
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
    case .halted: ("freePercent", "minimumFreePercent")
    case .uncertain: ("nearPercent", "minimumNearPercent")
    case .familiar: ("sinceThere", "silentFor")
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
    case .notify, .alsoNear, .inside, .clear, .disabled, .unconfirmed: nil
    }
  }
}

extension WatcherDecision {
  /// Writes the decision as a JSON object with the members that apply: `decision`, `time`,
  /// `device`, `spot`, `distance`, the figure and its limit, `zoneLatitude` and `zoneLongitude`
  /// (for a muted zone), `days`, `waitedFor` (for `lapsed`), `notification` (the id), `waiting`
  /// (for a fix that decides nothing: `spot`, `for`, `since`), `accuracyClass`, `fix`.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("decision", kind.rawValue)
      writer.member("time", time.iso8601)
      writer.member("device", fix.device)
      writer.member("spot", spotID)
      writer.member("distance", distanceMeters)
      if let names = kind.figureNames {
        writer.member(names.figure, figure)
        writer.member(names.limit, limit)
      }
      if let mutedZone {
        writer.member("zoneLatitude", degrees: mutedZone.latitude)
        writer.member("zoneLongitude", degrees: mutedZone.longitude)
      }
      writer.member("days", days)
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
