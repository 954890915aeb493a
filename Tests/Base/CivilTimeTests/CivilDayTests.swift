import CivilTime
import Testing

@Suite struct CivilDayTests {
  private func day(_ text: String) -> CivilDay { CivilDay(Instant(iso8601: "\(text)T12:00:00Z")!) }

  @Test func `the day depends on the UTC offset`() {
    let instant = Instant(iso8601: "2024-02-28T23:30:00Z")!
    #expect(CivilDay(instant) == day("2024-02-28"))
    #expect(CivilDay(instant, utcOffsetMinutes: 60) == day("2024-02-29"))
    #expect(CivilDay(Instant(iso8601: "1969-12-31T00:00:00Z")!) == day("1969-12-31"))
    #expect(day("2024-03-01").days(since: day("2024-02-28")) == 2)
    #expect(day("1969-12-31").days(since: day("1970-01-01")) == -1)
  }

  @Test(arguments: [
    ("2017-11-20", "2026-11-20", 9, 0), ("2017-11-21", "2026-11-20", 8, 364),
    ("2024-02-29", "2025-02-28", 0, 365), ("2024-02-29", "2025-03-01", 1, 0),
    ("2024-02-29", "2028-02-29", 4, 0), ("2024-12-31", "2025-01-01", 0, 1),
    ("2024-08-01", "2026-11-20", 2, 111), ("2026-11-20", "2026-11-20", 0, 0),
  ])
  func `splits a span into whole years and remaining days`(
    from: String, to: String, years: Int, days: Int
  )
    throws
  {
    let elapsed = try #require(day(to).elapsed(since: day(from)))
    #expect(elapsed.years == years && elapsed.days == days)
    #expect(from == to || day(from).elapsed(since: day(to)) == nil)
  }

  @Test func `an instant outside the calendar is clamped to the nearest day`() {
    for milliseconds in [Int64.min, Int64.max] {
      let day = CivilDay(Instant(millisecondsSince1970: milliseconds), utcOffsetMinutes: 1440)
      #expect((0...9999).contains(day.year))
      #expect(day.elapsed(since: day)?.years == 0)
    }
  }
}
