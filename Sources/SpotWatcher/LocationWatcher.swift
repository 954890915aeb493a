public import CivilTime
public import LocationFeeds
public import PhotoLibrary
import Spatial

/// Decides which fix of which device leads to a notification, and why the others do not.
///
/// A value without clock, file or log: the same spots, settings, state and fixes give the same
/// decisions. Devices are kept apart in everything, cooldowns too.
///
/// A fix is looked at in this order, and the first that applies is the decision:
/// ``WatcherDecision/Kind`` `invalid`, `late`, `stale`, `inaccurate`, `jump`, `unmoved`. What
/// passes is *accepted* (so are `stale` and `unmoved`), and then the spots around decide.
public struct LocationWatcher: Sendable {
  /// What was seen and what fired.
  public private(set) var state: WatcherState
  var rules: WatcherRules
  /// What is around the devices of late. Several share a place, which costs time where they are not
  /// together.
  private var surroundings: [Surroundings]

  /// A fix that nothing holds any more, mostly.
  private var spareFix: SharedFix?

  private static let surroundingsCount = 64

  /// The settings in force.
  public var settings: WatcherSettings { rules.settings }
  package var spots: SpotIndex { rules.spots }
  var localClock: LocalClock { rules.localClock }

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
    rules = WatcherRules(spots: spots, settings: settings, localClock: localClock)
    self.state = state
    surroundings = Self.noSurroundings
    carryOverPlaces()
  }

  /// Takes a fix into account and returns what is decided.
  ///
  /// - Parameters:
  ///   - fix: The fix. One without a time is `invalid`: a live feed stamps it before.
  ///   - now: The time. In a replay the feed's own, that of the fix; live the machine's.
  ///   - isLive: Whether the feed is live, so that an old fix is `stale`.
  /// - Returns: One decision about the fix, or one for each spot that was entered or left;
  ///   `unmoved` is followed by those of the timers. At most one of them is `notify`, and it comes
  ///   first of those that entered.
  /// - Complexity: The spots about the edge of the radius and the spots that the device is at; and
  ///   one query of the index where it moved on by 50 m since the last one.
  public mutating func evaluate(
    _ fix: LocationFix, now: Instant, isLive: Bool
  ) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    evaluate(fix, now: now, isLive: isLive, into: &decisions)
    return decisions
  }

  /// The same, appended to an array.
  ///
  /// Where the array has room, and the decisions of the fixes before are gone, a fix that enters
  /// and leaves nothing allocates nothing.
  public mutating func evaluate(
    _ fix: LocationFix, now: Instant, isLive: Bool, into decisions: inout [WatcherDecision]
  ) {
    guard let time = fix.time, let coordinate = fix.coordinate, !coordinate.isNullIsland else {
      decisions.append(WatcherDecision(.invalid, fix: SharedFix(fix), time: now))
      return
    }
    let ahead = time.seconds(since: now)
    guard ahead <= WatcherRules.maximumAheadSeconds else {
      decisions.append(
        WatcherDecision(
          .invalid, fix: SharedFix(fix), time: now, figure: ahead,
          limit: WatcherRules.maximumAheadSeconds))
      return
    }
    let slot = slot(of: fix.device)
    // A live feed has ticks for this, and what came due long ago is not for now.
    if !isLive { passTime(to: now, slot: slot, into: &decisions) }
    let observation = Observation(
      fix: shared(fix), time: time, standpoint: Standpoint(coordinate), now: now, isLive: isLive,
      slot: slot, company: company, spentRate: rules.spentRate(state.alerts, at: now))
    state.dropEvicted(cooldownSeconds: rules.settings.cooldownSeconds, now: now)
    let first = decisions.count
    spareFix = rules.follow(
      observation, &state.devices[slot], &surroundings[slot % Self.surroundingsCount],
      into: &decisions)
    note(decisions[first...], slot: slot)
    if state.devices.count > 1 { state.company.follow(slot: slot, to: observation.standpoint) }
  }

  /// The slot of a device, where what it is at is found in the index.
  private mutating func slot(of device: String?) -> Int {
    let deviceCount = state.devices.count
    let (slot, isNew) = state.slot(of: device)
    if state.devices.count > deviceCount { state.followCompany() }
    if isNew, !state.devices[slot].places.isEmpty { rules.carryOverPlaces(&state.devices[slot]) }
    return slot
  }

  /// What fired lately, where a device may be along with another.
  private var company: Company? { state.devices.count > 1 ? state.company : nil }

  /// A fix that decisions share, in the memory of an earlier one where that is free.
  private mutating func shared(_ fix: LocationFix) -> SharedFix {
    guard var shared = spareFix.take() else { return SharedFix(fix) }
    shared.replace(with: fix)
    return shared
  }

  /// Decides what the clock alone decides between the last fix of a device and a time.
  private mutating func passTime(
    to now: Instant, slot: Int, into decisions: inout [WatcherDecision]
  ) {
    guard state.devices[slot].hasTimers, state.devices[slot].places.schedule.earliestTime < now,
      var time = state.devices[slot].lastAccepted?.arrived
    else { return }
    while let next = rules.nextTimer(of: state.devices[slot].places, after: time), next < now {
      time = next
      decideTimers(at: next, slot: slot, into: &decisions)
    }
  }

  private mutating func decideTimers(
    at now: Instant, slot: Int, into decisions: inout [WatcherDecision]
  ) {
    let first = decisions.count
    rules.decideTimers(
      at: now, company: company, spentRate: rules.spentRate(state.alerts, at: now), slot: slot,
      &state.devices[slot], into: &decisions)
    note(decisions[first...], slot: slot)
  }

  private mutating func note(_ decisions: ArraySlice<WatcherDecision>, slot: Int) {
    for decision in decisions where decision.isNotification {
      guard let notification = decision.notification else { continue }
      state.alerts.record(decision.time)
      state.company.record(
        notification, slot: slot, seconds: settings.sharedIntervalSeconds)
    }
  }

  /// Lets time pass without a fix, for live feeds: who stayed long enough enters, and what waited
  /// for the interval between notifications fires.
  ///
  /// A device that was last heard of longer than `maximumFixAge` ago may be anywhere, so its timers
  /// wait for the next fix.
  public mutating func tick(now: Instant) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    for slot in state.devices.indices where state.devices[slot].hasTimers {
      decideTimers(at: now, slot: slot, into: &decisions)
    }
    return decisions
  }

  /// Lets time pass after the last fix of a feed, as if each device stayed where it was seen last.
  ///
  /// - Parameter now: The time of a live feed, where only what waits for the next minute is
  ///   decided; `nil` for a recorded one, where it is as long as `maximumFixAge`.
  /// - Returns: The decisions, with the times at which they came due.
  public mutating func finish(now: Instant?) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    for slot in state.devices.indices where state.devices[slot].hasTimers {
      guard let last = state.devices[slot].lastAccepted else { continue }
      let end =
        now.map { $0.advanced(bySeconds: settings.coldStartSeconds) }
        ?? last.time.advanced(bySeconds: settings.maximumFixAgeSeconds)
      passTime(to: end.advanced(bySeconds: 0.001), slot: slot, into: &decisions)
    }
    return decisions
  }

  /// Whether ``tick(now:)`` may have something to decide.
  public var hasTimers: Bool { state.devices.contains(where: \.hasTimers) }

  /// Takes a new index; what devices are at is carried over by place, whatever the spots' ids.
  public mutating func replace(spots: SpotIndex) {
    rules.spots = spots
    surroundings = Self.noSurroundings
    carryOverPlaces()
  }

  /// Takes other settings; devices stay where they are, and what fired keeps its time.
  public mutating func replace(settings: WatcherSettings) {
    rules = rules.with(settings)
    surroundings = Self.noSurroundings
  }

  /// Takes back a decision to notify that could not be recorded, so that it is tried again with the
  /// next fix.
  package mutating func withdraw(_ notification: SpotNotification) {
    let slot = state.slot(of: notification.device).slot
    state.devices[slot].withdraw(notification)
    state.company.withdraw(notification, slot: slot)
    state.alerts.withdraw(notification.time)
  }

  /// What is remembered of a device; see ``restore(_:)``.
  package mutating func memory(of device: String?) -> DeviceState {
    let slot = slot(of: device)
    return state.devices[slot]
  }

  /// Puts back what was remembered of a device, as if the fixes since had never come.
  package mutating func restore(_ device: DeviceState) {
    let slot = slot(of: device.name)
    state.devices[slot] = device
  }

  private static var noSurroundings: [Surroundings] {
    Array(repeating: Surroundings(), count: surroundingsCount)
  }

  private mutating func carryOverPlaces() {
    for slot in state.devices.indices where !state.devices[slot].places.isEmpty {
      rules.carryOverPlaces(&state.devices[slot])
    }
  }
}

extension DeviceState {
  fileprivate var hasTimers: Bool { places.areAnyWaiting }
}
