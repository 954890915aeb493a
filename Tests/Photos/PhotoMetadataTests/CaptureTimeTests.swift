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

  @Test func `an original date goes before a digitized one, in EXIF or XMP, and GPS comes last`() {
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
    #expect(noOriginal.captured?.iso8601 == "2022-02-02T02:02:02.000+00:00")
    #expect(noOriginal.captureTimeSource == .xmp)
    let onlyDigitized = photo(exif: [blank, second], xmp: #"xmp:CreateDate="2022-02-02""#)
    #expect(onlyDigitized.captured?.iso8601 == "2023-01-02T03:04:05.000Z")
    #expect(onlyDigitized.captureTimeSource == .dateTimeDigitized)
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
    "2200:01:01 00:00:00",
    // A Buddhist year.
    "2568:04:13 20:34:31",
    // Not one date.
    "03/05/2019 21:07:01", "Sat Jun 21 2014", "Jun 21 15:04:05", "Sat Jun 21 15:04:05 14",
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

  @Test(arguments: [
    ("1965:07:xx", "1965-07"), ("1965-07-2X", "1965-07"), ("1965-1u-02", "1965"),
    ("1965-XX-XX", "1965"), ("1965:??:?? ??:??:??", "1965"),
    ("1965?", "1965"), ("1965-07~", "1965-07"), ("1965-uu", "1965"),
  ])
  func `letters in place of digits, and marks of doubt, leave the known part`(
    text: String, expected: String
  ) {
    let scan = photo(exif: [
      Entry(original, .ascii(text)), Entry(digitized, .ascii("2021:02:03 10:00:00")),
    ])
    #expect(scan.captured == nil && scan.partialCapture?.date.description == expected)
  }

  @Test(arguments: ["spring 1965", "no idea, ask Anna", "夏", "Before the war"])
  func `words that are no date leave a photo without one, and are named`(text: String) {
    let scan = Entry(digitized, .ascii("2021:02:03 10:00:00"))
    for (photo, source) in [
      (photo(exif: [Entry(original, .ascii(text)), scan]), "EXIF DateTimeOriginal"),
      (photo(exif: [scan], xmp: "exif:DateTimeOriginal='\(text)'"), "XMP"),
      (photo(xmp: "photoshop:DateCreated='\(text)' xmp:CreateDate='2021-02-03T10:00:00'"), "XMP"),
    ] {
      var photo = photo
      photo.completeDate(
        fromName: Array("IMG_20210203.jpg".utf8)[...],
        now: Instant(iso8601: "2026-11-20T12:00:00Z")!)
      #expect(photo.captured == nil && photo.partialCapture == nil)
      #expect(photo.unread.map(\.description) == ["\(source): \(text) is not a date"])
    }
    // Another original date can be read.
    let read = photo(
      exif: [Entry(original, .ascii(text)), scan], xmp: "exif:DateTimeOriginal='1965-04'")
    #expect(read.partialCapture?.date.description == "1965-04")
    // The words are not about the day of digitization.
    let taken = photo(exif: [Entry(digitized, .ascii(text))], gps: stamp)
    #expect(taken.captureTimeSource == .gps && taken.unread.count == 1)
  }

  @Test(arguments: ["2024:13:01 00:00:00", "2568:04:13 20:34:31", "0001-01-01T00:00:00Z"])
  func `a damaged date leaves the next one, and is named`(text: String) {
    let photo = photo(exif: [
      Entry(original, .ascii(text)), Entry(digitized, .ascii("2021:02:03 10:00:00")),
    ])
    #expect(photo.captureTimeSource == .dateTimeDigitized)
    #expect(
      photo.unread.map(\.description) == ["EXIF DateTimeOriginal: \(text) is not a date"])
  }

  @Test(arguments: ["0000:00:00 00:00:00", "    :  :     :  :  ", "", " "])
  func `an unknown date is not named`(text: String) {
    #expect(photo(exif: [Entry(original, .ascii(text))]).unread == [])
  }

  @Test(arguments: ["2024:04:13   :  :  ", "2024-04-13~", "2024:04:13 ??:??", "2024:04:13T"])
  func `a date with an unknown time is a day`(text: String) {
    #expect(photo(exif: [Entry(original, .ascii(text))]).captured?.iso8601 == "2024-04-13")
  }

  @Test(arguments: ["2019年5月4日 午後9時03分05秒", "2019년 5월 4일 오후 9시 03분 05초"])
  func `the signs of hours, minutes and seconds are read`(text: String) {
    let photo = photo(xmp: "exif:DateTimeOriginal='\(text)'")
    #expect(photo.captured?.iso8601 == "2019-05-04T21:03:05.000Z")
  }

  @Test(arguments: ["2004:08:28", "2043:11:28", "2024:04:13"])
  func `a receiver whose weeks are miscounted agrees with the camera`(day: String) {
    // 1024 weeks behind and ahead of 13 April 2024, and that day.
    let stamp = [Entry(0x1D, .ascii(day)), Entry(7, .rationals([(18, 1), (34, 1), (30, 1)]))]
    let captured = photo(
      exif: [Entry(original, .ascii("2024:04:13 20:34:30"))], gps: stamp
    ).captured
    #expect(captured?.iso8601 == "2024-04-13T20:34:30.000+02:00", "\(day)")
  }

  @Test func `a service's date goes before that of a later scan, and before no other`() {
    let takeout = #"{"title": "a.jpg", "photoTakenTime": {"timestamp": "-150000000"}}"#
    func captured(_ entries: [Entry], _ record: String = takeout) -> CaptureTimeSource? {
      var photo = photo(exif: entries)
      photo.complete(.takeout, Array(record.utf8))
      return photo.captureTimeSource
    }
    let scan = Entry(digitized, .ascii("2021:02:03 10:00:00"))
    #expect(captured([scan]) == .takeout)
    #expect(captured([Entry(original, .ascii("2021:02:03 10:00:00"))]) == .dateTimeOriginal)
    let dayBefore = takeout.replacing("-150000000", with: "1612260000")
    #expect(captured([scan], dayBefore) == .dateTimeDigitized)
    #expect(captured([scan], takeout.replacing("-150000000", with: "0")) == .dateTimeDigitized)
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
      ("2024:04:13 20:34:30", 120), ("2024:04:13 20:39:29", 120), ("2024:04:13 20:29:31", 120),
      ("2024:04:13 18:34:30", 0), ("2024:04:13 15:04:30", -210), ("2024:04:14 00:19:30", 345),
      ("2024:04:14 08:34:30", 840),
    ])
  func `the offset is derived from the local time and the GPS time`(text: String, offset: Int) {
    let stamp = [
      Entry(0x1D, .ascii("2024:04:13")), Entry(7, .rationals([(18, 1), (34, 1), (30, 1)])),
    ]
    let xmp = "exif:DateTimeOriginal=\"\(text)\""
    for photo in [
      photo(exif: [Entry(original, .ascii(text))], gps: stamp), photo(gps: stamp, xmp: xmp),
    ] {
      #expect(photo.captured?.utcOffsetMinutes == offset)
      #expect(photo.captured?.instant.iso8601 == "2024-04-13T18:34:30.000Z")
      #expect(photo.captureTimeSource != .gps)
    }
  }

  /// A camera's time, a receiver's date and time, and the expected capture time.
  private static let witnesses: [(camera: String, date: String, time: [UInt32], taken: String)] = [
    // The number of the week has ten bits.
    ("2021:07:18 16:20:00", "2001:12:02", [14, 20, 0], "2021-07-18T16:20:00.000+02:00"),
    ("2041:03:03 10:00:00", "2001:12:02", [9, 0, 0], "2041-03-03T10:00:00.000+01:00"),
    // Fixes of some time ago.
    ("2022:09:13 14:05:00", "2022:09:11", [9, 21, 40], "2022-09-13T14:05:00.000Z"),
    ("2022:09:11 14:05:00", "2022:09:11", [8, 48, 0], "2022-09-11T14:05:00.000Z"),
    ("2022:09:11 14:05:00", "2022:09:11", [11, 59, 0], "2022-09-11T14:05:00.000Z"),
    ("2022:09:11 14:05:00", "2022:09:11", [9, 5, 0], "2022-09-11T14:05:00.000Z"),
    ("2022:09:11 14:05:00", "2021:08:01", [12, 5, 0], "2022-09-11T14:05:00.000Z"),
    // The local date with the time in UTC, also west of Greenwich.
    ("2022:09:12 00:30:00", "2022:09:12", [22, 30, 0], "2022-09-12T00:30:00.000+02:00"),
    ("2023:01:01 00:30:00", "2023:01:01", [23, 30, 0], "2023-01-01T00:30:00.000+01:00"),
    // The camera lost its date, so the receiver is ahead of it.
    ("2000:01:01 00:02:11", "2019:06:02", [10, 11, 12], "2019-06-02T10:11:12.000Z"),
    ("2019:06:01 10:11:12", "2019:06:02", [10, 11, 12], "2019-06-02T10:11:12.000Z"),
    // A Buddhist year that the receiver proves.
    ("2565:09:11 14:05:00", "2022:09:11", [12, 5, 0], "2022-09-11T14:05:00.000+02:00"),
  ]

  @Test(arguments: witnesses.indices)
  func `a receiver overrules the camera only where a fix can`(row: Int) {
    let witness = Self.witnesses[row]
    let lyon = ExifBlock.position(
      latitude: [(45_764, 1000)], "N", longitude: [(48_357, 10_000)], "E")
    let gps =
      lyon + [
        Entry(0x1D, .ascii(witness.date)), Entry(7, .rationals(witness.time.map { ($0, 1) })),
      ]
    let taken = photo(exif: [Entry(original, .ascii(witness.camera))], gps: gps)
    #expect(taken.captured?.iso8601 == witness.taken)
    guard !witness.camera.hasPrefix("25") else { return }
    let inPacket = photo(gps: gps, xmp: "photoshop:DateCreated='\(witness.camera)'")
    #expect(inPacket.captured?.iso8601 == witness.taken)
  }

  @Test(
    arguments: [
      // Places where an offset is in use, or was in that year.
      (27.7, 85.3, 345, true), (48.9, 2.3, 345, false), (47.5, -52.7, -210, true),
      (-43.9, -176.5, 825, true), (1.9, -157.4, 840, true), (-13.8, -171.8, 780, true),
      (52.9, 172.9, -540, true), (66.2, -171, 720, true), (42.2, -8.7, 120, true),
      (39.5, 76, 480, true), (48.9, 2.3, 300, false), (48.9, 2.3, -120, false),
      (10.5, -66.9, -270, false), (70.7, -52.1, -60, true), (35.7, 139.7, 540, true),
      (35.7, 139.7, 480, true), (-33.9, 18.4, -720, false),
    ] as [(Double, Double, Int, Bool)])
  func `an offset that no zone has at a place is none`(
    latitude: Double, longitude: Double, minutes: Int, isPossible: Bool
  ) {
    func degrees(_ number: Double) -> [(UInt32, UInt32)] {
      [(UInt32((abs(number) * 10).rounded()), 10)]
    }
    let gps =
      ExifBlock.position(
        latitude: degrees(latitude), latitude < 0 ? "S" : "N", longitude: degrees(longitude),
        longitude < 0 ? "W" : "E")
      + [Entry(0x1D, .ascii("2024:04:13")), Entry(7, .rationals([(12, 1), (0, 1), (0, 1)]))]
    let fix = CivilDateTime(year: 2024, month: 4, day: 13, hour: 12)
    let local = fix.flatMap {
      CivilDateTime($0.instant().advanced(bySeconds: Double(minutes) * 60))
    }
    let text = local.map {
      "\($0.year):0\($0.month):\($0.day) " + $0.instant().iso8601.dropFirst(11).prefix(8)
    }
    let taken = photo(exif: [Entry(original, .ascii(text ?? ""))], gps: gps)
    #expect(taken.captured?.utcOffsetMinutes == (isPossible ? minutes : nil))
  }

  /// Dates in the forms that software writes, and the capture times that they give.
  @Test(
    arguments: [
      ("2014:06:21 24:17:45", "2014-06-21T00:17:45.000Z"),
      ("2014-06-21T24:17:45+02:00", "2014-06-21T00:17:45.000+02:00"),
      ("2014:6:1 7:05:09", "2014-06-01T07:05:09.000Z"),
      ("2014/6/21 9:5", "2014-06-21T09:05:00.000Z"),
      ("2014-06-21T15:04-5:00", "2014-06-21T15:04:00.000-05:00"),
      ("2014:06:21 15:04:05 -5", "2014-06-21T15:04:05.000-05:00"),
      ("2014:06:21 15:04:05 -0500", "2014-06-21T15:04:05.000-05:00"),
      ("2014:06:21 15:04:05 -530", "2014-06-21T15:04:05.000-05:30"),
      ("2014:06:21 15:04:05 UTC", "2014-06-21T15:04:05.000+00:00"),
      ("2014:06:21 15:04:05 GMT+2", "2014-06-21T15:04:05.000+02:00"),
      ("2014-06-21T15:04:05\u{2212}03:00", "2014-06-21T15:04:05.000-03:00"),
      ("2014-06-21T15:04:05+99:00", "2014-06-21T15:04:05.000Z"),
      ("2014-06-21T15:04:05 CEST", "2014-06-21T15:04:05.000Z"),
      ("2014-06-21T15:04:05,25Z", "2014-06-21T15:04:05.250+00:00"),
      ("2014-06-21T15:04:05.Z", "2014-06-21T15:04:05.000+00:00"),
      ("2014:06:21 3:04:05 PM", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 12:04:05am", "2014-06-21T00:04:05.000Z"),
      ("2014:06:21 12:04:05 p.m.", "2014-06-21T12:04:05.000Z"),
      ("2014:06:21 15:04:05 PM", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 下午03:04:05", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 오전 09:04:05", "2014-06-21T09:04:05.000Z"),
      ("20140621T150405+0200", "2014-06-21T15:04:05.000+02:00"),
      ("20140621150405", "2014-06-21T15:04:05.000Z"), ("20140621", "2014-06-21"),
      ("2014:06:21 15:04:  ", "2014-06-21T15:04:00.000Z"),
      ("2014:06:21 15.04.05", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 23:59:60", "2014-06-21T23:59:59.999Z"),
      (" 2014:06:21  15:04:05 ", "2014-06-21T15:04:05.000Z"),
      ("2014: 6:21  3: 4: 5", "2014-06-21T03:04:05.000Z"),
      ("2014:06:21 3:04:05 p. m.", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 3:04:05\u{202F}p.\u{A0}m.", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 3:04:05 μ.μ.", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 3:04:05 nachm.", "2014-06-21T15:04:05.000Z"),
      ("2014:06:21 12:04:05 ÖÖ", "2014-06-21T00:04:05.000Z"),
      ("2014:06:21 3:04:05 EMT", "2014-06-21T03:04:05.000Z"),
      ("٢٠١٤:٠٦:٢١ ٠٣:٠٤:٠٥ م", "2014-06-21T15:04:05.000Z"),
      ("२०१४:०६:२१ १५:०४:०५", "2014-06-21T15:04:05.000Z"),
      ("2014年6月21日 15:04:05", "2014-06-21T15:04:05.000Z"),
      ("2014년 6월 21일 오후 3:04:05", "2014-06-21T15:04:05.000Z"),
      ("Sat Jun 21 15:04:05 2014", "2014-06-21T15:04:05.000Z"),
      ("Jun  1 15:04:05 CEST 2014", "2014-06-01T15:04:05.000Z"),
    ])
  func `dates are read in the forms that software writes`(text: String, expected: String) {
    for photo in [
      photo(exif: [Entry(original, .ascii(text))]),
      photo(xmp: "exif:DateTimeOriginal='\(text)'"), photo(xmp: "xmp:CreateDate='\(text)'"),
    ] {
      #expect(photo.captured?.iso8601 == expected, "\(text)")
    }
  }

  @Test(arguments: [
    ("1965", "1965"), ("1965-07", "1965-07"), ("1965:07", "1965-07"), ("1965:00:00", "1965"),
    ("1965:07:00 00:00:00", "1965-07"), ("1965:  :     :  :  ", "1965"), ("1965-7", "1965-7"),
    ("1965-07-00T12:00:00", "1965-07"), ("19650700", "1965-07"), ("19650000", "1965"),
  ])
  func `a partial date stays one, and is never the day of scanning`(
    text: String, expected: String
  ) {
    let expected = expected == "1965-7" ? "1965-07" : expected
    let scanned = Entry(digitized, .ascii("2021:02:03 10:00:00"))
    for photo in [
      photo(exif: [Entry(original, .ascii(text)), scanned]),
      photo(exif: [scanned], xmp: "exif:DateTimeOriginal='\(text)'"),
      photo(xmp: "photoshop:DateCreated='\(text)' xmp:CreateDate='2021-02-03T10:00:00+01:00'"),
      photo(gps: stamp, xmp: "photoshop:DateCreated='\(text)'"),
    ] {
      #expect(photo.captured == nil && photo.captureTimeSource == nil)
      #expect(photo.partialCapture?.date.description == expected)
    }
    let whole = photo(
      exif: [Entry(original, .ascii(text))], xmp: "exif:DateTimeOriginal='1965-07-04T12:00:00'")
    #expect(whole.captured?.iso8601 == "1965-07-04T12:00:00.000Z")
    #expect(whole.partialCapture == nil)
    // The receiver knows the day of that year.
    let located = photo(exif: [Entry(original, .ascii("2024"))], gps: stamp)
    #expect(located.captureTimeSource == .gps)
  }

  @Test(arguments: ["1965-07-04", "1965:07:04", "19650704", " 1965/7/4 "])
  func `a date without a time is a day`(text: String) {
    func day(_ photo: PhotoProperties) -> String? {
      photo.captured?.isDayOnly == true ? photo.captured?.iso8601 : nil
    }
    let scanned = Entry(digitized, .ascii("2021:02:03 10:00:00"))
    for photo in [
      photo(exif: [Entry(original, .ascii(text)), scanned]),
      photo(exif: [scanned], xmp: "exif:DateTimeOriginal='\(text)'"),
      photo(gps: stamp, xmp: "photoshop:DateCreated='\(text)' xmp:CreateDate='2021-02-03T10:00'"),
    ] {
      #expect(day(photo) == "1965-07-04" && photo.captured?.isFromName == false)
    }
    // A time on the day says more, whichever comes first.
    let noon = "1965:07:04 12:00:00"
    for photo in [
      photo(exif: [Entry(original, .ascii(text)), Entry(digitized, .ascii(noon))]),
      photo(exif: [Entry(digitized, .ascii(noon))], xmp: "photoshop:DateCreated='\(text)'"),
      photo(xmp: "photoshop:DateCreated='\(text)' xmp:CreateDate='\(noon)'"),
    ] {
      #expect(photo.captured?.iso8601 == "1965-07-04T12:00:00.000Z")
    }
    // So does a time of the same meaning on another day.
    let both = photo(
      xmp: "exif:DateTimeOriginal='\(text)' photoshop:DateCreated='1965-07-05T12:00'")
    #expect(both.captured?.iso8601 == "1965-07-05T12:00:00.000Z")
    // What a photo service made of the day does not.
    var served = photo(xmp: "exif:DateTimeOriginal='\(text)'")
    let midnight = (served.captured?.instant.millisecondsSince1970 ?? 0) / 1000
    let answer = #"{"title":"a.jpg","photoTakenTime":{"timestamp":"\#(midnight)"}}"#
    served.complete(.takeout, Array(answer.utf8))
    #expect(day(served) == "1965-07-04")
    // The receiver knows the time on its day.
    #expect(
      photo(gps: stamp, xmp: "exif:DateTimeOriginal='2024-04-13'").captureTimeSource == .gps)
    #expect(day(photo(gps: stamp, xmp: "exif:DateTimeOriginal='2024-04-12'")) == "2024-04-12")
  }

  @Test func `a sidecar's original date goes before the day of scanning, a partial one ends it`() {
    let scan = photo(exif: [Entry(digitized, .ascii("2021:02:03 10:00:00"))])
    func completed(_ attributes: String) -> PhotoProperties {
      var photo = scan
      let packet = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
        xmlns:exif="http://ns.adobe.com/exif/1.0/" \(attributes)/></rdf:RDF>
        """
      photo.complete(.xmp, Array(packet.utf8))
      return photo
    }
    #expect(
      completed("exif:DateTimeOriginal='1965-07-01T12:00:00'").captured?.iso8601
        == "1965-07-01T12:00:00.000Z")
    let partial = completed("exif:DateTimeOriginal='1965'")
    #expect(partial.captured == nil && partial.partialCapture?.date.description == "1965")
    #expect(completed("exif:DateTimeDigitized='1965'").captured == scan.captured)
  }

  @Test func `the fraction and the offset of an XMP date may be in properties of their own`() {
    let taken = photo(
      xmp: """
        exif:DateTimeOriginal="2014-06-21T15:04:05" exif:SubSecTimeOriginal="25"
        exif:OffsetTimeOriginal="+02:00"
        """)
    #expect(taken.captured?.iso8601 == "2014-06-21T15:04:05.250+02:00")
  }

  @Test func `the GPS time gives the instant of an XMP time without an offset`() {
    let xmp = #"exif:DateTimeOriginal="2024-04-13T20:34:30""#
    let taken = photo(gps: stamp, xmp: xmp)
    #expect(taken.captureTimeSource == .xmp)
    #expect(taken.captured?.instant.iso8601 == "2024-04-13T18:34:30.250Z")
  }

  @Test(arguments: [
    "2024:04:13", "2024:04:13 18:34:30", "2024-04-13T18:34:30Z", "2024:04:13 23:59:59",
  ])
  func `a time of day in the GPS date is not added to the GPS time`(date: String) {
    let gps = [Entry(0x1D, .ascii(date)), stamp[1]]
    #expect(photo(gps: gps).captured?.iso8601 == "2024-04-13T18:34:30.250Z")
    let dated = photo(exif: [Entry(original, .ascii("2024:04:13 20:34:30"))], gps: gps)
    #expect(dated.captured?.utcOffsetMinutes == 120)
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
