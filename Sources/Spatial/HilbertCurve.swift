/// The order in which a Hilbert curve visits the cells of a square, so that what is close on the curve is
/// close on the ground.
///
/// D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flächenstück", Mathematische Annalen 38,
/// 1891.
enum HilbertCurve {
  /// Returns where on the curve a cell is.
  ///
  /// - Parameters:
  ///   - x: The cell's column, below 2 to the power of `levels`.
  ///   - y: The cell's row, in the same range.
  ///   - levels: How often the square is quartered, at most 32.
  /// - Returns: How many cells the curve visits before it.
  static func position(x: UInt32, y: UInt32, levels: Int) -> UInt64 {
    var position: UInt64 = 0
    var state = 0
    for level in stride(from: levels - 1, through: 0, by: -1) {
      let quarter = Int(x >> UInt32(level) & 1) << 1 | Int(y >> UInt32(level) & 1)
      let step = steps >> UInt64(state << 4 | quarter << 2) & 15
      position = position << 2 | (step & 3)
      state = Int(step >> 2)
    }
    return position
  }

  /// For each of the curve's four orientations and each quarter (column, row) of a square: when the
  /// quarter is visited, in two bits, and below it the orientation within, in two bits more.
  private static let steps: UInt64 = 0x8D7E_C39A_65F0_2B14
}
