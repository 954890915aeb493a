import Interchange
import Spatial

/// When which place fired last, for one device.
///
/// Firings are filed by the cubes of 100 m in which their centres lie on the sphere, so that a look-up visits
/// some three cubes and a dozen firings, however many places there are; the poles and the antimeridian need
/// no care. It holds at most one firing for each spot.
struct FiringLog: Hashable, Sendable {
  struct Firing: Hashable, Sendable {
    let spotID: String
    let time: Instant
    fileprivate let standpoint: Standpoint
    var center: Coordinate { standpoint.coordinate }

    init(spotID: String, center: Coordinate, time: Instant) {
      self.spotID = spotID
      standpoint = Standpoint(center)
      self.time = time
    }
  }

  private struct Cube: Hashable {
    let x: Int32
    let y: Int32
    let z: Int32
  }

  private var cubes: [Cube: [Firing]] = [:]

  private static let cubesPerUnit = Earth.meanRadiusMeters / 100

  /// Notes that a place fired.
  mutating func record(_ firing: Firing) {
    let point = SpherePoint(firing.center)
    let cube = Cube(x: Self.cube(point.x), y: Self.cube(point.y), z: Self.cube(point.z))
    Self.replace(firing, in: &cubes[cube, default: []])
  }

  private static func replace(_ firing: Firing, in firings: inout [Firing]) {
    for index in firings.indices where firings[index].spotID == firing.spotID {
      firings[index] = firing
      return
    }
    firings.append(firing)
  }

  /// Takes back what was noted of a spot at a time.
  mutating func withdraw(spotID: String, center: Coordinate, time: Instant) {
    Self.forEachCube(around: SpherePoint(center), radiusMeters: 1) { cube in
      cubes[cube]?.removeAll { $0.spotID == spotID && $0.time == time }
    }
  }

  /// Returns the last firing of a place that keeps it silent at a time.
  ///
  /// A place is what lies within a radius, edge included, whatever its id; or has the same id and lies
  /// within two radii, since a spot's centre moves when photos are added around the same anchor. A
  /// firing more than a cooldown in the future counts for nothing: a clock was wrong.
  func blocking(
    spotID: String, center: Coordinate, radiusMeters: Double, cooldownSeconds: Double,
    at now: Instant
  ) -> Firing? {
    var last: Firing?
    let (here, reach) = (Standpoint(center), DistanceLimit(meters: 2 * radiusMeters))
    Self.forEachCube(around: SpherePoint(center), radiusMeters: 2 * radiusMeters) { cube in
      guard let firings = cubes[cube] else { return }
      for index in firings.indices
      where reach.holds(here.haversine(to: firings[index].standpoint)) {
        let firing = firings[index]
        guard firing.spotID == spotID || here.distance(to: firing.standpoint) <= radiusMeters
        else { continue }
        let elapsed = now.seconds(since: firing.time)
        guard elapsed < cooldownSeconds, elapsed >= -cooldownSeconds else { continue }
        if last.map({ $0.time < firing.time }) ?? true { last = firing }
      }
    }
    return last
  }

  private static func forEachCube(
    around point: SpherePoint, radiusMeters: Double, _ body: (Cube) -> Void
  ) {
    let reach = radiusMeters / Earth.meanRadiusMeters
    for x in cube(point.x - reach)...cube(point.x + reach) {
      for y in cube(point.y - reach)...cube(point.y + reach) {
        for z in cube(point.z - reach)...cube(point.z + reach) {
          body(Cube(x: x, y: y, z: z))
        }
      }
    }
  }

  private static func cube(_ component: Double) -> Int32 {
    Int32(saturating: (component * cubesPerUnit).rounded(.down))
  }
}
