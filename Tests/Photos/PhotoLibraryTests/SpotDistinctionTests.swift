import CivilTime
import PhotoLibrary
import PhotoMetadata
import Spatial
import SystemPackage
import TestSupport
import Testing

/// Spots of one name are told apart.
@Suite struct SpotDistinctionTests {
  private struct Fact {
    let latitude: Double
    let longitude: Double
    var years: (Int, Int)?
  }

  private func texts(_ facts: [Fact], _ titles: [String]) throws -> [String?] {
    let spots = try facts.enumerated().map { number, fact in
      let coordinate = try #require(
        Coordinate(latitude: fact.latitude, longitude: fact.longitude))
      func time(_ year: Int, _ day: Int) -> CaptureTime? {
        CivilDateTime(year: year, month: 5, day: day).map { CaptureTime(instant: $0.instant()) }
      }
      return PhotoSpot(
        id: "47xjsbmtz9s\(number)", coordinate: coordinate, anchor: coordinate, radiusMeters: 1,
        photoCount: 1, firstCaptured: fact.years.flatMap { time($0.0, max(1, 9 - number)) },
        lastCaptured: fact.years.flatMap { time($0.1, 10) }, cover: "/a.jpg")
    }
    return zip(titles, SpotDistinction.among(spots, titled: titles)).map { title, found in
      found.map { $0.added(to: title) }
    }
  }

  @Test func `spots of one name are told apart by their towns`() throws {
    let found = try texts(
      [
        Fact(latitude: 48.2082, longitude: 16.3738), Fact(latitude: 47.0667, longitude: 15.4333),
        Fact(latitude: 48.8566, longitude: 2.3522),
      ], ["Home", "Home", "Other"])
    #expect(found[1] == "Home, Graz" && found[2] == nil)
    #expect(found[0]?.hasPrefix("Home, ") == true && found[0] != found[1], "\(found)")
  }

  @Test func `a part of a town is named without the town`() throws {
    let found = try texts(
      [Fact(latitude: 48.86194, longitude: 2.28831), Fact(latitude: 48.8566, longitude: 2.3422)],
      ["Paris", "Paris"])
    #expect(found[0] == "Paris, 16 Passy", "\(found)")
  }

  @Test func `spots in one town are told apart by their way from its middle`() throws {
    let found = try texts(
      [
        Fact(latitude: 43.4631, longitude: 11.8783), Fact(latitude: 43.4631, longitude: 11.9283),
        Fact(latitude: 43.4431, longitude: 11.8783),
      ], ["Arezzo", "Arezzo", "Arezzo"])
    #expect(Set(found).count == 3)
    #expect(found[0]?.hasPrefix("Arezzo, ") == true, "\(found)")
    #expect(found[2] == "Arezzo, 2.2 km S", "\(found)")
  }

  @Test func `spots beside each other are told apart by years, and those of one year by numbers`()
    throws
  {
    let place = Fact(latitude: 48.19902, longitude: 16.36997)
    func fact(_ years: (Int, Int)?) -> Fact {
      Fact(latitude: place.latitude, longitude: place.longitude, years: years)
    }
    let found = try texts(
      [fact((2011, 2011)), fact((2012, 2016)), fact((2020, 2020)), fact((2020, 2020)), fact(nil)],
      Array(repeating: "Home", count: 5))
    // Of the two of 2020 the second was taken first; an undated one comes last.
    #expect(found == ["Home, 2011", "Home, 2012–2016", "Home (2)", "Home (1)", "Home (3)"])
  }

  @Test func `no two of many spots have one label`() throws {
    var random = SeededGenerator(seed: 7)
    let facts = (0..<2000).map { _ in
      let year = 2000 + Int.random(in: 0..<20, using: &random)
      return Fact(
        latitude: 48.2 + .random(in: -0.05...0.05, using: &random),
        longitude: 16.37 + .random(in: -0.05...0.05, using: &random), years: (year, year))
    }
    let titles = facts.indices.map { ["Home", "Wien", "Park"][$0 % 3] }
    let found = try texts(facts, titles)
    #expect(Set(found).count == facts.count)
    #expect(!found.contains(nil))
  }
}
