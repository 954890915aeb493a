public import CivilTime

/// The passing of time: dwell times that complete, and postponed notifications that fire.
extension LocationWatcher {
  /// Advances time without a fix, for live feeds: dwell times complete, and postponed notifications
  /// fire.
  ///
  /// The timers of a device whose last fix is older than `maximumFixAge` wait for its next fix,
  /// since it may be anywhere.
  public mutating func tick(now: Instant) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    backup.clear()
    for slot in state.devices.indices where mayTimersBeDue(slot, at: now) {
      backup.begin(state.devices[slot])
      exchangeSpots(slot)
      decideTimers(at: now, slot: slot, into: &decisions)
      exchangeSpots(slot)
    }
    return decisions
  }

  /// Advances time after the last fix of a feed, as if each device stayed at its last position.
  ///
  /// - Parameter now: The current time for a live feed, of which only the next `coldStartSeconds`
  ///   are decided; `nil` for a recorded feed, of which `maximumFixAgeSeconds` after each device's
  ///   last fix are decided.
  /// - Returns: The decisions, with the times at which they came due.
  public mutating func finish(now: Instant?) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    backup.clear()
    for slot in state.devices.indices where state.devices[slot].hasTimers {
      guard let last = state.devices[slot].track.lastAccepted else { continue }
      let end =
        now.map { $0.advanced(bySeconds: settings.coldStartSeconds) }
        ?? last.time.advanced(bySeconds: settings.maximumFixAgeSeconds)
      backup.begin(state.devices[slot])
      exchangeSpots(slot)
      passTime(to: end.advanced(bySeconds: 0.001), slot: slot, into: &decisions)
      exchangeSpots(slot)
    }
    return decisions
  }

  /// Whether ``tick(now:)`` may return decisions at some time.
  public var hasTimers: Bool { state.devices.contains(where: \.hasTimers) }

  /// Returns whether ``tick(now:)`` may return decisions; for `nil`, ``finish(now:)``.
  package func mayTimersBeDue(at now: Instant?) -> Bool {
    guard let now else { return hasTimers }
    return state.devices.indices.contains { mayTimersBeDue($0, at: now) }
  }

  private func mayTimersBeDue(_ slot: Int, at now: Instant) -> Bool {
    state.devices[slot].hasTimers && rules.mayDecideTimers(of: state.devices[slot], at: now)
  }

  /// Decides the timers of a device that come due between its last fix and a time.
  mutating func passTime(
    to now: Instant, slot: Int, into decisions: inout [WatcherDecision]
  ) {
    guard state.devices[slot].hasTimers, state.devices[slot].places.schedule.earliestTime < now,
      var time = state.devices[slot].track.lastAccepted?.arrived
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
      at: now, sharedFirings: sharedFirings, spentRate: rules.spentRate(state.alerts, at: now),
      slot: firingsKey(of: slot), &state.devices[slot], &backup, into: &decisions)
    note(decisions[first...], slot: slot)
  }
}

extension DeviceState {
  fileprivate var hasTimers: Bool { places.areAnyWaiting }
}
