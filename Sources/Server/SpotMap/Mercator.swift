import CLibrary
public import Spatial

/// The projection of web maps: spherical Mercator (EPSG:3857) as a square of 256 pixels at zoom 0,
/// doubled with each further zoom.
public enum Mercator {
  /// The latitude of the square's northern edge: atan(sinh(π)) in degrees. The southern edge has
  /// the negative one.
  public static let greatestLatitude = 85.051_128_779_806_59

  /// Returns the width of the world in pixels at a zoom.
  public static func worldPixels(zoom: Double) -> Double { 256 * exp2(zoom) }

  /// Projects a position to the square: 0 in the west and north, 1 in the east and south. Positions
  /// beyond ``greatestLatitude`` are projected to the edge.
  public static func point(of place: Coordinate) -> (x: Double, y: Double) {
    let x = (place.longitude + 180) / 360
    guard abs(place.latitude) < greatestLatitude else { return (x, place.latitude > 0 ? 0 : 1) }
    return (x, 0.5 - asinh(tan(place.latitude * .pi / 180)) / (2 * .pi))
  }

  /// Returns the position at a point of the square; `nil` outside of it.
  public static func coordinate(x: Double, y: Double) -> Coordinate? {
    Coordinate(
      latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, longitude: x * 360 - 180)
  }
}
