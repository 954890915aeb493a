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
    /// The distance covered by the devices in metres, along the fixes that were evaluated. A gap of
    /// more than an hour between fixes and a change of the local day add nothing.
    public fileprivate(set) var meters = 0.0
    /// The numbers of fixes rejected as `invalid`, `late`, `inaccurate` or `jump`, by decision.
    public fileprivate(set) var passedOver: [WatcherDecision.Kind: Int] = [:]
    /// The visits, in the order of entry.
    public fileprivate(set) var visits: [Visit] = []
  }

  /// The number of skipped fixes without a date.
  public private(set) var untimedCount = 0
  private var watcher: LocationWatcher
  /// The days in the order of their first fixes, and the index of each.
  private var recorded: [Day] = []
  private var dayIndices: [CivilDateTime: Int] = [:]
  /// The visits whose outcome may still change, by their day and index.
  private var open: [VisitKey: (day: Int, place: Int)] = [:]
  private var odometers: [String?: Odometer] = [:]
  private var latestDay: Int?
  /// The decisions about the latest fix; kept for its capacity.
  private var decisions: [WatcherDecision] = []

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
    recorded.sorted { $0.date.instant() < $1.date.instant() }
  }

  /// Processes the next fix.
  public mutating func process(_ fix: LocationFix) {
    guard let time = fix.time else {
      untimedCount += 1
      return
    }
    let date = watcher.localClock.date(at: time)
    let day = dayIndex(of: date)
    recorded[day].fixCount += 1
    decisions.removeAll(keepingCapacity: true)
    watcher.evaluate(fix, now: time, isLive: false, into: &decisions)
    for decision in decisions where decision.spotID == nil { recorded[day].count(decision) }
    if let kind = decisions.first?.kind, let position = fix.coordinate {
      if kind.isLookedAt {
        recorded[day].meters += odometers[fix.device, default: Odometer()].move(
          to: position, at: time, of: date)
      } else if kind == .unmoved {
        odometers[fix.device]?.stay(until: time, of: date)
      }
    }
    for decision in decisions { follow(decision, on: day) }
  }

  /// Returns the index of a day, adding it if it is new. Most fixes are of the day of the last one.
  private mutating func dayIndex(of date: CivilDateTime) -> Int {
    if let latestDay, recorded[latestDay].date == date { return latestDay }
    let index = dayIndices[date] ?? recorded.count
    if index == recorded.count {
      recorded.append(Day(date: date))
      dayIndices[date] = index
    }
    latestDay = index
    return index
  }

  /// Updates a visit by a decision.
  private mutating func follow(_ decision: WatcherDecision, on day: Int) {
    guard let spotID = decision.spotID, decision.kind != .inside, decision.kind != .leaving else {
      return
    }
    let key = VisitKey(device: decision.fix.device, spotID: spotID)
    if let (day, place) = open[key] {
      // The exit does not replace the decision for which the visit waited.
      if decision.kind != .exit, decision.kind != .lapsed {
        recorded[day].visits[place].decision = decision
      }
    } else if decision.kind != .exit, decision.kind != .lapsed,
      let spot = watcher.spots.spot(withID: spotID)
    {
      open[key] = (day, recorded[day].visits.count)
      recorded[day].visits.append(
        Visit(entered: decision.time, device: decision.fix.device, spot: spot, decision: decision))
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
