import CivilTime
import Testing

@Suite struct CivilPeriodTests {
  private func day(_ text: String) -> CivilDay { CivilDay(Instant(iso8601: "\(text)T12:00:00Z")!) }

  @Test(arguments: [
    ("2013", "2013-01-01", "2013-12-31"), ("2013-06", "2013-06-01", "2013-06-30"),
    ("2024-02", "2024-02-01", "2024-02-29"), ("2013-06-12", "2013-06-12", "2013-06-12"),
    ("2010..2013", "2010-01-01", "2013-12-31"), ("2010-12..2011-02", "2010-12-01", "2011-02-28"),
    ("2010..2011-02-03", "2010-01-01", "2011-02-03"), ("0000", "0000-01-01", "0000-12-31"),
  ])
  func `a period includes its first and its last day`(text: String, first: String, last: String)
    throws
  {
    let period = try #require(CivilPeriod(text))
    #expect(period.first == day(first) && period.last == day(last))
    #expect(period.contains(day(first)) && period.contains(day(last)))
    #expect(!period.contains(day("1999-06-01")) && !period.contains(day("2030-06-01")))
  }

  @Test(arguments: [
    "", "13", "201", "20133", "2013-6", "2013-13", "2013-00", "2013-02-30", "2023-02-29", "2013-",
    "2013-06-12-01", "2013..", "..2013", "2013..2010", "2010..2011..2012", "２０１３", "-2013", "+201",
    "2013 ", "june",
  ])
  func `other text is no period`(text: String) { #expect(CivilPeriod(text) == nil) }
}
