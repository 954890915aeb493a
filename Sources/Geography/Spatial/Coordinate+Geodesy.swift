import CLibrary

extension Coordinate {
  /// Returns the great-circle distance to another position in metres, on a sphere of the Earth's
  /// mean radius.
  ///
  /// Uses the haversine formula (R. W. Sinnott, "Virtues of the Haversine", Sky & Telescope 68,
  /// 1984), which is accurate for small distances. The result is within 0.6 % of the distance on
  /// the WGS 84 ellipsoid. It is the same in both directions to the last bit, and equals the
  /// distances of ``SpatialIndex``.
  public func distance(to other: Coordinate) -> Double {
    Haversine.meters(
      Haversine.haversine(
        latitudeDegrees: other.latitude - latitude,
        longitudeDegrees: Haversine.turn(from: longitude, to: other.longitude),
        cosines: Haversine.cosine(latitude: latitude)
          * Haversine.cosine(latitude: other.latitude)))
  }

  /// Returns the initial bearing of the great circle to another position, in degrees clockwise from
  /// true north, 0 ..< 360; 0 if the positions are equal.
  ///
  /// Formula: E. Williams, "Aviation Formulary", course between points. From a pole every bearing
  /// follows a meridian; the longitude of the pole's coordinate determines which.
  public func bearing(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let (from, to) = (latitude * radians, other.latitude * radians)
    let turn = (other.longitude - longitude) * radians
    let east = sin(turn) * cos(to)
    let north = cos(from) * sin(to) - sin(from) * cos(to) * cos(turn)
    let degrees = atan2(east, north) / radians
    // Adding 360 to a tiny negative angle can round to 360.
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive >= 360 ? 0 : positive + 0
  }
}
