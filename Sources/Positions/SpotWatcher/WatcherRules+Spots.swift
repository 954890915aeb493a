import CivilTime
import PhotoLibrary
import Spatial

/// Looking up the spots around a device, and leaving them.
extension WatcherRules {
  typealias Candidate = Surroundings.Candidate

  /// The seconds after which the spots around a device are looked up again, although it has not
  /// moved by the distance filter.
  static let unmovedSeconds = 5.0
  /// The distance in metres between a fix and the estimated position up to which spots are looked
  /// up, however little the device has moved.
  static let leastDeviationMeters = 50.0
  /// The same however far it has moved.
  static let greatestDeviationMeters = 1000.0

  /// Processes entering and leaving of spots.
  ///
  /// A stale fix updates the state but fires nothing: the spots that it enters wait for a fresh
  /// one.
  ///
  /// - Parameters:
  ///   - observation: The fix.
  ///   - whereabouts: The estimated state of the device.
  ///   - before: The position estimated before the fix.
  ///   - isStale: Whether the fix is stale.
  ///   - device: The device.
  ///   - surroundings: The cached spots.
  ///   - candidates: An array for reuse.
  ///   - decisions: The decisions.
  func decideSpots(
    _ observation: Observation, _ whereabouts: Whereabouts, since before: Coordinate?,
    isStale: Bool, _ device: inout DeviceState, _ surroundings: inout Surroundings,
    _ candidates: inout [Candidate], into decisions: inout [WatcherDecision]
  ) {
    let moved = device.track.lastEvaluated?.distance(to: observation.standpoint)
    let isUnmoved = moved.map { $0 < settings.distanceFilterMeters } ?? false
    if isUnmoved, let last = device.track.lastLookUp,
      abs(observation.time.seconds(since: last)) < Self.unmovedSeconds
    {
      if !isStale {
        decisions.append(
          observation.decision(
            .unmoved, figure: moved, limit: settings.distanceFilterMeters,
            waiting: device.visits.longestWaiting))
      }
      return
    }
    if !isUnmoved { device.track.lastEvaluated = observation.standpoint }
    device.track.lastLookUp = observation.time
    let first = decisions.count
    if !device.visits.isEmpty { leave(observation, whereabouts, &device, into: &decisions) }
    if isNear(whereabouts, observation, since: before) {
      surroundings.find(near: whereabouts.standpoint, self, into: &candidates)
    } else {
      candidates.removeAll(keepingCapacity: true)
    }
    if !candidates.isEmpty || whereabouts.isPresent {
      settle(
        candidates, observation, whereabouts, isStale: isStale, &device, into: &decisions)
    }
    guard !isStale else { return }
    if isUnmoved {
      let decision = observation.decision(
        .unmoved, figure: moved, limit: settings.distanceFilterMeters,
        waiting: decisions.count == first ? device.visits.longestWaiting : nil)
      decisions.insert(decision, at: first)
    } else if decisions.count == first {
      decisions.append(idle(observation, whereabouts, device))
    }
  }

  /// Decides about the spots near a device after the last fix of a burst.
  func decideBurst(
    _ observation: Observation, _ device: inout DeviceState, _ surroundings: inout Surroundings,
    _ candidates: inout [Candidate], into decisions: inout [WatcherDecision]
  ) {
    guard let whereabouts = device.estimate.whereabouts(observation, model, alerting),
      isNear(whereabouts, observation, since: nil)
    else { return }
    surroundings.find(near: whereabouts.standpoint, self, into: &candidates)
    settle(candidates, observation, whereabouts, isStale: false, &device, into: &decisions)
  }

  /// Returns whether the estimated position is so near the fix that the spots around it are known.
  private func isNear(
    _ whereabouts: Whereabouts, _ observation: Observation, since before: Coordinate?
  ) -> Bool {
    let deviation = whereabouts.standpoint.distance(to: observation.standpoint)
    guard deviation > Self.leastDeviationMeters else { return true }
    let moved = before.map { $0.distance(to: observation.coordinate) } ?? 0
    return deviation <= Self.deviationMeters(moved: moved)
  }

  /// Returns the distance in metres between a fix and the estimated position up to which spots are
  /// looked up, for a fix some metres from the position estimated before.
  static func deviationMeters(moved meters: Double) -> Double {
    min(max(meters, leastDeviationMeters), greatestDeviationMeters)
  }

  /// Removes the places that the device has left: two consecutive fixes were beyond their exit
  /// distances.
  private func leave(
    _ observation: Observation, _ whereabouts: Whereabouts, _ device: inout DeviceState,
    into decisions: inout [WatcherDecision]
  ) {
    let areAnyLeft = device.visits.follow(
      whereabouts.standpoint, beyond: exitDistance,
      lastTime: device.track.previousTime ?? observation.now)
    guard areAnyLeft else { return }
    var numbers = device.visits.indices
    while let number = device.visits.firstLeft(in: numbers) {
      numbers = number + 1..<numbers.upperBound
      let place = device.visits[at: number]
      guard place.isEntered else { continue }
      let lastThere = max(place.lastThere ?? observation.now, place.enteredAt)
      if place.isKnown {
        device.ground.note(
          place.center, at: lastThere, day: localClock.dayNumber(at: lastThere))
      }
      decisions.append(
        WatcherDecision(
          place.isWaiting ? .lapsed : .exit, fix: observation.fix, time: observation.now,
          spotID: place.id,
          distanceMeters: whereabouts.standpoint.distance(to: device.visits.center(at: number)),
          figure: observation.now.seconds(since: place.enteredAt),
          limit: (place.reach?.exit ?? exitDistance).meters,
          payload: WatcherDecision.Payload(LeftPlace(place, lastThere: lastThere))))
    }
    device.visits.removeAll(where: \.isLeft)
  }

  /// Returns the decision that no spot was entered or left.
  private func idle(
    _ observation: Observation, _ whereabouts: Whereabouts, _ device: DeviceState
  ) -> WatcherDecision {
    guard let nearest = device.visits.nearest(to: whereabouts.standpoint) else {
      return observation.decision(.clear)
    }
    let isInside = nearest.distanceMeters <= (nearest.reach?.enter ?? radius).meters
    return WatcherDecision(
      isInside ? .inside : .leaving, fix: observation.fix, time: observation.now,
      spotID: nearest.id, distanceMeters: nearest.distanceMeters,
      limit: isInside ? nil : (nearest.reach?.exit ?? exitDistance).meters,
      waiting: device.visits.longestWaiting)
  }
}
