import Encodings

extension QRCode {
  /// Returns the code as lines of half blocks, with its border: dark on light in the colours of the
  /// terminal's palette that every theme leaves alone.
  ///
  /// Without colours, the light modules are drawn, which suits a dark theme; most readers accept
  /// the inverse of a code too.
  ///
  /// - Parameter isColored: Whether styles are on.
  /// - Returns: The lines, each with a line end.
  package func drawing(isColored: Bool) -> String {
    let edge = Self.borderWidth
    var lines = ""
    for row in stride(from: -edge, to: size + edge, by: 2) {
      var line = ""
      for column in stride(from: -edge, to: size + edge, by: 1) {
        let upper = isDark(row: row, column: column) == isColored
        // The number of rows is odd, so the last half line is beyond the border.
        let lower = isDark(row: row + 1, column: column) == isColored
        line += upper ? (lower ? "█" : "▀") : lower ? "▄" : " "
      }
      lines += Style.darkOnLight.of(line) + "\n"
    }
    return lines
  }
}
