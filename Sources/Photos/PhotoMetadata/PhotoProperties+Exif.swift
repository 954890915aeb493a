import CivilTime
import Spatial

extension PhotoProperties {
  /// Creates the properties contained in an EXIF block.
  init(_ exif: borrowing ExifDecoder) {
    self.init()
    (coordinate, exifPosition) = Self.position(exif)
    positionSource = coordinate == nil ? nil : .exif
    altitudeMeters = Self.altitude(exif)
    horizontalAccuracyMeters = exif.number(.gpsHPositioningError)
      .flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    heading = exif.number(.gpsImgDirection).flatMap { degrees in
      Heading(degrees: degrees, isMagnetic: exif.text(.gpsImgDirectionRef)?.uppercased() == "M")
    }
    let satelliteTime = Self.satelliteTime(exif)
    (captured, captureTimeSource) = Self.captureTime(exif, satelliteTime: satelliteTime)
    make = exif.text(.make)
    model = exif.text(.model)
    // In both tags, zero means unknown (EXIF 2.32, section 4.6.5 G).
    focalLength = FocalLength(
      millimeters: exif.number(.focalLength),
      millimetersOn35mmFilm: Self.wholeNumber(
        exif.number(.focalLengthIn35mmFilm), in: 1...65_535))
    orientation = Self.wholeNumber(exif.number(.orientation), in: 1...8)
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
      return (nil, .absent)
    }
    guard let latitude = degrees(exif, .gpsLatitude), let longitude = degrees(exif, .gpsLongitude)
    else { return (nil, .unreadableNumber) }
    guard
      let signedLatitude = signed(
        latitude, exif.text(.gpsLatitudeRef), positive: "N", negative: "S"),
      let signedLongitude = signed(
        longitude, exif.text(.gpsLongitudeRef), positive: "E", negative: "W")
    else { return (nil, .unreadableReference) }
    return checked(latitude: signedLatitude, longitude: signedLongitude)
  }

  /// Converts degrees, minutes and seconds to one number.
  ///
  /// 0/0 in minutes or seconds, which some cameras write, counts as zero; in degrees it gives
  /// `nil`. A negative sign on any part applies to the whole.
  private static func degrees(_ exif: borrowing ExifDecoder, _ tag: ExifTag) -> Double? {
    guard let degrees = exif.number(tag), degrees.isFinite else { return nil }
    var magnitude = abs(degrees)
    var isNegative = degrees < 0
    for (place, unit) in [(1, 60.0), (2, 3600.0)] {
      guard let part = exif.number(tag, at: place), !part.isNaN else { continue }
      magnitude += abs(part) / unit
      isNegative = isNegative || part < 0
    }
    guard magnitude.isFinite else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// Applies the sign of the reference letter to a number; `nil` if the letter is unreadable.
  ///
  /// A negative number stays negative: −33.8 S is in the south.
  private static func signed(
    _ number: Double, _ reference: String?, positive: Unicode.Scalar, negative: Unicode.Scalar
  ) -> Double? {
    guard let letter = reference?.utf8.first else { return nil }
    // Clears the bit that distinguishes lower case.
    switch Unicode.Scalar(letter & 0xDF) {
    case positive: return number
    case negative: return -abs(number)
    default: return nil
    }
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
  /// or below the ellipsoid.
  private static func altitude(_ exif: borrowing ExifDecoder) -> Double? {
    guard let metres = exif.number(.gpsAltitude), metres.isFinite else { return nil }
    let reference = exif.number(.gpsAltitudeRef)
    return reference == 1 || reference == 3 ? -abs(metres) : metres
  }

  // MARK: - Time (EXIF 2.32, section 4.6.5 F and G)

  private static func captureTime(
    _ exif: borrowing ExifDecoder, satelliteTime: Instant?
  ) -> (CaptureTime?, CaptureTimeSource?) {
    let original = localTime(exif, .dateTimeOriginal, .subSecTimeOriginal)
    if let original {
      let offset = exif.text(.offsetTimeOriginal)
      return (captureTime(original, offset, satelliteTime), .dateTimeOriginal)
    }
    if let digitized = localTime(exif, .dateTimeDigitized, .subSecTimeDigitized) {
      let offset = exif.text(.offsetTimeDigitized)
      return (captureTime(digitized, offset, satelliteTime), .dateTimeDigitized)
    }
    return (satelliteTime.map { CaptureTime(instant: $0) }, satelliteTime.map { _ in .gps })
  }

  /// Converts a local time to a capture time: with its UTC offset if there is one, else with the
  /// time from the satellites, else by interpreting the local time as UTC.
  private static func captureTime(
    _ local: (time: CivilDateTime, offset: Int?), _ offset: String?, _ satelliteTime: Instant?
  ) -> CaptureTime {
    if let minutes = local.offset ?? offset.flatMap(ExifDateTime.utcOffsetMinutes) {
      return CaptureTime(
        instant: local.time.instant(utcOffsetMinutes: minutes), utcOffsetMinutes: minutes)
    }
    let localTime = local.time.instant()
    guard let satelliteTime else { return CaptureTime(instant: localTime) }
    return CaptureTime(satelliteTime: satelliteTime, localTime: localTime)
  }

  private static func localTime(
    _ exif: borrowing ExifDecoder, _ date: ExifTag, _ fraction: ExifTag
  ) -> (time: CivilDateTime, offset: Int?)? {
    guard let text = exif.text(date) else { return nil }
    return ExifDateTime.parse(text, fraction: exif.text(fraction))
  }

  /// Returns the date and time of the GPS receiver in UTC; `nil` before 6 January 1980, the start
  /// of GPS time, because receivers that have no time yet write such dates.
  private static func satelliteTime(_ exif: borrowing ExifDecoder) -> Instant? {
    guard let seconds = exif.number(.gpsTimeStamp, at: 2), let date = exif.text(.gpsDateStamp),
      let midnight = ExifDateTime.parse(date, fraction: nil)?.time,
      let hours = wholeNumber(exif.number(.gpsTimeStamp), in: 0...23),
      let minutes = wholeNumber(exif.number(.gpsTimeStamp, at: 1), in: 0...59),
      (0..<61).contains(seconds)
    else { return nil }
    let instant = midnight.instant()
      .advanced(bySeconds: Double(hours * 3600 + minutes * 60) + min(seconds, 59.999))
    return instant < Instant(secondsSince1970: 315_964_800) ? nil : instant
  }
}
