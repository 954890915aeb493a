import CivilTime
import TestSupport
import Testing

@Suite struct CivilDateTimeTests {
  @Test func `rejects dates and times that do not exist`() {
    #expect(CivilDateTime(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDateTime(year: 2000, month: 2, day: 29) != nil)
    for (year, month, day) in [
      (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0),
      (10_000, 1, 1), (-1, 1, 1), (.max, .max, .max), (.min, .min, .min),
    ] {
      #expect(CivilDateTime(year: year, month: month, day: day) == nil)
    }
    for (hour, minute, second, millisecond) in [
      (24, 0, 0, 0), (0, 60, 0, 0), (0, 0, 61, 0), (0, 0, 0, 1000), (-1, 0, 0, 0),
    ] {
      #expect(
        CivilDateTime(
          year: 2024, month: 1, day: 1, hour: hour, minute: minute, second: second,
          millisecond: millisecond) == nil)
    }
  }

  @Test func `instants round-trip through civil times and ISO 8601 text at any offset`() throws {
    var generator = SeededGenerator(seed: 91)
    for _ in 0..<5000 {
      let instant = Instant(
        millisecondsSince1970: .random(
          in: -62_000_000_000_000...253_000_000_000_000, using: &generator))
      let offset = Int.random(in: -900...900, using: &generator)
      let shown = try #require(CivilDateTime(instant, utcOffsetMinutes: offset))
      #expect(shown.instant(utcOffsetMinutes: offset) == instant)
      #expect(Instant(iso8601: instant.iso8601(utcOffsetMinutes: offset)) == instant)
      #expect(Instant(iso8601: instant.iso8601) == instant)
    }
    #expect(CivilDateTime(Instant(millisecondsSince1970: .max)) == nil)
    #expect(CivilDateTime(Instant(millisecondsSince1970: .min), utcOffsetMinutes: -900) == nil)
  }

  @Test func `parses ISO 8601 dates with and without time, fraction and offset`() throws {
    func parse(_ text: String) -> (String, Int?)? {
      CivilDateTime.parse(iso8601: Array(text.utf8)).map {
        ($0.dateTime.instant().iso8601, $0.utcOffsetMinutes)
      }
    }
    for (text, time, offset) in [
      ("2024-04-13", "2024-04-13T00:00:00.000Z", nil),
      ("2024-04-13T20:34", "2024-04-13T20:34:00.000Z", nil),
      ("2024-04-13t20:34:30,5", "2024-04-13T20:34:30.500Z", nil),
      ("2024-04-13 20:34:30.123456789+05:45", "2024-04-13T20:34:30.123Z", 345),
      ("2024-04-13T20:34:30-0330", "2024-04-13T20:34:30.000Z", -210),
      ("2024-04-13T20:34:30+01", "2024-04-13T20:34:30.000Z", 60),
      ("2024-04-13T20:34:30z", "2024-04-13T20:34:30.000Z", 0),
    ] as [(String, String, Int?)] {
      let found = try #require(parse(text), "\(text)")
      #expect(found.0 == time && found.1 == offset, "\(text)")
    }
    for text in [
      "2024-4-13", "24-04-13", "2024-04-13T", "2024-04-13T20", "2024-04-13T20:34:",
      "2024-04-13T20:34:30.",
      "2024-04-13T20:34:30+", "2024-04-13T20:34:30+1", "2024-04-13T20:34:30+24:00",
      "2024-04-13T20:34:30+01:60", "2024-04-13T20:34:30+01:", "2024-04-13T20:34:30 +01:00",
      "+2024-04-13",
      "2024-04-13T20:34:30.5.", "2024-04-13x",
    ] {
      #expect(parse(text) == nil, "\(text)")
    }
  }

  @Test func `rejects trailing text after a very long fraction`() {
    let long = "2024-04-13T20:34:30." + String(repeating: "1", count: 43) + "Z"
    #expect(Instant(iso8601: long) != nil)
    #expect(Instant(iso8601: long + "garbage") == nil)
    #expect(CivilDateTime.parse(iso8601: Array((long + "garbage").utf8)) == nil)
  }

  @Test func `adding any number of seconds does not overflow`() {
    let end = Instant(millisecondsSince1970: .max)
    for seconds in [1e300, -1e300, .infinity, -.infinity, .nan, 9.3e15] {
      _ = end.advanced(bySeconds: seconds)
      _ = Instant(millisecondsSince1970: .min).advanced(bySeconds: seconds)
    }
    #expect(
      Instant(secondsSince1970: 1).advanced(bySeconds: 0.0004) == Instant(secondsSince1970: 1))
  }
}
