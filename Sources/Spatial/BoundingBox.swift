/// An area between two parallels and two meridians, edges included.
///
/// Where `west` is greater than `east` the box crosses the 180° meridian, as in GeoJSON (RFC 7946,
/// section 5.2). A pole belongs to a box that reaches it only by the longitude its coordinate
/// writes.
public struct BoundingBox: Hashable, Sendable {
  /// The southern edge in degrees of latitude.
  public let south: Double
  /// The western edge in degrees of longitude.
  public let west: Double
  /// The northern edge in degrees of latitude.
  public let north: Double
  /// The eastern edge in degrees of longitude.
  public let east: Double

  /// Creates a box; `nil` where a number is out of range or `south` lies north of `north`.
  public init?(south: Double, west: Double, north: Double, east: Double) {
    guard (-90...90).contains(south), (-90...90).contains(north), south <= north,
      (-180...180).contains(west), (-180...180).contains(east)
    else { return nil }
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// Whether a position lies in the box or on its edge; 180° and −180° are the same meridian.
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
