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
/// decision: `invalid`, `late`, `stale`, `inaccurate`, `jump`. A fix that passes is *accepted*: the
/// position and motion of the device are estimated from it and those before, and the decision
/// depends on the spots around. Also accepted are `stale` fixes that are neither inaccurate nor a
/// jump.
public struct LocationWatcher: Sendable {
  /// The state of all devices: their positions and firings.
  public internal(set) var state: WatcherState
  /// The rules, which hold the spots of the region in use.
  var rules: WatcherRules
  /// The regions of the devices: a single one without an edge, or one for each device.
  var regions: [WatchedRegion]
  /// The number of each device's region, by slot.
  var regionNumbers: [Int]
  /// The number of the region in use, whose spots the rules hold.
  var usedRegion = 0
  /// The number of spots in all regions with an edge together.
  var heldSpotCount = 0
  /// The slot whose region was examined last when regions were dropped.
  var nextDroppedSlot = 0

  /// The states of devices before the last fix or tick; only if fixes may be undone.
  var backup: DeviceBackup
  /// The spots near the device that is decided; kept for its storage.
  var candidates: [Surroundings.Candidate] = []
  /// The storage of a fix that is usually no longer referenced, for reuse.
  private var spareFix: SharedFix?

  /// The current settings.
  public var settings: WatcherSettings { rules.settings }
  /// Whether an alert on one device can prevent one on another, by the current settings.
  package var hasRulesAcrossDevices: Bool { rules.hasRulesAcrossDevices }
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
    self.init(
      allSpots: spots, settings: settings, localClock: localClock, state: state, canUndo: false)
  }

  /// Creates a watcher whose fixes may be undone.
  ///
  /// - Parameters:
  ///   - spots: All spots, which make a region without an edge; with `nil`, the spots around each
  ///     device are fetched as it moves; see ``requiredFetch(for:now:)``.
  ///   - settings: The settings.
  ///   - localClock: The local time, for quiet hours and days.
  ///   - state: The state of an earlier watcher.
  ///   - canUndo: Whether ``takeBackups()`` is used.
  package init(
    allSpots spots: SpotIndex?, settings: WatcherSettings,
    localClock: LocalClock = .fixed(utcOffsetMinutes: 0), state: WatcherState,
    canUndo: Bool = true
  ) {
    rules = WatcherRules(
      spots: spots ?? SpotIndex(spots: []), settings: settings, localClock: localClock)
    self.state = state
    regions = [spots == nil ? WatchedRegion() : .withoutEdge]
    regionNumbers = Array(repeating: 0, count: state.devices.count)
    backup = DeviceBackup(isInUse: canUndo)
    carryOverVisits()
  }

  /// Processes a fix and returns the decisions.
  ///
  /// - Parameters:
  ///   - fix: The fix. A fix without a time is `invalid`; live feeds add the time of arrival
  ///     before.
  ///   - now: The current time: in a replay that of the fix, live that of the machine.
  ///   - isLive: Whether the feed is live, so that an old fix is `stale`.
  /// - Returns: One decision about the fix, or one per spot about which something changed. `stale`
  ///   and `unmoved` precede the decisions about spots. At most one of these is `notify`, and it
  ///   precedes those of all other entered spots.
  /// - Complexity: Linear in the number of spots near the device; plus one query of the index per
  ///   50 m of movement.
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
    let region = regionNumbers[slot]
    useRegion(region)
    backup.begin(state.devices[slot])
    let observation = Observation(
      fix: shared(fix), time: time, standpoint: Standpoint(coordinate), now: now, isLive: isLive,
      deviceKey: state.devices[slot].key, sharedFirings: state.firingsInReach,
      spentRate: rules.spentRate(state.alerts, at: now))
    state.dropEvicted(cooldownSeconds: rules.settings.cooldownSeconds, now: now)
    let first = decisions.count
    let entry = regions[region].cacheEntry(of: slot)
    spareFix = rules.follow(
      observation, &state.devices[slot], &regions[region].surroundings[entry], &candidates,
      into: &decisions)
    backup.end(decisions[first...])
    state.devices[slot].notePresence()
    note(decisions[first...], slot: slot)
    state.follow(observation.deviceKey, to: observation.standpoint)
  }

  /// Returns the slot of a device, assigning one and a region if needed.
  mutating func slot(of device: String?) -> Int {
    let (slot, isNew) = state.slot(of: device)
    if isNew || slot >= regionNumbers.count { assignRegion(to: slot) }
    return slot
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
        notification, key: state.devices[slot].key, seconds: settings.sharedIntervalSeconds)
    }
  }

  /// Replaces the settings. The devices' current spots and the times of firings are kept.
  public mutating func replace(settings: WatcherSettings) {
    rules = rules.with(settings)
    for number in regions.indices { regions[number].forgetSurroundings() }
    lookUpAgain()
  }

  /// Has the next fix of each device look up the spots around, however little it has moved.
  mutating func lookUpAgain() {
    for slot in state.devices.indices { state.devices[slot].track.lastLookUp = nil }
  }

  /// Returns the presence of a device that is due to be recorded, or all of it, and forgets it.
  package mutating func takePresence(
    of device: String?, at now: Instant, all: Bool = false
  ) -> [Presence] {
    guard let slot = state.knownSlot(of: device) else { return [] }
    return state.devices[slot].takePresence(at: now, all: all)
  }

  /// The devices with presence that is not recorded.
  package var devicesWithPresence: [String?] {
    state.devices.filter { !$0.newPresence.isEmpty }.map(\.name)
  }

  /// Returns the states, before the last fix, tick or ``finish(now:)``, of all devices about which
  /// there were decisions that concern a spot; only if fixes may be undone.
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

  /// Carries over the devices' visits to the spots in use.
  mutating func carryOverVisits() {
    for slot in state.devices.indices where !state.devices[slot].visits.isEmpty {
      rules.carryOverVisits(&state.devices[slot])
    }
  }
}
