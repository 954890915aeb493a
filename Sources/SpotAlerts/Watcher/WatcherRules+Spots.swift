import Interchange
import PhotoLibrary
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

  /// The entries by rank: the closest 10 m band first, in it the most photos, then the id, in the order of which
  /// the index lies.
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

  /// Follows the device in and out of spots. A stale look moves the state and fires nothing, so what it
  /// enters will not fire by that entry.
  func decideSpots(
    _ look: Look, way: Way?, isStale: Bool, _ device: inout DeviceState,
    _ surroundings: inout Surroundings
  ) -> [WatcherDecision] {
    let wasAnywhere = !device.places.isEmpty
    let entered = entered(at: look, way: way, device.places, &surroundings)
    guard wasAnywhere || !entered.isEmpty else { return isStale ? [] : [look.decision(.clear)] }

    var decisions = wasAnywhere ? leave(look, &device) : []
    let isDwelling = settings.dwellSeconds > 0
    for entry in entered {
      let isBeyondExit = entry.distanceMeters > settings.exitDistanceMeters
      let id = spots.spots[entry.index].id
      device.places[id] = Place(
        id: id, center: spots.spots[entry.index].coordinate, enteredAt: look.now,
        phase: isDwelling ? .dwelling : .blocked, looksBeyondExit: isBeyondExit ? 1 : 0)
    }
    guard !isStale else { return decisions }
    var due = dueEntries(at: look, &device)
    if isDwelling {
      decisions += ranked(entered).map {
        decision(.dwelling, $0, look, figure: 0, limit: settings.dwellSeconds)
      }
    } else {
      due += entered
    }
    decisions += settle(due, look, &device)
    return decisions.isEmpty ? [idle(look, device)] : decisions
  }

  /// Leaves the places that the device was beyond for two looks in a row.
  private func leave(
    _ look: Look, _ device: inout DeviceState
  ) -> [WatcherDecision] {
    device.places.leave(at: look.standpoint, beyond: exitDistance).map { place, distance in
      WatcherDecision(
        place.phase == .pending ? .lapsed : .exit, fix: look.fix, time: look.now,
        spotID: place.id, distanceMeters: distance,
        figure: look.now.seconds(since: place.enteredAt), limit: exitDistance.meters,
        payload: WatcherDecision.Payload(
          LeftPlace(
            center: place.center, enteredAt: place.enteredAt, didFire: place.phase == .fired)))
    }
  }

  /// The decision that nothing happened.
  private func idle(_ look: Look, _ device: DeviceState) -> WatcherDecision {
    guard let nearest = device.places.nearest(to: look.standpoint) else {
      return look.decision(.clear)
    }
    return WatcherDecision(
      .inside, fix: look.fix, time: look.now, spotID: nearest.id,
      distanceMeters: nearest.distanceMeters)
  }

  /// The places whose time has come: stayed at long enough, or waiting for an interval that is over.
  func dueEntries(at look: Look, _ device: inout DeviceState) -> [Entry] {
    guard device.places.areAnyWaiting else { return [] }
    let isPaced = sinceLastNotification(look, device) != nil
    guard !isPaced || device.places.dwellingCount > 0 else { return [] }
    var due: [Entry] = []
    for place in device.places.all where place.looksBeyondExit == 0 {
      switch place.phase {
      case .fired, .blocked: continue
      case .pending: if isPaced { continue }
      case .dwelling:
        // A clock that was turned back starts the stay anew.
        if place.enteredAt > look.now { device.places[place.id]?.enteredAt = look.now }
        guard look.now.seconds(since: place.enteredAt) >= settings.dwellSeconds else { continue }
      }
      guard let index = spots.place(ofID: place.id) else { continue }
      let distance = spots.spots[index].coordinate.distance(to: look.coordinate)
      due.append(Entry(index: index, distanceMeters: distance))
    }
    return due
  }

  /// Decides what time alone decides, for a device that was heard of lately.
  func decideTimers(
    at now: Instant, isRateSpent: Bool, _ device: inout DeviceState
  ) -> [WatcherDecision] {
    guard let last = device.lastAccepted,
      now.seconds(since: last.time) <= settings.maximumFixAgeSeconds
    else { return [] }
    let look = Look(
      fix: last.fix, time: last.time, standpoint: last.standpoint, now: now, isLive: true,
      isRateSpent: isRateSpent)
    return settle(dueEntries(at: look, &device), look, &device)
  }

  /// Decides about the spots that were entered: what is not allowed is blocked, and of the rest one fires
  /// and names the others, or all wait.
  func settle(
    _ entries: [Entry], _ look: Look, _ device: inout DeviceState
  ) -> [WatcherDecision] {
    guard !entries.isEmpty else { return [] }
    var decisions: [WatcherDecision] = []
    var allowed: [Entry] = []
    for entry in ranked(entries) {
      if let refusal = refusal(of: entry, look, device) {
        device.places[spots.spots[entry.index].id]?.phase = .blocked
        decisions.append(refusal)
      } else {
        allowed.append(entry)
      }
    }
    guard let best = allowed.first else { return decisions }
    if let elapsed = sinceLastNotification(look, device) {
      for entry in allowed { device.places[spots.spots[entry.index].id]?.phase = .pending }
      return allowed.map {
        decision(.paced, $0, look, figure: elapsed, limit: settings.minimumIntervalSeconds)
      } + decisions
    }
    let notification = SpotNotification(
      entering: spots.spots[best.index],
      alsoNear: allowed.dropFirst().map { spots.spots[$0.index] }, fix: look.fix.fix,
      position: look.coordinate, time: look.now)
    device.didFire(notification)
    let others = allowed.dropFirst().map { decision(.alsoNear, $0, look) }
    return [decision(.notify, best, look, payload: WatcherDecision.Payload(notification))] + others
      + decisions
  }

  /// The seconds since the device's last notification where they are fewer than the interval. One that
  /// lies more than an interval in the future counts for nothing: a clock was wrong.
  private func sinceLastNotification(_ look: Look, _ device: DeviceState) -> Double? {
    guard let last = device.lastNotification else { return nil }
    let elapsed = look.now.seconds(since: last)
    let interval = settings.minimumIntervalSeconds
    return elapsed < interval && elapsed >= -interval ? elapsed : nil
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
  /// The place in ``spots`` of the spot with an id, by binary search: spots lie in the order of their ids.
  func place(ofID id: String) -> Int? {
    var (low, high) = (0, spots.count)
    while low < high {
      let middle = (low + high) / 2
      if spots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < spots.count && spots[low].id == id ? low : nil
  }

  /// The spot with an id.
  func spot(withID id: String) -> PhotoSpot? { place(ofID: id).map { spots[$0] } }
}
