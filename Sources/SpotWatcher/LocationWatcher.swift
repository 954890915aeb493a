public import CivilTime
public import LocationFeeds
public import PhotoLibrary
import Spatial

/// Decides which fixes lead to notifications, and gives the reasons for all others.
///
/// A pure value without clock, files or logs: equal spots, settings, state and fixes give equal
/// decisions. Devices are independent of each other, including their cooldowns, except for the
/// rules about several devices.
///
/// A fix is tested in this order, and the first ``WatcherDecision/Kind`` that applies is the
/// decision: `invalid`, `late`, `stale`, `inaccurate`, `jump`, `unmoved`. A fix that passes is
/// *accepted*, and the decision depends on the spots around it. Also accepted are `unmoved` fixes,
/// and `stale` ones that are neither inaccurate nor a jump.
public struct LocationWatcher: Sendable {
  /// The state of all devices: their positions and firings.
  public internal(set) var state: WatcherState
  var rules: WatcherRules
  /// The cached spots around recently active devices. Several devices may share an entry, which
  /// costs time if they are far apart.
  private var surroundings: [Surroundings]
  /// The regions of the devices, by slot; empty for a watcher over one index.
  var regions: [DeviceRegion] = []
  /// Whether each device has its own region instead of one index for all.
  let isOverRegions: Bool
  /// The number of spots in all regions together.
  var heldSpotCount = 0
  /// The slot whose region was examined last when regions were dropped.
  var nextDroppedSlot = 0

  /// The states of devices before the last fix or tick; only for a watcher over regions.
  var backup: DeviceBackup
  /// The storage of a fix that is usually no longer referenced, for reuse.
  private var spareFix: SharedFix?

  private static let surroundingsCount = 64

  /// The current settings.
  public var settings: WatcherSettings { rules.settings }
  /// Whether an alert on one device can prevent one on another, by the current settings.
  package var hasRulesAcrossDevices: Bool { rules.hasRulesAcrossDevices }
  package var spots: SpotIndex { rules.spots }
  var localClock: LocalClock { rules.localClock }

  /// Creates a watcher.
  ///
  /// - Parameters:
  ///   - spots: The spots.
  ///   - settings: The settings.
  ///   - localClock: The local time, for quiet hours and days.
  ///   - state: The state of an earlier watcher, over this or another index.
  public init(
    spots: SpotIndex, settings: WatcherSettings,
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0),
    state: WatcherState = .init()
  ) {
    rules = WatcherRules(spots: spots, settings: settings, localClock: localClock)
    self.state = state
    surroundings = Self.noSurroundings
    isOverRegions = false
    backup = DeviceBackup(isInUse: false)
    carryOverPlaces()
  }

  /// Creates a watcher over regions: the spots around each device are fetched as it moves; see
  /// ``requiredFetch(for:now:)``.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - localClock: The local time, for quiet hours and days.
  package init(overRegionsWith settings: WatcherSettings, localClock: LocalClock) {
    rules = WatcherRules(spots: SpotIndex(spots: []), settings: settings, localClock: localClock)
    state = WatcherState()
    state.keepsEvicted = false
    surroundings = []
    isOverRegions = true
    backup = DeviceBackup(isInUse: true)
  }

  /// Processes a fix and returns the decisions.
  ///
  /// - Parameters:
  ///   - fix: The fix. A fix without a time is `invalid`; live feeds add the time of arrival
  ///     before.
  ///   - now: The current time: in a replay that of the fix, live that of the machine.
  ///   - isLive: Whether the feed is live, so that an old fix is `stale`.
  /// - Returns: One decision about the fix, or one per spot that was entered or left. `unmoved` is
  ///   followed by the decisions of due timers. At most one of these is `notify`, and it precedes
  ///   those of all other entered spots. In a replay, the decisions of timers that came due before
  ///   the fix come first.
  /// - Complexity: Linear in the number of spots near the edge of the radius and of spots that the
  ///   device is at; plus one query of the index per 50 m of movement.
  public mutating func evaluate(
    _ fix: LocationFix, now: Instant, isLive: Bool
  ) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    evaluate(fix, now: now, isLive: isLive, into: &decisions)
    return decisions
  }

  /// Processes a fix and appends the decisions to an array.
  ///
  /// If the array has capacity and the decisions of earlier fixes were released, a fix that enters
  /// and leaves no spot causes no allocation.
  public mutating func evaluate(
    _ fix: LocationFix, now: Instant, isLive: Bool, into decisions: inout [WatcherDecision]
  ) {
    backup.clear()
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
    exchangeSpots(slot)
    defer { exchangeSpots(slot) }
    backup.begin(state.devices[slot])
    // In a live feed, ticks handle timers, and timers that came due long ago must not fire now.
    if !isLive { passTime(to: now, slot: slot, into: &decisions) }
    let observation = Observation(
      fix: shared(fix), time: time, standpoint: Standpoint(coordinate), now: now, isLive: isLive,
      slot: firingsKey(of: slot), sharedFirings: sharedFirings,
      spentRate: rules.spentRate(state.alerts, at: now))
    state.dropEvicted(cooldownSeconds: rules.settings.cooldownSeconds, now: now)
    let first = decisions.count
    if isOverRegions {
      spareFix = rules.follow(
        observation, &state.devices[slot], &regions[slot].surroundings, &backup, into: &decisions)
    } else {
      spareFix = rules.follow(
        observation, &state.devices[slot], &surroundings[slot % Self.surroundingsCount],
        &backup, into: &decisions)
    }
    note(decisions[first...], slot: slot)
    if isOverRegions || state.devices.count > 1 {
      state.sharedFirings.follow(slot: observation.slot, to: observation.standpoint)
    }
  }

  /// Makes the spots of a device's region those of the rules, and undoes that when it is called
  /// again. Has no effect on a watcher over one index.
  ///
  /// To copy the spots for each fix would cost more than most decisions.
  mutating func exchangeSpots(_ slot: Int) {
    if isOverRegions { swap(&rules.spots, &regions[slot].spots) }
  }

  /// Returns the number that identifies a device in ``SharedFirings``: its slot or, for a watcher
  /// over regions, a hash of its name, since other devices may be watched elsewhere.
  func firingsKey(of slot: Int) -> Int {
    isOverRegions ? regions[slot].sharedKey : slot
  }

  /// Returns the slot of a device, assigning one if needed and looking up its places in the index.
  mutating func slot(of device: String?) -> Int {
    let deviceCount = state.devices.count
    let (slot, isNew) = state.slot(of: device)
    if isOverRegions {
      if isNew || slot >= regions.count { makeRegion(at: slot) }
      return slot
    }
    if state.devices.count > deviceCount { state.updateSharedPositions() }
    if isNew, !state.devices[slot].places.isEmpty { rules.carryOverPlaces(&state.devices[slot]) }
    return slot
  }

  /// The recent firings on all devices; `nil` where there is only one device.
  var sharedFirings: SharedFirings? {
    isOverRegions
      ? (state.sharedFirings.firings.isEmpty ? nil : state.sharedFirings)
      : (state.devices.count > 1 ? state.sharedFirings : nil)
  }

  /// Returns a fix that decisions share, in reused storage if possible.
  private mutating func shared(_ fix: LocationFix) -> SharedFix {
    guard var shared = spareFix.take() else { return SharedFix(fix) }
    shared.replace(with: fix)
    return shared
  }

  mutating func note(_ decisions: ArraySlice<WatcherDecision>, slot: Int) {
    for decision in decisions where decision.isNotification {
      guard let notification = decision.notification else { continue }
      state.alerts.record(decision.time)
      state.sharedFirings.record(
        notification, slot: firingsKey(of: slot), seconds: settings.sharedIntervalSeconds)
    }
  }

  /// Replaces the index. The devices' current spots are carried over by position, regardless of the
  /// spots' ids.
  public mutating func replace(spots: SpotIndex) {
    rules.spots = spots
    surroundings = Self.noSurroundings
    carryOverPlaces()
  }

  /// Replaces the settings. The devices' current spots and the times of firings are kept.
  public mutating func replace(settings: WatcherSettings) {
    rules = rules.with(settings)
    surroundings = isOverRegions ? [] : Self.noSurroundings
    for slot in regions.indices { regions[slot].surroundings = Surroundings() }
  }

  /// Reverts a decision to notify that could not be recorded, so that it is made again with the
  /// next fix.
  package mutating func withdraw(_ notification: SpotNotification) {
    let slot = state.slot(of: notification.device).slot
    state.devices[slot].withdraw(notification)
    state.sharedFirings.withdraw(notification, slot: firingsKey(of: slot))
    state.alerts.withdraw(notification.time)
  }

  /// Returns the state of a device, for ``restore(_:)``.
  package mutating func memory(of device: String?) -> DeviceState {
    let slot = slot(of: device)
    return state.devices[slot]
  }

  /// Returns the states, before the last fix, tick or ``finish(now:)``, of all devices about which
  /// there were decisions that concern a spot; only for a watcher over regions.
  ///
  /// They are forgotten, so a second call returns none.
  package mutating func takeBackups() -> [DeviceState] { backup.take() }

  /// Restores the state of a device to one of some states, as if no time had passed since.
  package mutating func restore(_ device: String?, from states: [DeviceState]) {
    if let before = states.first(where: { $0.name == device }) { restore(before) }
  }

  /// Restores the state of a device, as if the fixes since had never arrived.
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
