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
      // Outside of İzmir and Tbilisi, whose reaches are 25 and 17 km.
      (38.1408, 26.8817, "Seferihisar"), (41.4754, 44.9201, "Marneuli"),
    ])
  func `a position is named after the town it belongs to`(
    latitude: Double, longitude: Double, name: String
  ) {
    #expect(world.nearest(to: place(latitude, longitude))?.town.name == name)
  }

  @Test(
    arguments: [
      (35.5015, 12.6065, "IT", "Lampedusa"), (55.1005, 14.6960, "DK", "Rønne"),
      (55.3200, 15.1880, "DK", "Christiansø"), (54.1830, 7.8880, "DE", "Helgoland"),
      (47.6960, 8.6900, "DE", "Büsingen"), (45.9690, 8.9710, "IT", "Campione"),
      (42.4650, 1.9810, "ES", "Llívia"), (46.9430, 10.3620, "CH", "Samnaun"),
      (47.5900, 7.5600, "FR", "Saint-Louis"), (43.7220, 7.4060, "FR", "Cap-d'Ail"),
      (46.2560, 6.1080, "FR", "Ferney-Voltaire"), (50.7710, 6.0180, "NL", "Vaals"),
      (39.7890, 19.9220, "GR", "Kassiopi"), (36.1490, 29.5930, "GR", "Megísti"),
      (35.8490, -5.3560, "MA", "Fnidek"), (-17.8500, 25.8600, "ZM", "Livingstone"),
      (44.8600, -66.9840, "US", nil), (42.3190, -83.0430, "CA", nil),
      (31.7380, -106.4850, "MX", nil),
    ])
  func `a place in another country than the nearest large town is not named as if it were there`(
    latitude: Double, longitude: Double, country: String, name: String?
  ) {
    let found = world.nearest(to: place(latitude, longitude))
    if let name {
      #expect(found?.town.countryCode == country && found?.isInCountry == true)
      #expect(found?.placeName == found?.town.name && found?.town.name.hasPrefix(name) == true)
    } else {
      // The border is between the place and towns of both countries: so the name says.
      #expect(
        found?.town.countryCode == country || found?.placeName.hasPrefix("near ") == true
          || found?.placeName.contains(" km from ") == true)
    }
  }

  @Test func `a position far from all towns has no name`() {
    for (latitude, longitude) in [(0.0, -150.0), (90, 0), (-90, 12), (-50, -180), (-50, 180)] {
      #expect(world.nearest(to: place(latitude, longitude)) == nil)
    }
  }

  /// One town or smaller place of a table.
  private struct Known {
    let town: Int
    let data: TownData
    let isTown: Bool
    let latitude: Double
    let longitude: Double
    let population: Int
    let country: UInt8
  }

  /// All towns and smaller places, read without their names.
  private static let known = [TownData.ofProgram, .villages].enumerated().flatMap { table, data in
    (0..<180).flatMap { band in
      data.towns(inBand: band).map { town in
        let position = data.position(town)
        return Known(
          town: town, data: data, isTown: table == 0,
          latitude: Double(band - 90) + Double(position & 0xFFF) / 4096,
          longitude: Double(position >> 12) * (360 / 1_048_576) - 180,
          population: data.population(town), country: data.countryNumber(town))
      }
    }
  }

  /// Returns the expected result of `nearest(to:)`, by checking every town and smaller place.
  private func nearestOfAll(to place: Coordinate) -> (town: Town, isInCountry: Bool)? {
    func ratio(_ known: (known: Known, kilometers: Double)) -> Double {
      known.kilometers / (2 + Double(known.known.population).squareRoot() / 70)
    }
    let cosine = place.cosine
    let near = Self.known.compactMap { known -> (known: Known, kilometers: Double)? in
      let y = (known.latitude - place.latitude) * 111.19508
      guard abs(y) < 150 else { return nil }
      let turned = known.longitude - place.longitude + 540
      let east = turned.truncatingRemainder(dividingBy: 360) - 180
      let x = east * 111.19508 * cosine
      let kilometers = (x * x + y * y).squareRoot()
      return kilometers < (known.isTown ? 150 : 75) ? (known, kilometers) : nil
    }
    guard let first = near.min(by: { $0.kilometers < $1.kilometers }) else { return nil }
    let own = near.filter { $0.known.country == first.known.country }
    let foreign = near.filter { $0.known.country != first.known.country }
    let isApart = foreign.allSatisfy { first.kilometers * 2 <= $0.kilometers }
    let isReached = foreign.contains { $0.known.isTown && ratio($0) <= 0.5 }
    let reached = own.min { ratio($0) < ratio($1) }.filter { ratio($0) < 1 }
    let town = own.filter(\.known.isTown).min { ratio($0) < ratio($1) }.filter { ratio($0) < 0.5 }
    let nearestTown = own.filter(\.known.isTown).min { $0.kilometers < $1.kilometers }
    let known = nearestTown.filter {
      first.kilometers > 10 && $0.kilometers < 2 * first.kilometers
    }
    let chosen = (town ?? reached ?? known ?? first).known
    return (
      world.town(chosen.town, chosen.data),
      first.kilometers <= 0.3 || isApart && (first.kilometers <= 1 || !isReached)
    )
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
      let (found, expected) = (world.nearest(to: place), nearestOfAll(to: place))
      #expect(found?.town == expected?.town, "round \(round): \(place)")
      #expect(found?.isInCountry == expected?.isInCountry, "round \(round): \(place)")
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

extension Optional {
  /// The value if it meets a condition.
  fileprivate func filter(_ condition: (Wrapped) -> Bool) -> Self {
    flatMap { condition($0) ? $0 : nil }
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
