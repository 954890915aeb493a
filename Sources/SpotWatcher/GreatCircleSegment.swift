import CLibrary
import Spatial

/// A position as a point on the unit sphere.
struct SpherePoint: Hashable {
  let x: Double
  let y: Double
  let z: Double

  init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(_ coordinate: Coordinate) {
    let latitude = coordinate.latitude * Double.pi / 180
    let longitude = coordinate.longitude * Double.pi / 180
    x = cos(latitude) * cos(longitude)
    y = cos(latitude) * sin(longitude)
    z = sin(latitude)
  }

  var length: Double { dot(self).squareRoot() }

  func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SpherePoint) -> SpherePoint {
    SpherePoint(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  /// The position in this direction, regardless of the length; `nil` for invalid components.
  var coordinate: Coordinate? {
    Coordinate(
      latitude: atan2(z, (x * x + y * y).squareRoot()) * 180 / Double.pi,
      longitude: atan2(y, x) * 180 / Double.pi)
  }
}

/// The leg between two fixes, represented by its ends so that most questions need no trigonometry.
struct Leg {
  let start: Standpoint
  let end: Standpoint
  /// An upper bound of ``meters``: the length of a path along a meridian and then a parallel,
  /// calculated as if the parallel were the equator.
  let metersAtMost: Double

  init(from start: Standpoint, to end: Standpoint) {
    self.start = start
    self.end = end
    metersAtMost = Self.metersAtMost(from: start.coordinate, to: end.coordinate)
  }

  /// Returns an upper bound of the distance between two positions; see ``metersAtMost``.
  static func metersAtMost(from start: Coordinate, to end: Coordinate) -> Double {
    let degrees = abs(end.latitude - start.latitude) + abs(end.longitude - start.longitude)
    // The margin of a billionth covers rounding errors.
    return degrees * (Double.pi / 180 * Earth.meanRadiusMeters * (1 + 1e-9))
  }

  var meters: Double { start.distance(to: end) }

  var segment: GreatCircleSegment {
    GreatCircleSegment(from: start.coordinate, to: end.coordinate, lengthMeters: meters)
  }
}

/// The leg between two fixes, assumed to be the shorter arc of the great circle through them.
///
/// There are no special cases at the antimeridian and the poles. Distances are accurate to a
/// centimetre for legs of a metre to some kilometres; a shorter leg counts as its two ends.
struct GreatCircleSegment {
  let start: Coordinate
  let end: Coordinate
  let lengthMeters: Double
  private let from: SpherePoint
  private let to: SpherePoint

  init(from start: Coordinate, to end: Coordinate, lengthMeters: Double) {
    self.start = start
    self.end = end
    self.lengthMeters = lengthMeters
    from = SpherePoint(start)
    to = SpherePoint(end)
  }

  /// The position halfway along the leg.
  var midpoint: Coordinate {
    SpherePoint(x: from.x + to.x, y: from.y + to.y, z: from.z + to.z).coordinate ?? end
  }

  /// Returns the least distance of the leg from a position, in metres.
  ///
  /// If the position is abeam of the leg, that is the cross-track distance (E. Williams, "Aviation
  /// Formulary", cross track error), else the distance to the nearer end.
  func distance(to position: Coordinate) -> Double {
    let toEnds = min(start.distance(to: position), end.distance(to: position))
    let normal = from.cross(to)
    let length = normal.length
    guard lengthMeters >= 1, length > 0 else { return toEnds }
    let point = SpherePoint(position)
    guard normal.cross(from).dot(point) > 0, to.cross(normal).dot(point) > 0 else { return toEnds }
    return min(toEnds, Earth.meanRadiusMeters * asin(min(1, abs(normal.dot(point)) / length)))
  }
}
