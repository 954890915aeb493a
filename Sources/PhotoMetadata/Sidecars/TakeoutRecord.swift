import CivilTime
import Interchange
import Spatial

/// The contents of the JSON file that Google Takeout puts beside a photo.
///
/// The format is not documented; the members are those of archives from 2015 to 2025. Every member
/// is optional, and a member of an unexpected type is ignored.
struct TakeoutRecord {
  /// A position; archives write 0, 0 if there is none.
  struct Position {
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
  }

  private(set) var geoDataExif: Position?
  private(set) var geoData: Position?
  private(set) var photoTaken: Instant?
  private(set) var isFavorite = false

  /// Parses a record; `nil` if the content is not a JSON object.
  init?(_ content: [UInt8]) {
    var reader = JSONReader(content)
    do throws(JSONError) {
      try read(&reader)
    } catch {
      return nil
    }
  }

  private mutating func read(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch (key, try reader.peek()) {
      case ("geoDataExif", .object): geoDataExif = try Self.position(&reader)
      case ("geoData", .object): geoData = try Self.position(&reader)
      case ("photoTakenTime", .object): photoTaken = try Self.time(&reader)
      case ("favorited", .boolean): isFavorite = try reader.boolean()
      default: try reader.skipValue()
      }
    }
    try reader.end()
  }

  private static func position(_ reader: inout JSONReader) throws(JSONError) -> Position {
    var position = Position()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch (key, try reader.peek()) {
      case ("latitude", .number): position.latitude = try reader.double()
      case ("longitude", .number): position.longitude = try reader.double()
      case ("altitude", .number): position.altitude = try reader.double()
      default: try reader.skipValue()
      }
    }
    return position
  }

  /// Parses an object with a time in seconds since 1970, usually written as a string.
  private static func time(_ reader: inout JSONReader) throws(JSONError) -> Instant? {
    var seconds: Int64?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch (key, try reader.peek()) {
      case ("timestamp", .string): seconds = Int64(try reader.string())
      case ("timestamp", .number): seconds = try reader.integer()
      default: try reader.skipValue()
      }
    }
    // From 1826, like EXIF dates, to the year 9999.
    guard let seconds, (-4_544_208_000...253_402_300_799).contains(seconds) else { return nil }
    return Instant(secondsSince1970: seconds)
  }
}

extension PhotoProperties {
  /// Fills in missing properties from a Takeout record.
  ///
  /// Google's copy of the EXIF position takes precedence over the position set in Google Photos.
  mutating func complete(with record: TakeoutRecord) {
    for position in [record.geoDataExif, record.geoData] {
      guard coordinate == nil, let position, let latitude = position.latitude,
        let longitude = position.longitude
      else { continue }
      let (found, _) = Self.checked(latitude: latitude, longitude: longitude)
      guard let found else { continue }
      coordinate = found
      positionSource = .takeout
      altitudeMeters = position.altitude.flatMap { $0 == 0 ? nil : $0 }
    }
    if captureTimeSource == nil || captureTimeSource == .gps, let taken = record.photoTaken {
      captured = CaptureTime(instant: taken)
      captureTimeSource = .takeout
    }
    if record.isFavorite { isFavorite = true }
  }
}
