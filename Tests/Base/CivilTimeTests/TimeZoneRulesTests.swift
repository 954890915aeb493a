import Testing

@testable import CivilTime
@testable import Encodings

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
    // Rules by day number: the 60th without and with the leap day, and hours before midnight.
    ("AAA3BBB,J60/0,J61/0", "2024-03-01T03:00:00Z", -7200),
    ("AAA3BBB,J60/0,J61/0", "2024-03-01T02:59:59Z", -10_800),
    ("AAA3BBB,60/0,61/0", "2024-03-01T03:00:00Z", -7200),
    ("AAA3BBB,59/0,60/0", "2024-03-01T03:00:00Z", -10_800),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600),
    // A rule without days uses those of the United States.
    ("EST5EDT", "2026-03-08T06:59:59Z", -18_000),
    ("EST5EDT", "2026-03-08T07:00:00Z", -14_400),
  ])
  func `daylight-saving time begins and ends at the second that the POSIX rule gives`(
    rule: String, time: String, seconds: Int
  ) throws {
    #expect(try offset(TimeZoneRules(posix: rule), time) == seconds)
  }

  @Test(arguments: [
    "", "5", "CE-1", "CET", "CET-", "CET-25", "CET-1:60", "CET-1CEST,", "CET-1CEST,M3.5.0",
    "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
    "CET-1CEST,J0,J365", "CET-1CEST,M3.5.0,M10.5.0,", "<A>1", "Europe/Paris",
  ])
  func `rejects text that is not a POSIX time zone rule`(text: String) {
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

  /// A zone at +0:09:21, at +1 from 1911, at +3 from 2000, and with a rule from 2020.
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
  func `a TZif file gives past offsets from its table and future ones from its rule`(
    time: String, seconds: Int
  ) throws {
    #expect(try offset(TimeZoneRules(tzif: file), time) == seconds)
  }

  @Test func `a version 1 TZif file has 32-bit times`() throws {
    let rules = TimeZoneRules(
      tzif: block(version: 0, timeLength: 4, [(-1000, 1), (1000, 0)], [0, -7200]))
    #expect(try offset(rules, "1969-12-31T23:43:19Z") == 0)
    #expect(try offset(rules, "1970-01-01T00:00:00Z") == -7200)
    #expect(try offset(rules, "2026-01-01T00:00:00Z") == 0)
  }

  @Test func `a truncated or corrupt TZif file is rejected or gives a bounded offset`() throws {
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
