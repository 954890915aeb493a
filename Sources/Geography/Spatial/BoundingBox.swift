/// An area bounded by two parallels and two meridians, including its edges.
///
/// If `west` is greater than `east`, the box crosses the 180° meridian, as in GeoJSON (RFC 7946,
/// section 5.2). A pole has no longitude of its own: a box that reaches it contains it only if it
/// contains the longitude of the given coordinate.
public struct BoundingBox: Hashable, Sendable {
  /// The southern edge in degrees of latitude.
  public let south: Double
  /// The western edge in degrees of longitude.
  public let west: Double
  /// The northern edge in degrees of latitude.
  public let north: Double
  /// The eastern edge in degrees of longitude.
  public let east: Double

  /// Creates a box, or returns `nil` if a number is out of range or `south` is greater than
  /// `north`.
  public init?(south: Double, west: Double, north: Double, east: Double) {
    guard (-90...90).contains(south), (-90...90).contains(north), south <= north,
      (-180...180).contains(west), (-180...180).contains(east)
    else { return nil }
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// Whether a position is in the box or on its edge; 180° and −180° are the same meridian.
  public func contains(_ coordinate: Coordinate) -> Bool {
    guard (south...north).contains(coordinate.latitude) else { return false }
    let longitude = coordinate.longitude
    return contains(longitude: longitude)
      || (abs(longitude) == 180 && contains(longitude: -longitude))
  }

  private func contains(longitude: Double) -> Bool {
    west <= east
      ? (west...east).contains(longitude) : longitude >= west || longitude <= east
  }
}
