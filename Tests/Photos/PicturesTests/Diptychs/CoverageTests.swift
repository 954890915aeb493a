import TestSupport
import Testing

@testable import Pictures

@Suite struct CoverageTests {
  private typealias Point = GlyphOutlines.Point

  private func coverage(_ contours: [[(Double, Double)]], side: Int = 8) -> Coverage {
    var outline = OutlineCoverage(width: side, height: side)
    for contour in contours { outline.add(contour.map { Point(x: $0.0, y: $0.1) }) }
    return outline.coverage
  }

  /// The coverage by 16 × 16 samples in each pixel, tested by the winding number.
  private func bruteForce(_ contour: [(Double, Double)], side: Int) -> [Double] {
    (0..<side * side).map { pixel in
      var inside = 0
      for place in 0..<256 {
        let x = Double(pixel % side) + (Double(place % 16) + 0.5) / 16
        let y = Double(pixel / side) + (Double(place / 16) + 0.5) / 16
        var winding = 0
        for (from, to) in zip(contour, contour.dropFirst() + contour.prefix(1)) {
          let cross = (to.0 - from.0) * (y - from.1) - (x - from.0) * (to.1 - from.1)
          if from.1 <= y, to.1 > y, cross > 0 { winding += 1 }
          if from.1 > y, to.1 <= y, cross < 0 { winding -= 1 }
        }
        inside += winding == 0 ? 0 : 1
      }
      return Double(inside) / 256 * 255
    }
  }

  @Test func `an edge inside a pixel covers part of it`() {
    let box = coverage([[(1.5, 1.25), (4, 1.25), (4, 3), (1.5, 3)]])
    let rows = (0..<4).map { row in box.values[row * 8..<row * 8 + 5].map { Int($0) } }
    #expect(
      rows == [
        [0, 0, 0, 0, 0], [0, 96, 191, 191, 0], [0, 128, 255, 255, 0], [0, 0, 0, 0, 0],
      ])
  }

  @Test func `a triangle's coverage agrees with brute-force sampling`() {
    for seed: UInt64 in 1...60 {
      var generator = SeededGenerator(seed: seed)
      let contour = (0..<3).map { _ in
        (Double.random(in: 0...8, using: &generator), Double.random(in: 0...8, using: &generator))
      }
      let (exact, counted) = (coverage([contour]), bruteForce(contour, side: 8))
      for (pixel, value) in exact.values.enumerated() {
        #expect(abs(Double(value) - counted[pixel]) < 24, "seed \(seed), pixel \(pixel)")
      }
      let sum = exact.values.reduce(0) { $0 + Double($1) } / 255
      let area =
        abs(
          (contour[1].0 - contour[0].0) * (contour[2].1 - contour[0].1)
            - (contour[2].0 - contour[0].0) * (contour[1].1 - contour[0].1)) / 2
      #expect(abs(sum - area) < 0.1, "seed \(seed)")
    }
  }

  @Test func `an opposite inner contour cuts a hole, and overlapping contours count once`() {
    let square = [(1.0, 1.0), (6.0, 1.0), (6.0, 6.0), (1.0, 6.0)]
    let inner = [(2.0, 2.0), (2.0, 4.0), (4.0, 4.0), (4.0, 2.0)]
    #expect(coverage([square, inner]).values[3 * 8 + 3] == 0)
    #expect(coverage([square, square]).values == coverage([square]).values)
  }

  @Test func `a contour without on-curve points is drawn as curves`() {
    var outline = OutlineCoverage(width: 20, height: 20)
    outline.add(
      [(2.0, 2.0), (18.0, 2.0), (18.0, 18.0), (2.0, 18.0)].map {
        Point(x: $0.0, y: $0.1, isOnCurve: false)
      })
    let values = outline.coverage.values
    #expect(values[10 * 20 + 10] == 255 && values[3 * 20 + 3] == 0)
    // At each corner, a parabola leaves out a third of the triangle.
    let area = values.reduce(0) { $0 + Double($1) } / 255
    #expect(abs(area - (256 - 4 * 32.0 / 3)) < 4)
  }

  @Test func `contours outside the picture are clipped, and degenerate ones cover nothing`() {
    let far = coverage([[(-50, -50), (90, -50), (90, 90), (-50, 90)]])
    #expect(far.values.allSatisfy { $0 == 255 })
    #expect(coverage([[(20, 20), (30, 20), (30, 30)]]).values.allSatisfy { $0 == 0 })
    #expect(coverage([[], [(1, 1)], [(1, 1), (2, 2)]]).values.allSatisfy { $0 == 0 })
  }

  @Test func `a box with rounded corners leaves its corner pixels empty`() {
    let box = Coverage(boxOfWidth: 20, height: 10, cornerRadius: 4)
    #expect(box.values[0] == 0 && box.values[10] == 255 && box.values[5 * 20] == 255)
  }
}
