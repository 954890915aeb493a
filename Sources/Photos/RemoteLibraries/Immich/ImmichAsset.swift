import CivilTime
package import Encodings
package import PhotoLibrary
import PhotoMetadata

/// An asset as Immich describes it: AssetResponseDto and ExifResponseDto of its OpenAPI document
/// (open-api/immich-openapi-specs.json, 1.106 to 2.x).
package struct ImmichAsset: Sendable {
  /// The record made from the asset; `nil` where it has no id.
  package var record: RemoteRecord?
  /// The creation time of the file, as written by the server. Searches are ordered by it.
  package var fileCreatedAt: String?
  /// Whether the asset is in the bin.
  package var isTrashed = false
  /// The id, and the reason why the description cannot be used; `nil` where it can. ``record`` is
  /// then `nil`.
  package var fault: (id: String?, reason: String)?

  /// Reads an asset. Members that are missing or of another type are treated as unknown; of a value
  /// that is not an object, all are.
  package init(from reader: inout JSONReader) throws(JSONError) {
    guard let asset = try reader.objectIfAny() else {
      fault = (nil, "it is not an object")
      return
    }
    fileCreatedAt = try asset.text("fileCreatedAt")
    isTrashed = try asset.flag("isTrashed") ?? false
    record = try Self.record(of: asset)
    guard let id = record?.id else {
      fault = (nil, "it has no id")
      return
    }
    guard let reason = try Self.fault(of: asset) else { return }
    record = nil
    fault = (id, reason)
  }

  /// Returns why the position of an asset cannot be read; `nil` where it can, or there is none.
  private static func fault(of asset: JSONObject) throws(JSONError) -> String? {
    switch asset.kind(of: "exifInfo") {
    case nil, .null: return nil
    case .object: break
    default: return "its exifInfo is not an object"
    }
    guard let exif = try asset.object("exifInfo") else { return nil }
    for name in ["latitude", "longitude"] {
      let kind = exif.kind(of: name)
      guard kind != nil, kind != .null else { continue }
      if try exif.number(name) == nil { return "its \(name) is not a number" }
    }
    return nil
  }

  private static func record(of asset: JSONObject) throws(JSONError) -> RemoteRecord? {
    guard let id = try asset.text("id"), RemotePhoto.isID(id.utf8) else { return nil }
    let exif = try asset.kind(of: "exifInfo") == .object ? asset.object("exifInfo") : nil
    var properties = PhotoProperties()
    if let exif { try properties.read(exif, local: asset.text("localDateTime")) }
    properties.isFavorite = try asset.flag("isFavorite") == true || properties.rating == 5
    let visibility = try asset.text("visibility")
    let isShown =
      try asset.flag("isVisible") ?? true && visibility != "hidden" && visibility != "locked"
    return RemoteRecord(
      id: id.lowercased(), name: try asset.text("originalFileName") ?? "",
      size: max(0, Int64(saturating: try exif?.number("fileSizeInByte") ?? 0)),
      version: try asset.text("updatedAt")?.instant?.millisecondsSince1970 ?? 0,
      isShown: isShown, properties: properties)
  }
}

extension PhotoProperties {
  /// Reads the EXIF data of an asset.
  fileprivate mutating func read(_ exif: JSONObject, local: String?) throws(JSONError) {
    set(latitude: try exif.number("latitude"), longitude: try exif.number("longitude"))
    set(captured: try Self.captured(exif, local: local?.instant))
    set(
      make: try exif.text("make"), model: try exif.text("model"),
      focalLength: try exif.number("focalLength"))
    caption = PhotoText.ofPerson(try exif.text("description"))
    let stars = try exif.number("rating").map { Int(saturating: $0) }
    rating = stars.flatMap { (-1...5).contains($0) ? $0 : nil }
  }

  /// Returns the capture time. `dateTimeOriginal` is the instant, and `localDateTime` the camera's
  /// local time written as if it were UTC. Without a time zone, only the local time is used.
  /// Without `dateTimeOriginal` the result is `nil`: `localDateTime` is then the file's time.
  private static func captured(
    _ exif: JSONObject, local: Instant?
  ) throws(JSONError) -> CaptureTime? {
    guard let taken = try exif.text("dateTimeOriginal")?.instant else { return nil }
    guard let local else { return CaptureTime(instant: taken) }
    return try exif.text("timeZone") == nil
      ? CaptureTime(instant: local) : CaptureTime(taken, localAsUTC: local)
  }
}
