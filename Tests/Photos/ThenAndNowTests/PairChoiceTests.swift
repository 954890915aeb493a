import CivilTime
import Spatial
import TestSupport
import Testing

@testable import ThenAndNow

@Suite struct PairChoiceTests {
  private static func photo(
    _ date: String, metersNorth: Double = 0, heading: Double? = nil, film: Double? = nil,
    isWanted: Bool = true
  ) throws -> PairCandidate {
    let instant = try #require(Instant(iso8601: date + "T12:00:00Z"))
    let coordinate = try #require(
      Coordinate(latitude: 43.4674 + metersNorth / 111_195, longitude: 11.8851))
    return PairCandidate(
      day: CivilDay(instant), instant: instant, coordinate: coordinate, headingDegrees: heading,
      filmMillimeters: film, isWanted: isWanted)
  }

  private static func pairs(
    _ photos: [PairCandidate], minimumYears: Double = 5
  ) -> [[Int]] {
    PairChoice(minimumYears: minimumYears).pairs(of: photos).map { [$0.earlier, $0.later] }
  }

  @Test(arguments: [
    ("2014-06-08", "2019-06-08", true), ("2014-06-08", "2019-06-07", false),
    ("2016-02-29", "2021-03-01", true), ("2016-02-29", "2021-02-28", false),
    ("1999-12-31", "2004-12-31", true), ("2019-06-08", "2014-06-08", true),
  ])
  func `five years are counted to the day`(first: String, second: String, isPair: Bool) throws {
    let photos = try [Self.photo(first), Self.photo(second)]
    #expect(Self.pairs(photos).isEmpty != isPair)
  }

  @Test func `pairs have the earlier photo first, and fractions of years count`() throws {
    let photos = try [Self.photo("2020-12-08"), Self.photo("2014-06-08")]
    let pairs = PairChoice(minimumYears: 6.4).pairs(of: photos)
    #expect(pairs.map { [$0.earlier, $0.later] } == [[1, 0]])
    #expect(try #require(pairs.first).years > 6.49 && pairs[0].years < 6.51)
    #expect(Self.pairs(photos, minimumYears: 6.6).isEmpty)
  }

  @Test(
    arguments: [
      (nil, nil, true), (10, nil, true), (10, 40, true), (10, 41, false), (350, 15, true),
      (350, 25, false), (0, 180, false), (360, 0, true),
    ] as [(Double?, Double?, Bool)])
  func `photos with opposite headings are not compared, if both are known`(
    one: Double?, other: Double?, isPair: Bool
  ) throws {
    let photos = try [
      Self.photo("1994-05-01", heading: one), Self.photo("2024-05-01", heading: other),
    ]
    #expect(Self.pairs(photos).isEmpty != isPair)
  }

  @Test(
    arguments: [
      (nil, 28, true), (28, 42, true), (28, 43, false), (90, 50, false), (26, 24, true),
    ] as [(Double?, Double?, Bool)])
  func `photos with very different focal lengths are not compared, if both are known`(
    one: Double?, other: Double?, isPair: Bool
  ) throws {
    let photos = try [Self.photo("1994-05-01", film: one), Self.photo("2024-05-01", film: other)]
    #expect(Self.pairs(photos).isEmpty != isPair)
  }

  @Test func `each pair has a requested photo`() throws {
    let photos = try [
      Self.photo("1994-05-01", isWanted: false), Self.photo("2004-05-01", isWanted: false),
      Self.photo("2014-05-01"), Self.photo("2024-05-01", isWanted: false),
    ]
    #expect(Set(Self.pairs(photos)) == [[0, 2], [1, 2], [2, 3]])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `all plausible pairs of few photos are compared`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let photos = try (0..<Int.random(in: 0...20, using: &random)).map { _ in
      let month = Int.random(in: 10...12, using: &random)
      return try Self.photo(
        "\(Int.random(in: 1990...2024, using: &random))-\(month)-\(month + 7)",
        metersNorth: Double.random(in: 0...14, using: &random),
        heading: Bool.random(using: &random) ? Double.random(in: 0...360, using: &random) : nil,
        film: Bool.random(using: &random) ? Double.random(in: 20...60, using: &random) : nil)
    }
    var expected: Set<[Int]> = []
    for (earlier, old) in photos.enumerated() {
      for (later, new) in photos.enumerated() {
        guard let years = new.years(since: old), years >= 5, new.unlikeness(to: old) != nil else {
          continue
        }
        expected.insert([earlier, later])
      }
    }
    let pairs = Self.pairs(photos)
    #expect(Set(pairs) == expected && pairs.count == expected.count, "seed \(seed)")
  }

  @Test
  func `the pairs of 3000 photos are limited, and cover every year and the nearest`()
    throws
  {
    var random = SeededGenerator(seed: 9)
    // Mostly of the last year, as in spots near a home.
    let photos = try (0..<3000).map { index in
      let year = index < 2000 ? 2024 : 1990 + index % 34
      let month = Int.random(in: 10...12, using: &random)
      return try Self.photo(
        "\(year)-\(month)-\(Int.random(in: 10...28, using: &random))",
        metersNorth: Double(index % 15))
    }
    let pairs = Self.pairs(photos)
    let compared = Set(pairs.flatMap { $0 })
    #expect(pairs.count == 240 && compared.count <= 80)
    #expect(Set(pairs).count == pairs.count)
    #expect(Set(pairs.map { photos[$0[1]].day.year }).isSuperset(of: 1995...2024))
    // The first pairs of each year: the nearest photo is at the same position.
    for pair in pairs.prefix(20) {
      #expect(photos[pair[0]].coordinate.distance(to: photos[pair[1]].coordinate) < 0.01)
    }
  }

  @Test func `one old photo among a thousand new ones is compared with the nearest of them`() throws
  {
    let photos =
      try [Self.photo("1994-05-01", heading: 90)]
      + (0..<1000).map { index in
        try Self.photo("2024-05-01", metersNorth: 14, heading: index == 700 ? 92 : 115)
      }
    let pairs = Self.pairs(photos)
    #expect(pairs.first == [0, 701] && pairs.count == 79)
  }

  @Test func `none or many photos of the same day give no pairs`() throws {
    let photo = try Self.photo("2024-05-01")
    #expect(Self.pairs([]).isEmpty && Self.pairs([photo]).isEmpty)
    #expect(Self.pairs(Array(repeating: photo, count: 2000), minimumYears: 0).isEmpty)
  }
}
