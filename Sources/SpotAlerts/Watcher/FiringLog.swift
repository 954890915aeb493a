import Interchange
import Spatial

/// When which place fired last, for one device.
///
/// Firings are filed by the cubes of two kilometres in which their centres lie on the sphere, so that a
/// look-up visits one cube, and seldom more, however many places there are; the poles and the
/// antimeridian need no care. It holds at most one firing for each spot.
struct FiringLog: Hashable, Sendable {
  struct Firing: Hashable, Sendable {
    let spotID: String
    let center: Coordinate
    let time: Instant
  }

  private struct Cube: Hashable {
    let x: Int32
    let y: Int32
    let z: Int32
  }

  private var cubes: [Cube: [Firing]] = [:]

  private static let cubesPerUnit = Earth.meanRadiusMeters / 2000

  /// Notes that a place fired.
  mutating func record(_ firing: Firing) {
    let point = SpherePoint(firing.center)
    let cube = Cube(x: Self.cube(point.x), y: Self.cube(point.y), z: Self.cube(point.z))
    cubes[cube, default: []].removeAll { $0.spotID == firing.spotID }
    cubes[cube, default: []].append(firing)
  }

  /// Takes back what was noted of a spot at a time.
  mutating func withdraw(spotID: String, center: Coordinate, time: Instant) {
    for cube in Self.cubes(around: center, radiusMeters: 1) {
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
    for cube in Self.cubes(around: center, radiusMeters: 2 * radiusMeters) {
      for firing in cubes[cube] ?? [] {
        let elapsed = now.seconds(since: firing.time)
        guard elapsed < cooldownSeconds, elapsed >= -cooldownSeconds else { continue }
        let distance = firing.center.distance(to: center)
        guard distance <= radiusMeters * (firing.spotID == spotID ? 2 : 1) else { continue }
        if last.map({ $0.time < firing.time }) ?? true { last = firing }
      }
    }
    return last
  }

  private static func cubes(around center: Coordinate, radiusMeters: Double) -> [Cube] {
    let point = SpherePoint(center)
    let reach = radiusMeters / Earth.meanRadiusMeters
    var cubes: [Cube] = []
    for x in cube(point.x - reach)...cube(point.x + reach) {
      for y in cube(point.y - reach)...cube(point.y + reach) {
        for z in cube(point.z - reach)...cube(point.z + reach) {
          cubes.append(Cube(x: x, y: y, z: z))
        }
      }
    }
    return cubes
  }

  private static func cube(_ component: Double) -> Int32 {
    Int32((component * cubesPerUnit).rounded(.down))
  }
}
