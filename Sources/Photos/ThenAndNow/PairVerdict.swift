package import Alignment
import CLibrary

/// The result of comparing two photos.
package struct PairVerdict: Hashable, Sendable {
  /// The alignment score, 0 to 1; `nil` if the alignment cannot be judged.
  package let score: Double?
  /// Whether both photos show the same view.
  package let isLocked: Bool
  /// The displacement of the earlier photo's view to the right in the later one, in widths.
  package let dx: Double
  /// The downward displacement, in widths.
  package let dy: Double
  /// The clockwise rotation in degrees.
  package let turnDegrees: Double
  /// The scale.
  package let zoom: Double

  // Chance matches among thousands of comparisons are usually far from alignment, so a low score
  // needs a high correlation.
  private static let nearScore = 0.2
  private static let surelyAlike = 0.45

  /// Returns whether photos show the same view: they are locked, and either close to alignment or
  /// more similar than chance explains.
  ///
  /// Of 3,800 comparisons of photos of different places, two were accepted (36 were locked). Of 456
  /// locked comparisons of photos of the same view, three were rejected (Benchmarks/README.md lists
  /// the pairs).
  static func isOneView(isLocked: Bool, score: Double?, alike: Double) -> Bool {
    isLocked && ((score ?? 0) >= nearScore || alike >= surelyAlike)
  }

  /// Creates a verdict from a placement.
  package init(_ placement: ViewPlacement) {
    score = placement.score
    isLocked = Self.isOneView(
      isLocked: placement.isLocked, score: placement.score, alike: placement.alike)
    (dx, dy) = (placement.dx, placement.dy)
    (turnDegrees, zoom) = (placement.turnDegrees, placement.zoom)
  }

  /// Creates a verdict, or returns `nil` if a number is out of range.
  package init?(
    score: Double?, isLocked: Bool, dx: Double, dy: Double, turnDegrees: Double, zoom: Double
  ) {
    guard score.map({ (0...1).contains($0) }) ?? !isLocked, abs(dx) <= 10, abs(dy) <= 10,
      abs(turnDegrees) <= 180, (0.01...100).contains(zoom)
    else { return nil }
    (self.score, self.isLocked, self.dx, self.dy) = (score, isLocked, dx, dy)
    (self.turnDegrees, self.zoom) = (turnDegrees, zoom)
  }

  /// The score as displayed to users, 0 to 100.
  package var percent: Int { Int(saturating: ((score ?? 0) * 100).rounded()) }

  /// The similarity that maps the later photo onto the earlier one.
  ///
  /// `a` + i·`b` is the scale and the rotation about the centre; `x` and `y` are the displacement
  /// in widths of the earlier photo.
  var laterToEarlier: (a: Double, b: Double, x: Double, y: Double) {
    let radians = turnDegrees * .pi / 180
    let (a, b) = (cos(radians) / zoom, -sin(radians) / zoom)
    return (a, b, -(a * dx - b * dy), -(b * dx + a * dy))
  }
}
