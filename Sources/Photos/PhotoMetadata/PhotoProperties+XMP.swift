import CivilTime
import Spatial

extension PhotoProperties {
  /// Fills in missing properties from an XMP packet.
  mutating func complete(with packet: XMPPacket, from source: PositionSource = .xmp) {
    let (position, finding) = Self.position(packet)
    if xmpPosition != .valid { xmpPosition = finding }
    if coordinate == nil, let position {
      coordinate = position
      positionSource = source
      altitudeMeters = Self.altitude(packet)
    }
    if captureTimeSource == nil || captureTimeSource == .gps, let time = Self.captureTime(packet) {
      // A time without an offset is combined with the time from the satellites, as in EXIF.
      let satelliteTime = time.utcOffsetMinutes == nil ? captured?.instant : nil
      captured =
        satelliteTime.map { CaptureTime(satelliteTime: $0, localTime: time.instant) } ?? time
      captureTimeSource = .xmp
    }
    let xmpRating = packet.basic("Rating").flatMap(Double.init).flatMap(Int.init(exactly:))
      .flatMap { (-1...5).contains($0) ? $0 : nil }
    rating = rating ?? xmpRating
    if xmpRating == 5 { isFavorite = true }
  }

  private static func position(_ packet: XMPPacket) -> (Coordinate?, PositionFinding) {
    guard let latitude = packet.exif("GPSLatitude"), let longitude = packet.exif("GPSLongitude")
    else { return (nil, .absent) }
    guard let north = XMPCoordinate(latitude, positive: "N", negative: "S"),
      let east = XMPCoordinate(longitude, positive: "E", negative: "W")
    else { return (nil, .unreadableNumber) }
    return checked(latitude: north.degrees, longitude: east.degrees)
  }

  private static func altitude(_ packet: XMPPacket) -> Double? {
    guard let metres = packet.exif("GPSAltitude").flatMap(rational) else { return nil }
    return packet.exif("GPSAltitudeRef") == "1" ? -abs(metres) : metres
  }

  /// Parses a number or a fraction such as `1234/10`.
  private static func rational(_ text: String) -> Double? {
    let parts = text.split(separator: "/", maxSplits: 1).map { Double($0) }
    guard let numerator = parts.first ?? nil, let denominator = parts.count == 2 ? parts[1] : 1
    else {
      return nil
    }
    let value = numerator / denominator
    return value.isFinite ? value : nil
  }

  /// Returns the first valid date of exif:DateTimeOriginal, photoshop:DateCreated,
  /// exif:DateTimeDigitized and xmp:CreateDate, the order of the Metadata Working Group's
  /// Guidelines 2.0, section 5.2.
  private static func captureTime(_ packet: XMPPacket) -> CaptureTime? {
    let dates = [
      packet.exif("DateTimeOriginal"), packet.photoshop("DateCreated"),
      packet.exif("DateTimeDigitized"), packet.basic("CreateDate"),
    ]
    for case let date? in dates {
      guard let (time, offset) = ExifDateTime.parse(date, fraction: nil) else { continue }
      return CaptureTime(
        instant: time.instant(utcOffsetMinutes: offset ?? 0), utcOffsetMinutes: offset)
    }
    return nil
  }
}

/// A latitude or longitude in XMP notation, `50,5.375249N` or `33,51,24S`: XMP specification part
/// 2, section 1.2.7.4. A signed number of degrees, which some software writes, is accepted too.
private struct XMPCoordinate {
  let degrees: Double

  init?(_ text: String, positive: Character, negative: Character) {
    let letter = text.last.flatMap { $0.uppercased().first }
    let isNegative = letter == negative
    let hasLetter = isNegative || letter == positive
    let parts = (hasLetter ? text.dropLast() : text[...])
      .split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard hasLetter || parts.count == 1, (1...3).contains(parts.count) else { return nil }
    var magnitude = 0.0
    for (part, unit) in zip(parts, [1.0, 60, 3600]) {
      guard let part, part.isFinite, !hasLetter || part >= 0 else { return nil }
      magnitude += part / unit
    }
    degrees = isNegative ? -magnitude : magnitude
  }
}
