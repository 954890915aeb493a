import CivilTime
import LocationFeeds
import TestSupport
import Testing

private let gga = sentence("GPGGA,120000,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
private let rmc = sentence("GPRMC,120000,A,4851.510,N,00217.680,E,10.0,270.5,201126,,,A")

@Suite struct NMEAParserTests {
  @Test func `sentences of the same time make one fix, in which later values win`() throws {
    let fix = try #require(fixes(in: gga + rmc).first)
    #expect(fixes(in: gga + rmc).count == 1)
    #expect(fix.time == Instant(iso8601: "2026-11-20T12:00:00Z"))
    #expect(abs(fix.latitude - 48.8585) < 1e-12)
    #expect(abs(fix.longitude - 2.2946666666666666) < 1e-12)
    #expect(fix.altitudeMeters == 35)
    #expect(fix.horizontalAccuracyMeters == 6)
    #expect(abs(try #require(fix.speedMetersPerSecond) - 5.144444444444444) < 1e-12)
    #expect(fix.courseDegrees == 270.5)
    let other = try #require(fixes(in: rmc + gga).first)
    #expect(abs(other.latitude - 48.8584) < 1e-12)
  }

  @Test(arguments: ["GP", "GN", "GL", "BD", "II", "EC", "Q1"])
  func `sentences of any talker are read`(talker: String) {
    let feed = sentence("\(talker)RMC,120000,A,4851.510,N,00217.680,E,,,201126,,,A")
    #expect(fixes(in: feed).count == 1)
  }

  @Test func `south and west are negative`() throws {
    let feed = sentence("GPRMC,120000,A,3351.4080,S,15112.9180,W,,,201126,,,A")
    let fix = try #require(fixes(in: feed).first)
    #expect(abs(fix.latitude + 33.8568) < 1e-12)
    #expect(abs(fix.longitude + 151.2153) < 1e-12)
  }

  @Test(arguments: [
    "GPRMC,120000,V,4851.510,N,00217.680,E,0.0,0.0,201126,,,A",
    "GPRMC,120000,A,4851.510,N,00217.680,E,0.0,0.0,201126,,,N",
    "GPGGA,120000,4851.504,N,00217.670,E,0,08,1.2,35.0,M,47.0,M,,",
    "GPGGA,120000,4851.504,N,00217.670,E,,08,1.2,35.0,M,47.0,M,,",
    "GNGNS,120000,4851.504,N,00217.670,E,NNN,08,1.2,35.0,47.0,,,V",
    "GPGLL,4851.504,N,00217.670,E,120000,V,A",
    "GPGLL,4851.504,N,00217.670,E,120000,A,N",
    "PGRMC,120000,A,4851.510,N,00217.680,E,0.0,0.0,201126,,,A",
  ])
  func `void and proprietary sentences give no position`(text: String) {
    var reader = FeedReader(format: .nmea)
    #expect(reader.consume(Array(sentence(text).utf8)) + reader.finish() == [])
    #expect(reader.statistics.badLines == 0)
  }

  @Test func `a sentence with a wrong checksum is dropped`() {
    let wrong = rmc.replacing("4851.510", with: "4851.511")
    var reader = FeedReader()
    #expect(reader.consume(Array((gga + wrong).utf8)) == [])
    #expect(abs(reader.finish()[0].latitude - 48.8584) < 1e-12)
    #expect(reader.statistics.firstBadLines.map(\.fault) == [.wrongChecksum])
    #expect(reader.statistics.firstBadLines.map(\.number) == [2])
  }

  @Test func `a missing or lowercase checksum is accepted`() {
    let bare = String(rmc.prefix { $0 != "*" })
    #expect(fixes(in: bare) == fixes(in: rmc))
    #expect(fixes(in: bare + "*") == fixes(in: rmc))
    for second in 10..<60 {
      let other = sentence("GPRMC,1200\(second),A,4851.510,N,00217.680,E,,,201126,,,A")
      let text = other.prefix { $0 != "*" }
      #expect(fixes(in: text + other.dropFirst(text.count).lowercased()) == fixes(in: other))
    }
  }

  @Test func `a truncated sentence never gives a truncated value`() {
    for text in [gga, rmc, sentence("GPGLL,4851.504,N,00217.670,E,120000,A,A")] {
      let whole = fixes(in: text)
      for length in 1..<text.utf8.count {
        let cut = fixes(in: Array(text.utf8.prefix(length)), format: .nmea)
        guard let fix = cut.first else { continue }
        #expect(fix.latitude == whole[0].latitude && fix.longitude == whole[0].longitude)
        #expect(fix.time == nil || fix.time == whole[0].time)
        #expect(fix.altitudeMeters == nil || fix.altitudeMeters == whole[0].altitudeMeters)
      }
    }
  }

  @Test func `a sentence glued to a truncated one is read`() {
    #expect(fixes(in: "$GPGGA,1200" + rmc) == fixes(in: rmc))
    #expect(fixes(in: "!AIVDM,1,1,,A,14eG" + rmc) == fixes(in: rmc))
    #expect(fixes(in: "$GPGGA,120000,4851.504,N,0021!AIVDM,1,1,,A,14eG" + rmc) == fixes(in: rmc))
    #expect(fixes(in: "$GPGSV,3,1*" + rmc) == fixes(in: rmc))
  }

  @Test func `AIS, comments, blank lines and binary junk between sentences are skipped`() {
    let ais = "!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D\r\n"
    let junk: [UInt8] = [0xB5, 0x62, 0, 0, 1, 7, 0x0A, 0xFF, 0x0D, 0]
    let feed = "# a log, $GPRMC among others\r\n\r\n\(ais)".utf8 + junk + Array(rmc.utf8) + junk
    #expect(fixes(in: Array(feed)) == fixes(in: rmc))
  }

  @Test(arguments: ["\u{FEFF}", ""])
  func `UTF-16 is read in both byte orders, with or without a byte-order mark`(mark: String) {
    let units = Array("\(mark)\(gga)\(rmc)".utf16)
    let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    for chunkSize in [1, 2, 3, 1000] {
      #expect(read(little, chunkSize: chunkSize).fixes == fixes(in: gga + rmc))
      #expect(read(big, chunkSize: chunkSize).fixes == fixes(in: gga + rmc))
    }
  }

  // MARK: - Accuracy and motion

  @Test func `GST gives the accuracy, else GBS, else HDOP times 5 m`() throws {
    let gst = sentence("GPGST,120000,1.0,,,,3.0,4.0,6.0")
    let gbs = sentence("GPGBS,120000,6.0,8.0,1.0,,,,")
    #expect(fixes(in: gga).first?.horizontalAccuracyMeters == 6)
    #expect(fixes(in: gga + gbs).first?.horizontalAccuracyMeters == 10)
    #expect(fixes(in: gst + gga + gbs).first?.horizontalAccuracyMeters == 5)
    let none = sentence("GPGGA,120000,4851.504,N,00217.670,E,1,08,0.0,35.0,M,47.0,M,,")
    #expect(try #require(fixes(in: none).first).horizontalAccuracyMeters == nil)
  }

  @Test func `VTG gives speed and course only where RMC does not`() {
    let vtg = sentence("GPVTG,90.0,T,89.0,M,20.0,N,37.0,K,A")
    #expect(fixes(in: gga + vtg).first?.courseDegrees == 90)
    #expect(fixes(in: gga + rmc + vtg).first?.courseDegrees == 270.5)
    #expect(fixes(in: gga + vtg + rmc).first?.courseDegrees == 270.5)
  }

  @Test func `GNS and GLL give positions too`() {
    let gns = sentence("GNGNS,120000,4851.504,N,00217.670,E,NA,08,1.2,35.0,47.0,,,V")
    #expect(fixes(in: gns).first?.altitudeMeters == 35)
    let gll = sentence("GPGLL,4851.504,N,00217.670,E,120000,A,A")
    #expect(fixes(in: gll).first?.latitude == fixes(in: gns).first?.latitude)
  }

  // MARK: - Dates

  @Test func `a position without a known date has no time`() {
    let gll = sentence("GPGLL,4851.504,N,00217.670,E,120001,A,A")
    var reader = FeedReader()
    let found = reader.consume(Array((gga + gll).utf8)) + reader.finish()
    #expect(found.map(\.time) == [nil, nil])
    #expect(reader.statistics.untimedFixes == 2)
  }

  @Test func `the date of RMC or ZDA is carried forward across midnight`() {
    func gga(_ time: String) -> String {
      sentence("GPGGA,\(time),4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    }
    let zda = sentence("GPZDA,235958.00,31,12,2026,00,00")
    let feed = zda + gga("235958.00") + gga("235959.50") + gga("000000") + gga("000001")
    let times = [
      "2026-12-31T23:59:58.000Z", "2026-12-31T23:59:59.500Z", "2027-01-01T00:00:00.000Z",
      "2027-01-01T00:00:01.000Z",
    ]
    #expect(fixes(in: feed).map { $0.time?.iso8601 } == times)
    // A late sentence of the day before, and a clock that is set back a little.
    let late = zda + gga("000000") + gga("235959") + gga("000002")
    #expect(
      fixes(in: late).map { $0.time?.iso8601.prefix(10) } == [
        "2027-01-01", "2026-12-31", "2027-01-01",
      ])
  }

  /// Positions with a time of day but no date.
  private func positions(_ times: String...) -> String {
    times.map { sentence("GPGGA,\($0),4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,") }.joined()
  }

  private func recorded(_ feed: String, chunkSize: Int = 100_000) -> [String?] {
    var reader = FeedReader(isRecorded: true)
    var found: [LocationFix] = []
    let bytes = Array(feed.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunkSize) {
      found += reader.consume(Array(bytes[start..<min(start + chunkSize, bytes.count)]))
    }
    return (found + reader.finish()).map { $0.time?.iso8601 }
  }

  @Test func `in a recorded file the date is carried backward across midnight`() {
    let zda = sentence("GPZDA,000010.00,01,01,2027,00,00")
    let feed = positions("130000", "220000", "235959.50", "000001") + zda + positions("000011")
    let dated = [
      "2026-12-31T13:00:00.000Z", "2026-12-31T22:00:00.000Z", "2026-12-31T23:59:59.500Z",
      "2027-01-01T00:00:01.000Z", "2027-01-01T00:00:11.000Z",
    ]
    for chunkSize in [100_000, 50, 1] { #expect(recorded(feed, chunkSize: chunkSize) == dated) }
    let rmc = sentence("GPRMC,000010,A,4851.510,N,00217.680,E,10.0,270.5,010127,,,A")
    #expect(
      recorded(positions("235959", "000001") + rmc) == [
        "2026-12-31T23:59:59.000Z", "2027-01-01T00:00:01.000Z", "2027-01-01T00:00:10.000Z",
      ])
    // In a live feed, too, a position does not get a date that arrives later.
    #expect(fixes(in: feed).map { $0.time == nil } == [true, true, true, true, false])
  }

  @Test func `a date is carried backward only while the days are unambiguous`() {
    let zda = sentence("GPZDA,180000.00,20,11,2026,00,00")
    // From 05:00 to 17:30 is more than twelve hours, so another day may lie in between.
    #expect(
      recorded(positions("040000", "050000", "173000") + zda) == [
        nil, nil, "2026-11-20T17:30:00.000Z",
      ])
    #expect(recorded(positions("040000", "050000")) == [nil, nil])
    #expect(recorded("") == [])
  }

  @Test func `the date is carried across several days, by void sentences too`() {
    let void = ["200000", "060000", "140000", "220000"].map { sentence("GPRMC,\($0),V,,,,,,,,,,N") }
    let gga = sentence("GPGGA,080000,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    let found = fixes(in: rmc + void.joined() + gga)
    #expect(found.last?.time?.iso8601 == "2026-11-22T08:00:00.000Z")
  }

  @Test func `after a step of more than twelve hours, the date is unknown`() {
    let later = sentence("GPGGA,060000,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    #expect(fixes(in: rmc + later).map { $0.time == nil } == [false, true])
  }

  @Test(arguments: [("201126", "2026-11-20"), ("220899", "1999-08-22"), ("060180", "1980-01-06")])
  func `a two-digit year lies in 1980 to 2079`(date: String, day: String) {
    let feed = sentence("GPRMC,120000,A,4851.510,N,00217.680,E,,,\(date),,,A")
    #expect(fixes(in: feed).first?.time?.iso8601 == "\(day)T12:00:00.000Z")
  }

  @Test(arguments: ["2208-1", "310226", "000000", "1112", ""])
  func `an invalid date leaves the position without a time`(date: String) {
    let feed = sentence("GPRMC,120000,A,4851.510,N,00217.680,E,,,\(date),,,A")
    #expect(fixes(in: feed).map(\.time) == [nil])
  }

  @Test func `the date of a void RMC sentence does not replace a valid one`() {
    let void = sentence("GPRMC,120001,V,,,,,,,161206,,,N")
    let later = sentence("GPGGA,120002,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    #expect(fixes(in: rmc + void + later).last?.time?.iso8601 == "2026-11-20T12:00:02.000Z")
    #expect(fixes(in: void + later).last?.time?.iso8601 == "2006-12-16T12:00:02.000Z")
  }

  @Test func `a leap second is the end of its day and a separate epoch`() {
    func rmc(_ time: String, _ date: String) -> String {
      sentence("GPRMC,\(time),A,4851.510,N,00217.680,E,,,\(date),,,A")
    }
    let feed = rmc("235959", "311216") + rmc("235960.00", "311216") + rmc("000000", "010117")
    #expect(
      fixes(in: feed).map { $0.time?.iso8601 } == [
        "2016-12-31T23:59:59.000Z", "2016-12-31T23:59:59.999Z", "2017-01-01T00:00:00.000Z",
      ])
  }

  @Test(arguments: [
    "240000", "126000", "12000", "1200000", "12:00:00", "222515.x", ".1", "-120000",
  ])
  func `an invalid time of day makes the sentence bad`(time: String) {
    var reader = FeedReader()
    let feed = sentence("GPRMC,\(time),A,4851.510,N,00217.680,E,,,201126,,,A")
    #expect(reader.consume(Array(feed.utf8)) + reader.finish() == [])
    #expect(reader.statistics.latestBadLine?.fault == .unreadableField("time of day"))
  }

  @Test(arguments: [
    "4860.000,N,00217.680,E", "4851.5x0,N,00217.680,E", "4851.510,,00217.680,E",
    "4851.510,E,00217.680,N", "99999999999999999999,N,00217.680,E", "4851.510,N,,E",
    "-4851.510,N,00217.680,E", "1e3,N,00217.680,E", "nan,N,inf,E",
  ])
  func `an invalid position makes the sentence bad`(position: String) {
    var reader = FeedReader()
    let feed = sentence("GPRMC,120000,A,\(position),,,201126,,,A")
    #expect(reader.consume(Array(feed.utf8)) + reader.finish() == [])
    #expect(reader.statistics.latestBadLine?.fault == .unreadableField("position"))
  }

  // MARK: - Epochs

  @Test func `a fix is delivered at the next time, at a flush, or at the end`() {
    let next = sentence("GPGGA,120001,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    var reader = FeedReader()
    #expect(reader.consume(Array((gga + rmc).utf8)) == [])
    #expect(reader.consume(Array(next.utf8)).count == 1)
    #expect(reader.flush().count == 1)
    #expect(reader.flush() == [])
    #expect(reader.finish() == [])
  }

  @Test func `a flushed epoch gives no second fix, but its date is used`() {
    let next = sentence("GPGGA,120001,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    var reader = FeedReader()
    #expect(reader.consume(Array(gga.utf8)) == [])
    #expect(reader.flush().map(\.time) == [nil])
    #expect(reader.consume(Array(rmc.utf8)) + reader.flush() == [])
    let following = reader.consume(Array(next.utf8)) + reader.finish()
    #expect(following.map { $0.time?.iso8601 } == ["2026-11-20T12:00:01.000Z"])
  }

  @Test func `a late sentence of the previous epoch adds no fix`() {
    let next = sentence("GPGGA,120001,4851.504,N,00217.670,E,1,08,1.2,35.0,M,47.0,M,,")
    let nextRMC = sentence("GPRMC,120001,A,4851.510,N,00217.680,E,,,201126,,,A")
    #expect(fixes(in: gga + next + rmc + nextRMC).count == 2)
  }

  @Test func `the same time on another date is another epoch`() {
    let tomorrow = sentence("GPRMC,120000,A,4851.510,N,00217.680,E,,,211126,,,A")
    #expect(
      fixes(in: rmc + tomorrow).map { $0.time?.iso8601.prefix(10) } == [
        "2026-11-20", "2026-11-21",
      ])
  }

  @Test func `fixes continue after the clock goes back`() {
    let feed = rmc + sentence("GPGLL,4851.504,N,00217.670,E,115930,A,A") + gga
    let later = sentence("GPGLL,4851.504,N,00217.670,E,115931,A,A")
    #expect(
      fixes(in: feed + later).map { $0.time?.iso8601 } == [
        "2026-11-20T12:00:00.000Z", "2026-11-20T11:59:30.000Z", "2026-11-20T11:59:31.000Z",
      ])
  }
}
