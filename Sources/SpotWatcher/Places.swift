import CivilTime
import Spatial

/// The spots that a device is at, in the order of their ids.
///
/// Arrays that are searched, not a dictionary: every fix asks how far away each place is, and none
/// of the answers may depend on an order that changes from run to run.
struct Places: Hashable, Sendable {
  private var places: [Place] = []
  /// The places' centres, so that far and near are told without trigonometry.
  private var centers: [Standpoint] = []
  /// How many of them wait.
  private(set) var waitingCount = 0

  /// The place of a spot; `nil` where the device is not there.
  subscript(id: String) -> Place? {
    get {
      let index = firstIndex(notBefore: id)
      return index < places.count && places[index].id == id ? places[index] : nil
    }
    set {
      let index = firstIndex(notBefore: id)
      guard index < places.count, places[index].id == id else {
        if let newValue { insert(newValue, at: index) }
        return
      }
      guard let newValue, newValue.center == places[index].center else {
        remove(at: index)
        if let newValue { insert(newValue, at: index) }
        return
      }
      count(places[index], by: -1)
      count(newValue, by: 1)
      places[index] = newValue
    }
  }

  var isEmpty: Bool { places.isEmpty }
  /// Whether some of them wait for their time.
  var areAnyWaiting: Bool { waitingCount > 0 }
  var all: [Place] { places }

  /// Calls a closure with each place that waits, and beyond whose exit distance the device was not
  /// found last. The others, which are most, are not copied.
  func forEachWaiting(_ body: (Place) -> Void) {
    for index in places.indices where places[index].looksBeyondExit == 0 {
      if case .waiting = places[index].phase { body(places[index]) }
    }
  }

  func contains(_ id: String) -> Bool {
    let index = firstIndex(notBefore: id)
    return index < places.count && places[index].id == id
  }

  /// The same for ids that are asked for in ascending order: those before lie before `next`, which
  /// is zero at first.
  func contains(_ id: String, from next: inout Int) -> Bool {
    while next < places.count {
      // Most spots around are places, and to be the same is found out faster than to be before.
      if places[next].id == id { return true }
      if id < places[next].id { return false }
      next += 1
    }
    return false
  }

  mutating func removeAll(where isGone: (Place) -> Bool) {
    for index in places.indices.reversed() where isGone(places[index]) { remove(at: index) }
  }

  /// Counts the looks in a row that found the device beyond a distance of each place, and removes
  /// the places where this is the second.
  ///
  /// - Parameters:
  ///   - here: Where the device is.
  ///   - exit: The distance.
  ///   - lastTime: When the device was seen before.
  /// - Returns: What was removed with its distance from the device.
  mutating func leave(
    at here: Standpoint, beyond exit: DistanceLimit, lastTime: Instant
  ) -> [(place: Place, distanceMeters: Double)] {
    var left: [(Place, Double)] = []
    for index in centers.indices {
      let haversine = here.haversine(to: centers[index])
      if haversine < places[index].closest.haversine {
        places[index].closest = Place.Closest(standpoint: here, haversine: haversine)
      }
      if exit.holds(haversine) {
        if places[index].looksBeyondExit > 0 { places[index].looksBeyondExit = 0 }
      } else {
        if places[index].looksBeyondExit == 0 { places[index].lastThere = lastTime }
        places[index].looksBeyondExit += 1
        if places[index].looksBeyondExit > 1 {
          left.append((places[index], here.distance(to: centers[index])))
        }
      }
    }
    if !left.isEmpty { removeAll { $0.looksBeyondExit > 1 } }
    return left
  }

  /// The visit that waits longest; `nil` where none does.
  var waiting: WatcherDecision.Waiting? {
    guard areAnyWaiting else { return nil }
    var longest: Place?
    for place in places where place.waitingFor != nil {
      if longest.map({ place.enteredAt < $0.enteredAt }) ?? true { longest = place }
    }
    return longest.flatMap { place in
      place.waitingFor.map {
        WatcherDecision.Waiting(spotID: place.id, kind: $0, since: place.enteredAt)
      }
    }
  }

  /// The place nearest to a position, and its distance; of several at the same distance that with
  /// the first id.
  func nearest(to here: Standpoint) -> (id: String, distanceMeters: Double)? {
    var nearest: (index: Int, haversine: Double, distance: Double)?
    for index in centers.indices {
      let haversine = here.haversine(to: centers[index])
      // Two haversines may be those of one distance.
      if let nearest, haversine >= nearest.haversine { continue }
      let distance = here.distance(to: centers[index])
      if let nearest, distance >= nearest.distance { continue }
      nearest = (index, haversine, distance)
    }
    return nearest.map { (places[$0.index].id, $0.distance) }
  }

  private mutating func insert(_ place: Place, at index: Int) {
    places.insert(place, at: index)
    centers.insert(Standpoint(place.center), at: index)
    count(place, by: 1)
  }

  private mutating func remove(at index: Int) {
    centers.remove(at: index)
    count(places.remove(at: index), by: -1)
  }

  private mutating func count(_ place: Place, by step: Int) {
    if case .waiting = place.phase { waitingCount += step }
  }

  private func firstIndex(notBefore id: String) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A spot that a device is at.
struct Place: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// Waits until every rule lets it fire; not before a time, where one is known.
    case waiting(notBefore: Instant?, for: WatcherDecision.Kind?)
    /// Fired, or was named in a notification.
    case fired
    /// Was entered when it could not fire, and why.
    case blocked(by: WatcherDecision.Kind)
  }

  /// The spot's id.
  let id: String
  /// The spot's centre.
  let center: Coordinate
  var enteredAt: Instant
  var phase: Phase
  /// Looks in a row that found the device beyond the exit distance.
  var looksBeyondExit = 0
  /// When the device was there last; known once it was found beyond the exit distance.
  var lastThere: Instant?
  /// How close the device came when it entered, in metres.
  var entryMeters = Double.infinity
  /// Where it was closest since.
  var closest = Closest()
  /// What was measured when the visit last began to wait for something else, and against what.
  var waited: Verdict.Reason?
  /// What it waited for so far.
  var waits: Set<WatcherDecision.Kind> = []

  /// A position that is the closest one so far.
  struct Closest: Hashable, Sendable {
    var standpoint: Standpoint?
    var haversine = Double.infinity
  }

  /// How close the device came, in metres.
  var closestMeters: Double {
    min(entryMeters, closest.standpoint?.distance(to: Standpoint(center)) ?? .infinity)
  }

  /// Whether it fired, in this visit or in one before that its cooldown tells of.
  var isKnown: Bool { phase == .fired || phase == .blocked(by: .cooldown) }

  /// What it waits for; `nil` where it does not.
  var waitingFor: WatcherDecision.Kind? {
    if case .waiting(_, let kind) = phase { kind } else { nil }
  }
}
