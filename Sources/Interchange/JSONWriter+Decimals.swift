extension JSONWriter {
  /// The magnitudes that ``appendDecimals(_:)`` knows: those of positions and distances. Their
  /// digits fit 64 bits, and what is worked out with them 128.
  private static let decimalMagnitudes = 0x1p-9..<0x1p23

  /// The powers of ten up to 10^19.
  private static let powersOfTen: [UInt64] = (0..<20).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Writes a number of any decimals with the fewest digits that read back as the same value, and
  /// of those with the nearest; false for one that is too small or too large.
  ///
  /// The text equals `description`, and takes a fraction of the time. The number is *m* / 2^*s*.
  /// Every value within half a step of it, 1 / 2^(*s* + 1), reads back as this number. Let *k* be
  /// the least number for which 10^-*k* is at most a step. At most one multiple of 10^(1-*k*) lies
  /// in that interval: if there is one, it is the shortest text; else the nearest multiple of
  /// 10^-*k* is (R. Giulietti, "The Schubfach way to render doubles", 2020). Integers of 128 bits
  /// are exact here, since *s* is small. An end of the interval has *s* + 1 binary digits behind
  /// the point, so it is never such a multiple.
  mutating func appendDecimals(_ value: Double) -> Bool {
    let magnitude = value.magnitude
    // Below a power of two steps are half as long.
    guard Self.decimalMagnitudes.contains(magnitude), magnitude.significandBitPattern != 0 else {
      return false
    }
    let significand = magnitude.significandBitPattern | 1 << 52
    let shift = 1075 - UInt64(magnitude.exponentBitPattern)
    // ⌈s × log10 2⌉, as no power of two is one of ten.
    let decimals = Int(truncatingIfNeeded: (shift * 78_913) >> 18) + 1
    let power = Self.powersOfTen[decimals]
    // In steps of 10^-k / 2^s.
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
    // No whole number lies within half a step, but the number itself, and a division takes long.
    let whole = UInt64(Int(bounded: magnitude))
    let fraction = digits - whole * power
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    appendInteger(Int64(whole))
    if fraction > 0 { appendFraction(fraction * Self.powersOfTen[19 - decimals]) }
    return true
  }

  /// Writes a point and nineteen decimals, without the zeros at the end.
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

  /// The eight digits of a number below 10^8, a byte each, the first the lowest: halved by turns
  /// into parts of four, two and one, all parts at once.
  @inline(__always)
  private static func digits(_ number: UInt64) -> UInt64 {
    let four = number / 10_000 | (number % 10_000) << 32
    let hundreds = (four &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let two = (four &- hundreds &* 100) << 16 | hundreds
    let tens = (two &* 103) >> 10 & 0x000F_000F_000F_000F
    return (two &- tens &* 10) << 8 | tens
  }
}
