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
  /// The number of waiting places.
  private(set) var waitingCount = 0
  /// The cached schedule; `nil` where the places have changed since.
  private var knownSchedule: Schedule?

  /// A summary of the waiting places, by which most fixes need not visit them.
  struct Schedule: Hashable, Sendable {
    /// The earliest time at which a place may fire; the distant past if one waits for no particular
    /// time.
    fileprivate(set) var earliest = Instant(millisecondsSince1970: .max)
    /// The earliest of the known times.
    fileprivate(set) var earliestTime = Instant(millisecondsSince1970: .max)
    /// The latest time of entry.
    fileprivate(set) var latestEntry = Instant(millisecondsSince1970: .min)
    /// Whether a place waits for the device to slow down.
    fileprivate(set) var waitsForSlowness = false
    /// Whether a place waits for the end of a ride.
    fileprivate(set) var waitsForArrival = false
    /// The visit that has been waiting for the longest time.
    fileprivate(set) var longest: WatcherDecision.Waiting?

    /// Returns whether a place may be due at a time.
    func mayBeDue(at now: Instant, isFast: Bool) -> Bool {
      now >= earliest || (waitsForSlowness && !isFast) || (waitsForArrival && isFast)
        || now < latestEntry
    }
  }

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
    get { places[place] }
    _modify {
      if places[place].isWaiting { waitingCount -= 1 }
      yield &places[place]
      if places[place].isWaiting { waitingCount += 1 }
      knownSchedule = nil
    }
  }

  var isEmpty: Bool { places.isEmpty }
  var indices: Range<Int> { places.indices }
  /// Whether any places are waiting.
  var areAnyWaiting: Bool { waitingCount > 0 }
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

  /// Returns whether the device is at a spot of the index, for queries in ascending order: `next`,
  /// initially zero, is the position after the places of earlier spots.
  func contains(spot index: Int, from next: inout Int) -> Bool {
    while next < places.count, places[next].index < index { next += 1 }
    return next < places.count && places[next].index == index
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
    if place.isWaiting { waitingCount += 1 }
    knownSchedule = nil
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
      knownSchedule = nil
    }
    return areAnyLeft
  }

  /// Whether the last fix was beyond the exit distance of any of the places.
  var isAnyBeyondExit: Bool { places.contains { $0.fixesBeyondExit > 0 } }

  /// Returns the first of some places that was left.
  func firstLeft(in numbers: Range<Int>) -> Int? { numbers.first { places[$0].isLeft } }

  /// Returns the first of some places that is waiting and was not beyond its exit distance at the
  /// last fix.
  func firstWaiting(in numbers: Range<Int>) -> Int? {
    numbers.first { places[$0].fixesBeyondExit == 0 && places[$0].isWaiting }
  }

  /// Returns whether a place may be due at a time; always true if the places have changed since
  /// their summary was made.
  func mayBeDue(at now: Instant, isFast: Bool) -> Bool {
    knownSchedule?.mayBeDue(at: now, isFast: isFast) ?? true
  }

  /// The summary of the waiting places.
  var schedule: Schedule {
    mutating get {
      if let knownSchedule { return knownSchedule }
      let schedule = makeSchedule()
      knownSchedule = schedule
      return schedule
    }
  }

  private func makeSchedule() -> Schedule {
    var schedule = Schedule()
    guard areAnyWaiting else { return schedule }
    var longest: Int?
    for number in places.indices {
      guard case .waiting(let time, let kind) = places[number].phase else { continue }
      let enteredAt = places[number].enteredAt
      if kind != nil, longest.map({ enteredAt < places[$0].enteredAt }) ?? true {
        longest = number
      }
      guard places[number].fixesBeyondExit == 0 else { continue }
      schedule.latestEntry = max(schedule.latestEntry, enteredAt)
      if kind == .arriving { schedule.waitsForArrival = true }
      if let time { schedule.earliestTime = min(schedule.earliestTime, time) }
      if kind == .tooFast {
        schedule.waitsForSlowness = true
      } else {
        schedule.earliest = min(schedule.earliest, time ?? Instant(millisecondsSince1970: .min))
      }
    }
    if let longest, let kind = places[longest].waitingFor {
      schedule.longest = WatcherDecision.Waiting(
        spotID: places[longest].id, kind: kind, since: places[longest].enteredAt)
    }
    return schedule
  }

  /// Returns the place nearest to a position, and its distance; of several at the same distance,
  /// the one with the first id.
  func nearest(
    to here: Standpoint
  ) -> (id: String, distanceMeters: Double, reach: AlertReach?)? {
    var nearest: (place: Int, haversine: Double, distance: Double)?
    for place in centers.indices {
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
    if place.isWaiting { waitingCount += 1 }
    knownSchedule = nil
  }

  private mutating func remove(at number: Int) {
    centers.remove(at: number)
    if places.remove(at: number).isWaiting { waitingCount -= 1 }
    knownSchedule = nil
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
    /// Waiting until all rules permit it to fire: not before a time if one is known, and because of
    /// a decision.
    case waiting(notBefore: Instant?, for: WatcherDecision.Kind?)
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
  var enteredAt: Instant
  var phase: Phase
  /// The number of consecutive fixes beyond the exit distance.
  var fixesBeyondExit = 0
  /// The time of the last fix within the exit distance; `nil` until the device was beyond it.
  var lastThere: Instant?
  /// The least distance of the device when it entered, in metres.
  var entryMeters = Double.infinity
  /// The haversine of the closest position since the entry.
  var closestHaversine = Double.infinity
  /// The reason for which the visit last began to wait, also after the wait has ended.
  var waited: Verdict.Reason?
  /// The decisions for which the visit has waited so far.
  var waits = Waits()

  /// A set of decisions for which a visit waited.
  struct Waits: Hashable, Sendable {
    private var bits: UInt8 = 0

    /// Adds a decision, and returns whether it is new.
    mutating func insert(_ kind: WatcherDecision.Kind) -> Bool {
      let bit: UInt8 = kind.waitNumber.map { 1 << $0 } ?? 0
      defer { bits |= bit }
      return bits & bit == 0
    }
  }

  /// The least distance of the device so far, in metres.
  var closestMeters: Double {
    let meters =
      closestHaversine.isFinite ? Standpoint.meters(haversine: closestHaversine) : .infinity
    return min(entryMeters, meters)
  }

  /// Whether the place fired during this visit, during an earlier one whose cooldown is running, or
  /// on another device carried along.
  var isKnown: Bool {
    phase == .fired || phase == .blocked(by: .cooldown) || phase == .blocked(by: .shared)
  }

  /// Whether two consecutive fixes were beyond the exit distance.
  var isLeft: Bool { fixesBeyondExit > 1 }

  var isWaiting: Bool {
    if case .waiting = phase { true } else { false }
  }

  /// The decision for which the visit is waiting; `nil` where it is not.
  var waitingFor: WatcherDecision.Kind? {
    if case .waiting(_, let kind) = phase { kind } else { nil }
  }
}
