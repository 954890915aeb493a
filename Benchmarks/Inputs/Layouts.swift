package import Spatial

/// Layouts that are more difficult than a real library.
package enum Layouts {
  /// All layouts and a synthetic library, by name.
  package static let named: [(name: String, make: @Sendable (Int) -> [Coordinate])] = [
    ("library", { PhotoPositions(count: $0).positions }), ("place", onePlace),
    ("identical", identical), ("line", line), ("pole", pole), ("uniform", uniform),
  ]

  /// Positions within 100 m of one place.
  package static func onePlace(_ count: Int) -> [Coordinate] {
    var random = SeededGenerator(seed: 1)
    return (0..<count).map { _ in
      let distance = 100 * Double.random(in: 0...1, using: &random).squareRoot()
      return PhotoPositions.home
        .moved(byMeters: distance, towardsRadians: random.bearing())
        .rounded(toStepsPerDegree: PhotoPositions.stepsPerDegree)
    }
  }

  /// The same position repeatedly.
  package static func identical(_ count: Int) -> [Coordinate] {
    Array(repeating: PhotoPositions.home, count: count)
  }

  /// Positions on a line of 1000 km, in random order.
  package static func line(_ count: Int) -> [Coordinate] {
    var random = SeededGenerator(seed: 4)
    return (0..<count).map { _ in
      Coordinate(
        latitude: 45, wrappingLongitude: (Double.random(in: 0...12.7, using: &random)))
    }
  }

  /// Positions within 10 km of the north pole.
  package static func pole(_ count: Int) -> [Coordinate] {
    var random = SeededGenerator(seed: 5)
    let degreesPerMeter = 180 / (Double.pi * Earth.meanRadiusMeters)
    return (0..<count).map { _ in
      let distance = 10_000 * Double.random(in: 0...1, using: &random).squareRoot()
      return Coordinate(
        latitude: 90 - distance * degreesPerMeter,
        wrappingLongitude: Double.random(in: -180..<180, using: &random))
    }
  }

  /// Positions anywhere on the globe.
  package static func uniform(_ count: Int) -> [Coordinate] {
    var random = SeededGenerator(seed: 2)
    return (0..<count).map { _ in random.positionOnGlobe() }
  }
}

/// Positions of queries by a user who carries a phone.
package enum QueryPoints {
  /// Returns query positions: 10 % at home, 40 % near photos, 45 % in visited cities and 5 %
  /// anywhere on the globe. They are rounded to 1e-7°, as by a receiver.
  package static func make(_ count: Int, over photos: [Coordinate]) -> [Coordinate] {
    makeWithKinds(count, over: photos).map(\.position)
  }

  /// Returns the same positions with their kinds: 0 at home, 1 near photos, 2 in a city, 3
  /// anywhere.
  package static func makeWithKinds(
    _ count: Int, over photos: [Coordinate]
  ) -> [(position: Coordinate, kind: Int)] {
    var random = SeededGenerator(seed: 3)
    return (0..<count).map { _ in
      let (position, kind) =
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.1: (away(from: PhotoPositions.home, upTo: 300, &random), 0)
        case ..<0.5: (away(from: photos.randomElement(using: &random), upTo: 60, &random), 1)
        case ..<0.95:
          (away(from: PhotoPositions.cities.randomElement(using: &random), upTo: 5000, &random), 2)
        default: (random.positionOnGlobe(), 3)
        }
      return (position.rounded(toStepsPerDegree: 1e7), kind)
    }
  }

  private static func away(
    from place: Coordinate?, upTo meters: Double, _ random: inout SeededGenerator
  ) -> Coordinate {
    (place ?? PhotoPositions.home).moved(
      byMeters: Double.random(in: 0...meters, using: &random), towardsRadians: random.bearing())
  }
}
