extension JSONWriter {
  /// The magnitudes that ``appendDecimals(_:)`` supports: those of positions and distances.
  ///
  /// Their digits fit in 64 bits, and intermediate results in 128.
  private static let decimalMagnitudes = 0x1p-9..<0x1p23

  /// The powers of ten up to 10^19.
  private static let powersOfTen: [UInt64] = (0..<20).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Writes a number with the fewest digits that parse to the same value, the nearest such text if
  /// there are several; returns `false` if the magnitude is unsupported.
  ///
  /// The text equals `description`, at a fraction of the cost. The method is that of R. Giulietti,
  /// "The Schubfach way to render doubles", 2020:
  ///
  /// - The number is *m* / 2^*s*. Every value within half a step of it, 1 / 2^(*s* + 1), parses to
  ///   this number.
  /// - Let *k* be the smallest integer for which 10^-*k* is at most one step. The interval contains
  ///   at most one multiple of 10^(1-*k*). If there is one, it is the shortest text; otherwise the
  ///   nearest multiple of 10^-*k* is.
  /// - An end of the interval has *s* + 1 binary digits after the point, so it is never such a
  ///   multiple. It therefore does not matter whether the interval includes its ends.
  ///
  /// *s* is small enough for 128-bit integers to be exact.
  mutating func appendDecimals(_ value: Double) -> Bool {
    let magnitude = value.magnitude
    // At a power of two, the step below is half as long, so those are excluded.
    guard Self.decimalMagnitudes.contains(magnitude), magnitude.significandBitPattern != 0 else {
      return false
    }
    let significand = magnitude.significandBitPattern | 1 << 52
    let shift = 1075 - UInt64(magnitude.exponentBitPattern)
    // ⌈s × log10 2⌉; a power of two is never a power of ten.
    let decimals = Int(truncatingIfNeeded: (shift * 78_913) >> 18) + 1
    let power = Self.powersOfTen[decimals]
    // In units of 10^-k / 2^s.
    let exact = UInt128(significand) * UInt128(power)
    let floor = UInt64(truncatingIfNeeded: exact &>> UInt128(shift))
    let coarse = floor / 10 * 10
    let excess = exact - UInt128(coarse) &<< UInt128(shift)
    let digits: UInt64
    if excess * 2 < UInt128(power) {
      digits = coarse
    } else if (UInt128(10) &<< UInt128(shift) - excess) * 2 < UInt128(power) {
      digits = coarse + 10
    } else {
      let rest = (exact - UInt128(floor) &<< UInt128(shift)) * 2
      let step = UInt128(1) &<< UInt128(shift)
      digits = floor + (rest > step || (rest == step && floor % 2 == 1) ? 1 : 0)
    }
    // The integer part comes from the number itself, because a division is slow. Rounding cannot
    // change it: the only integer within half a step would be the number itself.
    let whole = UInt64(Int(bounded: magnitude))
    let fraction = digits - whole * power
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    appendInteger(Int64(whole))
    if fraction > 0 { appendFraction(fraction * Self.powersOfTen[19 - decimals]) }
    return true
  }

  /// Writes a decimal point and nineteen decimals, without trailing zeros.
  private mutating func appendFraction(_ fraction: UInt64) {
    let (upper, last) = fraction.quotientAndRemainder(dividingBy: 100_000_000)
    let (first, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
    let words = (Self.digits(first) >> 40, Self.digits(middle), Self.digits(last))
    let count =
      words.2 > 0
      ? 19 - words.2.leadingZeroBitCount / 8
      : words.1 > 0
        ? 11 - words.1.leadingZeroBitCount / 8 : 8 - words.0.leadingZeroBitCount / 8
    let zeros: UInt64 = 0x3030_3030_3030_3030
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { text in
      text.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
      text.storeBytes(of: (words.0 + zeros).littleEndian, toByteOffset: 1, as: UInt64.self)
      text.storeBytes(of: (words.1 + zeros).littleEndian, toByteOffset: 4, as: UInt64.self)
      text.storeBytes(of: (words.2 + zeros).littleEndian, toByteOffset: 12, as: UInt64.self)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[...count]))
    }
  }

  /// Returns the eight digits of a number below 10^8, one per byte, the first digit in the lowest
  /// byte.
  ///
  /// The number is split into groups of four, two and one digits, all groups at once.
  @inline(__always)
  private static func digits(_ number: UInt64) -> UInt64 {
    let four = number / 10_000 | (number % 10_000) << 32
    let hundreds = (four &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let two = (four &- hundreds &* 100) << 16 | hundreds
    let tens = (two &* 103) >> 10 & 0x000F_000F_000F_000F
    return (two &- tens &* 10) << 8 | tens
  }
}
