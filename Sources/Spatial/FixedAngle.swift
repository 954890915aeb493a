/// Latitudes and longitudes as whole numbers, 2³² to the turn (9 mm on the ground).
///
/// Rounded down, so that the order of angles is the order of their numbers, and what is compared in
/// numbers is never compared wrongly, only not quite sharply.
enum FixedAngle {
  static let perDegree = 4_294_967_296.0 / 360

  /// Rounds the degrees of a coordinate to the nearest number; 180° is −180°, which is the same
  /// meridian.
  ///
  /// At 1.5 × 2^52 the last bit of a Double counts ones: adding it rounds.
  @inline(__always)
  static func nearest(_ degrees: Double) -> Int32 {
    Int32(truncatingIfNeeded: (degrees * perDegree + 0x1.8p52).bitPattern)
  }

  @inline(__always)
  static func rounding(_ degrees: Double) -> Int32 {
    let number = degrees * perDegree
    // Int cuts towards zero; rounding a Double down is a call on processors of before 2008. The
    // degrees are those of a coordinate, 180 at most.
    let cut = Int(bounded: number)
    // 180° is one too many for 32 bits and shares the last number.
    return Int32(clamping: Double(cut) > number ? cut - 1 : cut)
  }
}

extension BoxTree.Box {
  /// The box of one position.
  init(_ position: Coordinate) {
    let latitude = FixedAngle.rounding(position.latitude)
    let longitude = FixedAngle.rounding(position.longitude)
    self.init(south: latitude, north: latitude, west: longitude, east: longitude)
  }
}
