import CLibrary

/// A similarity transform of the plane: a rotation, a scale and a shift, about the centre of a
/// picture.
///
/// Maps the point (p, q) to (a·p − b·q + x, b·p + a·q + y), in pixels from the centre, y downwards.
/// The complex number a + i·b is the scale and the rotation, which appears clockwise.
struct Similarity {
  /// The transform that changes nothing.
  static let identity = Similarity(a: 1, b: 0, x: 0, y: 0)

  var a: Double
  var b: Double
  var x: Double
  var y: Double

  init(a: Double, b: Double, x: Double, y: Double) {
    (self.a, self.b, self.x, self.y) = (a, b, x, y)
  }

  /// Creates a similarity from a clockwise rotation, a scale and a shift.
  init(turnDegrees: Double, zoom: Double, x: Double = 0, y: Double = 0) {
    let radians = turnDegrees * .pi / 180
    self.init(a: zoom * cos(radians), b: zoom * sin(radians), x: x, y: y)
  }

  var turnDegrees: Double { atan2(b, a) * 180 / .pi }

  var zoom: Double { (a * a + b * b).squareRoot() }

  /// Maps a point.
  func transformed(_ p: Double, _ q: Double) -> (x: Double, y: Double) {
    (a * p - b * q + x, b * p + a * q + y)
  }

  /// Returns the composition of this similarity, applied first, and another.
  func followed(by then: Similarity) -> Similarity {
    let (x, y) = then.transformed(self.x, self.y)
    return Similarity(a: then.a * a - then.b * b, b: then.b * a + then.a * b, x: x, y: y)
  }

  /// The inverse transform.
  var inverse: Similarity {
    let square = a * a + b * b
    let back = Similarity(a: a / square, b: -b / square, x: 0, y: 0)
    let (backX, backY) = back.transformed(x, y)
    return Similarity(a: back.a, b: back.b, x: -backX, y: -backY)
  }

  /// Returns the mean displacement of the corners of a picture, in widths of the picture.
  func meanCornerShift(width: Int, height: Int) -> Double {
    let (right, bottom) = (Double(width) / 2, Double(height) / 2)
    var sum = 0.0
    for p in [-right, right] {
      for q in [-bottom, bottom] {
        let (x, y) = transformed(p, q)
        sum += hypot(x - p, y - q)
      }
    }
    return sum / Double(4 * width)
  }
}
