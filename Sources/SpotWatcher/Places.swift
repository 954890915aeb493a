import CivilTime
import Spatial

/// The spots that a device is at, in the order of their ids, which is that of the index.
///
/// Arrays that are searched, not a dictionary: every fix asks how far away each place is, and none
/// of the answers may depend on an order that changes from run to run.
struct Places: Hashable, Sendable {
  private var places: [Place] = []
  /// The places' centres, so that far and near are told without trigonometry.
  private var centers: [Standpoint] = []
  /// How many of them wait.
  private(set) var waitingCount = 0
  /// `nil` where the places changed since it was made.
  private var knownSchedule: Schedule?

  /// What is known of the places that wait, so that most fixes need not look at them.
  struct Schedule: Hashable, Sendable {
    /// The earliest time at which a place may fire; of one that waits for no time, always.
    fileprivate(set) var earliest = Instant(millisecondsSince1970: .max)
    /// The earliest of the known times.
    fileprivate(set) var earliestTime = Instant(millisecondsSince1970: .max)
    /// The latest entry.
    fileprivate(set) var latestEntry = Instant(millisecondsSince1970: .min)
    /// Whether one of them waits for the end of a fast stretch.
    fileprivate(set) var waitsForSlowness = false
    /// Whether one of them waits for the end of a ride.
    fileprivate(set) var waitsForArrival = false
    /// The visit that waits longest.
    fileprivate(set) var longest: WatcherDecision.Waiting?
  }

  /// The place of a spot; `nil` where the device is not there.
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

  /// A place, by its number in the order of ids.
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
  /// Whether some of them wait for their time.
  var areAnyWaiting: Bool { waitingCount > 0 }
  var all: [Place] { places }

  func center(at place: Int) -> Standpoint { centers[place] }

  /// The number of the place of a spot of the index; `nil` where the device is not there.
  func number(ofSpot index: Int) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].index == index ? low : nil
  }

  /// Whether the device is at a spot of the index, for spots that are asked for in ascending order:
  /// the places of those before lie before `next`, which is zero at first.
  func contains(spot index: Int, from next: inout Int) -> Bool {
    while next < places.count, places[next].index < index { next += 1 }
    return next < places.count && places[next].index == index
  }

  /// Adds a place that is not there yet.
  ///
  /// - Returns: Its number.
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

  /// Counts the fixes in a row that found the device beyond a distance of each place.
  ///
  /// - Parameters:
  ///   - here: Where the device is.
  ///   - exit: The distance for places that have none of their own.
  ///   - lastTime: When the device was seen before.
  /// - Returns: Whether this is the second for some of them: ``Place/isLeft``.
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

  /// The first of some places that two fixes in a row found the device beyond.
  func firstLeft(in numbers: Range<Int>) -> Int? { numbers.first { places[$0].isLeft } }

  /// The first of some places that waits, and beyond whose exit distance the device was not found
  /// last.
  func firstWaiting(in numbers: Range<Int>) -> Int? {
    numbers.first { places[$0].fixesBeyondExit == 0 && places[$0].isWaiting }
  }

  /// What is known of the places that wait.
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

  /// The place nearest to a position, and its distance; of several at the same distance that with
  /// the first id.
  func nearest(
    to here: Standpoint
  ) -> (id: String, distanceMeters: Double, reach: AlertReach?)? {
    var nearest: (place: Int, haversine: Double, distance: Double)?
    for place in centers.indices {
      let haversine = here.haversine(to: centers[place])
      // Two haversines may be those of one distance.
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
    /// Waits until every rule lets it fire; not before a time, where one is known.
    case waiting(notBefore: Instant?, for: WatcherDecision.Kind?)
    /// Fired, or was named in a notification.
    case fired
    /// Was entered when it could not fire, and why.
    case blocked(by: WatcherDecision.Kind)
  }

  /// The spot's id.
  let id: String
  /// The spot's place in the index; −1 until a watcher has looked it up.
  var index = -1
  /// The spot's centre.
  let center: Coordinate
  /// The distances that the spot has of its own; `nil` for those of the settings.
  var reach: AlertReach?
  var enteredAt: Instant
  var phase: Phase
  /// Fixes in a row that found the device beyond the exit distance.
  var fixesBeyondExit = 0
  /// When the device was there last; known once it was found beyond the exit distance.
  var lastThere: Instant?
  /// How close the device came when it entered, in metres.
  var entryMeters = Double.infinity
  /// The haversine of the closest position since.
  var closestHaversine = Double.infinity
  /// What was measured when the visit last began to wait for something else, and against what.
  var waited: Verdict.Reason?
  /// What it waited for so far.
  var waits = Waits()

  /// Decisions that a visit waited for.
  struct Waits: Hashable, Sendable {
    private var bits: UInt8 = 0

    /// Adds a decision, and returns whether it was not there.
    mutating func insert(_ kind: WatcherDecision.Kind) -> Bool {
      let bit: UInt8 = kind.waitNumber.map { 1 << $0 } ?? 0
      defer { bits |= bit }
      return bits & bit == 0
    }
  }

  /// How close the device came, in metres.
  var closestMeters: Double {
    let meters =
      closestHaversine.isFinite ? Standpoint.meters(haversine: closestHaversine) : .infinity
    return min(entryMeters, meters)
  }

  /// Whether it fired, in this visit or in one before that its cooldown tells of, or on a device
  /// that was along.
  var isKnown: Bool {
    phase == .fired || phase == .blocked(by: .cooldown) || phase == .blocked(by: .shared)
  }

  /// Whether two fixes in a row found the device beyond the exit distance.
  var isLeft: Bool { fixesBeyondExit > 1 }

  var isWaiting: Bool {
    if case .waiting = phase { true } else { false }
  }

  /// What it waits for; `nil` where it does not.
  var waitingFor: WatcherDecision.Kind? {
    if case .waiting(_, let kind) = phase { kind } else { nil }
  }
}
