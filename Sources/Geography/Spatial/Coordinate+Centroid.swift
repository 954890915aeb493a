import CLibrary

extension Coordinate {
  /// Returns the centroid of positions: the normalised mean of their unit vectors.
  ///
  /// The result is correct across the antimeridian and around the poles, unlike a mean of degrees.
  /// Returns `nil` for no positions, and for positions whose unit vectors cancel out, which have no
  /// centroid.
  public static func centroid(of positions: [Coordinate]) -> Coordinate? {
    var (x, y, z, count) = (0.0, 0.0, 0.0, 0.0)
    var first: Coordinate?
    var areIdentical = true
    for position in positions {
      let vector = UnitVector(position)
      x += vector.x
      y += vector.y
      z += vector.z
      count += 1
      areIdentical = areIdentical && position == first ?? position
      first = first ?? position
    }
    // Avoids the rounding error of the conversion to and from vectors, above all for a spot with
    // one photo.
    if areIdentical { return first }
    let equatorial = (x * x + y * y).squareRoot()
    guard (equatorial * equatorial + z * z).squareRoot() / count > 1e-9 else { return nil }
    return Coordinate(
      latitude: atan2(z, equatorial) * 180 / Double.pi,
      longitude: min(max(atan2(y, x) * 180 / Double.pi, -180), 180))
  }
}
