import CivilTime
import Spatial

extension PhotoProperties {
  /// Encodes the properties as an EXIF block, beginning with `Exif\0\0`; `nil` if memory cannot be
  /// allocated.
  ///
  /// Decoding the block gives the same properties, except for ratings, which are not written. Times
  /// in the years 1826–2199 keep milliseconds, positions a billionth of a degree, other numbers a
  /// hundredth.
  /// A time without a UTC offset stays without one. Unknown properties are omitted.
  ///
  /// - Parameters:
  ///   - width: The width of the picture in pixels.
  ///   - height: The height of the picture in pixels.
  ///   - hasProfile: Whether the file has a colour profile; if not, its colours are sRGB.
  /// - Returns: The block.
  package func exifBlock(width: UInt16, height: UInt16, hasProfile: Bool) -> [UInt8]? {
    var entries = Self.requiredEntries(width, height, hasProfile: hasProfile)
    let orientation = orientation.flatMap(UInt16.init(exactly:))
    entries +=
      [
        (.make, make.map { .text(Self.bounded($0)) }),
        (.model, model.map { .text(Self.bounded($0)) }),
        (.orientation, orientation.map { .short($0) }),
        (.focalLength, focalLength?.millimeters.map { .rationals([Self.hundredths($0)]) }),
        (
          .focalLengthIn35mmFilm,
          focalLength?.millimetersOn35mmFilm.flatMap(UInt16.init(exactly:)).map { .short($0) }
        ),
      ].entries
    if let captured { entries += Self.timeEntries(captured) }
    if let coordinate { entries += positionEntries(coordinate) }
    return ExifEncoder.block(of: entries)
  }

  /// Returns the mandatory entries for a JPEG picture: EXIF 2.32, section 4.6.8, table 21.
  private static func requiredEntries(
    _ width: UInt16, _ height: UInt16, hasProfile: Bool
  ) -> [ExifEncoder.Entry] {
    [
      // 72 pixels per inch, which means unknown; centred chroma samples.
      .init(directory: .image, tag: 0x011A, value: .rationals([(72, 1)])),
      .init(directory: .image, tag: 0x011B, value: .rationals([(72, 1)])),
      .init(directory: .image, tag: 0x0128, value: .short(2)),
      .init(directory: .image, tag: 0x0213, value: .short(1)),
      .init(directory: .exif, tag: 0x9000, value: .undefined(Array("0232".utf8))),
      .init(directory: .exif, tag: 0x9101, value: .undefined([1, 2, 3, 0])),
      .init(directory: .exif, tag: 0xA000, value: .undefined(Array("0100".utf8))),
      .init(directory: .exif, tag: 0xA001, value: .short(hasProfile ? 0xFFFF : 1)),
      .init(directory: .exif, tag: 0xA002, value: .short(width)),
      .init(directory: .exif, tag: 0xA003, value: .short(height)),
    ]
  }

  /// Limits the length of a text from a file, which may be of any length.
  private static func bounded(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(128)))
  }

  private static func timeEntries(_ time: CaptureTime) -> [ExifEncoder.Entry] {
    let day = 24 * 60
    let offset = time.utcOffsetMinutes.flatMap { abs($0) < day ? $0 : nil }
    guard let local = CivilDateTime(time.instant, utcOffsetMinutes: offset ?? 0),
      WrittenDate.years.contains(local.year)
    else { return [] }
    let text = time.instant.iso8601(utcOffsetMinutes: offset)
    let date = text.prefix(10).replacing("-", with: ":")
    let fraction = text.dropFirst(20).prefix(3)
    return [
      (.dateTimeOriginal, .text("\(date) \(text.dropFirst(11).prefix(8))")),
      (.subSecTimeOriginal, fraction == "000" ? nil : .text(String(fraction))),
      (.offsetTimeOriginal, offset == nil ? nil : .text(String(text.suffix(6)))),
    ].entries
  }

  /// Returns the entries of the GPS directory (EXIF 2.32, section 4.6.6).
  private func positionEntries(_ position: Coordinate) -> [ExifEncoder.Entry] {
    let isNorth = position.latitude.sign == .plus
    let isEast = position.longitude.sign == .plus
    let version = ExifEncoder.Entry(directory: .gps, tag: 0, value: .bytes([2, 3, 0, 0]))
    return [version]
      + [
        (.gpsLatitudeRef, .text(isNorth ? "N" : "S")),
        (.gpsLatitude, .rationals(Self.degrees(position.latitude))),
        (.gpsLongitudeRef, .text(isEast ? "E" : "W")),
        (.gpsLongitude, .rationals(Self.degrees(position.longitude))),
        (.gpsAltitudeRef, altitudeMeters.map { .bytes([$0 < 0 ? 1 : 0]) }),
        (.gpsAltitude, altitudeMeters.map { .rationals([Self.hundredths($0)]) }),
        (.gpsImgDirectionRef, heading.map { .text($0.isMagnetic ? "M" : "T") }),
        (.gpsImgDirection, heading.map { .rationals([Self.direction($0)]) }),
        (.gpsHPositioningError, horizontalAccuracyMeters.map { .rationals([Self.hundredths($0)]) }),
      ].entries
  }

  /// Converts an angle to whole degrees, whole minutes, and seconds with a resolution of a
  /// millionth.
  private static func degrees(_ degrees: Double) -> [(UInt32, UInt32)] {
    let perSecond = 1_000_000
    // At most 180 × 3600 × 10⁶.
    let all = Int(saturating: (abs(degrees) * 3600 * Double(perSecond)).rounded())
    let (minutes, rest) = all.quotientAndRemainder(dividingBy: 60 * perSecond)
    return [
      (UInt32(minutes / 60), 1), (UInt32(minutes % 60), 1), (UInt32(rest), UInt32(perSecond)),
    ]
  }

  private static func hundredths(_ number: Double) -> (UInt32, UInt32) {
    (UInt32(saturating: (abs(number) * 100).rounded()), 100)
  }

  /// Returns a heading in hundredths of a degree, 0–359.99°.
  private static func direction(_ heading: Heading) -> (UInt32, UInt32) {
    let (hundredths, unit) = hundredths(heading.degrees)
    return (hundredths % 36_000, unit)
  }
}

extension [(ExifTag, ExifEncoder.Value?)] {
  /// The entries that have a value.
  fileprivate var entries: [ExifEncoder.Entry] {
    compactMap { tag, value in
      value.map { .init(directory: tag.directory, tag: tag.rawValue, value: $0) }
    }
  }
}
