import CLibrary
import Spatial

/// A position on the plane of a trace, in metres from its origin.
public struct Ground: Hashable, Sendable {
  /// Metres north of the origin.
  public var north: Double
  /// Metres east of the origin.
  public var east: Double

  /// Creates a position.
  public init(_ north: Double, _ east: Double) {
    self.north = north
    self.east = east
  }

  func meters(to other: Ground) -> Double {
    let (north, east) = (other.north - north, other.east - east)
    return (north * north + east * east).squareRoot()
  }

  func between(_ other: Ground, _ share: Double) -> Ground {
    Ground(north + (other.north - north) * share, east + (other.east - east) * share)
  }

  /// Returns the position on the globe, along a great circle from the origin.
  func coordinate(from origin: Coordinate) -> Coordinate {
    let distance = (north * north + east * east).squareRoot() / Earth.meanRadiusMeters
    let bearing = atan2(east, north)
    let (φ, λ) = (origin.latitude * Double.pi / 180, origin.longitude * Double.pi / 180)
    let sine = sin(φ) * cos(distance) + cos(φ) * sin(distance) * cos(bearing)
    let turn = atan2(sin(bearing) * sin(distance) * cos(φ), cos(distance) - sin(φ) * sine)
    let longitude = ((λ + turn) * 180 / Double.pi + 540).truncatingRemainder(dividingBy: 360) - 180
    return Coordinate(latitude: asin(sine) * 180 / Double.pi, longitude: longitude) ?? origin
  }
}
