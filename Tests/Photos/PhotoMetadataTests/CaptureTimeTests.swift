import CivilTime
import PhotoMetadata
import TestSupport
import Testing

@Suite struct CaptureTimeTests {
  private let original: UInt16 = 0x9003
  private let digitized: UInt16 = 0x9004
  private let stamp = [
    Entry(0x1D, .ascii("2024:04:13")), Entry(7, .rationals([(18, 1), (34, 1), (3025, 100)])),
  ]

  private func photo(
    exif: [Entry] = [], gps: [Entry] = [], xmp: String? = nil
  ) -> PhotoProperties {
    properties(
      [.exif(ExifBlock(exif: exif, gps: gps).tiff)] + (xmp.map { [.xmp(attributes: $0)] } ?? []))
  }

  @Test func `the capture time is the first valid one of original, digitized, XMP and GPS`() {
    let (first, second) = (
      Entry(original, .ascii("2024:04:13 20:34:30")),
      Entry(digitized, .ascii("2023:01:02 03:04:05"))
    )
    let xmp = #"exif:DateTimeOriginal="2022-02-02T02:02:02Z""#
    let all = photo(exif: [first, second], xmp: xmp)
    #expect(all.captured?.iso8601 == "2024-04-13T20:34:30.000Z")
    #expect(all.captureTimeSource == .dateTimeOriginal)
    let blank = Entry(original, .ascii("    :  :     :  :  "))
    let noOriginal = photo(exif: [blank, second], xmp: xmp)
    #expect(noOriginal.captured?.iso8601 == "2023-01-02T03:04:05.000Z")
    #expect(noOriginal.captureTimeSource == .dateTimeDigitized)
    let noExif = photo(gps: stamp, xmp: xmp)
    #expect(noExif.captured?.iso8601 == "2022-02-02T02:02:02.000+00:00")
    #expect(noExif.captureTimeSource == .xmp)
    let noXMP = photo(gps: stamp)
    #expect(noXMP.captured?.iso8601 == "2024-04-13T18:34:30.250Z")
    #expect(noXMP.captureTimeSource == .gps)
    #expect(photo().captured == nil)
    #expect(photo().captureTimeSource == nil)
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "", "2024:13:01 00:00:00", "2024:02:30 10:00:00",
    "2024:04:13 25:00:00", "hello, world, hello", "2024:04", "0000:01:01 00:00:00", "2024:04:13 1",
    // Epochs of calendars, which software writes for unknown dates; the oldest photograph is of
    // 1826.
    "1601:01:01 00:00:00", "0001:01:01 00:00:00", "0001-01-01T00:00:00Z", "1825:12:31 23:59:59",
  ])
  func `blank, zero and impossible dates give no capture time`(text: String) {
    #expect(photo(exif: [Entry(original, .ascii(text))]).captured == nil)
    #expect(photo(exif: [Entry(original, .ascii(text))], gps: stamp).captureTimeSource == .gps)
  }

  @Test func `a date before the oldest photograph is skipped for the next source`() {
    let (first, second) = (
      Entry(original, .ascii("1601:01:01 00:00:00")),
      Entry(digitized, .ascii("1826:01:01 00:00:00"))
    )
    let photo = photo(exif: [first, second], xmp: #"exif:DateTimeOriginal="1600-01-01T00:00:00Z""#)
    #expect(photo.captureTimeSource == .dateTimeDigitized)
    #expect(photo.captured?.iso8601 == "1826-01-01T00:00:00.000Z")
  }

  @Test(arguments: [
    "2024:04:13 20:34:30", "2024-04-13 20:34:30", "2024/04/13 20:34:30", "2024.04.13 20:34:30",
    "2024-04-13T20:34:30", "2024:04:13 20:34:30 \0",
  ])
  func `dates are read with any of the usual separators`(text: String) {
    #expect(
      photo(exif: [Entry(original, .ascii(text))]).captured?.iso8601 == "2024-04-13T20:34:30.000Z")
  }

  @Test func `the UTC offset is read from its own entry or from the text`() {
    let time = Entry(original, .ascii("2024:04:13 20:34:30"))
    for (offset, expected) in [
      ("+02:00", "2024-04-13T20:34:30.000+02:00"), ("-03:30", "2024-04-13T20:34:30.000-03:30"),
      ("Z", "2024-04-13T20:34:30.000+00:00"), ("+0545", "2024-04-13T20:34:30.000+05:45"),
      ("   :  ", "2024-04-13T20:34:30.000Z"), ("+23:00", "2024-04-13T20:34:30.000Z"),
    ] {
      let captured = photo(exif: [time, Entry(0x9011, .ascii(offset))]).captured
      #expect(captured?.iso8601 == expected, "\(offset)")
    }
    let ahead = photo(exif: [time, Entry(0x9011, .ascii("+02:00"))]).captured
    #expect(ahead?.instant.iso8601 == "2024-04-13T18:34:30.000Z")
    #expect(ahead?.utcOffsetMinutes == 120)
    let inText = photo(exif: [Entry(original, .ascii("2024-04-13T20:34:30+02:00"))]).captured
    #expect(inText == ahead)
  }

  @Test func `each time has its own offset and fraction`() {
    let captured = photo(exif: [
      Entry(digitized, .ascii("2024:04:13 20:34:30")), Entry(0x9011, .ascii("+02:00")),
      Entry(0x9012, .ascii("+03:00")), Entry(0x9291, .ascii("1")), Entry(0x9292, .ascii("2")),
    ]).captured
    #expect(captured?.iso8601 == "2024-04-13T20:34:30.200+03:00")
  }

  @Test(arguments: [
    ("5", 500), ("50", 500), ("05", 50), ("123456", 123), ("007", 7), ("12 ", 120), ("", 0),
    ("x", 0),
  ])
  func `fractions of a second are read as decimal places`(text: String, milliseconds: Int64) throws
  {
    let captured = try #require(
      photo(exif: [Entry(original, .ascii("2024:04:13 20:34:30")), Entry(0x9291, .ascii(text))])
        .captured)
    #expect(captured.instant.millisecondsSince1970 % 1000 == milliseconds)
  }

  @Test func `without an offset, the GPS time gives the instant`() {
    let exif = [Entry(original, .ascii("2024:04:13 20:34:30"))]
    let captured = photo(exif: exif, gps: stamp).captured
    #expect(captured?.instant.iso8601 == "2024-04-13T18:34:30.250Z")
    let withOffset = photo(exif: exif + [Entry(0x9011, .ascii("+03:00"))], gps: stamp).captured
    #expect(withOffset?.instant.iso8601 == "2024-04-13T17:34:30.000Z")
  }

  @Test(
    arguments: [
      ("2024:04:13 20:34:30", 120), ("2024:04:13 20:39:29", 120), ("2024:04:13 20:39:31", nil),
      ("2024:04:13 20:29:31", 120), ("2024:04:13 20:29:29", nil), ("2024:04:13 18:34:30", 0),
      ("2024:04:13 15:04:30", -210), ("2024:04:14 00:19:30", 345), ("2024:04:14 09:34:30", 900),
      ("2024:04:14 09:49:30", nil), ("2024:04:13 03:34:30", -900), ("2024:04:13 03:19:30", nil),
      ("2020:04:13 18:34:30", nil), ("9999:04:13 18:34:30", nil),
    ] as [(String, Int?)])
  func `the offset is derived from the local time and the GPS time`(text: String, offset: Int?) {
    let stamp = [
      Entry(0x1D, .ascii("2024:04:13")), Entry(7, .rationals([(18, 1), (34, 1), (30, 1)])),
    ]
    let xmp = "exif:DateTimeOriginal=\"\(text)\""
    for photo in [
      photo(exif: [Entry(original, .ascii(text))], gps: stamp), photo(gps: stamp, xmp: xmp),
    ] {
      #expect(photo.captured?.utcOffsetMinutes == offset)
      #expect(photo.captured?.instant.iso8601 == "2024-04-13T18:34:30.000Z")
    }
  }

  @Test func `the GPS time gives the instant of an XMP time without an offset`() {
    let xmp = #"exif:DateTimeOriginal="2024-04-13T20:34:30""#
    let taken = photo(gps: stamp, xmp: xmp)
    #expect(taken.captureTimeSource == .xmp)
    #expect(taken.captured?.instant.iso8601 == "2024-04-13T18:34:30.250Z")
  }

  @Test func `an incomplete or invalid GPS time is ignored`() {
    let time = Entry(7, .rationals([(18, 1), (34, 1), (30, 1)]))
    for gps in [
      [stamp[0]], [stamp[1]], [Entry(0x1D, .ascii("1980:01:05")), time],
      [Entry(0x1D, .ascii("")), time], [stamp[0], Entry(7, .rationals([(18, 1), (34, 1)]))],
      [stamp[0], Entry(7, .rationals([(24, 1), (0, 1), (0, 1)]))],
      [stamp[0], Entry(7, .rationals([(1, 1), (60, 1), (0, 1)]))],
      [stamp[0], Entry(7, .rationals([(1, 1), (0, 1), (61, 1)]))],
      [stamp[0], Entry(7, .rationals([(1, 1), (0, 0), (0, 1)]))],
      [stamp[0], Entry(7, .rationals([(1, 1), (0, 1), (0, 0)]))],
    ] {
      #expect(photo(gps: gps).captured == nil)
    }
  }

  @Test func `the dates of XMP have an order of precedence`() {
    let dates = [
      #"exif:DateTimeOriginal="2021-01-01T00:00:00Z""#, #"photoshop:DateCreated="2022-01-01""#,
      #"exif:DateTimeDigitized="2023-01-01T00:00:00+01:00""#, #"xmp:CreateDate="2024-01-01T00:00""#,
    ]
    for first in dates.indices {
      let captured = photo(xmp: dates[first...].reversed().joined(separator: " ")).captured
      #expect(captured?.iso8601.prefix(4) == "\(2021 + first)")
    }
  }
}
