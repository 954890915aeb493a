import Testing

@testable import CivilTime
@testable import Interchange

@Suite struct TimeZoneRulesTests {
  private func offset(_ rules: TimeZoneRules?, _ time: String) throws -> Int {
    try #require(rules).utcOffsetSeconds(at: try #require(Instant(iso8601: time)))
  }

  @Test(arguments: [
    ("UTC0", "2026-07-01T00:00:00Z", 0),
    ("EST5", "2026-07-01T00:00:00Z", -18_000),
    ("<+0545>-5:45", "1950-07-01T00:00:00Z", 20_700),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59.999Z", 3600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 7200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59.999Z", 7200),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 3600),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T01:00:00Z", 7200),
    // South of the equator, across the turn of the year.
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 39_600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-04-04T15:59:59Z", 39_600),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-04-04T16:00:00Z", 36_000),
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-10-03T16:00:00Z", 39_600),
    // By other days: the 60th without and with the leap day, and hours before midnight.
    ("AAA3BBB,J60/0,J61/0", "2024-03-01T03:00:00Z", -7200),
    ("AAA3BBB,J60/0,J61/0", "2024-03-01T02:59:59Z", -10_800),
    ("AAA3BBB,60/0,61/0", "2024-03-01T03:00:00Z", -7200),
    ("AAA3BBB,59/0,60/0", "2024-03-01T03:00:00Z", -10_800),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600),
    // Without days, those of the United States.
    ("EST5EDT", "2026-03-08T06:59:59Z", -18_000),
    ("EST5EDT", "2026-03-08T07:00:00Z", -14_400),
  ])
  func `a rule has its summer time to the second`(rule: String, time: String, seconds: Int) throws {
    #expect(try offset(TimeZoneRules(posix: rule), time) == seconds)
  }

  @Test(arguments: [
    "", "5", "CE-1", "CET", "CET-", "CET-25", "CET-1:60", "CET-1CEST,", "CET-1CEST,M3.5.0",
    "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
    "CET-1CEST,J0,J365", "CET-1CEST,M3.5.0,M10.5.0,", "<A>1", "Europe/Paris",
  ])
  func `what is no rule is none`(text: String) {
    #expect(TimeZoneRules(posix: text) == nil)
  }

  // MARK: - Files

  private func bytes(_ value: Int64, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * (length - 1 - $0))) }
  }

  private func block(
    version: UInt8, timeLength: Int, _ changes: [(time: Int64, type: UInt8)], _ types: [Int64]
  ) -> [UInt8] {
    let name = Array("ABC\0".utf8)
    var block = Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
    for count in [0, 0, 0, changes.count, types.count, name.count] {
      block += bytes(Int64(count), 4)
    }
    block += changes.flatMap { bytes($0.time, timeLength) } + changes.map(\.type)
    for type in types { block += bytes(type, 4) + [0, 0] }
    return block + name
  }

  /// A zone that was at +0:09:21, then at +1 from 1911, then at +3 from 2000, and has a rule since
  /// 2020.
  private var file: [UInt8] {
    let changes: [(time: Int64, type: UInt8)] = [
      (-1_855_958_961, 1), (946_684_800, 2), (1_577_836_800, 1),
    ]
    return block(version: 0x32, timeLength: 4, [], [0])
      + block(version: 0x32, timeLength: 8, changes, [561, 3600, 10_800])
      + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
  }

  @Test(arguments: [
    ("1900-01-01T00:00:00Z", 561), ("1999-12-31T23:59:59Z", 3600), ("2000-01-01T00:00:00Z", 10_800),
    ("2019-12-31T23:59:59.5Z", 10_800), ("2020-01-01T00:00:00Z", 3600),
    ("2026-07-01T00:00:00Z", 7200),
  ])
  func `a file has the past of a zone, and a rule for what comes`(time: String, seconds: Int) throws
  {
    #expect(try offset(TimeZoneRules(tzif: file), time) == seconds)
  }

  @Test func `a file of the first version has times of 32 bits`() throws {
    let rules = TimeZoneRules(
      tzif: block(version: 0, timeLength: 4, [(-1000, 1), (1000, 0)], [0, -7200]))
    #expect(try offset(rules, "1969-12-31T23:43:19Z") == 0)
    #expect(try offset(rules, "1970-01-01T00:00:00Z") == -7200)
    #expect(try offset(rules, "2026-01-01T00:00:00Z") == 0)
  }

  @Test func `a file cut off or changed anywhere is none, or a zone`() throws {
    for length in 0..<file.count { #expect(TimeZoneRules(tzif: Array(file[..<length])) == nil) }
    let moment = try #require(Instant(iso8601: "2026-07-01T00:00:00Z"))
    for place in file.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var changed = file
        changed[place] = value
        let offset = TimeZoneRules(tzif: changed)?.utcOffsetSeconds(at: moment) ?? 0
        #expect(abs(offset) <= 26 * 3600)
      }
    }
  }
}
