/// A Hilbert curve through the cells of a square: cells that are close on the curve are close in
/// the square.
///
/// D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flächenstück", Mathematische
/// Annalen 38, 1891.
enum HilbertCurve {
  /// Returns the position of a cell on the curve.
  ///
  /// - Parameters:
  ///   - x: The cell's column, below 2 to the power of `levels`.
  ///   - y: The cell's row, in the same range.
  ///   - levels: The number of subdivisions of the square into quarters: even, at most 32.
  /// - Returns: The number of cells that the curve visits before this one.
  static func position(x: UInt32, y: UInt32, levels: Int) -> UInt64 {
    var position: UInt64 = 0
    var state: UInt8 = 0
    for level in stride(from: levels - 2, through: 0, by: -2) {
      let column = Int(truncatingIfNeeded: x >> UInt32(level) & 3)
      let row = Int(truncatingIfNeeded: y >> UInt32(level) & 3)
      let step = steps[Int(state << 4) | column << 2 | row]
      position = position << 4 | UInt64(step & 15)
      state = step >> 4
    }
    return position
  }

  /// A transition table, indexed by the curve's orientation (four) and by column and row within a
  /// square of four by four cells. Its low four bits are the order of the visit; the bits above are
  /// the orientation within the cell.
  private static let steps: [UInt8] = [
    0x00, 0x33, 0x14, 0x05, 0x11, 0x12, 0x27, 0x06, 0x2E, 0x2D, 0x18, 0x09, 0x0F, 0x3C, 0x2B, 0x0A,
    0x10, 0x01, 0x3E, 0x1F, 0x23, 0x02, 0x3D, 0x2C, 0x04, 0x37, 0x08, 0x3B, 0x15, 0x16, 0x19, 0x1A,
    0x2A, 0x29, 0x26, 0x25, 0x0B, 0x38, 0x07, 0x34, 0x1C, 0x0D, 0x32, 0x13, 0x2F, 0x0E, 0x31, 0x20,
    0x3A, 0x1B, 0x0C, 0x3F, 0x39, 0x28, 0x1D, 0x1E, 0x36, 0x17, 0x22, 0x21, 0x35, 0x24, 0x03, 0x30,
  ]
}
