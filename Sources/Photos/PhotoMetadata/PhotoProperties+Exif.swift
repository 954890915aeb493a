import CivilTime
import Spatial

extension PhotoProperties {
  /// Creates the properties contained in an EXIF block.
  init(_ exif: borrowing ExifDecoder) {
    self.init()
    let (position, finding) = Self.position(exif)
    exifPosition = finding
    coordinate = converted(position, datum: exif.text(.gpsMapDatum))
    positionSource = coordinate == nil ? nil : .exif
    // EXIF 2.32, section 4.6.6: the measurement was interrupted. Some devices write it with a
    // position that is good, so it is kept.
    if coordinate != nil, exif.text(.gpsStatus)?.uppercased() == "V" {
      skip("GPS status", "the receiver had no fix (V), so the position may be an older one")
    }
    altitudeMeters = Self.altitude(exif)
    horizontalAccuracyMeters = exif.number(.gpsHPositioningError)
      .flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    heading = exif.number(.gpsImgDirection).flatMap { degrees in
      Heading(degrees: degrees, reference: exif.text(.gpsImgDirectionRef))
    }
    readTimes(exif)
    make = exif.text(.make)
    model = exif.text(.model)
    // In both tags, zero means unknown (EXIF 2.32, section 4.6.5 G).
    focalLength = FocalLength(
      millimeters: exif.number(.focalLength),
      millimetersOn35mmFilm: Self.wholeNumber(
        exif.number(.focalLengthIn35mmFilm), in: 1...65_535))
    orientation = Self.wholeNumber(exif.number(.orientation), in: 1...8)
    title = exif.wideTextOfPerson(.xpTitle)
    caption = exif.textOfPerson(.imageDescription) ?? exif.wideTextOfPerson(.xpComment)
    rating = Self.wholeNumber(exif.number(.rating), in: 0...5)
    isFavorite = rating == 5
  }

  private static func wholeNumber(_ number: Double?, in range: ClosedRange<Int>) -> Int? {
    guard let number, let whole = Int(exactly: number), range.contains(whole) else { return nil }
    return whole
  }

  // MARK: - Position (EXIF 2.32, section 4.6.6)

  private static func position(_ exif: borrowing ExifDecoder) -> (Coordinate?, PositionFinding) {
    guard exif.number(.gpsLatitude) != nil, exif.number(.gpsLongitude) != nil else {
      let isAbsent = !isWritten(exif, .gpsLatitude) && !isWritten(exif, .gpsLongitude)
      return (nil, isAbsent ? .absent : .incomplete)
    }
    let (north, east) = (degrees(exif, .gpsLatitude), degrees(exif, .gpsLongitude))
    guard let latitude = north.number, let longitude = east.number else {
      return (nil, north.number == nil ? north.finding : east.finding)
    }
    // Receivers without a position may write zeros without letters.
    if latitude == 0, longitude == 0 { return (nil, .nullIsland) }
    guard
      let signedLatitude = exif.text(.gpsLatitudeRef).flatMap({
        ReferencedValue.latitude.applied($0, to: latitude)
      }),
      let signedLongitude = exif.text(.gpsLongitudeRef).flatMap({
        ReferencedValue.longitude.applied($0, to: longitude)
      })
    else { return (nil, .unreadableReference) }
    return checked(latitude: signedLatitude, longitude: signedLongitude)
  }

  /// Returns whether a coordinate has a value, as a number or as text. Receivers without a position
  /// write zeros and 0/0.
  private static func isWritten(_ exif: borrowing ExifDecoder, _ tag: ExifTag) -> Bool {
    guard let number = exif.number(tag) else { return exif.text(tag) != nil }
    return number.isFinite && number != 0
  }

  /// Converts degrees, minutes and seconds to one number.
  ///
  /// 0/0 in minutes or seconds, which some cameras write, counts as zero; in degrees it gives
  /// `nil`. A negative sign on any part applies to the whole. More than 60 minutes or seconds give
  /// `nil`; exactly 60, which rounding writes, carry over.
  private static func degrees(
    _ exif: borrowing ExifDecoder, _ tag: ExifTag
  ) -> (number: Double?, finding: PositionFinding) {
    guard let degrees = exif.number(tag), degrees.isFinite else { return (nil, .unreadableNumber) }
    var magnitude = abs(degrees)
    var isNegative = degrees < 0
    for (place, unit) in [(1, 60.0), (2, 3600.0)] {
      guard let part = exif.number(tag, at: place), !part.isNaN else { continue }
      guard part.isFinite else { return (nil, .unreadableNumber) }
      guard abs(part) <= 60 else { return (nil, .outOfRange) }
      magnitude += abs(part) / unit
      isNegative = isNegative || part < 0
    }
    return (isNegative ? -magnitude : magnitude, .valid)
  }

  /// Validates a latitude and longitude, and returns the position, `nil` if invalid, with the
  /// finding.
  static func checked(
    latitude: Double, longitude: Double
  ) -> (Coordinate?, PositionFinding) {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      return (nil, .outOfRange)
    }
    return coordinate.isNullIsland ? (nil, .nullIsland) : (coordinate, .valid)
  }

  /// Returns the altitude in metres. A reference of 1, or of 3 in EXIF 3.0, means below sea level
  /// or below the ellipsoid; some programs write the digit as text.
  private static func altitude(_ exif: borrowing ExifDecoder) -> Double? {
    guard let metres = exif.number(.gpsAltitude), metres.isFinite else { return nil }
    let number = exif.number(.gpsAltitudeRef).flatMap(Int.init(exactly:)).map { String($0) }
    guard let reference = number ?? exif.text(.gpsAltitudeRef) else { return metres }
    return ReferencedValue.altitude.applied(reference, to: metres) ?? metres
  }

  // MARK: - Time (EXIF 2.32, section 4.6.5 F and G)

  private mutating func readTimes(_ exif: borrowing ExifDecoder) {
    satelliteTime = Self.satelliteTime(exif)
    readTime(
      exif, .dateTimeOriginal, .subSecTimeOriginal, .offsetTimeOriginal, from: .dateTimeOriginal)
    if captured?.isDayOnly != false {
      readTime(
        exif, .dateTimeDigitized, .subSecTimeDigitized, .offsetTimeDigitized,
        from: .dateTimeDigitized)
    }
    if let satelliteTime { offer(CaptureTime(instant: satelliteTime), from: .gps) }
  }

  /// Reads a date. A year of the Buddhist calendar, which some devices write, is accepted only if
  /// the receiver proves it.
  private mutating func readTime(
    _ exif: borrowing ExifDecoder, _ date: ExifTag, _ fraction: ExifTag, _ offset: ExifTag,
    from source: CaptureTimeSource
  ) {
    let (fraction, offset) = (exif.text(fraction), exif.text(offset))
    let (satelliteTime, coordinate) = (satelliteTime, coordinate)
    offer(text: exif.text(date), from: source) { text in
      if let date = WrittenDate(text, fraction: fraction, offset: offset) { return date }
      guard let satelliteTime,
        let date = WrittenDate(
          text, fraction: fraction, offset: offset, yearsAhead: WrittenDate.buddhistYears),
        CaptureTime.agreed(date.time.instant(), satelliteTime, at: coordinate) != nil
      else { return nil }
      return date
    }
  }

  /// Returns the date and time of the GPS receiver in UTC; `nil` before 6 January 1980, the start
  /// of GPS time, because receivers that have no time yet write such dates.
  ///
  /// Some devices write the time into the date stamp too; the time stamp counts.
  private static func satelliteTime(_ exif: borrowing ExifDecoder) -> Instant? {
    guard let seconds = exif.number(.gpsTimeStamp, at: 2), let date = exif.text(.gpsDateStamp),
      let written = WrittenDate(date), written.partial == nil,
      let day = CivilDateTime(
        year: written.time.year, month: written.time.month, day: written.time.day),
      let hours = wholeNumber(exif.number(.gpsTimeStamp), in: 0...23),
      let minutes = wholeNumber(exif.number(.gpsTimeStamp, at: 1), in: 0...59),
      (0..<61).contains(seconds)
    else { return nil }
    let instant = day.instant()
      .advanced(bySeconds: Double(hours * 3600 + minutes * 60) + min(seconds, 59.999))
    return instant < Instant(secondsSince1970: 315_964_800) ? nil : instant
  }
}
