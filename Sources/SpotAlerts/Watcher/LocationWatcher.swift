public import Interchange
public import LocationFeeds
public import PhotoLibrary
import Spatial

/// Decides which fix of which device leads to a notification, and why the others do not.
///
/// A value without clock, file or log: the same spots, settings, state and fixes give the same decisions.
/// Devices are kept apart in everything, cooldowns too.
///
/// A fix is looked at in this order, and the first that applies is the decision: ``WatcherDecision/Kind``
/// `invalid`, `late`, `stale`, `inaccurate`, `jump`, `unmoved`. What passes is *accepted* (so are `stale`
/// and `unmoved`), and then the spots around decide.
public struct LocationWatcher: Sendable {
  /// The settings in force.
  public private(set) var settings: WatcherSettings
  /// What was seen and what fired.
  public private(set) var state: WatcherState
  private(set) var spots: SpotIndex
  let localClock: LocalClock

  /// A fix may be this far ahead of the clock.
  static let maximumAheadSeconds = 60.0
  /// Faster than this, in km/h, a device is not believed to move.
  static let jumpKilometersPerHour = 250.0
  /// After so long a silence, in seconds, any distance is believed.
  static let jumpPatienceSeconds = 600.0
  /// For so long after a firing, in seconds, a restart belongs to the same visit, whatever the cooldown.
  static let sameVisitSeconds = 86_400.0
  /// So near to a position that was not believed, in metres, another makes it credible.
  static let jumpAgreementMeters = 1000.0

  /// Creates a watcher over spots.
  ///
  /// - Parameters:
  ///   - spots: The spots.
  ///   - settings: When to notify.
  ///   - localClock: The time on the wall, for the quiet hours.
  ///   - state: What an earlier watcher remembered, over this or another index.
  public init(
    spots: SpotIndex, settings: WatcherSettings,
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0),
    state: WatcherState = .init()
  ) {
    self.spots = spots
    self.settings = settings
    self.localClock = localClock
    self.state = state
    carryOverPlaces()
  }

  /// Takes a fix into account and returns what is decided.
  ///
  /// - Parameters:
  ///   - fix: The fix. One without a time is `invalid`: a live feed stamps it before.
  ///   - now: The time. In a replay the feed's own, that of the fix; live the machine's.
  ///   - isLive: Whether the feed is live, so that an old fix is `stale`.
  /// - Returns: One decision about the fix, or one for each spot that was entered or left; `unmoved` is
  ///   followed by those of the timers. At most one of them is `notify`, and it comes first of those that
  ///   entered.
  /// - Complexity: One query of the index, the spots found and the spots that the device is at.
  public mutating func evaluate(
    _ fix: LocationFix, now: Instant, isLive: Bool
  ) -> [WatcherDecision] {
    guard let time = fix.time, let coordinate = fix.coordinate, !coordinate.isNullIsland else {
      return [WatcherDecision(.invalid, fix: fix, time: now)]
    }
    let ahead = time.seconds(since: now)
    guard ahead <= Self.maximumAheadSeconds else {
      return [
        WatcherDecision(
          .invalid, fix: fix, time: now, figure: ahead, limit: Self.maximumAheadSeconds)
      ]
    }
    var (device, slot) = state.take(fix.device)
    let look = Look(fix: fix, time: time, coordinate: coordinate, now: now, isLive: isLive)
    let decisions = decide(look, &device)
    state.put(device, in: slot)
    return decisions
  }

  /// Lets time pass without a fix, for live feeds: who stayed long enough enters, and what waited for the
  /// interval between notifications fires.
  ///
  /// A device that was last heard of longer than `maximumFixAge` ago may be anywhere, so its timers wait
  /// for the next fix.
  public mutating func tick(now: Instant) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    for name in state.devices.filter(\.hasTimers).map(\.name) {
      var (device, slot) = state.take(name)
      if let last = device.lastAccepted,
        now.seconds(since: last.time) <= settings.maximumFixAgeSeconds
      {
        let look = Look(
          fix: last.fix, time: last.time, coordinate: last.coordinate, now: now, isLive: true)
        let entries = dueEntries(at: look, &device)
        if !entries.isEmpty { decisions += settle(entries, look, &device) }
      }
      state.put(device, in: slot)
    }
    return decisions
  }

  /// Whether ``tick(now:)`` may have something to decide.
  public var hasTimers: Bool { state.devices.contains(where: \.hasTimers) }

  /// Takes a new index; what devices are at is carried over by place, whatever the spots' ids.
  public mutating func replace(spots: SpotIndex) {
    self.spots = spots
    carryOverPlaces()
  }

  /// Takes other settings; devices stay where they are, and what fired keeps its time.
  public mutating func replace(settings: WatcherSettings) {
    self.settings = settings
  }

  /// Takes back a decision to notify that could not be recorded, so that it is tried again with the next
  /// fix.
  mutating func withdraw(_ notification: SpotNotification) {
    var (device, slot) = state.take(notification.device)
    for spot in notification.spots {
      device.firings.withdraw(
        spotID: spot.id, center: spot.coordinate, time: notification.time)
      device.places[spot.id]?.phase = .pending
    }
    device.lastNotification = nil
    device.withdrawLastFiring()
    state.put(device, in: slot)
  }

  private mutating func carryOverPlaces() {
    for name in state.devices.filter({ !$0.places.isEmpty }).map(\.name) {
      var (device, slot) = state.take(name)
      device.places = carriedOver(device.places)
      state.put(device, in: slot)
    }
  }
}

/// A fix under consideration, with what is known for certain.
struct Look {
  let fix: LocationFix
  let time: Instant
  let coordinate: Coordinate
  let now: Instant
  let isLive: Bool

  func decision(
    _ kind: WatcherDecision.Kind, figure: Double? = nil, limit: Double? = nil
  ) -> WatcherDecision {
    WatcherDecision(kind, fix: fix, time: now, figure: figure, limit: limit)
  }
}

extension DeviceState {
  fileprivate var hasTimers: Bool {
    places.values.contains { $0.phase == .dwelling || $0.phase == .pending }
  }
}
