import CLibrary

extension Coordinate {
  /// Returns the middle of positions: the normalised mean of their unit vectors.
  ///
  /// Right across the antimeridian and around the poles, where a mean of degrees is wrong. `nil`
  /// for no positions, and where they balance each other out around the globe and have no middle.
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
    // Spares a spot of one photo the rounding of the way there and back.
    if areIdentical { return first }
    let equatorial = (x * x + y * y).squareRoot()
    guard (equatorial * equatorial + z * z).squareRoot() / count > 1e-9 else { return nil }
    return Coordinate(
      latitude: atan2(z, equatorial) * 180 / Double.pi,
      longitude: min(max(atan2(y, x) * 180 / Double.pi, -180), 180))
  }
}
