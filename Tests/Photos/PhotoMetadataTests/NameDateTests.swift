import CivilTime
import TestSupport
import Testing

@testable import PhotoMetadata

/// Dates in the names of files.
@Suite struct NameDateTests {
  private let now = Instant(iso8601: "2026-11-20T12:00:00Z")!

  private func date(_ name: String) -> String? {
    NameDate.captureTime(inName: Array(name.utf8)[...], now: now)?.iso8601
  }

  @Test(arguments: [
    ("IMG-20190511-WA0001.jpg", "2019-05-11"), ("VID-20190511-WA0001.mp4", "2019-05-11"),
    ("IMG_20190511_123456.jpg", "2019-05-11"), ("VID_20190511_123456.mp4", "2019-05-11"),
    ("20190511_123456.jpg", "2019-05-11"), ("20190511_123456(1).jpg", "2019-05-11"),
    ("20190511.jpg", "2019-05-11"), ("20190511-IMG_0042.jpg", "2019-05-11"),
    ("PXL_20210304_101112345.jpg", "2021-03-04"), ("PXL_20210304_101112345.MP.jpg", "2021-03-04"),
    ("PXL_20230101_123456789.NIGHT.jpg", "2023-01-01"),
    ("MVIMG_20190511_123456.jpg", "2019-05-11"), ("IMG_20140621_241745.jpg", "2014-06-21"),
    ("IMG20190511123456.jpg", "2019-05-11"), ("IMG_20190511123456.jpg", "2019-05-11"),
    ("DJI_20230101123456_0001_D.JPG", "2023-01-01"), ("20190511123456.jpg", "2019-05-11"),
    ("00100lPORTRAIT_00100_BURST20190511123456789_COVER.jpg", "2019-05-11"),
    ("IMG20190511_123456.jpg", "2019-05-11"), ("WIN_20190511_12_34_56_Pro.jpg", "2019-05-11"),
    ("Screenshot_20190511-123456_Maps.jpg", "2019-05-11"),
    ("Screenshot_2019-05-11-12-34-56-789_com.app.jpg", "2019-05-11"),
    ("Screenshot 2019-05-11 at 12.34.56.png", "2019-05-11"),
    ("Bildschirmfoto 2019-05-11 um 12.34.56.png", "2019-05-11"),
    ("スクリーンショット2019-05-11午後1.23.45.png", "2019-05-11"),
    ("signal-2020-01-02-123456.jpg", "2020-01-02"),
    ("signal-2020-01-02-12-34-56-789-1.jpg", "2020-01-02"),
    ("WhatsApp Image 2020-01-02 at 12.34.56.jpeg", "2020-01-02"),
    ("photo_2020-01-02_12-34-56.jpg", "2020-01-02"), ("2019-05-14 12.00.00.jpg", "2019-05-14"),
    ("2019_05_14.jpg", "2019-05-14"), ("2019.05.14 Oma.jpg", "2019-05-14"),
    ("C360_2019-05-11-12-34-56-789.jpg", "2019-05-11"), ("2019-05-11T123456.jpg", "2019-05-11"),
    ("20190511T123456Z.jpg", "2019-05-11"), ("Foto 25.12.2019.jpg", "2019-12-25"),
    ("12-25-2019.jpg", "2019-12-25"), ("1965-07-03 wedding.jpg", "1965-07-03"),
    ("IMG_20200229_120000.jpg", "2020-02-29"), ("IMG_20190511_20190511.jpg", "2019-05-11"),
    ("IMG_20261121_001500.jpg", "2026-11-21"), ("2019_0511_120000_001.jpg", "2019-05-11"),
    ("photo_5@11-05-2019_12-00-00.jpg", "2019-05-11"),
  ])
  func `the day that a program wrote into a name is read`(name: String, expected: String) {
    #expect(date(name) == expected, "\(name)")
  }

  @Test(arguments: [
    "", "IMG_4711.jpg", "DSC_0001.jpg", "P1010001.JPG", "100_0815.jpg", "GOPR0001.mp4",
    // No days.
    "IMG_20191399_250000.jpg", "IMG_20190229_120000.jpg", "20190532.jpg", "00000000.jpg",
    "2019-13-01.jpg", "2019-00-10.jpg", "2019-02-30.jpg", "IMG_00001231_000000.jpg",
    // Clocks that were reset.
    "IMG_19700101_000000.jpg", "IMG_19800101_120000.jpg", "19800106.jpg",
    // Counters and other numbers.
    "20190511_250000.jpg", "20190511_999999.jpg", "IMG_20190511999999.jpg", "IMG_2019051.jpg",
    "201905111.jpg", "2019051112.jpg", "IMG_201905111234567.jpg", "1557571234567.jpg",
    "FB_IMG_1557571234567.jpg", "received_2019051112345678.jpeg", "12345678.jpg", "19890511.jpg",
    "ID20190511.jpg", "A20190511B.jpg", "20190511abc.jpg", "IMG_20190511Tag.jpg",
    "48.20190511.jpg", "192.2019.05.11.png", "2019_0511.jpg", "2019_0511_999999.jpg",
    "v2019.05.11.png", "2019-05-11th.jpg",
    "1920x1080.png", "2019-2020.jpg", "2019-05.jpg", "05-2019.jpg", "2019.jpg", "2019-5-1.jpg",
    // Hashes and UUIDs.
    "20190511-1234-4abc-8def-123456789abc.jpg", "20190511_d41d8cd98f00b204e9800998ecf8427e.jpg",
    // Which of two?
    "01-02-2019.jpg", "11.05.2019.jpg", "2019-05-11 to 2019-05-14.jpg",
    "Scan_20200101_of_19990704.jpg", "2019-05-11_2019-05-12.jpg",
    // Another kind of separator.
    "2019-05_11.jpg", "2019--05--11.jpg",
    // Days that have not come.
    "IMG_20261122_120000.jpg", "2199-01-01.jpg",
  ])
  func `a number that is no day, or not clearly one, stays a number`(name: String) {
    #expect(date(name) == nil, "\(name)")
  }

  @Test func `a name that is not text has no date, however long`() {
    #expect(NameDate.captureTime(inName: Array(repeating: 0xFF, count: 300)[...], now: now) == nil)
    let digits = Array(repeating: UInt8(ascii: "2"), count: 255)
    #expect(NameDate.captureTime(inName: digits[...], now: now) == nil)
    #expect(
      NameDate.captureTime(inName: [0xFE, 0x5F] + Array("20190511.jpg".utf8)[...], now: now) != nil)
  }

  @Test func `the date of a name is used only where nothing else has one`() {
    let name = Array("IMG-20190511-WA0001.jpg".utf8)[...]
    var undated = PhotoProperties()
    undated.completeDate(fromName: name, now: now)
    #expect(undated.captureTimeSource == .name && undated.captured?.isDayOnly == true)
    #expect(undated.captured?.localISO8601 == "2019-05-11")
    var dated = PhotoProperties()
    dated.offer(WrittenDate("2018:02:03 04:05:06"), from: .xmpCreated)
    let before = dated
    dated.completeDate(fromName: name, now: now)
    #expect(dated == before)
    // A scan of which the year is known: the name has the day of scanning.
    var partial = PhotoProperties()
    partial.offer(WrittenDate("1965"), from: .xmp)
    partial.completeDate(fromName: name, now: now)
    #expect(partial.captured == nil && partial.partialCapture?.date.description == "1965")
    // Whatever a sidecar says later goes first.
    undated.offer(CaptureTime(instant: now), from: .takeout)
    #expect(undated.captureTimeSource == .takeout && undated.captured?.isDayOnly == false)
  }

  @Test func `a day survives its form in tables`() {
    for isFromName in [false, true] {
      let noon = CivilDateTime(year: 2019, month: 5, day: 11, hour: 7)!
      let day = CaptureTime(day: noon, isFromName: isFromName)
      #expect(CaptureTime(instant: day.instant, storedOffset: day.storedOffset) == day)
      #expect(day.exact == nil && day.iso8601 == "2019-05-11")
      #expect((day.stated == nil) == isFromName)
    }
    for offset in [nil, -720, 0, 840] as [Int?] {
      let time = CaptureTime(instant: now, utcOffsetMinutes: offset)
      #expect(CaptureTime(instant: now, storedOffset: time.storedOffset) == time)
    }
  }
}
