package import Spatial

/// Synthetic walks past photos as a receiver records them: one fix per second for ten minutes each.
package enum Walks {
  /// A position of a walk, with the seconds since the first walk began.
  package struct Step: Sendable {
    package let seconds: Double
    package let position: Coordinate
  }

  private static let stepsPerWalk = 600
  /// The pause between two walks, which is long enough for any distance between them.
  private static let pauseSeconds = 3600.0

  /// Returns steps of walks that begin at photos, one in ten at home, at walking pace and with a
  /// noise of some metres.
  package static func make(_ count: Int, past photos: [Coordinate]) -> [Step] {
    var random = SeededGenerator(seed: 7)
    var steps: [Step] = []
    var (seconds, bearing) = (0.0, 0.0)
    var position = PhotoPositions.home
    for step in 0..<count {
      if step % stepsPerWalk == 0 {
        if step > 0 { seconds += pauseSeconds }
        let isAtHome = Double.random(in: 0..<1, using: &random) < 0.1
        position =
          isAtHome
          ? PhotoPositions.home : photos.randomElement(using: &random) ?? PhotoPositions.home
        bearing = random.bearing()
      }
      let measured =
        position
        .moved(byMeters: abs(2 * random.normal()), towardsRadians: random.bearing())
        .rounded(toStepsPerDegree: 1e7)
      steps.append(Step(seconds: seconds, position: measured))
      seconds += 1
      bearing += 0.1 * random.normal()
      position = position.moved(byMeters: 1.4, towardsRadians: bearing)
    }
    return steps
  }
}
