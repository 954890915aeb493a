/// What a device's owner is doing, as far as the motion tells; the raw value is the lane of
/// ``ModeValues``.
enum MotionMode: Int, Hashable, Sendable, CaseIterable {
  /// Standing, sitting or indoors, and free to take a picture.
  case still
  /// On foot or on a bicycle.
  case moving
  /// In a moving vehicle.
  case riding
  /// In a vehicle that stands: at a light, a bus stop or a station.
  case halted
}

/// A number for each mode, such as the probabilities of the modes.
typealias ModeValues = SIMD4<Double>

extension SIMD4<Double> {
  /// The number of a mode.
  subscript(mode: MotionMode) -> Double {
    get { self[mode.rawValue] }
    set { self[mode.rawValue] = newValue }
  }

  /// The exponential of each number.
  var exponentials: Self {
    Self(exponential(x), exponential(y), exponential(z), exponential(w))
  }
}
