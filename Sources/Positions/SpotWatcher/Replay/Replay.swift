public import CivilTime
public import LocationFeeds
public import PhotoLibrary
import Spatial

/// The alerts that past fixes would have caused, by the rules of a watch and the feed's own clock.
/// Nothing is recorded or sent.
///
/// ```swift
/// var replay = Replay(spots: spots, settings: settings)
/// for fix in track { replay.process(fix) }
/// for day in replay.days { print(day.date, day.visits.count { $0.didFire }) }
/// ```
public struct Replay: Sendable {
  /// A visit of a device to a spot, and its outcome.
  public struct Visit: Hashable, Sendable {
    /// The time of entry.
    public let entered: Instant
    /// The device; `nil` where the feed names none.
    public let device: String?
    /// The spot.
    public let spot: PhotoSpot
    /// The final decision. A visit that was still waiting at the end, or was too short, has the
    /// decision for which it waited, such as ``WatcherDecision/Kind/paced``.
    public fileprivate(set) var decision: WatcherDecision

    /// Whether a notification is about the spot or mentions it.
    public var didFire: Bool { decision.kind == .notify || decision.kind == .alsoNear }
  }

  /// A day in local time.
  public struct Day: Hashable, Sendable {
    /// Midnight of the day.
    public let date: CivilDateTime
    /// The number of fixes.
    public fileprivate(set) var fixCount = 0
    /// The distance covered by the devices in metres, along the fixes that were evaluated.
    public fileprivate(set) var meters = 0.0
    /// The numbers of fixes rejected as `invalid`, `late`, `inaccurate` or `jump`, by decision.
    public fileprivate(set) var passedOver: [WatcherDecision.Kind: Int] = [:]
    /// The visits, in the order of entry.
    public fileprivate(set) var visits: [Visit] = []
  }

  /// The number of skipped fixes without a date.
  public private(set) var untimedCount = 0
  private var watcher: LocationWatcher
  private var daysByDate: [CivilDateTime: Day] = [:]
  /// The visits whose outcome may still change, by their day and index.
  private var open: [VisitKey: (date: CivilDateTime, place: Int)] = [:]
  private var positions: [String?: Coordinate] = [:]

  private struct VisitKey: Hashable {
    let device: String?
    let spotID: String
  }

  /// Creates a replay, with the local time for quiet hours and days.
  public init(
    spots: SpotIndex, settings: WatcherSettings,
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0)
  ) {
    watcher = LocationWatcher(spots: spots, settings: settings, localClock: localClock)
  }

  /// The days with fixes, in order.
  public var days: [Day] {
    daysByDate.values.sorted { $0.date.instant() < $1.date.instant() }
  }

  /// Processes the next fix.
  public mutating func process(_ fix: LocationFix) {
    guard let time = fix.time else {
      untimedCount += 1
      return
    }
    let date = watcher.localClock.date(at: time)
    var day = daysByDate.removeValue(forKey: date) ?? Day(date: date)
    day.fixCount += 1
    let decisions = watcher.evaluate(fix, now: time, isLive: false)
    for decision in decisions where decision.spotID == nil { day.count(decision) }
    if let first = decisions.first, first.kind.isLookedAt, let position = fix.coordinate {
      day.meters += positions[fix.device].map { $0.distance(to: position) } ?? 0
      positions[fix.device] = position
    }
    daysByDate[date] = day
    for decision in decisions { follow(decision, on: date) }
  }

  /// Updates a visit by a decision.
  private mutating func follow(_ decision: WatcherDecision, on date: CivilDateTime) {
    guard let spotID = decision.spotID, decision.kind != .inside, decision.kind != .leaving else {
      return
    }
    let key = VisitKey(device: decision.fix.device, spotID: spotID)
    if let (date, place) = open[key] {
      // The exit does not replace the decision for which the visit waited.
      if decision.kind != .exit, decision.kind != .lapsed {
        daysByDate[date]?.visits[place].decision = decision
      }
    } else if decision.kind != .exit, decision.kind != .lapsed,
      let spot = watcher.spots.spot(withID: spotID)
    {
      let place = daysByDate[date, default: Day(date: date)].visits.count
      daysByDate[date]?.visits.append(
        Visit(entered: decision.time, device: decision.fix.device, spot: spot, decision: decision))
      open[key] = (date, place)
    }
    if !decision.kind.isWaiting { open[key] = nil }
  }
}

extension Replay.Day {
  fileprivate init(date: CivilDateTime) { self.date = date }

  fileprivate mutating func count(_ decision: WatcherDecision) {
    switch decision.kind {
    case .invalid, .late, .inaccurate, .jump: passedOver[decision.kind, default: 0] += 1
    default: break
    }
  }
}
