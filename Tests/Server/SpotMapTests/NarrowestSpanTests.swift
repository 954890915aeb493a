import TestSupport
import Testing

@testable import SpotMap

@Suite struct NarrowestSpanTests {
  private func span(_ longitudes: [Double]) -> [Double]? {
    var span = NarrowestSpan()
    for longitude in longitudes { span.add(longitude) }
    return span.span.map { [$0.west, $0.east] }
  }

  @Test(
    arguments: [
      ([], nil), ([7.5], [7.5, 7.5]), ([-1, 2], [-1, 2]), ([179, -179], [179, -179]),
      ([-180, 180], [180, -180]), ([2.288, -78.5, 180, -0.0015], [180, 2.288]),
      ([10, 100, -100], [-100, 100]), ([120, -120, 0, 1], [-120, 120]),
    ] as [([Double], [Double]?)])
  func `a span excludes the widest gap`(_ longitudes: [Double], _ expected: [Double]?) {
    #expect(span(longitudes) == expected)
  }

  @Test func `the span is the narrowest one, within a step`() {
    var generator = SeededGenerator(seed: 11)
    for count in 1...60 {
      let longitudes = (0..<count).map { _ in Double.random(in: -180...180, using: &generator) }
      let sorted = longitudes.sorted()
      let gaps =
        zip(sorted, sorted.dropFirst()).map { $1 - $0 } + [sorted[0] + 360 - sorted[count - 1]]
      guard let found = span(longitudes) else {
        Issue.record("\(longitudes)")
        continue
      }
      let width = found[1] - found[0] + (found[0] > found[1] ? 360 : 0)
      #expect(abs(width - (360 - (gaps.max() ?? 0))) <= 360.0 / 4096, "\(longitudes)")
    }
  }
}
