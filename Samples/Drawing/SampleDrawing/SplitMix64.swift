/// The generator of G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number
/// Generators" (2014), which returns the same numbers for the same seed on all platforms.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a number with mean 0 and variance 1 that is approximately normally distributed: the
  /// sum of twelve uniform numbers. It needs no logarithm, so the result is bit-identical on all
  /// platforms.
  mutating func nearlyNormal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + unit() }
  }
}
