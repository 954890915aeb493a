package import Spatial

/// Synthetic positions of a photo library, in order of capture. They depend only on the count.
///
/// Photos are taken on outings, with these shares of all photos:
/// - 30 % at home: within 100 m of one place, which is one very full grid cell;
/// - 5 % at work, 10 % about the home town, some of them far out;
/// - 50 % on trips: walks with some metres between photos in sixteen cities, the first ones visited
///   most often; two of the cities lie on the antimeridian, two near the poles;
/// - 4.5 % on drives, 50 m to 3 km apart;
/// - 0.5 % anywhere on the globe, among them the poles, ±180° and 0°, 0°.
///
/// One photo in twenty belongs to a burst, at exactly the position of the previous photo. Every
/// coordinate is a multiple of 0.01″ (0.3 m), as cameras write it.
package struct PhotoPositions {
  package let positions: [Coordinate]

  package init(count: Int, seed: UInt64 = 2005) {
    var library = Library(count: count, random: SeededGenerator(seed: seed))
    library.fill()
    positions = library.positions
  }

  /// The number of steps of 0.01″ in a degree.
  static let stepsPerDegree = 360_000.0
  package static let home = Coordinate(latitude: 52.0907, wrappingLongitude: 5.1214)
  static let work = Coordinate(latitude: 52.0853, wrappingLongitude: 5.1689)
  package static let cities: [Coordinate] = [
    (41.3874, 2.1686), (48.2082, 16.3738), (55.9533, -3.1883), (43.7102, 7.2620),
    (38.1157, 13.3615), (35.0116, 135.7681), (45.5019, -73.5674), (-41.2866, 174.7756),
    (-12.0464, -77.0428), (-1.2921, 36.8219), (29.9511, -90.0715), (60.3913, 5.3221),
    (-16.7797, 179.9936), (65.0833, -179.9500), (78.2232, 15.6469), (-64.8253, -63.4950),
  ].map { Coordinate(latitude: $0.0, wrappingLongitude: $0.1) }
}

/// A library under construction.
private struct Library {
  let count: Int
  var random: SeededGenerator
  var positions: [Coordinate] = []

  /// The kinds of outings, with their shares of all photos and their lengths.
  private enum Outing: CaseIterable {
    case home, work, town, trip, drive, anywhere

    var share: Double {
      switch self {
      case .home: 0.3
      case .work: 0.05
      case .town: 0.1
      case .trip: 0.5
      case .drive: 0.045
      case .anywhere: 0.005
      }
    }

    var meanLength: Double {
      switch self {
      case .home: 5
      case .work: 4
      case .town: 10
      case .trip: 60
      case .drive: 40
      case .anywhere: 1
      }
    }
  }

  init(count: Int, random: SeededGenerator) {
    self.count = count
    self.random = random
    positions.reserveCapacity(count)
  }

  mutating func fill() {
    let weights = Outing.allCases.map { $0.share / $0.meanLength }
    while positions.count < count {
      let outing = Outing.allCases[choice(weights)]
      let length = 1 + Int(2 * (outing.meanLength - 1) * uniform(0...1))
      add(outing, length: length)
    }
  }

  private mutating func add(_ outing: Outing, length: Int) {
    switch outing {
    case .home:
      for _ in 0..<length { add(near(PhotoPositions.home, spread: 30, limit: 100)) }
    case .work:
      for _ in 0..<length { add(near(PhotoPositions.work, spread: 40, limit: 150)) }
    case .town:
      let distance = min(random.logNormal(median: 2500, sigma: 1.2), 40_000)
      let start = PhotoPositions.home.moved(
        byMeters: distance, towardsRadians: random.bearing())
      walk(from: start, length: length, median: 12, sigma: 1)
    case .trip:
      // The nth city is visited 1/n times as often as the first.
      let city = PhotoPositions.cities[
        choice(PhotoPositions.cities.indices.map { 1 / Double($0 + 1) })]
      walk(from: near(city, spread: 1500, limit: 6000), length: length, median: 20, sigma: 1.2)
    case .drive:
      let start =
        uniform(0...1) < 0.5 ? PhotoPositions.home : PhotoPositions.cities[choice([5, 3, 2])]
      walk(from: start, length: length, median: 400, sigma: 1, limits: 50...3000)
    case .anywhere:
      add(anywhere())
    }
  }

  /// Adds photos along a path whose direction changes gradually.
  private mutating func walk(
    from start: Coordinate, length: Int, median: Double, sigma: Double,
    limits: ClosedRange<Double> = 0...300
  ) {
    var position = start
    var bearing = random.bearing()
    for _ in 0..<length {
      add(position)
      bearing += 0.6 * random.normal()
      let step = random.logNormal(median: median, sigma: sigma)
      position = position.moved(
        byMeters: min(max(step, limits.lowerBound), limits.upperBound), towardsRadians: bearing)
    }
  }

  private mutating func add(_ position: Coordinate) {
    guard positions.count < count else { return }
    let isBurst = uniform(0...1) < 0.05
    if isBurst, let last = positions.last {
      positions.append(last)
    } else {
      positions.append(position.rounded(toStepsPerDegree: PhotoPositions.stepsPerDegree))
    }
  }

  private mutating func near(_ place: Coordinate, spread: Double, limit: Double) -> Coordinate {
    place.moved(
      byMeters: min(abs(spread * random.normal()), limit), towardsRadians: random.bearing())
  }

  private mutating func anywhere() -> Coordinate {
    let corners = [(90.0, 0.0), (-90, 0), (0, 180), (0, -180), (0, 0)]
    let place = choice([0.9] + corners.map { _ in 0.02 })
    guard place > 0 else { return random.positionOnGlobe() }
    let (latitude, longitude) = corners[place - 1]
    return Coordinate(latitude: latitude, wrappingLongitude: longitude)
  }

  private mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &random)
  }

  /// Returns a random index with the given weights.
  private mutating func choice(_ weights: [Double]) -> Int {
    var rest = Double.random(in: 0..<weights.reduce(0, +), using: &random)
    for (index, weight) in weights.enumerated() {
      rest -= weight
      if rest < 0 { return index }
    }
    return weights.count - 1
  }
}
