import CivilTime
import Spatial

extension PhotoProperties {
  /// Fills in missing properties from an XMP packet.
  mutating func complete(with packet: XMPPacket, from source: PositionSource = .xmp) {
    var place = packet.photo
    var (position, finding) = Self.position(place)
    if finding == .absent {
      place = packet.createdLocation
      (position, finding) = Self.position(place)
    }
    if xmpPosition != .valid { xmpPosition = finding }
    if coordinate == nil, let position {
      coordinate = converted(position, datum: place.exif("GPSMapDatum"))
      positionSource = source
      altitudeMeters = Self.altitude(place)
      horizontalAccuracyMeters = place.exif("GPSHPositioningError").flatMap(Self.rational)
        .flatMap { $0 > 0 ? $0 : nil }
    }
    heading = heading ?? Self.heading(packet)
    satelliteTime = satelliteTime ?? Self.satelliteTime(packet)
    readTimes(packet)
    title =
      title ?? PhotoText.ofPerson(packet.text("title"))
      ?? PhotoText.ofPerson(packet.photoshop("Headline"))
    caption = caption ?? PhotoText.ofPerson(packet.text("description"))
    let xmpRating = packet.basic("Rating").flatMap(Double.init).flatMap(Int.init(exactly:))
      .flatMap { (-1...5).contains($0) ? $0 : nil }
    rating = rating ?? xmpRating
    if xmpRating == 5 { isFavorite = true }
  }

  // MARK: - Values with a reference (XMP specification part 2, sections 1.2.7.4 and 2.3)

  private static func position(_ place: XMPProperties) -> (Coordinate?, PositionFinding) {
    guard let north = place.value(of: .latitude), let east = place.value(of: .longitude) else {
      return (nil, .absent)
    }
    guard let latitude = XMPNumber(degrees: north.text, reference: north.reference, of: .latitude),
      let longitude = XMPNumber(degrees: east.text, reference: east.reference, of: .longitude)
    else { return (nil, .unreadableNumber) }
    guard !latitude.isPastSixty, !longitude.isPastSixty else { return (nil, .outOfRange) }
    guard let latitude = latitude.signed, let longitude = longitude.signed else {
      return (nil, .unreadableReference)
    }
    return checked(latitude: latitude, longitude: longitude)
  }

  private static func altitude(_ place: XMPProperties) -> Double? {
    guard let (text, reference) = place.value(of: .altitude), let metres = rational(text) else {
      return nil
    }
    return reference.flatMap { ReferencedValue.altitude.applied($0, to: metres) } ?? metres
  }

  private static func heading(_ packet: XMPPacket) -> Heading? {
    guard let (text, reference) = packet.photo.value(of: .direction), let degrees = rational(text)
    else {
      return nil
    }
    return Heading(degrees: degrees, reference: reference)
  }

  /// Parses a number or a fraction such as `1234/10`.
  fileprivate static func rational(_ text: String) -> Double? {
    let parts = text.split(separator: "/", maxSplits: 1).map { Double($0) }
    guard let numerator = parts.first ?? nil, let denominator = parts.count == 2 ? parts[1] : 1
    else {
      return nil
    }
    let value = numerator / denominator
    return value.isFinite ? value : nil
  }

  // MARK: - Time

  /// Offers the dates of a packet in the order of the Metadata Working Group's Guidelines 2.0,
  /// section 5.2.
  private mutating func readTimes(_ packet: XMPPacket) {
    readTime(packet, "DateTimeOriginal", "SubSecTimeOriginal", "OffsetTimeOriginal", from: .xmp)
    offer(text: packet.photoshop("DateCreated"), from: .xmp)
    readTime(
      packet, "DateTimeDigitized", "SubSecTimeDigitized", "OffsetTimeDigitized",
      from: .xmpDigitized)
    offer(text: packet.basic("CreateDate"), from: .xmpCreated)
  }

  /// Reads a date, whose fraction and UTC offset may be in properties of their own, as in EXIF.
  private mutating func readTime(
    _ packet: XMPPacket, _ name: String, _ fraction: String, _ offset: String,
    from source: CaptureTimeSource
  ) {
    offer(text: packet.exif(name), from: source) { text in
      WrittenDate(text, fraction: packet.exif(fraction), offset: packet.exif(offset))
    }
  }

  /// Returns the date and time of the GPS receiver, which XMP keeps in one property; `nil` before 6
  /// January 1980, the start of GPS time.
  private static func satelliteTime(_ packet: XMPPacket) -> Instant? {
    guard let text = packet.exif("GPSTimeStamp"), text.utf8.count > 10,
      let date = WrittenDate(text), date.partial == nil
    else { return nil }
    let instant = date.time.instant(utcOffsetMinutes: date.offset ?? 0)
    return instant < Instant(secondsSince1970: 315_964_800) ? nil : instant
  }
}

extension XMPProperties {
  /// Returns a value and its reference.
  fileprivate func value(of property: ReferencedValue) -> (text: String, reference: String?)? {
    exif(property.xmpName).map { ($0, exif(property.xmpName + "Ref")) }
  }
}

/// A latitude or longitude in XMP notation, `50,5.375249N` or `33,51,24S`.
///
/// Degrees alone, which some software writes, are accepted too, with a sign, or with the letter in
/// a property of their own or before the number, and so are the signs of degrees, minutes and
/// seconds in place of the commas: `33 deg 51' 24.00" S`, as ExifTool prints it. Each part may be a
/// fraction, as in EXIF: `33/1,51/1,2400/100`.
///
/// Degrees and minutes need the letter, in the value or as its reference. Where the letter is apart
/// and two whole numbers stand beside one comma, it may be that of decimals, and the value is not
/// read.
private struct XMPNumber {
  private let magnitude: Double
  /// Whether the value is negative, by its letter, sign or reference; `nil` where the reference is
  /// unreadable.
  private let isNegative: Bool?
  /// Whether there are more than 60 minutes or seconds; exactly 60, which rounding writes, carry
  /// over.
  let isPastSixty: Bool

  init?(degrees text: String, reference: String?, of property: ReferencedValue) {
    var digits = text[...]
    var letter = text.last.map(String.init).flatMap { property.isNegative($0) }
    if letter != nil {
      digits.removeLast()
    } else if let first = text.first.map(String.init).flatMap({ property.isNegative($0) }) {
      (letter, digits) = (first, digits.dropFirst())
    }
    let parts = Self.parts(digits)
    let apart: Bool?? = letter == nil ? reference.map { property.isNegative($0) } : nil
    guard (1...3).contains(parts.count), letter != nil || parts.count == 1 || apart != nil,
      letter != nil || !Self.mayBeDecimals(digits)
    else { return nil }
    var magnitude = 0.0
    for (place, unit) in zip(parts.indices, [1.0, 60, 3600]) {
      guard let part = parts[place], part.isFinite,
        part >= 0 || letter == nil && parts.count == 1
      else { return nil }
      magnitude += part / unit
    }
    self.magnitude = magnitude
    isPastSixty = parts.dropFirst().contains { ($0 ?? 0) > 60 }
    let hasSign = text.first == "-" || text.first == "+"
    isNegative = letter ?? (hasSign ? magnitude < 0 : apart ?? false)
  }

  /// The value; `nil` where its reference is unreadable.
  var signed: Double? { isNegative.map { $0 ? -abs(magnitude) : magnitude } }

  /// Whether a text has one comma, and no other mark of minutes or decimals.
  private static func mayBeDecimals(_ text: Substring) -> Bool {
    text.count { $0 == "," } == 1 && !text.contains { "./°º˚'′’".contains($0) }
  }

  /// The signs of degrees, minutes and seconds.
  private static let signs: [[Character]] = [
    ["°", "º", "˚"], ["'", "′", "’"], ["\"", "″", "”"],
  ]

  /// Splits a text into the numbers between commas, between spaces where each is a fraction, or
  /// before the signs of degrees, minutes and seconds in this order; a part that is not a number is
  /// `nil`.
  private static func parts(_ text: Substring) -> [Double?] {
    let text = text.replacing("deg", with: "°")
    guard text.contains(where: signs.joined().contains) else {
      let isOfFractions = !text.contains(",") && text.contains("/")
      return text.split(
        separator: isOfFractions ? " " : ",", omittingEmptySubsequences: isOfFractions
      ).map(number)
    }
    var rest = text[...]
    var parts: [Double?] = []
    for marks in signs {
      guard let end = rest.firstIndex(where: marks.contains) else { break }
      parts.append(number(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    if rest.contains(where: { $0 != " " }) { parts.append(nil) }
    return parts
  }

  private static func number(_ part: Substring) -> Double? {
    let space: (Character) -> Bool = { $0 == " " }
    let digits = part.drop(while: space)
    let end = digits.lastIndex { !space($0) }
    return end.flatMap { PhotoProperties.rational(String(digits[...$0])) }
  }
}
