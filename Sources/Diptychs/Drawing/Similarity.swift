import CLibrary

/// A similarity of the plane: a turn, a zoom and a shift.
///
/// Maps (x, y) to (a·x − b·y + e, b·x + a·y + f), y downwards: `a + i·b` is the zoom with
/// the turn, clockwise as it is seen.
struct Similarity: Hashable, Sendable {
  var a: Double
  var b: Double
  var e: Double
  var f: Double

  /// Creates a similarity without a turn.
  init(scale: Double, x: Double, y: Double) { (a, b, e, f) = (scale, 0, x, y) }

  /// Creates a similarity of a clockwise turn in degrees, a zoom and a shift.
  init(turnDegrees: Double, zoom: Double, x: Double, y: Double) {
    let radians = turnDegrees * .pi / 180
    (a, b, e, f) = (zoom * cos(radians), zoom * sin(radians), x, y)
  }

  /// The zoom.
  var scale: Double { (a * a + b * b).squareRoot() }

  /// Maps a place.
  func led(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x - b * y + e, b * x + a * y + f)
  }

  /// This one, then another one.
  func followed(by next: Similarity) -> Similarity {
    var both = self
    (both.a, both.b) = (next.a * a - next.b * b, next.b * a + next.a * b)
    (both.e, both.f) = next.led(e, f)
    return both
  }
}
