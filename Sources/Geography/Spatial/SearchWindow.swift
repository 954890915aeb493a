/// The range of latitudes and longitudes that a query searches, in units of ``FixedAngle``.
///
/// The window may contain positions outside the query, but never misses one: every edge is moved
/// outward by `marginDegrees` (1 cm), far more than the rounding error.
struct SearchWindow {
  let south: Int32
  let north: Int32
  let west: Int32
  let east: Int32
  /// Whether the window crosses the 180° meridian. If so, it contains the longitudes from `west`
  /// eastward to 180° and from −180° to `east`, and `west` is greater than `east`.
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

  /// Creates the window around a box.
  init(_ box: BoundingBox) {
    self.init(
      south: box.south, north: box.north,
      west: box.west, east: box.west <= box.east ? box.east : box.east + 360)
  }

  /// Creates a window whose longitudes run from `west` eastward to `east`; both may be beyond
  /// ±180°.
  private init(south: Double, north: Double, west: Double, east: Double) {
    let west = west - Self.marginDegrees
    let east = east + Self.marginDegrees
    // Clamped shortly beyond the poles, so that the edges of empty boxes stay outside.
    self.south = FixedAngle.rounding(max(south - Self.marginDegrees, -91))
    self.north = FixedAngle.rounding(min(north + Self.marginDegrees, 91))
    let isAllAround = east - west >= 360
    isWrapped = !isAllAround && (west < -180 || east > 180)
    self.west = isAllAround ? .min : FixedAngle.rounding(west < -180 ? west + 360 : west)
    self.east = isAllAround ? .max : FixedAngle.rounding(east > 180 ? east - 360 : east)
  }
}
