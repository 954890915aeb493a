/// The latitudes and longitudes between which a query looks, in numbers of ``FixedAngle``.
///
/// It may hold positions too many, never one too few: every edge is moved out by `marginDegrees` (1
/// cm), far more than any rounding on the way.
struct SearchWindow {
  let south: Int32
  let north: Int32
  let west: Int32
  let east: Int32
  /// Whether the window crosses the 180° meridian and holds the longitudes *outside* of
  /// `east...west`.
  let isWrapped: Bool

  private static let marginDegrees = 1e-7

  /// Creates the window around a circle on the ground.
  init(_ circle: Circle) {
    let height = circle.heightDegrees
    self.init(
      south: circle.center.latitude - height, north: circle.center.latitude + height,
      west: circle.center.longitude - circle.reachDegrees,
      east: circle.center.longitude + circle.reachDegrees)
  }

  /// Creates the window of a box.
  init(_ box: BoundingBox) {
    self.init(
      south: box.south, north: box.north,
      west: box.west, east: box.west <= box.east ? box.east : box.east + 360)
  }

  /// Longitudes go from `west` eastwards to `east`, which may both be written beyond ±180°.
  private init(south: Double, north: Double, west: Double, east: Double) {
    let west = west - Self.marginDegrees
    let east = east + Self.marginDegrees
    // Not far beyond the poles, where the boxes of nothing are.
    self.south = FixedAngle.rounding(max(south - Self.marginDegrees, -91))
    self.north = FixedAngle.rounding(min(north + Self.marginDegrees, 91))
    let isAllAround = east - west >= 360
    isWrapped = !isAllAround && (west < -180 || east > 180)
    self.west = isAllAround ? .min : FixedAngle.rounding(west < -180 ? west + 360 : west)
    self.east = isAllAround ? .max : FixedAngle.rounding(east > 180 ? east - 360 : east)
  }
}
