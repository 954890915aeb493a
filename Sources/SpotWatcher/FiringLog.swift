import CivilTime
import Spatial

/// The firings and stays of one device, by place.
///
/// Places are filed by cubes of 100 m that contain their centres on the sphere, so a look-up visits
/// a few cubes and about a dozen places, regardless of their total number, with no special cases at
/// the poles and the antimeridian. All firings and stays of a place are stored, up to a limit, so
/// that they are found even when a feed is replayed.
struct FiringLog: Hashable, Sendable {
  /// A place that has fired.
  struct Place: Hashable, Sendable {
    let spotID: String
    fileprivate let standpoint: Standpoint
    /// The times at which it fired, ascending.
    fileprivate(set) var firings: [Instant] = []
    /// The stays of the device, ascending and disjoint.
    fileprivate(set) var stays: [Stay] = []
    var center: Coordinate { standpoint.coordinate }
  }

  /// A period that a device spent at a place.
  struct Stay: Hashable, Sendable {
    var start: Instant
    var end: Instant
  }

  /// The reason why a place is silent: the seconds since its firing or the end of a stay, negative
  /// before it, and the seconds for which it stays silent.
  struct Silence: Hashable, Sendable {
    let elapsedSeconds: Double
    let limitSeconds: Double
  }

  /// The places, keyed by their cubes' numbers along the three axes, with 21 bits each.
  private var cubes: [UInt64: [Place]] = [:]

  private static let cubeMeters = 100.0
  private static let cubesPerUnit = Earth.meanRadiusMeters / cubeMeters
  /// The maximum number of firings of one place.
  private static let maximumCount = 1024

  /// Records that a place fired.
  mutating func record(spotID: String, center: Coordinate, time: Instant) {
    let point = SpherePoint(center)
    let cube = Self.key(Self.cube(point.x), Self.cube(point.y), Self.cube(point.z))
    var places = cubes.removeValue(forKey: cube) ?? []
    defer { cubes[cube] = places }
    let index = places.firstIndex { $0.spotID == spotID } ?? places.count
    if index == places.count {
      places.append(Place(spotID: spotID, standpoint: Standpoint(center)))
    } else if places[index].center != center {
      var moved = Place(spotID: spotID, standpoint: Standpoint(center))
      (moved.firings, moved.stays) = (places[index].firings, places[index].stays)
      places[index] = moved
    }
    let next = places[index].firings.firstIndex { $0 >= time } ?? places[index].firings.count
    if next == places[index].firings.count || places[index].firings[next] != time {
      places[index].firings.insert(time, at: next)
    }
    if places[index].firings.count > Self.maximumCount { places[index].firings.removeFirst() }
    places[index].note(Stay(start: time, end: time))
  }

  /// Records that the device was at a place for a period, if the place has fired before.
  mutating func noteStay(_ stay: Stay, spotID: String, center: Coordinate, radiusMeters: Double) {
    guard !cubes.isEmpty else { return }
    let here = Standpoint(center)
    Self.forEachCube(around: SpherePoint(center), radiusMeters: 2 * radiusMeters) { cube in
      guard let places = cubes[cube] else { return }
      for index in places.indices
      where places[index].isSame(as: spotID, at: here, radiusMeters: radiusMeters) {
        cubes[cube]?[index].note(stay)
      }
    }
  }

  /// Removes the firing and stay of a spot at a time.
  mutating func withdraw(spotID: String, center: Coordinate, time: Instant) {
    Self.forEachCube(around: SpherePoint(center), radiusMeters: 1) { cube in
      guard let places = cubes[cube] else { return }
      for index in places.indices where places[index].spotID == spotID {
        cubes[cube]?[index].firings.removeAll { $0 == time }
        cubes[cube]?[index].stays.removeAll { $0.start == time && $0.end == time }
      }
      cubes[cube]?.removeAll { $0.firings.isEmpty }
    }
  }

  /// Returns the reason why a place is silent at a time; `nil` where it is not.
  ///
  /// A recorded place is the same as a spot if their centres are within a radius, edge included,
  /// regardless of the id; or if the ids are equal and the centres are within two radii, since a
  /// spot's centre moves when photos are added around the same anchor. A place is silent within a
  /// cooldown before and after each of its firings, so replaying a feed repeats no notification.
  ///
  /// If `routineDays` is positive, the cooldown also runs from the end of the last stay, multiplied
  /// by the number of distinct days with a stay among the last `routineDays`. `day` returns the
  /// number of the local day of an instant.
  func silence(
    spotID: String, center: Coordinate, radiusMeters: Double, cooldownSeconds: Double,
    routineDays: Int, at now: Instant, day: (Instant) -> Int
  ) -> Silence? {
    guard cooldownSeconds > 0, !cubes.isEmpty else { return nil }
    let (here, reach) = (Standpoint(center), DistanceLimit(meters: 2 * radiusMeters))
    var silence: Silence?
    Self.forEachCube(around: SpherePoint(center), radiusMeters: reach.meters) { cube in
      guard let places = cubes[cube] else { return }
      for index in places.indices
      where reach.holds(here.haversine(to: places[index].standpoint))
        && places[index].isSame(as: spotID, at: here, radiusMeters: radiusMeters)
      {
        let found =
          Self.silence(of: places[index].firings, cooldownSeconds, at: now)
          ?? (routineDays > 0
            ? Self.silence(of: places[index].stays, cooldownSeconds, routineDays, at: now, day)
            : nil)
        if let found, silence.map({ abs(found.elapsedSeconds) < abs($0.elapsedSeconds) }) ?? true {
          silence = found
        }
      }
    }
    return silence
  }

  /// Returns the firing, less than a cooldown ago or ahead, of any place within a distance; `nil`
  /// where there is none.
  func silenceOfSibling(
    center: Coordinate, within meters: Double, cooldownSeconds: Double, at now: Instant
  ) -> Silence? {
    guard cooldownSeconds > 0, !cubes.isEmpty else { return nil }
    let (here, reach) = (Standpoint(center), DistanceLimit(meters: meters))
    var silence: Silence?
    Self.forEachCube(around: SpherePoint(center), radiusMeters: meters) { cube in
      guard silence == nil, let places = cubes[cube] else { return }
      for index in places.indices
      where silence == nil && reach.holds(here.haversine(to: places[index].standpoint)) {
        silence = Self.silence(of: places[index].firings, cooldownSeconds, at: now)
      }
    }
    return silence
  }

  /// Calls a closure with the cubes that intersect the sphere within a distance of a point on it.
  private static func forEachCube(
    around point: SpherePoint, radiusMeters: Double, _ body: (UInt64) -> Void
  ) {
    let reach = radiusMeters / Earth.meanRadiusMeters
    let xs = cube(point.x - reach)...cube(point.x + reach)
    let ys = cube(point.y - reach)...cube(point.y + reach)
    let zs = cube(point.z - reach)...cube(point.z + reach)
    for x in xs {
      let (nearX, farX) = squares(x)
      for y in ys {
        let (nearY, farY) = squares(y)
        for z in zs {
          let (nearZ, farZ) = squares(z)
          guard nearX + nearY + nearZ <= outerSquare, farX + farY + farZ >= innerSquare else {
            continue
          }
          body(key(x, y, z))
        }
      }
    }
  }

  /// The square of the sphere's radius in cubes, with a margin for rounding errors.
  private static let innerSquare = cubesPerUnit * cubesPerUnit * (1 - 1e-9)
  private static let outerSquare = cubesPerUnit * cubesPerUnit * (1 + 1e-9)

  /// Returns the least and greatest square of a coordinate within the cubes of a number.
  @inline(__always)
  private static func squares(_ cube: Int) -> (near: Double, far: Double) {
    let (low, high) = (Double(cube) * Double(cube), Double(cube + 1) * Double(cube + 1))
    return low < high ? (low, high) : (high, low)
  }

  @inline(__always)
  private static func key(_ x: Int, _ y: Int, _ z: Int) -> UInt64 {
    let mask: UInt64 = 1 << 21 - 1
    return (UInt64(truncatingIfNeeded: x) & mask) << 42 | (UInt64(truncatingIfNeeded: y) & mask)
      << 21 | (UInt64(truncatingIfNeeded: z) & mask)
  }

  @inline(__always)
  private static func cube(_ component: Double) -> Int {
    Int(bounded: (component * cubesPerUnit).rounded(.down))
  }
}

extension FiringLog.Place {
  fileprivate func isSame(as spotID: String, at here: Standpoint, radiusMeters: Double) -> Bool {
    here.distance(to: standpoint) <= radiusMeters * (spotID == self.spotID ? 2 : 1)
  }

  fileprivate mutating func note(_ stay: FiringLog.Stay) {
    var stay = stay
    // The stay is usually the latest. It is merged with those that it overlaps.
    var place = stays.count
    while place > 0, stays[place - 1].start > stay.start { place -= 1 }
    var end = place
    if place > 0, stays[place - 1].end >= stay.start {
      place -= 1
      stay.start = stays[place].start
      stay.end = max(stay.end, stays[place].end)
    }
    while end < stays.count, stays[end].start <= stay.end {
      stay.end = max(stay.end, stays[end].end)
      end += 1
    }
    stays.replaceSubrange(place..<end, with: [stay])
    if stays.count > 1024 { stays.removeFirst() }
  }
}

extension FiringLog {
  /// Returns the nearest firing before or after a time, if it is less than a cooldown away.
  private static func silence(
    of firings: [Instant], _ cooldown: Double, at now: Instant
  ) -> Silence? {
    var index = firings.count
    while index > 0, firings[index - 1] > now { index -= 1 }
    for index in [index - 1, index] where firings.indices.contains(index) {
      let elapsed = now.seconds(since: firings[index])
      if abs(elapsed) < cooldown {
        return Silence(elapsedSeconds: elapsed, limitSeconds: cooldown)
      }
    }
    return nil
  }

  /// Returns the silence after the last stay; `nil` where it is over. It lasts for the cooldown
  /// times the number of distinct days with a stay among the last `routineDays`.
  private static func silence(
    of stays: [Stay], _ cooldown: Double, _ routineDays: Int, at now: Instant,
    _ day: (Instant) -> Int
  ) -> Silence? {
    guard let last = stays.lastIndex(where: { $0.start <= now }) else { return nil }
    let elapsed = max(now.seconds(since: stays[last].end), 0)
    guard elapsed < cooldown * Double(routineDays) else { return nil }
    let today = day(now)
    var (days, seen) = (0, today + 1)
    for stay in stays[...last].reversed() {
      let (first, final) = (day(stay.start), min(day(stay.end), seen - 1, today))
      guard final > today - routineDays else { break }
      // Only days not already counted for later stays.
      let start = max(first, today - routineDays + 1)
      if final >= start {
        days += final - start + 1
        seen = start
      }
    }
    let limit = cooldown * Double(max(days, 1))
    return elapsed < limit ? Silence(elapsedSeconds: elapsed, limitSeconds: limit) : nil
  }
}
