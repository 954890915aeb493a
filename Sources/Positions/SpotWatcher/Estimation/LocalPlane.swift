import CLibrary
import Spatial

/// A plane that touches the Earth, with metres to the east and north of its origin.
///
/// Within 20 km its distances are as accurate as fixes.
struct LocalPlane: Hashable, Sendable {
  let origin: Coordinate
  private let cosine: Double

  private static let metersPerDegree = Earth.meanRadiusMeters * Double.pi / 180

  init(origin: Coordinate) {
    self.origin = origin
    // At a pole, the plane would have no width.
    cosine = max(cos(origin.latitude * Double.pi / 180), 1e-6)
  }

  /// Returns the point of a coordinate, by the shorter way around the Earth.
  func point(of coordinate: Coordinate) -> PlanePoint {
    var turn = coordinate.longitude - origin.longitude
    if turn > 180 { turn -= 360 }
    if turn < -180 { turn += 360 }
    return PlanePoint(
      east: turn * Self.metersPerDegree * cosine,
      north: (coordinate.latitude - origin.latitude) * Self.metersPerDegree)
  }

  /// Returns the coordinate of a point; the nearest one for points beyond a pole.
  func coordinate(of point: PlanePoint) -> Coordinate {
    let latitude = origin.latitude + point.north / Self.metersPerDegree
    var longitude = origin.longitude + point.east / (Self.metersPerDegree * cosine)
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    return Coordinate(
      uncheckedLatitude: min(max(latitude, -90), 90), longitude: min(max(longitude, -180), 180))
  }
}

/// A point of a plane, or a difference of two.
struct PlanePoint: Hashable, Sendable {
  var east: Double
  var north: Double

  /// The distance from the origin.
  var length: Double { (east * east + north * north).squareRoot() }

  func distance(to other: PlanePoint) -> Double { (self - other).length }

  /// Returns the point a part of the way to another, at most all of it.
  func moved(to other: PlanePoint, by part: Double) -> PlanePoint {
    let part = min(part, 1)
    return PlanePoint(
      east: east + part * (other.east - east), north: north + part * (other.north - north))
  }

  static func - (left: PlanePoint, right: PlanePoint) -> PlanePoint {
    PlanePoint(east: left.east - right.east, north: left.north - right.north)
  }
}
