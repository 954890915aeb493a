import Spatial
import TestSupport
import Testing

@testable import Towns

@Suite struct GazetteerTests {
  private let world = Gazetteer.world

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)!
  }

  /// All towns, read one by one.
  private static let all = (0..<Gazetteer.world.count).map { Gazetteer.world[$0] }

  @Test func `contains the towns of GeoNames`() {
    #expect(world.count == 34_006)
    #expect(
      Self.all.allSatisfy {
        !$0.name.isEmpty && !$0.country.isEmpty && $0.countryCode.utf8.count == 2
      })
    let arezzo = Self.all.first { $0.name == "Arezzo" }
    #expect(arezzo?.country == "Italy" && arezzo?.countryCode == "IT")
    #expect(arezzo.map { abs($0.coordinate.latitude - 43.46276) < 0.0003 } == true)
    #expect(arezzo.map { abs($0.coordinate.longitude - 11.88068) < 0.0003 } == true)
    // Characters too rare to have a code of their own.
    #expect(Self.all.contains { $0.name == "Ḩaḑabat al Ahrām" || $0.name.contains("ễ") })
  }

  @Test(
    arguments: [
      (43.4665, 11.8823, "Arezzo"), (43.3188, 11.3308, "Siena"), (48.8584, 2.2945, "Paris"),
      (-33.8568, 151.2153, "Sydney"), (40.6892, -74.0445, "New York City"),
      (-16.7, 180, "Labasa"), (-16.7, -180, "Labasa"),
    ])
  func `a position is named after the town it belongs to`(
    latitude: Double, longitude: Double, name: String
  ) {
    #expect(world.nearest(to: place(latitude, longitude))?.town.name == name)
  }

  @Test func `a position far from all towns has no name`() {
    for (latitude, longitude) in [(0.0, -150.0), (90, 0), (-90, 12), (-50, -180), (-50, 180)] {
      #expect(world.nearest(to: place(latitude, longitude)) == nil)
    }
  }

  /// Returns the expected result of `nearest(to:)`, by checking every town.
  private func nearestOfAll(to place: Coordinate) -> Town? {
    func kilometers(_ town: Town) -> Double {
      let turned = town.coordinate.longitude - place.longitude + 540
      let east = turned.truncatingRemainder(dividingBy: 360) - 180
      let y = (town.coordinate.latitude - place.latitude) * 111.19508
      let x = east * 111.19508 * place.cosine
      return (x * x + y * y).squareRoot()
    }
    let scored = Self.all.map { town in
      (town, kilometers(town), 2 + Double(town.population).squareRoot() / 70)
    }
    let near = scored.min { $0.1 / $0.2 < $1.1 / $1.2 }
    if let near, near.1 / near.2 < 1.6 { return near.0 }
    let nearest = scored.min { $0.1 < $1.1 }
    return nearest.flatMap { $0.0.coordinate.distance(to: place) <= 150_000 ? $0.0 : nil }
  }

  @Test func `the nearest town agrees with a brute-force search`() {
    var random = SeededGenerator(seed: 14)
    for round in 0..<Effort.scaled(64) {
      // Near towns, and anywhere.
      let town = Self.all[Int.random(in: 0..<Self.all.count, using: &random)].coordinate
      let reach = [0.05, 0.4, 3].randomElement(using: &random)!
      let latitude = town.latitude + .random(in: -reach...reach, using: &random)
      var longitude = town.longitude + .random(in: -reach...reach, using: &random)
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      let place = place(min(max(latitude, -90), 90), longitude)
      #expect(
        world.nearest(to: place)?.town == nearestOfAll(to: place), "round \(round): \(place)")
    }
  }

  @Test(
    arguments: [
      (40.0, 10.0, 45.0, 12.0), (-20, 170, -10, -170), (-90, -180, 90, 180), (43, 11, 43.5, 12),
      (60, 20, 60, 20), (89, -180, 90, 180),
    ])
  func `a box query finds exactly the towns inside, the largest first`(
    south: Double, west: Double, north: Double, east: Double
  ) {
    let box = BoundingBox(south: south, west: west, north: north, east: east)!
    let found = world.towns(in: box)
    #expect(Set(found) == Set(Self.all.indices.filter { box.contains(Self.all[$0].coordinate) }))
    let populations = found.map { Self.all[$0].population }
    #expect(populations == populations.sorted(by: >))
  }

  @Test(
    arguments: [
      ("Arezzo", "Arezzo"), ("arezz", "Arezzo"), ("SAO PAULO", "São Paulo"),
      ("são pau", "São Paulo"),
      ("zurich", "Zürich"), ("ziguinchor", "Ziguinchor"), ("gdansk", "Gdańsk"),
      ("york", "York"), ("new yor", "New York City"), ("clermont ferrand", "Clermont-Ferrand"),
      ("l'aquila", "L'Aquila"), ("laquila", "L'Aquila"), ("đa nang", "Da Nang"),
    ])
  func `a town is found by the beginning of its name, ignoring accents and punctuation`(
    text: String, name: String
  ) {
    let found = world.matches(text)
    #expect(found.first.map { Self.all[$0.town].name } == name)
    let exact = found.prefix { $0.isExact }.map(\.weight)
    let beginnings = found.dropFirst(exact.count)
    #expect(exact == exact.sorted(by: >) && beginnings.allSatisfy { !$0.isExact })
    #expect(beginnings.map(\.weight) == beginnings.map(\.weight).sorted(by: >))
  }

  @Test func `text that begins no name, or is empty, finds nothing`() {
    for text in ["", "  ", "'", "-", "qqqq", "東京駅", "rezzo"] {
      #expect(world.matches(text).allSatisfy { Self.all[$0.town].name.contains("Rezzo") })
    }
  }
}

extension Coordinate {
  fileprivate var cosine: Double { max(0, _cos(latitude * .pi / 180)) }
}

/// The cosine by its series, which is all that a comparison needs.
private func _cos(_ angle: Double) -> Double {
  var (sum, term) = (1.0, 1.0)
  for step in 1...14 {
    term *= -angle * angle / Double((2 * step - 1) * 2 * step)
    sum += term
  }
  return sum
}
