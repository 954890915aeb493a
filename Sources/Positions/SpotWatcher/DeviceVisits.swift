import CivilTime
import Spatial

/// The visits of a device to the spots that it is at, ordered by the spots' ids, which is the order
/// of the index.
///
/// Sorted arrays rather than a dictionary: every fix needs the distance to each spot, and no
/// result may depend on an order that varies between runs.
struct DeviceVisits: Hashable, Sendable {
  private var visits: [SpotVisit] = []
  /// The spots' centres, prepared for fast comparisons of distances.
  private var centers: [Standpoint] = []

  /// The visit of a spot, by the spot's id; `nil` where the device is not at the spot.
  subscript(id: String) -> SpotVisit? {
    get {
      let visit = firstIndex(notBefore: id)
      return visit < visits.count && visits[visit].id == id ? visits[visit] : nil
    }
    set {
      let visit = firstIndex(notBefore: id)
      if visit < visits.count, visits[visit].id == id { remove(at: visit) }
      if let newValue { insert(newValue, at: visit) }
    }
  }

  /// The visit at an index of the order by id.
  subscript(at visit: Int) -> SpotVisit {
    // Visits are large, so they are not copied to read a part.
    _read { yield visits[visit] }
    _modify { yield &visits[visit] }
  }

  var isEmpty: Bool { visits.isEmpty }
  var indices: Range<Int> { visits.indices }
  /// Whether any visits wait for the end of a burst of late fixes.
  var isAnyWaitingForBurst: Bool { visits.contains { $0.waitingFor == .burst } }
  /// Whether any visits are waiting.
  var areAnyWaiting: Bool { visits.contains(where: \.isWaiting) }
  var all: [SpotVisit] { visits }

  func center(at visit: Int) -> Standpoint { centers[visit] }

  /// Sets the index of a visit's spot in another index, where all visits must be in the same order.
  mutating func setIndex(_ index: Int, at visit: Int) { visits[visit].index = index }

  /// Returns the position in this collection of a spot of the index; `nil` where the device is not
  /// at the spot.
  func number(ofSpot index: Int) -> Int? {
    var (low, high) = (0, visits.count)
    while low < high {
      let middle = (low + high) / 2
      if visits[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low < visits.count && visits[low].index == index ? low : nil
  }

  /// Adds a visit that is not in the collection.
  ///
  /// - Returns: The position of the visit.
  @discardableResult
  mutating func enter(_ visit: SpotVisit, at center: Standpoint) -> Int {
    var number = visits.count
    while number > 0, visits[number - 1].index > visit.index { number -= 1 }
    visits.insert(visit, at: number)
    centers.insert(center, at: number)
    return number
  }

  mutating func removeAll(where isGone: (SpotVisit) -> Bool) {
    for visit in visits.indices.reversed() where isGone(visits[visit]) { remove(at: visit) }
  }

  /// Counts for each visit the consecutive fixes beyond its exit distance.
  ///
  /// - Parameters:
  ///   - here: The position of the device.
  ///   - exit: The exit distance for visits without one of their own.
  ///   - lastTime: The time of the device's previous fix.
  /// - Returns: Whether any visit was left: ``SpotVisit/isLeft``.
  mutating func follow(
    _ here: Standpoint, beyond exit: DistanceLimit, lastTime: Instant
  ) -> Bool {
    var areAnyLeft = false
    for visit in centers.indices {
      let haversine = here.haversine(to: centers[visit])
      if haversine < visits[visit].closestHaversine { visits[visit].closestHaversine = haversine }
      if (visits[visit].reach?.exit ?? exit).holds(haversine) {
        guard visits[visit].fixesBeyondExit > 0 else { continue }
        visits[visit].fixesBeyondExit = 0
      } else {
        if visits[visit].fixesBeyondExit == 0 { visits[visit].lastThere = lastTime }
        visits[visit].fixesBeyondExit += 1
        if visits[visit].isLeft { areAnyLeft = true }
      }
    }
    return areAnyLeft
  }

  /// Returns the first of some visits that was left.
  func firstLeft(in numbers: Range<Int>) -> Int? { numbers.first { visits[$0].isLeft } }

  /// The visit that has been waiting for the longest time; `nil` where none is waiting.
  var longestWaiting: WatcherDecision.Waiting? {
    var longest: Int?
    for number in visits.indices where visits[number].isWaiting {
      if longest.map({ visits[number].enteredAt < visits[$0].enteredAt }) ?? true {
        longest = number
      }
    }
    return longest.flatMap { number in
      visits[number].waitingFor.map {
        WatcherDecision.Waiting(
          spotID: visits[number].id, kind: $0, since: visits[number].enteredAt)
      }
    }
  }

  /// Returns the entered visit nearest to a position, and its distance; of several at the same
  /// distance, the one with the first id.
  func nearest(
    to here: Standpoint
  ) -> (id: String, distanceMeters: Double, reach: AlertReach?)? {
    var nearest: (visit: Int, haversine: Double, distance: Double)?
    for visit in centers.indices where visits[visit].isEntered {
      let haversine = here.haversine(to: centers[visit])
      // Different haversines may round to the same distance.
      if let nearest, haversine >= nearest.haversine { continue }
      let distance = here.distance(to: centers[visit])
      if let nearest, distance >= nearest.distance { continue }
      nearest = (visit, haversine, distance)
    }
    return nearest.map { (visits[$0.visit].id, $0.distance, visits[$0.visit].reach) }
  }

  private mutating func insert(_ visit: SpotVisit, at number: Int) {
    visits.insert(visit, at: number)
    centers.insert(Standpoint(visit.center), at: number)
  }

  private mutating func remove(at number: Int) {
    centers.remove(at: number)
    visits.remove(at: number)
  }

  private func firstIndex(notBefore id: String) -> Int {
    var (low, high) = (0, visits.count)
    while low < high {
      let middle = (low + high) / 2
      if visits[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A spot that a device is at, or nearly: within its exit distance.
struct SpotVisit: Hashable, Sendable {
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

  /// Whether the visit fired during this visit, during an earlier one whose cooldown is running, or
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
