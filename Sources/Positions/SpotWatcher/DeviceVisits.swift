import CivilTime
import Spatial

/// The spots that a device is at, ordered by id, which is the order of the index.
///
/// Sorted arrays rather than a dictionary: every fix needs the distance to each place, and no
/// result may depend on an order that varies between runs.
struct Places: Hashable, Sendable {
  private var places: [Place] = []
  /// The places' centres, prepared for fast comparisons of distances.
  private var centers: [Standpoint] = []

  /// The place of a spot, by its id; `nil` where the device is not at the spot.
  subscript(id: String) -> Place? {
    get {
      let place = firstIndex(notBefore: id)
      return place < places.count && places[place].id == id ? places[place] : nil
    }
    set {
      let place = firstIndex(notBefore: id)
      if place < places.count, places[place].id == id { remove(at: place) }
      if let newValue { insert(newValue, at: place) }
    }
  }

  /// The place at an index of the order by id.
  subscript(at place: Int) -> Place {
    // Places are large, so they are not copied to read a part.
    _read { yield places[place] }
    _modify { yield &places[place] }
  }

  var isEmpty: Bool { places.isEmpty }
  var indices: Range<Int> { places.indices }
  /// Whether any places wait for the end of a burst of late fixes.
  var isAnyWaitingForBurst: Bool { places.contains { $0.waitingFor == .burst } }
  /// Whether any places are waiting.
  var areAnyWaiting: Bool { places.contains(where: \.isWaiting) }
  var all: [Place] { places }

  func center(at place: Int) -> Standpoint { centers[place] }

  /// Sets the index of a place's spot in another index, where all places must be in the same order.
  mutating func setIndex(_ index: Int, at place: Int) { places[place].index = index }

  /// Returns the position in this collection of a spot of the index; `nil` where the device is not
  /// at the spot.
  func number(ofSpot index: Int) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].index == index ? low : nil
  }

  /// Adds a place that is not in the collection.
  ///
  /// - Returns: The position of the place.
  @discardableResult
  mutating func enter(_ place: Place, at center: Standpoint) -> Int {
    var number = places.count
    while number > 0, places[number - 1].index > place.index { number -= 1 }
    places.insert(place, at: number)
    centers.insert(center, at: number)
    return number
  }

  mutating func removeAll(where isGone: (Place) -> Bool) {
    for place in places.indices.reversed() where isGone(places[place]) { remove(at: place) }
  }

  /// Counts for each place the consecutive fixes beyond its exit distance.
  ///
  /// - Parameters:
  ///   - here: The position of the device.
  ///   - exit: The exit distance for places without one of their own.
  ///   - lastTime: The time of the device's previous fix.
  /// - Returns: Whether any place was left: ``Place/isLeft``.
  mutating func follow(
    _ here: Standpoint, beyond exit: DistanceLimit, lastTime: Instant
  ) -> Bool {
    var areAnyLeft = false
    for place in centers.indices {
      let haversine = here.haversine(to: centers[place])
      if haversine < places[place].closestHaversine { places[place].closestHaversine = haversine }
      if (places[place].reach?.exit ?? exit).holds(haversine) {
        guard places[place].fixesBeyondExit > 0 else { continue }
        places[place].fixesBeyondExit = 0
      } else {
        if places[place].fixesBeyondExit == 0 { places[place].lastThere = lastTime }
        places[place].fixesBeyondExit += 1
        if places[place].isLeft { areAnyLeft = true }
      }
    }
    return areAnyLeft
  }

  /// Returns the first of some places that was left.
  func firstLeft(in numbers: Range<Int>) -> Int? { numbers.first { places[$0].isLeft } }

  /// The visit that has been waiting for the longest time; `nil` where none is waiting.
  var longestWaiting: WatcherDecision.Waiting? {
    var longest: Int?
    for number in places.indices where places[number].isWaiting {
      if longest.map({ places[number].enteredAt < places[$0].enteredAt }) ?? true {
        longest = number
      }
    }
    return longest.flatMap { number in
      places[number].waitingFor.map {
        WatcherDecision.Waiting(
          spotID: places[number].id, kind: $0, since: places[number].enteredAt)
      }
    }
  }

  /// Returns the entered place nearest to a position, and its distance; of several at the same
  /// distance, the one with the first id.
  func nearest(
    to here: Standpoint
  ) -> (id: String, distanceMeters: Double, reach: AlertReach?)? {
    var nearest: (place: Int, haversine: Double, distance: Double)?
    for place in centers.indices where places[place].isEntered {
      let haversine = here.haversine(to: centers[place])
      // Different haversines may round to the same distance.
      if let nearest, haversine >= nearest.haversine { continue }
      let distance = here.distance(to: centers[place])
      if let nearest, distance >= nearest.distance { continue }
      nearest = (place, haversine, distance)
    }
    return nearest.map { (places[$0.place].id, $0.distance, places[$0.place].reach) }
  }

  private mutating func insert(_ place: Place, at number: Int) {
    places.insert(place, at: number)
    centers.insert(Standpoint(place.center), at: number)
  }

  private mutating func remove(at number: Int) {
    centers.remove(at: number)
    places.remove(at: number)
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

/// A spot that a device is at, or nearly: within its exit distance.
struct Place: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    /// The device has not entered the spot.
    case near
    /// Waiting until all rules permit it to fire, because of a decision.
    case waiting(for: WatcherDecision.Kind)
    /// Fired, or named in the notification about another spot.
    case fired
    /// Not permitted to fire during this visit, because of a decision.
    case blocked(by: WatcherDecision.Kind)
  }

  /// The spot's id.
  let id: String
  /// The spot's index in ``PhotoLibrary/SpotIndex/spots``; −1 until a watcher has looked it up.
  var index = -1
  /// The spot's centre.
  let center: Coordinate
  /// The distances of a spot with an alert radius of its own; `nil` for those of the settings.
  var reach: AlertReach?
  /// The time at which the device entered; of its first fix while it is only near.
  var enteredAt: Instant
  var phase: Phase
  /// The number of consecutive fixes beyond the exit distance.
  var fixesBeyondExit = 0
  /// The time of the last fix within the exit distance; `nil` until the device was beyond it.
  var lastThere: Instant?
  /// The haversine of the closest position so far.
  var closestHaversine = Double.infinity
  /// The time of the last presence; `nil` until the device was there and slow.
  var lastPresence: Instant?
  /// Why the ground is familiar; `nil` where it is not.
  var familiarity: Verdict.Reason?
  /// The reason for which the visit last began to wait, also after the wait has ended.
  var waited: Verdict.Reason?
  /// The decisions for which the visit has waited so far.
  var waits = Waits()

  /// A set of decisions for which a visit waited.
  struct Waits: Hashable, Sendable {
    private var bits: UInt16 = 0

    /// Adds a decision, and returns whether it is new.
    mutating func insert(_ kind: WatcherDecision.Kind) -> Bool {
      let bit: UInt16 = kind.waitNumber.map { 1 << $0 } ?? 0
      defer { bits |= bit }
      return bits & bit == 0
    }
  }

  /// The least distance of the device so far, in metres.
  var closestMeters: Double {
    closestHaversine.isFinite ? Standpoint.meters(haversine: closestHaversine) : .infinity
  }

  /// Whether the device has entered the spot.
  var isEntered: Bool { phase != .near }

  /// Whether the place fired during this visit, during an earlier one whose cooldown is running, or
  /// on another device carried along.
  var isKnown: Bool {
    phase == .fired || phase == .blocked(by: .cooldown) || phase == .blocked(by: .shared)
  }

  /// Whether two consecutive fixes were beyond the exit distance.
  var isLeft: Bool { fixesBeyondExit > 1 }

  /// Whether the visit may still fire.
  var isWaiting: Bool { waitingFor?.isWaiting ?? false }

  /// The decision for which the visit is waiting; `nil` where it is not.
  var waitingFor: WatcherDecision.Kind? {
    if case .waiting(let kind) = phase { kind } else { nil }
  }

  /// Whether the visit may fire or wait; false once it has fired or was refused.
  var isOpen: Bool {
    switch phase {
    case .near, .waiting: true
    case .fired, .blocked: false
    }
  }
}
