import CLibrary

extension Coordinate {
  /// Returns the great-circle distance to another position in metres, on a sphere of the Earth's
  /// mean radius.
  ///
  /// The haversine formula (R. W. Sinnott, "Virtues of the Haversine", Sky & Telescope 68, 1984),
  /// accurate for small distances; within 0.6 % of the distance on the WGS 84 ellipsoid. The same
  /// in both directions, to the last bit; ``SpatialIndex`` gives the same too.
  public func distance(to other: Coordinate) -> Double {
    Haversine.meters(
      Haversine.haversine(
        latitudeDegrees: other.latitude - latitude,
        longitudeDegrees: Haversine.turn(from: longitude, to: other.longitude),
        cosines: Haversine.cosine(latitude: latitude)
          * Haversine.cosine(latitude: other.latitude)))
  }

  /// Returns the initial bearing of the great circle to another position, in degrees clockwise from
  /// true north, 0 ..< 360; 0 where the positions are the same.
  ///
  /// Formula: E. Williams, "Aviation Formulary", course between points. From a pole every bearing
  /// is along a meridian; the longitude written in the pole's coordinate decides which.
  public func bearing(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let (from, to) = (latitude * radians, other.latitude * radians)
    let turn = (other.longitude - longitude) * radians
    let east = sin(turn) * cos(to)
    let north = cos(from) * sin(to) - sin(from) * cos(to) * cos(turn)
    let degrees = atan2(east, north) / radians
    // Rounding can lift a tiny negative angle to a full turn.
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive >= 360 ? 0 : positive + 0
  }
}
