import CivilTime
package import PhotoLibrary
import Spatial

/// Which spots are entered and left, and which of them fires.
extension WatcherRules {
  /// A spot that was entered, or whose time has come.
  struct Entry {
    /// The spot's place in the index. A spot itself is large, and most are only looked at.
    let index: Int
    let distanceMeters: Double
    var passMeters: Double?

    /// What the spot is ranked by: how close the device came.
    var closestMeters: Double { min(distanceMeters, passMeters ?? distanceMeters) }
  }

  /// The entries by rank: the closest 10 m band first, in it the most photos, then the id, in the
  /// order of which the index lies.
  private func ranked(_ entries: [Entry]) -> [Entry] {
    guard entries.count > 1 else { return entries }
    return entries.sorted { left, right in
      let leftBand = (left.closestMeters / 10).rounded(.down)
      let rightBand = (right.closestMeters / 10).rounded(.down)
      if leftBand != rightBand { return leftBand < rightBand }
      let (leftCount, rightCount) = (
        spots.spots[left.index].photoCount, spots.spots[right.index].photoCount
      )
      return leftCount != rightCount ? leftCount > rightCount : left.index < right.index
    }
  }

  /// Follows the device in and out of spots. A stale look moves the state and fires nothing: what
  /// it enters waits for a fresh one.
  func decideSpots(
    _ look: Look, way: Way?, isStale: Bool, _ device: inout DeviceState,
    _ surroundings: inout Surroundings
  ) -> [WatcherDecision] {
    let wasAnywhere = !device.places.isEmpty
    let entered = entered(at: look, way: way, device.places, &surroundings)
    guard wasAnywhere || !entered.isEmpty else { return isStale ? [] : [look.decision(.clear)] }

    var decisions = wasAnywhere ? leave(look, &device) : []
    let due = isStale ? [] : dueEntries(at: look, &device)
    for entry in entered {
      let isBeyondExit = entry.distanceMeters > settings.exitDistanceMeters
      let id = spots.spots[entry.index].id
      device.places[id] = Place(
        id: id, center: spots.spots[entry.index].coordinate, enteredAt: look.now,
        phase: .waiting(notBefore: nil, for: isStale ? .stale : nil),
        looksBeyondExit: isBeyondExit ? 1 : 0, entryMeters: entry.closestMeters)
    }
    guard !isStale else { return decisions }
    decisions += settle(due + entered, look, &device)
    return decisions.isEmpty ? [idle(look, device)] : decisions
  }

  /// Leaves the places that the device was beyond for two looks in a row.
  private func leave(
    _ look: Look, _ device: inout DeviceState
  ) -> [WatcherDecision] {
    device.places.leave(
      at: look.standpoint, beyond: exitDistance, lastTime: device.previousTime ?? look.now
    ).map { place, distance in
      let stay = FiringLog.Stay(
        start: place.enteredAt, end: max(place.lastThere ?? look.now, place.enteredAt))
      device.firings.noteStay(
        stay, spotID: place.id, center: place.center, radiusMeters: settings.clusterRadiusMeters)
      return WatcherDecision(
        place.waitingFor == nil ? .exit : .lapsed, fix: look.fix, time: look.now,
        spotID: place.id, distanceMeters: distance,
        figure: look.now.seconds(since: place.enteredAt), limit: exitDistance.meters,
        payload: WatcherDecision.Payload(LeftPlace(place, lastThere: stay.end)))
    }
  }

  /// The decision that nothing happened.
  private func idle(_ look: Look, _ device: DeviceState) -> WatcherDecision {
    guard let nearest = device.places.nearest(to: look.standpoint) else {
      return look.decision(.clear)
    }
    let isInside = nearest.distanceMeters <= radius.meters
    return WatcherDecision(
      isInside ? .inside : .leaving, fix: look.fix, time: look.now, spotID: nearest.id,
      distanceMeters: nearest.distanceMeters, limit: isInside ? nil : exitDistance.meters,
      waiting: device.places.waiting)
  }

  /// The places within the radius whose time has come, as far as the clock tells.
  func dueEntries(at look: Look, _ device: inout DeviceState) -> [Entry] {
    guard device.places.areAnyWaiting else { return [] }
    let isFast = device.motion.fastSince != nil
    var due: [Entry] = []
    let places = device.places
    places.forEachWaiting { place in
      guard case .waiting(let time, let kind) = place.phase else { return }
      if isFast, kind == .tooFast { return }
      if place.enteredAt > look.now {
        // A clock that was turned back starts the stay anew.
        device.places[place.id]?.enteredAt = look.now
        device.places[place.id]?.phase = .waiting(notBefore: nil, for: kind)
      } else if let time, look.now < time, !(isFast && kind == .arriving) {
        return
      }
      guard let index = spots.place(ofID: place.id) else { return }
      let distance = spots.spots[index].coordinate.distance(to: look.coordinate)
      guard distance <= radius.meters else { return }
      due.append(Entry(index: index, distanceMeters: distance))
    }
    return due
  }

  /// Decides what time alone decides, for a device that was heard of lately.
  func decideTimers(
    at now: Instant, company: Company, spentRate: Int?, slot: Int,
    _ device: inout DeviceState
  ) -> [WatcherDecision] {
    guard let last = device.lastAccepted,
      now.seconds(since: last.time) <= settings.maximumFixAgeSeconds
    else { return [] }
    let look = Look(
      fix: last.fix, time: last.time, standpoint: last.standpoint, now: now, isLive: true,
      slot: slot, company: company, spentRate: spentRate)
    return settle(dueEntries(at: look, &device), look, &device)
  }

  /// When the clock alone may decide next, after a time; `nil` where it will not.
  func nextTimer(of device: DeviceState, after now: Instant) -> Instant? {
    guard device.places.areAnyWaiting else { return nil }
    var next: Instant?
    device.places.forEachWaiting { place in
      guard case .waiting(let time?, _) = place.phase, time > now else { return }
      next = min(next ?? time, time)
    }
    return next
  }

  /// Decides about the spots that were entered or whose time has come: those that a rule refuses
  /// are blocked, those that a rule holds back wait, and of the rest one fires and names the
  /// others.
  func settle(
    _ entries: [Entry], _ look: Look, _ device: inout DeviceState
  ) -> [WatcherDecision] {
    guard !entries.isEmpty else { return [] }
    var decisions: [WatcherDecision] = []
    var allowed: [Entry] = []
    for entry in ranked(entries) {
      let id = spots.spots[entry.index].id
      let verdict = verdict(
        on: Visit(
          entry: entry, enteredAt: device.places[id]?.enteredAt ?? look.now, look: look,
          device: device))
      switch verdict {
      case nil: allowed.append(entry)
      case .no(let reason):
        device.places[id]?.phase = .blocked(by: reason.kind)
        if reason.kind == .shared {
          device.firings.record(
            spotID: id, center: spots.spots[entry.index].coordinate, time: look.now)
        }
        decisions.append(decision(reason, entry, look))
      case .notBefore(let time, let reason):
        let isNews = device.places[id]?.waitingFor != reason.kind
        device.places[id]?.phase = .waiting(notBefore: time, for: reason.kind)
        guard isNews else { continue }
        var decision = decision(reason, entry, look)
        decision.isFirst = device.places[id]?.waits.insert(reason.kind).inserted ?? true
        device.places[id]?.waited = reason
        decisions.append(decision)
      }
    }
    guard let best = allowed.first else { return decisions }
    let notification = SpotNotification(
      entering: spots.spots[best.index],
      alsoNear: allowed.dropFirst().map { spots.spots[$0.index] }, fix: look.fix.fix,
      position: look.coordinate, time: look.now)
    device.didFire(notification)
    let others = allowed.dropFirst().map { decision(.alsoNear, $0, look) }
    return [decision(.notify, best, look, payload: WatcherDecision.Payload(notification))] + others
      + decisions
  }

  private func decision(
    _ reason: Verdict.Reason, _ entry: Entry, _ look: Look
  ) -> WatcherDecision {
    decision(reason.kind, entry, look, figure: reason.figure, limit: reason.limit)
  }

  func decision(
    _ kind: WatcherDecision.Kind, _ entry: Entry, _ look: Look, figure: Double? = nil,
    limit: Double? = nil, payload: WatcherDecision.Payload? = nil
  ) -> WatcherDecision {
    WatcherDecision(
      kind, fix: look.fix, time: look.now, spotID: spots.spots[entry.index].id,
      distanceMeters: entry.distanceMeters, passMeters: entry.passMeters, figure: figure,
      limit: limit, payload: payload)
  }
}

extension SpotIndex {
  /// The place in ``spots`` of the spot with an id, by binary search: spots lie in the order of
  /// their ids.
  func place(ofID id: String) -> Int? {
    var (low, high) = (0, spots.count)
    while low < high {
      let middle = (low + high) / 2
      if spots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < spots.count && spots[low].id == id ? low : nil
  }

  /// The spot with an id.
  package func spot(withID id: String) -> PhotoSpot? { place(ofID: id).map { spots[$0] } }
}
