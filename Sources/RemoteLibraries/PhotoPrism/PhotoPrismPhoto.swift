import CivilTime
package import Interchange
package import PhotoLibrary
import PhotoMetadata

/// A photo as described by PhotoPrism in `GET /api/v1/photos?merged=true`: `search.Photo` and
/// `entity.File` of its sources (internal/entity/search/photos_results.go).
package struct PhotoPrismPhoto: Hashable, Sendable {
  /// The record made from the photo; `nil` where it has no UID.
  package var record: RemoteRecord?

  /// Reads a photo. Members that are missing or of another type are treated as unknown.
  package init(from reader: inout JSONReader) throws(JSONError) {
    var parts = Parts()
    try reader.members { (reader, key) throws(JSONError) in try parts.read(key, &reader) }
    record = parts.record
  }

  /// Reads the hash of the file from which thumbnails are made, in an answer to `GET
  /// /api/v1/photos/UID`; returns `nil` where there is none.
  package static func pictureHash(
    _ reader: inout JSONReader
  ) throws(JSONError) -> String? {
    var parts = Parts()
    try reader.members { (reader, key) throws(JSONError) in try parts.read(key, &reader) }
    let hash = parts.files.first { $0.isPrimary }?.hash ?? parts.hash ?? parts.files.first?.hash
    return hash.flatMap { RemotePhoto.isID($0.utf8) ? $0 : nil }
  }

  /// A file of a photo.
  private struct File {
    var name = ""
    var root = "/"
    var hash: String?
    var size = 0.0
    var isPrimary = false
    var isSidecar = false
  }

  /// The members of a photo, as read.
  private struct Parts {
    var uid: String?
    var fileName: String?
    var hash: String?
    var files: [File] = []
    var taken: String?
    var local: String?
    var takenSource: String?
    var timeZone: String?
    var latitude: Double?
    var longitude: Double?
    var placeSource: String?
    var altitude: Double?
    var make: String?
    var model: String?
    var focalLength: Double?
    var rating: Double?
    var isFavorite = false
    var updated: String?

    mutating func read(_ key: String, _ reader: inout JSONReader) throws(JSONError) {
      switch key {
      case "UID": uid = try reader.text()
      case "FileName": fileName = try reader.text()
      case "Hash": hash = try reader.text()
      case "TakenAt": taken = try reader.text()
      case "TakenAtLocal": local = try reader.text()
      case "TakenSrc": takenSource = try reader.text()
      case "TimeZone": timeZone = try reader.text()
      case "Lat": latitude = try reader.number()
      case "Lng": longitude = try reader.number()
      case "PlaceSrc": placeSource = try reader.text()
      case "Altitude": altitude = try reader.number()
      case "CameraMake": make = try reader.text()
      case "CameraModel": model = try reader.text()
      case "FocalLength": focalLength = try reader.number()
      case "Rating": rating = try reader.number()
      case "Favorite": isFavorite = try reader.flag() ?? false
      case "UpdatedAt": updated = try reader.text()
      case "Files":
        try reader.elements { (reader) throws(JSONError) in
          files.append(try Self.file(&reader))
        }
      default: try reader.skipValue()
      }
    }

    private static func file(_ reader: inout JSONReader) throws(JSONError) -> File {
      var file = File()
      try reader.members { (reader, key) throws(JSONError) in
        switch key {
        case "Name": file.name = try reader.text() ?? ""
        case "Root": file.root = try reader.text() ?? "/"
        case "Hash": file.hash = try reader.text()
        case "Size": file.size = try reader.number() ?? 0
        case "Primary": file.isPrimary = try reader.flag() ?? false
        case "Sidecar": file.isSidecar = try reader.flag() ?? false
        default: try reader.skipValue()
        }
      }
      return file
    }

    var record: RemoteRecord? {
      guard let uid, RemotePhoto.isID(uid.utf8) else { return nil }
      // JPEG files that PhotoPrism made from HEIC or RAW files are under another root.
      let originals = files.filter { $0.root == "/" && !$0.isSidecar }
      let file = originals.first { $0.isPrimary } ?? originals.first ?? files.first
      let path = file.map(\.name) ?? fileName ?? ""
      var properties = PhotoProperties()
      // Positions that PhotoPrism estimated from other photos of the day are not used.
      if placeSource != "estimate" { properties.set(latitude: latitude, longitude: longitude) }
      if properties.coordinate != nil, let altitude, altitude != 0, abs(altitude) < 20_000 {
        properties.altitudeMeters = altitude
      }
      properties.captured = captured
      properties.captureTimeSource = captured == nil ? nil : .server
      properties.make = make.flatMap(Self.name)
      properties.model = model.flatMap(Self.name)
      properties.focalLength = FocalLength(millimeters: focalLength, millimetersOn35mmFilm: nil)
      let stars = rating.map { Int(saturating: $0) } ?? 0
      properties.rating = (1...5).contains(stars) ? stars : nil
      properties.isFavorite = isFavorite || stars == 5
      return RemoteRecord(
        id: uid, name: String(path.split(separator: "/").last ?? ""),
        size: max(0, Int64(saturating: file?.size ?? 0)),
        version: updated.flatMap { Instant(iso8601: $0) }?.millisecondsSince1970 ?? 0,
        properties: properties)
    }

    private static func name(_ text: String) -> String? {
      let text = String(text.prefix(100))
      return text.isEmpty || text == "Unknown" ? nil : text
    }

    /// The capture time. `TakenAtLocal` is the camera's local time written as if it were UTC. Times
    /// that PhotoPrism estimated, or took from the file, are not used.
    private var captured: CaptureTime? {
      guard let taken = taken.flatMap({ Instant(iso8601: $0) }),
        let source = takenSource, !["", "auto", "estimate", "file"].contains(source)
      else { return nil }
      let local = local.flatMap { Instant(iso8601: $0) }
      guard let timeZone, !["", "Local", "zz"].contains(timeZone), let local else {
        return CaptureTime(instant: local ?? taken)
      }
      let minutes = local.seconds(since: taken) / 60
      let isOffset = abs(minutes) <= 15 * 60 && (minutes / 15).rounded() * 15 == minutes
      return CaptureTime(
        instant: taken, utcOffsetMinutes: isOffset ? Int(saturating: minutes) : nil)
    }
  }
}
