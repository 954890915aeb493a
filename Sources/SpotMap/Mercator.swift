import CLibrary
public import Spatial

/// The map that web pages show: the spherical Mercator projection (EPSG:3857) as a square, of 256
/// pixels at zoom 0 and twice as many at each further one.
public enum Mercator {
  /// Where the square ends in the north and south: atan(sinh(π)) in degrees.
  public static let greatestLatitude = 85.051_128_779_806_59

  /// The width of the world in pixels at a zoom.
  public static func worldPixels(zoom: Double) -> Double { 256 * exp2(zoom) }

  /// The place of a position in the square: 0 in the west and north, 1 in the east and south. What
  /// lies beyond ``greatestLatitude`` is at the edge.
  public static func point(of place: Coordinate) -> (x: Double, y: Double) {
    let x = (place.longitude + 180) / 360
    guard abs(place.latitude) < greatestLatitude else { return (x, place.latitude > 0 ? 0 : 1) }
    return (x, 0.5 - asinh(tan(place.latitude * .pi / 180)) / (2 * .pi))
  }

  /// The position at a place of the square.
  public static func coordinate(x: Double, y: Double) -> Coordinate? {
    Coordinate(
      latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, longitude: x * 360 - 180)
  }
}
