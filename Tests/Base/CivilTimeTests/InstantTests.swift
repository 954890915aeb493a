import CivilTime
import TestSupport
import Testing

@Suite struct InstantTests {
  @Test func `reads and writes ISO 8601`() throws {
    let instant = try #require(Instant(iso8601: "2026-11-20T12:00:00.250Z"))
    #expect(instant.millisecondsSince1970 == 1_795_176_000_250)
    #expect(instant.iso8601 == "2026-11-20T12:00:00.250Z")
    #expect(instant.iso8601(utcOffsetMinutes: -330) == "2026-11-20T06:30:00.250-05:30")
    #expect(Instant(iso8601: "2026-11-20 13:00:00,25+01:00") == instant)
    #expect(Instant(iso8601: "2026-11-20T13:00:00.2509+0100") == instant)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T12:00:00", "2026-02-30T12:00:00Z", "2026-11-20T24:00:00Z",
    "2026-11-20T12:00:00Zx", "20261120T120000Z", "2026-11-20T12:00:00.Z", "２026-11-20T12:00:00Z",
  ])
  func `rejects text that is not a complete instant`(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  /// The calendar repeats after 400 years, of which a quick test uses the first and the last.
  @Test(arguments: Effort.inputs([(0, 9999)], quick: [(0, 399), (9600, 9999)]))
  func `every day of the years 0 to 9999 round-trips`(firstYear: Int, lastYear: Int) throws {
    let dayCount = (lastYear + 1 - firstYear) / 400 * 146_097
    var instant = try #require(CivilDateTime(year: firstYear, month: 1, day: 1)).instant()
    var previous = try #require(CivilDateTime(instant))
    for _ in 1..<dayCount {
      instant.millisecondsSince1970 += 86_400_000
      let day = try #require(CivilDateTime(instant))
      let isNextDay =
        day.month == previous.month && day.year == previous.year
        ? day.day == previous.day + 1 : day.day == 1
      if !isNextDay || day.instant() != instant {
        Issue.record("\(day) after \(previous)")
        return
      }
      previous = day
    }
    #expect(previous == CivilDateTime(year: lastYear, month: 12, day: 31))
  }

  @Test func `instants outside the years 0 to 9999 are clamped`() {
    #expect(Instant(millisecondsSince1970: .max).iso8601.hasPrefix("9999-12-31"))
    #expect(Instant(millisecondsSince1970: .min).iso8601.hasPrefix("0000-01-01"))
    #expect(
      Instant(millisecondsSince1970: .max).advanced(bySeconds: 1e300).seconds(
        since: .init(millisecondsSince1970: .min)) > 0)
  }

  @Test func `a leap second becomes the last millisecond of the second before it`() throws {
    let leap = try #require(Instant(iso8601: "2016-12-31T23:59:60Z"))
    #expect(leap.iso8601 == "2016-12-31T23:59:59.999Z")
  }

  @Test(
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
    ] as [(Int64, String)])
  func `HTTP dates are written and read`(_ seconds: Int64, _ text: String) {
    #expect(Instant(secondsSince1970: seconds).httpDate == text)
    #expect(Instant(httpDate: text) == Instant(secondsSince1970: seconds))
  }

  @Test(arguments: [
    "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37.5 GMT",
  ])
  func `rejects text that is not an HTTP date`(_ text: String) {
    #expect(Instant(httpDate: text) == nil)
  }
}
