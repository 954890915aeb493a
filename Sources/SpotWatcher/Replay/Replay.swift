public import CivilTime
public import LocationFeeds
public import PhotoLibrary
import Spatial

/// What the fixes of the past would have led to: the rules of a watch with the feed's own clock,
/// and nothing recorded or sent.
///
/// ```swift
/// var replay = Replay(spots: spots, settings: settings)
/// for fix in track { replay.process(fix) }
/// for day in replay.days { print(day.date, day.visits.count { $0.didFire }) }
/// ```
public struct Replay: Sendable {
  /// A device that came to a spot, and what became of it.
  public struct Visit: Hashable, Sendable {
    /// When the device came.
    public let entered: Instant
    /// The device; `nil` where the feed names none.
    public let device: String?
    /// The spot.
    public let spot: PhotoSpot
    /// The last word: that it fires, or why it does not. One that still waited at the end, or did
    /// not stay long enough, has the decision that it waits by, such as
    /// ``WatcherDecision/Kind/paced``.
    public fileprivate(set) var decision: WatcherDecision

    /// Whether a notification is about the spot or names it.
    public var didFire: Bool { decision.kind == .notify || decision.kind == .alsoNear }
  }

  /// A day by the local clock.
  public struct Day: Hashable, Sendable {
    /// Its midnight.
    public let date: CivilDateTime
    /// How many fixes it has.
    public fileprivate(set) var fixCount = 0
    /// How far the devices went in metres, from one fix that was looked at to the next.
    public fileprivate(set) var meters = 0.0
    /// How many fixes were not believed, or came late, by why.
    public fileprivate(set) var passedOver: [WatcherDecision.Kind: Int] = [:]
    /// The visits, in the order in which the devices came.
    public fileprivate(set) var visits: [Visit] = []
  }

  /// How many fixes had no date, and were passed over.
  public private(set) var untimedCount = 0
  private var watcher: LocationWatcher
  private var daysByDate: [CivilDateTime: Day] = [:]
  /// Where the visits are that something may still become of.
  private var open: [VisitKey: (date: CivilDateTime, place: Int)] = [:]
  private var positions: [String?: Coordinate] = [:]

  private struct VisitKey: Hashable {
    let device: String?
    let spotID: String
  }

  /// Creates a replay over spots, with the local time that quiet hours and days are of.
  public init(
    spots: SpotIndex, settings: WatcherSettings,
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0)
  ) {
    watcher = LocationWatcher(spots: spots, settings: settings, localClock: localClock)
  }

  /// The days that have fixes, in their order.
  public var days: [Day] {
    daysByDate.values.sorted { $0.date.instant() < $1.date.instant() }
  }

  /// Takes the next fix into account.
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

  /// Lets time pass after the last fix, so that what only waits for its time fires.
  public mutating func finish() {
    for decision in watcher.finish(now: nil) {
      follow(decision, on: watcher.localClock.date(at: decision.time))
    }
  }

  /// Notes what a decision makes of a visit.
  private mutating func follow(_ decision: WatcherDecision, on date: CivilDateTime) {
    guard let spotID = decision.spotID, decision.kind != .inside, decision.kind != .leaving else {
      return
    }
    let key = VisitKey(device: decision.fix.device, spotID: spotID)
    if let (date, place) = open[key] {
      // That a place was left says no more of the visit than what it waited for.
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
