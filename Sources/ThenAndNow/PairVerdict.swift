package import Alignment
import CLibrary

/// The result of comparing two photos.
package struct PairVerdict: Hashable, Sendable {
  /// The alignment score, 0 to 1; `nil` where it cannot be judged.
  package let score: Double?
  /// Whether both show one view.
  package let isLocked: Bool
  /// The displacement of the earlier photo's view to the right in the later one, in widths.
  package let dx: Double
  /// The downward displacement, in widths.
  package let dy: Double
  /// The clockwise rotation in degrees.
  package let turnDegrees: Double
  /// The scale.
  package let zoom: Double

  // Chance matches lie far away more often, among thousands of comparisons.
  private static let nearScore = 0.2
  private static let surelyAlike = 0.45

  /// Whether photos show one view: where they are locked, and lie near each other, or are alike
  /// beyond chance.
  ///
  /// Of 3,800 comparisons of photos of different places two were taken for one view (36 were
  /// locked), and of 456 of one view that were locked three were not (Benchmarks/README.md has the
  /// pairs).
  static func isOneView(isLocked: Bool, score: Double?, alike: Double) -> Bool {
    isLocked && ((score ?? 0) >= nearScore || alike >= surelyAlike)
  }

  /// Creates the verdict of a placement.
  package init(_ placement: ViewPlacement) {
    score = placement.score
    isLocked = Self.isOneView(
      isLocked: placement.isLocked, score: placement.score, alike: placement.alike)
    (dx, dy) = (placement.dx, placement.dy)
    (turnDegrees, zoom) = (placement.turnDegrees, placement.zoom)
  }

  /// Creates a verdict; `nil` where a number is out of range.
  package init?(
    score: Double?, isLocked: Bool, dx: Double, dy: Double, turnDegrees: Double, zoom: Double
  ) {
    guard score.map({ (0...1).contains($0) }) ?? !isLocked, abs(dx) <= 10, abs(dy) <= 10,
      abs(turnDegrees) <= 180, (0.01...100).contains(zoom)
    else { return nil }
    (self.score, self.isLocked, self.dx, self.dy) = (score, isLocked, dx, dy)
    (self.turnDegrees, self.zoom) = (turnDegrees, zoom)
  }

  /// The score as people see it, from 0 to 100.
  package var percent: Int { Int(saturating: ((score ?? 0) * 100).rounded()) }

  /// The similarity that lays the later photo on the earlier one: `a` + i·`b` is the zoom with the
  /// turn about its centre, `x` and `y` the displacement in widths of the earlier photo.
  var laidBack: (a: Double, b: Double, x: Double, y: Double) {
    let radians = turnDegrees * .pi / 180
    let (a, b) = (cos(radians) / zoom, -sin(radians) / zoom)
    return (a, b, -(a * dx - b * dy), -(b * dx + a * dy))
  }
}
