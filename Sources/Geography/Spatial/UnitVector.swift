import CLibrary

/// A position as a point on the unit sphere, a representation without special cases at the poles
/// and the antimeridian.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(_ coordinate: Coordinate) {
    let latitude = coordinate.latitude * Double.pi / 180
    let longitude = coordinate.longitude * Double.pi / 180
    let equatorial = cos(latitude)
    x = equatorial * cos(longitude)
    y = equatorial * sin(longitude)
    z = sin(latitude)
  }
}
