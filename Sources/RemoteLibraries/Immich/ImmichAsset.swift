import CivilTime
package import Interchange
package import PhotoLibrary
import PhotoMetadata
import Spatial

/// An asset as Immich describes it: AssetResponseDto and ExifResponseDto of its OpenAPI document
/// (open-api/immich-openapi-specs.json, 1.106 to 2.x).
package struct ImmichAsset: Hashable, Sendable {
  /// The record made from the asset; `nil` where it has no id.
  package var record: RemoteRecord?
  /// The creation time of the file, as written by the server. Searches are ordered by it.
  package var fileCreatedAt: String?
  /// Whether the asset is in the bin.
  package var isTrashed = false

  /// Reads an asset. Members that are missing or of another type are treated as unknown.
  package init(from reader: inout JSONReader) throws(JSONError) {
    var parts = Parts()
    try reader.members { (reader, key) throws(JSONError) in
      switch key {
      case "id": parts.id = try reader.text()
      case "originalFileName": parts.name = try reader.text()
      case "fileCreatedAt": parts.created = try reader.text()
      case "localDateTime": parts.local = try reader.text()
      case "updatedAt": parts.updated = try reader.text()
      case "isFavorite": parts.isFavorite = try reader.flag() ?? false
      case "isTrashed": parts.isTrashed = try reader.flag() ?? false
      case "isVisible": parts.isVisible = try reader.flag() ?? true
      case "visibility": parts.visibility = try reader.text()
      case "exifInfo": try parts.readExif(&reader)
      default: try reader.skipValue()
      }
    }
    fileCreatedAt = parts.created
    isTrashed = parts.isTrashed
    record = parts.record
  }

  /// The members of an asset, as read.
  private struct Parts {
    var id: String?
    var name: String?
    var created: String?
    var local: String?
    var updated: String?
    var isFavorite = false
    var isTrashed = false
    var isVisible = true
    var visibility: String?
    var size: Double?
    var taken: String?
    var timeZone: String?
    var latitude: Double?
    var longitude: Double?
    var make: String?
    var model: String?
    var focalLength: Double?
    var rating: Double?

    mutating func readExif(_ reader: inout JSONReader) throws(JSONError) {
      try reader.members { (reader, key) throws(JSONError) in
        switch key {
        case "fileSizeInByte": size = try reader.number()
        case "dateTimeOriginal": taken = try reader.text()
        case "timeZone": timeZone = try reader.text()
        case "latitude": latitude = try reader.number()
        case "longitude": longitude = try reader.number()
        case "make": make = try reader.text()
        case "model": model = try reader.text()
        case "focalLength": focalLength = try reader.number()
        case "rating": rating = try reader.number()
        default: try reader.skipValue()
        }
      }
    }

    var record: RemoteRecord? {
      guard let id, RemotePhoto.isID(id.utf8) else { return nil }
      var properties = PhotoProperties()
      properties.set(latitude: latitude, longitude: longitude)
      properties.captured = captured
      properties.captureTimeSource = captured == nil ? nil : .server
      properties.make = make.flatMap(Self.name)
      properties.model = model.flatMap(Self.name)
      properties.focalLength = FocalLength(millimeters: focalLength, millimetersOn35mmFilm: nil)
      properties.rating = rating.map { Int(saturating: $0) }.flatMap {
        (-1...5).contains($0) ? $0 : nil
      }
      properties.isFavorite = isFavorite || properties.rating == 5
      let isShown = isVisible && visibility != "hidden" && visibility != "locked"
      return RemoteRecord(
        id: id.lowercased(), name: name ?? "", size: max(0, Int64(saturating: size ?? 0)),
        version: updated.flatMap { Instant(iso8601: $0) }?.millisecondsSince1970 ?? 0,
        isShown: isShown, properties: properties)
    }

    private static func name(_ text: String) -> String? {
      let text = String(text.prefix(100))
      return text.isEmpty ? nil : text
    }

    /// The capture time. `dateTimeOriginal` is the instant, and `localDateTime` the camera's local
    /// time written as if it were UTC. Without a time zone, only the local time is used. Without
    /// `dateTimeOriginal` there is no capture time, since the server then gives that of the file.
    private var captured: CaptureTime? {
      guard let taken = taken.flatMap({ Instant(iso8601: $0) }) else { return nil }
      let local = local.flatMap { Instant(iso8601: $0) }
      guard timeZone != nil, let local else { return CaptureTime(instant: local ?? taken) }
      let minutes = local.seconds(since: taken) / 60
      let isOffset = abs(minutes) <= 15 * 60 && (minutes / 15).rounded() * 15 == minutes
      return CaptureTime(
        instant: taken, utcOffsetMinutes: isOffset ? Int(saturating: minutes) : nil)
    }
  }
}

extension PhotoProperties {
  /// Sets a position from a server; 0, 0 is treated as none.
  mutating func set(latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude, latitude != 0 || longitude != 0,
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return }
    coordinate = place
    positionSource = .server
  }
}
