/// Latitudes and longitudes as fixed-point numbers, with 2³² units per turn (9 mm on the ground).
///
/// Angles are rounded down, which preserves their order: comparing fixed-point numbers may fail to
/// separate two close angles, but never reverses them.
enum FixedAngle {
  static let perDegree = 4_294_967_296.0 / 360

  /// Rounds an angle in degrees to the nearest unit; 180° becomes −180°, the same meridian.
  ///
  /// Adding 1.5 × 2^52 to a Double rounds it to an integer in its lowest bits.
  @inline(__always)
  static func nearest(_ degrees: Double) -> Int32 {
    Int32(truncatingIfNeeded: (degrees * perDegree + 0x1.8p52).bitPattern)
  }

  /// Rounds an angle in degrees, at most ±180, down to a unit; 180° becomes the largest number.
  @inline(__always)
  static func rounding(_ degrees: Double) -> Int32 {
    let number = degrees * perDegree
    // Truncated and corrected, because rounding down is a library call on processors from before
    // 2008. The argument is from a coordinate, so it is at most 180.
    let cut = Int(bounded: number)
    // 180° does not fit in 32 bits and is clamped to the largest number.
    return Int32(clamping: Double(cut) > number ? cut - 1 : cut)
  }
}

extension BoxTree.Box {
  /// Creates a box around one position.
  init(_ position: Coordinate) {
    let latitude = FixedAngle.rounding(position.latitude)
    let longitude = FixedAngle.rounding(position.longitude)
    self.init(south: latitude, north: latitude, west: longitude, east: longitude)
  }
}
