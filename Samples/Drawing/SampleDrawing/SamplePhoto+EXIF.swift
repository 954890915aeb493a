internal import CivilTime

/// The tags are those of CIPA DC-008-2023 (Exif 3.0); Rating is Microsoft's, as the Metadata
/// Working Group's guidelines 2.0 adopted it.
extension SamplePhoto {
  /// Returns all entries of the photo's EXIF block.
  func exifEntries(of camera: Camera) throws(SampleError) -> [EXIFEntry] {
    let moment = try captureTime()
    var entries = imageEntries(of: camera)
    if let lens = camera.lens { entries += exposureEntries(lens: lens) }
    if let moment { entries += timeEntries(moment, writesOffset: camera.writesOffset) }
    let receiverTime = camera.writesGPSTime ? moment : nil
    switch gps {
    case .missing: break
    case .withoutPosition:
      entries += [gpsVersion, .init(directory: .gps, tag: 0x0009, value: .text("V"))]
      entries += receiverTime.map(receiverTimeEntries) ?? []
    case .position(let position):
      entries += [gpsVersion] + positionEntries(position, camera: camera)
      entries += receiverTime.map(receiverTimeEntries) ?? []
    }
    return entries
  }

  private typealias Moment = (local: CivilDateTime, utcOffsetMinutes: Int)

  private func captureTime() throws(SampleError) -> Moment? {
    guard let captured else { return nil }
    guard let parsed = CivilDateTime.parse(iso8601: captured.utf8),
      let offset = parsed.utcOffsetMinutes
    else { throw .malformedDate(captured) }
    return (parsed.dateTime, offset)
  }

  private func imageEntries(of camera: Camera) -> [EXIFEntry] {
    let width: UInt16 = 320
    let height: UInt16 = 240
    var entries: [EXIFEntry] = [
      .init(directory: .image, tag: 0x010F, value: .text(camera.make)),
      .init(directory: .image, tag: 0x0110, value: .text(camera.model)),
      .init(directory: .image, tag: 0x0112, value: .short(isUpright ? 6 : 1)),
      .init(directory: .image, tag: 0x011A, value: .rationals([Rational(72, 1)])),
      .init(directory: .image, tag: 0x011B, value: .rationals([Rational(72, 1)])),
      .init(directory: .image, tag: 0x0128, value: .short(2)),
      .init(directory: .image, tag: 0x0213, value: .short(1)),
      .init(directory: .exif, tag: 0x9000, value: .undefined(Array("0232".utf8))),
      .init(directory: .exif, tag: 0x9101, value: .undefined([1, 2, 3, 0])),
      .init(directory: .exif, tag: 0xA000, value: .undefined(Array("0100".utf8))),
      .init(directory: .exif, tag: 0xA001, value: .short(1)),
      .init(directory: .exif, tag: 0xA002, value: .short(width)),
      .init(directory: .exif, tag: 0xA003, value: .short(height)),
    ]
    if let rating {
      entries.append(.init(directory: .image, tag: 0x4746, value: .short(rating)))
    }
    return entries
  }

  private func exposureEntries(lens: (focalRatio: UInt32, focalLength: UInt32)) -> [EXIFEntry] {
    let tenThousandths: UInt32 = light.isDark ? 400 : 25
    let sensitivity: UInt16 = light.isDark ? 1600 : 100
    return [
      .init(directory: .exif, tag: 0x829A, value: .rationals([Rational(tenThousandths, 10_000)])),
      .init(directory: .exif, tag: 0x829D, value: .rationals([Rational(lens.focalRatio, 10)])),
      .init(directory: .exif, tag: 0x8827, value: .short(sensitivity)),
      .init(directory: .exif, tag: 0x920A, value: .rationals([Rational(lens.focalLength, 10)])),
    ]
  }

  private func timeEntries(_ moment: Moment, writesOffset: Bool) -> [EXIFEntry] {
    let (date, time) = Self.isoParts(moment.local.instant())
    let text = date.replacingDashes + " " + time.prefix(8)
    var entries: [EXIFEntry] = [
      .init(directory: .image, tag: 0x0132, value: .text(text)),
      .init(directory: .exif, tag: 0x9003, value: .text(text)),
      .init(directory: .exif, tag: 0x9004, value: .text(text)),
    ]
    if moment.local.millisecond > 0 {
      entries.append(
        .init(directory: .exif, tag: 0x9291, value: .text(String(time.dropFirst(9).prefix(3)))))
    }
    if writesOffset {
      let stamp = moment.local.instant().iso8601(utcOffsetMinutes: moment.utcOffsetMinutes)
      entries.append(.init(directory: .exif, tag: 0x9011, value: .text(String(stamp.suffix(6)))))
    }
    return entries
  }

  private var gpsVersion: EXIFEntry {
    .init(directory: .gps, tag: 0x0000, value: .bytes([2, 3, 0, 0]))
  }

  private func positionEntries(_ position: Position, camera: Camera) -> [EXIFEntry] {
    let north = position.latitude >= 0
    let east = position.longitude >= 0
    var entries: [EXIFEntry] = [
      .init(directory: .gps, tag: 0x0001, value: .text(north ? "N" : "S")),
      .init(
        directory: .gps, tag: 0x0002,
        value: .rationals(camera.angleStyle.rationals(of: position.latitude))),
      .init(directory: .gps, tag: 0x0003, value: .text(east ? "E" : "W")),
      .init(
        directory: .gps, tag: 0x0004,
        value: .rationals(camera.angleStyle.rationals(of: position.longitude))),
    ]
    if let altitude = position.altitudeMeters {
      entries += [
        .init(directory: .gps, tag: 0x0005, value: .bytes([altitude < 0 ? 1 : 0])),
        .init(directory: .gps, tag: 0x0006, value: Self.tenths(abs(altitude))),
      ]
    }
    if let heading = position.headingDegrees {
      let reference = camera.hasMagneticCompass ? "M" : "T"
      entries += [
        .init(directory: .gps, tag: 0x0010, value: .text(reference)),
        .init(directory: .gps, tag: 0x0011, value: Self.tenths(heading)),
      ]
    }
    if let accuracy = position.accuracyMeters {
      entries.append(.init(directory: .gps, tag: 0x001F, value: Self.tenths(accuracy)))
    }
    return entries
  }

  private func receiverTimeEntries(_ moment: Moment) -> [EXIFEntry] {
    let utc = moment.local.instant(utcOffsetMinutes: moment.utcOffsetMinutes)
    let (date, time) = Self.isoParts(utc)
    let fields = time.prefix(8).split(separator: ":").map { Rational(UInt32($0) ?? 0, 1) }
    return [
      .init(directory: .gps, tag: 0x0007, value: .rationals(fields)),
      .init(directory: .gps, tag: 0x001D, value: .text(date.replacingDashes)),
    ]
  }

  private static func isoParts(_ instant: Instant) -> (date: String, time: String) {
    let text = instant.iso8601
    return (String(text.prefix(10)), String(text.dropFirst(11)))
  }

  private static func tenths(_ value: Double) -> EXIFEntry.Value {
    .rationals([Rational(UInt32((value * 10).rounded()), 10)])
  }
}

extension String {
  /// The date with EXIF's colons as separators.
  fileprivate var replacingDashes: String { String(map { $0 == "-" ? ":" : $0 }) }
}

extension Camera.AngleStyle {
  /// Returns the magnitude of an angle, which is a whole number of millionths of a degree, as three
  /// rationals that add up to it exactly.
  func rationals(of degrees: Double) -> [Rational] {
    let million: UInt32 = 1_000_000
    let millionths = UInt32((abs(degrees) * 1_000_000).rounded())
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: million)
    switch self {
    case .decimalDegrees: return [Rational(millionths, million), Rational(0, 1), Rational(0, 1)]
    case .decimalMinutes: return [Rational(whole, 1), Rational(rest * 60, million), Rational(0, 1)]
    case .seconds:
      let (minutes, restOfMinute) = (rest * 60).quotientAndRemainder(dividingBy: million)
      // A millionth of a degree is 36 ten-thousandths of a second.
      return [
        Rational(whole, 1), Rational(minutes, 1), Rational(restOfMinute / 20 * 12, 10_000),
      ]
    }
  }
}
