import Spatial
import TestSupport

/// A distribution of positions that often breaks spatial code.
enum Layout: String, CaseIterable, Sendable {
  case uniform, clumped, cellEdges, antimeridian, poles, identical, line, circle

  /// Returns positions of this layout, which depend only on the seed.
  func positions(count: Int, seed: UInt64) -> [Coordinate] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in position(using: &generator) }
  }

  private func position(using generator: inout SeededGenerator) -> Coordinate {
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    let (latitude, longitude): (Double, Double) =
      switch self {
      case .uniform: (random(-90...90), random(-180...180))
      case .clumped:
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: (47.377 + random(-0.0005...0.0005), 8.527 + random(-0.0005...0.0005))
        case 1: (47.37 + random(-0.05...0.05), 8.52 + random(-0.05...0.05))
        case 2: (-33.8568 + random(-0.002...0.002), 151.2153 + random(-0.002...0.002))
        default: (random(-60...70), random(-180...180))
        }
      case .cellEdges:
        (
          (random(-3...3)).rounded() / 100 + [0, 1e-15, -1e-15, 1e-9].randomElement(
            using: &generator)!,
          (random(-3...3)).rounded() / 100 + [0, 1e-15, -1e-15, 1e-9].randomElement(
            using: &generator)!
        )
      case .antimeridian:
        (
          random(-0.02...0.02),
          [
            180, -180, 180 - random(0...0.02), -180 + random(0...0.02), 180 - random(0...2e-7),
          ].randomElement(using: &generator)!
        )
      case .poles:
        (
          [
            90, -90, 90 - random(0...1e-3), 90 - random(0...0.5), -90 + random(0...1e-3),
            90 - random(0...1e-8),
          ].randomElement(using: &generator)!, random(-180...180)
        )
      case .identical: (48.8584, 2.2945)
      case .circle:
        (52.09 + random(-0.0009...0.0009), 5.12 + random(-0.0014...0.0014))
      case .line: (45 + (random(0...2000)).rounded() * 1e-5, 7)
      }
    return Coordinate(latitude: latitude, longitude: longitude)!
  }
}
