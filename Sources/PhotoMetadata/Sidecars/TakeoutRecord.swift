import CivilTime
import Interchange
import Spatial

/// What Google Takeout says of a photo in the JSON file beside it.
///
/// There is no specification; the members are those of archives from 2015 to 2025. Everything is
/// optional, and what has another shape than expected is passed over.
struct TakeoutRecord {
  /// A position; 0, 0 is how an archive writes that there is none.
  struct Position {
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
  }

  private(set) var geoDataExif: Position?
  private(set) var geoData: Position?
  private(set) var photoTaken: Instant?
  private(set) var isFavorite = false

  /// Reads a record; `nil` where the content is no JSON object.
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

  /// Seconds since 1970, written as a string.
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
    // From 1826, as for dates of EXIF, to the last year that a date can be written in.
    guard let seconds, (-4_544_208_000...253_402_300_799).contains(seconds) else { return nil }
    return Instant(secondsSince1970: seconds)
  }
}

extension PhotoProperties {
  /// Fills in what a Takeout record says and the photo itself did not: its own copy of the EXIF
  /// position first, then the one that was set in Google Photos.
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
