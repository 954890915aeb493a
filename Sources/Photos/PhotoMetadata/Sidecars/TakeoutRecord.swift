import CivilTime
import Encodings
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
    /// Whether a coordinate is written, but not as a number.
    var isUnreadable = false
  }

  private(set) var geoDataExif: Position?
  private(set) var geoData: Position?
  private(set) var photoTaken: Instant?
  private(set) var isFavorite = false
  /// The title of the photo, the name under which it was uploaded; `nil` for the description of an
  /// album, which has no time of capture and no position.
  private(set) var title: String?
  /// The caption given in Google Photos; empty in most files.
  private(set) var caption: String?

  /// Parses a record; `nil` if the content is not a JSON object.
  init?(_ content: [UInt8]) {
    do throws(JSONError) {
      let record = try JSONObject(document: content)
      geoDataExif = try record.objectIfAny("geoDataExif").map(Self.position)
      geoData = try record.objectIfAny("geoData").map(Self.position)
      photoTaken = try record.objectIfAny("photoTakenTime").flatMap(Self.time)
      if record.kind(of: "favorited") == .boolean {
        isFavorite = try record.boolean("favorited") ?? false
      }
      if record.kind(of: "description") == .string {
        caption = PhotoText.ofPerson(try record.string("description"))
      }
      let isOfPhoto = ["photoTakenTime", "geoData", "geoDataExif"].contains {
        record.kind(of: $0) == .object
      }
      if isOfPhoto, record.kind(of: "title") == .string { title = try record.string("title") }
    } catch {
      return nil
    }
  }

  private static func position(_ position: JSONObject) throws(JSONError) -> Position {
    Position(
      latitude: try position.number("latitude"), longitude: try position.number("longitude"),
      altitude: try position.number("altitude"),
      isUnreadable: ["latitude", "longitude"].contains {
        ![nil, .number, .null].contains(position.kind(of: $0))
      })
  }

  /// Parses an object with a time in seconds since 1970, usually written as a string.
  private static func time(_ time: JSONObject) throws(JSONError) -> Instant? {
    let seconds: Int64? =
      switch time.kind(of: "timestamp") {
      case .string: try time.string("timestamp").flatMap { Int64($0) }
      case .number: try time.integer("timestamp")
      default: nil
      }
    // From 1826, like EXIF dates, to the year 9999.
    guard let seconds, (-4_544_208_000...253_402_300_799).contains(seconds) else { return nil }
    return Instant(secondsSince1970: seconds)
  }
}

extension JSONObject {
  /// Returns an object; `nil` for any other value.
  fileprivate func objectIfAny(_ key: String) throws(JSONError) -> JSONObject? {
    try kind(of: key) == .object ? object(key) : nil
  }

  /// Returns a number; `nil` for any other value.
  fileprivate func number(_ key: String) throws(JSONError) -> Double? {
    try kind(of: key) == .number ? double(key) : nil
  }
}

extension PhotoProperties {
  /// Fills in missing properties from a Takeout record.
  ///
  /// Google's copy of the EXIF position takes precedence over the position set in Google Photos.
  ///
  /// - Returns: Why the record's position cannot be used; `nil` if it has none, or the photo has
  ///   one.
  mutating func complete(with record: TakeoutRecord) -> PositionFinding? {
    var unusable: PositionFinding?
    for position in [record.geoDataExif, record.geoData] {
      guard coordinate == nil, let position else { continue }
      if position.isUnreadable { unusable = unusable ?? .unreadableNumber }
      guard let latitude = position.latitude, let longitude = position.longitude else { continue }
      let (found, finding) = Self.checked(latitude: latitude, longitude: longitude)
      guard let found else {
        if finding == .outOfRange { unusable = unusable ?? finding }
        continue
      }
      coordinate = found
      positionSource = .takeout
      altitudeMeters = position.altitude.flatMap { $0 == 0 ? nil : $0 }
    }
    if let taken = record.photoTaken { offer(CaptureTime(instant: taken), from: .takeout) }
    if record.isFavorite { isFavorite = true }
    caption = caption ?? record.caption
    return coordinate == nil ? unusable : nil
  }
}
