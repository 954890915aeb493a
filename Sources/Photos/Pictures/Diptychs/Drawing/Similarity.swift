import CLibrary

/// A similarity transform of the plane: a rotation, a scale and a shift.
///
/// Maps (x, y) to (a·x − b·y + e, b·x + a·y + f), y downwards. The complex number a + i·b is the
/// scale and the rotation, which appears clockwise.
struct Similarity: Hashable, Sendable {
  var a: Double
  var b: Double
  var e: Double
  var f: Double

  /// Creates a similarity without a rotation.
  init(scale: Double, x: Double, y: Double) { (a, b, e, f) = (scale, 0, x, y) }

  /// Creates a similarity from a clockwise rotation in degrees, a scale and a shift.
  init(turnDegrees: Double, zoom: Double, x: Double, y: Double) {
    let radians = turnDegrees * .pi / 180
    (a, b, e, f) = (zoom * cos(radians), zoom * sin(radians), x, y)
  }

  /// The scale.
  var scale: Double { (a * a + b * b).squareRoot() }

  /// Maps a point.
  func transformed(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x - b * y + e, b * x + a * y + f)
  }

  /// Returns the composition of this similarity, applied first, and another.
  func followed(by next: Similarity) -> Similarity {
    var both = self
    (both.a, both.b) = (next.a * a - next.b * b, next.b * a + next.a * b)
    (both.e, both.f) = next.transformed(e, f)
    return both
  }
}
