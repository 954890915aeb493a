import Interchange
import PhotoLibrary
import Spatial

/// Which spots are entered and left, and which of them fires.
extension LocationWatcher {
  /// A spot that was entered, or whose time has come.
  struct Entry {
    let spot: PhotoSpot
    let distanceMeters: Double
    var passMeters: Double?

    /// What the spot is ranked by: how close the device came.
    var closestMeters: Double { min(distanceMeters, passMeters ?? distanceMeters) }

    /// The closest 10 m band first, in it the most photos, then the id.
    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
      let leftBand = (left.closestMeters / 10).rounded(.down)
      let rightBand = (right.closestMeters / 10).rounded(.down)
      if leftBand != rightBand { return leftBand < rightBand }
      if left.spot.photoCount != right.spot.photoCount {
        return left.spot.photoCount > right.spot.photoCount
      }
      return left.spot.id < right.spot.id
    }
  }

  /// Follows the device in and out of spots. A stale look moves the state and fires nothing, so what it
  /// enters will not fire by that entry.
  func decideSpots(
    _ look: Look, way: GreatCircleSegment?, isStale: Bool, _ device: inout DeviceState
  ) -> [WatcherDecision] {
    let wasAnywhere = !device.places.isEmpty
    let found = entries(at: look, way: way)
    guard wasAnywhere || !found.isEmpty else { return isStale ? [] : [look.decision(.clear)] }

    let entered = found.filter { device.places[$0.spot.id] == nil }
    var decisions = wasAnywhere ? leave(look, &device) : []
    let isDwelling = settings.dwellSeconds > 0
    for entry in entered {
      let isBeyondExit = entry.distanceMeters > settings.exitDistanceMeters
      device.places[entry.spot.id] = Place(
        center: entry.spot.coordinate, enteredAt: look.now,
        phase: isDwelling ? .dwelling : .blocked, looksBeyondExit: isBeyondExit ? 1 : 0)
    }
    guard !isStale else { return decisions }
    var due = dueEntries(at: look, &device)
    if isDwelling {
      decisions += entered.sorted(by: Entry.precedes).map {
        decision(.dwelling, $0, look, figure: 0, limit: settings.dwellSeconds)
      }
    } else {
      due += entered
    }
    decisions += settle(due, look, &device)
    return decisions.isEmpty ? [idle(look, device)] : decisions
  }

  /// The spots within the radius of the device, or of its way here.
  private func entries(at look: Look, way: GreatCircleSegment?) -> [Entry] {
    let radius = settings.proximityRadiusMeters
    guard let way else {
      return spots.spots(within: radius, of: look.coordinate).map {
        Entry(spot: $0.spot, distanceMeters: $0.distanceMeters)
      }
    }
    // A circle around the middle of the way holds all that is near it; a metre more than covers rounding.
    let reach = radius + way.lengthMeters / 2 + 1
    return spots.spots(within: reach, of: way.midpoint).compactMap { neighbor in
      let position = neighbor.spot.coordinate
      let distance = look.coordinate.distance(to: position)
      if distance <= radius { return Entry(spot: neighbor.spot, distanceMeters: distance) }
      let pass = way.distance(to: position)
      guard pass <= radius else { return nil }
      return Entry(spot: neighbor.spot, distanceMeters: distance, passMeters: pass)
    }
  }

  /// Leaves the places that the device was beyond for two looks in a row.
  private func leave(_ look: Look, _ device: inout DeviceState) -> [WatcherDecision] {
    var decisions: [WatcherDecision] = []
    let exitDistance = settings.exitDistanceMeters
    for (id, place) in device.places {
      let distance = place.center.distance(to: look.coordinate)
      guard distance > exitDistance else {
        if place.looksBeyondExit > 0 { device.places[id]?.looksBeyondExit = 0 }
        continue
      }
      guard place.looksBeyondExit > 0 else {
        device.places[id]?.looksBeyondExit = 1
        continue
      }
      device.places[id] = nil
      decisions.append(
        WatcherDecision(
          place.phase == .pending ? .lapsed : .exit, fix: look.fix, time: look.now, spotID: id,
          distanceMeters: distance, figure: look.now.seconds(since: place.enteredAt),
          limit: exitDistance,
          left: LeftPlace(
            center: place.center, enteredAt: place.enteredAt, didFire: place.phase == .fired)))
    }
    // A dictionary has no order of its own.
    return decisions.sorted { ($0.spotID ?? "") < ($1.spotID ?? "") }
  }

  /// The decision that nothing happened.
  private func idle(_ look: Look, _ device: DeviceState) -> WatcherDecision {
    let nearest = device.places.map { (id: $0.key, $0.value.center.distance(to: look.coordinate)) }
      .min { $0.1 != $1.1 ? $0.1 < $1.1 : $0.id < $1.id }
    guard let nearest else { return look.decision(.clear) }
    return WatcherDecision(
      .inside, fix: look.fix, time: look.now, spotID: nearest.id, distanceMeters: nearest.1)
  }

  /// The places whose time has come: stayed at long enough, or waiting for an interval that is over.
  func dueEntries(at look: Look, _ device: inout DeviceState) -> [Entry] {
    guard !device.places.isEmpty else { return [] }
    let isPaced = sinceLastNotification(look, device) != nil
    var due: [Entry] = []
    for (id, place) in device.places where place.looksBeyondExit == 0 {
      switch place.phase {
      case .fired, .blocked: continue
      case .pending: if isPaced { continue }
      case .dwelling:
        // A clock that was turned back starts the stay anew.
        if place.enteredAt > look.now { device.places[id]?.enteredAt = look.now }
        guard look.now.seconds(since: place.enteredAt) >= settings.dwellSeconds else { continue }
      }
      guard let spot = spots.spot(withID: id) else { continue }
      due.append(
        Entry(spot: spot, distanceMeters: spot.coordinate.distance(to: look.coordinate)))
    }
    return due
  }

  /// Decides about the spots that were entered: what is not allowed is blocked, and of the rest one fires
  /// and names the others, or all wait.
  func settle(
    _ entries: [Entry], _ look: Look, _ device: inout DeviceState
  ) -> [WatcherDecision] {
    guard !entries.isEmpty else { return [] }
    var decisions: [WatcherDecision] = []
    var allowed: [Entry] = []
    for entry in entries.sorted(by: Entry.precedes) {
      if let refusal = refusal(of: entry, look, device) {
        device.places[entry.spot.id]?.phase = .blocked
        decisions.append(refusal)
      } else {
        allowed.append(entry)
      }
    }
    guard let best = allowed.first else { return decisions }
    if let elapsed = sinceLastNotification(look, device) {
      for entry in allowed { device.places[entry.spot.id]?.phase = .pending }
      return allowed.map {
        decision(.paced, $0, look, figure: elapsed, limit: settings.minimumIntervalSeconds)
      } + decisions
    }
    let notification = SpotNotification(
      entering: best.spot, alsoNear: allowed.dropFirst().map(\.spot), fix: look.fix,
      position: look.coordinate, time: look.now)
    device.didFire(notification)
    let others = allowed.dropFirst().map { decision(.alsoNear, $0, look) }
    return [decision(.notify, best, look, notification: notification)] + others + decisions
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
    limit: Double? = nil, notification: SpotNotification? = nil
  ) -> WatcherDecision {
    WatcherDecision(
      kind, fix: look.fix, time: look.now, spotID: entry.spot.id,
      distanceMeters: entry.distanceMeters, passMeters: entry.passMeters, figure: figure,
      limit: limit, notification: notification)
  }
}

extension SpotIndex {
  /// The spot with an id, by binary search: spots lie in the order of their ids.
  func spot(withID id: String) -> PhotoSpot? {
    var (low, high) = (0, spots.count)
    while low < high {
      let middle = (low + high) / 2
      if spots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < spots.count && spots[low].id == id ? spots[low] : nil
  }
}
