public import CivilTime

/// The passing of time: of a late burst of fixes, the last one is decided when no more follow.
extension LocationWatcher {
  /// Advances time without a fix, for live feeds.
  ///
  /// The visits of a device whose last fix is older than `maximumFixAge` wait for its next fix,
  /// since it may be anywhere.
  public mutating func tick(now: Instant) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    backup.clear()
    for slot in state.devices.indices where isBurstOver(slot, at: now) {
      decideBurst(of: slot, at: now, into: &decisions)
    }
    return decisions
  }

  /// Decides at the end of a live feed what waits for the end of a burst.
  ///
  /// - Parameter now: The current time.
  /// - Returns: The decisions.
  public mutating func finish(now: Instant) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    backup.clear()
    for slot in state.devices.indices where state.devices[slot].isInBurst {
      decideBurst(
        of: slot, at: max(now, state.devices[slot].track.burstEnd ?? now), into: &decisions)
    }
    return decisions
  }

  /// Whether ``tick(now:)`` may return decisions at some time.
  public var hasTimers: Bool { state.devices.contains(where: \.isInBurst) }

  /// Returns whether ``tick(now:)`` may return decisions; for `nil`, ``finish(now:)``.
  package func mayTimersBeDue(at now: Instant?) -> Bool {
    guard let now else { return hasTimers }
    return state.devices.indices.contains { isBurstOver($0, at: now) }
  }

  private func isBurstOver(_ slot: Int, at now: Instant) -> Bool {
    guard state.devices[slot].isInBurst, let end = state.devices[slot].track.burstEnd else {
      return false
    }
    return now >= end
  }

  private mutating func decideBurst(
    of slot: Int, at now: Instant, into decisions: inout [WatcherDecision]
  ) {
    guard let last = state.devices[slot].track.lastAccepted,
      now.seconds(since: last.time) <= settings.maximumFixAgeSeconds
    else { return }
    backup.begin(state.devices[slot])
    let region = regionNumbers[slot]
    useRegion(region)
    let observation = Observation(
      fix: last.fix, time: last.time, standpoint: last.standpoint, now: now, isLive: true,
      deviceKey: state.devices[slot].key, sharedFirings: state.firingsInReach,
      spentRate: rules.spentRate(state.alerts, at: now))
    let first = decisions.count
    let entry = regions[region].cacheEntry(of: slot)
    rules.decideBurst(
      observation, &state.devices[slot], &regions[region].surroundings[entry], &candidates,
      into: &decisions)
    backup.end(decisions[first...])
    state.devices[slot].notePresence()
    note(decisions[first...], slot: slot)
  }
}

extension DeviceState {
  /// Whether a visit waits for the end of a burst.
  fileprivate var isInBurst: Bool { track.burstEnd != nil && visits.isAnyWaitingForBurst }
}
