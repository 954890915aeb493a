import CivilTime
package import Encodings
package import PhotoLibrary
import PhotoMetadata

/// A photo as described by PhotoPrism in `GET /api/v1/photos?merged=true`: `search.Photo` and
/// `entity.File` of its sources (internal/entity/search/photos_results.go).
package struct PhotoPrismPhoto: Hashable, Sendable {
  /// The record made from the photo; `nil` where it has no UID.
  package var record: RemoteRecord?

  /// Reads a photo. Members that are missing or of another type are treated as unknown; of a value
  /// that is not an object, all are.
  package init(from reader: inout JSONReader) throws(JSONError) {
    guard let photo = try reader.objectIfAny() else { return }
    record = try Self.record(of: photo)
  }

  /// Reads the hash of the file from which thumbnails are made, in an answer to `GET
  /// /api/v1/photos/UID`; returns `nil` where there is none.
  package static func pictureHash(
    _ reader: inout JSONReader
  ) throws(JSONError) -> String? {
    guard let photo = try reader.objectIfAny() else { return nil }
    let (files, own) = (try File.all(of: photo), try photo.text("Hash"))
    let hash = files.first { $0.isPrimary }?.hash ?? own ?? files.first?.hash
    return hash.flatMap { RemotePhoto.isID($0.utf8) ? $0 : nil }
  }

  /// A file of a photo.
  private struct File {
    let name: String
    let root: String
    let hash: String?
    let size: Double
    let isPrimary: Bool
    let isSidecar: Bool

    init(_ file: JSONObject) throws(JSONError) {
      name = try file.text("Name") ?? ""
      root = try file.text("Root") ?? "/"
      hash = try file.text("Hash")
      size = try file.number("Size") ?? 0
      isPrimary = try file.flag("Primary") ?? false
      isSidecar = try file.flag("Sidecar") ?? false
    }

    /// Returns the files of a photo.
    static func all(of photo: JSONObject) throws(JSONError) -> [File] {
      try photo.list("Files") { (reader) throws(JSONError) in
        try reader.objectIfAny().map { object throws(JSONError) in try File(object) }
      }
    }
  }

  private static func record(of photo: JSONObject) throws(JSONError) -> RemoteRecord? {
    guard let uid = try photo.text("UID"), RemotePhoto.isID(uid.utf8) else { return nil }
    let files = try File.all(of: photo)
    // JPEG files that PhotoPrism made from HEIC or RAW files are under another root.
    let originals = files.filter { $0.root == "/" && !$0.isSidecar }
    let file = originals.first { $0.isPrimary } ?? originals.first ?? files.first
    let fileName = try photo.text("FileName")
    let path = file?.name ?? fileName ?? ""
    var properties = PhotoProperties()
    try properties.read(photo)
    return RemoteRecord(
      id: uid, name: String(path.split(separator: "/").last ?? ""),
      size: max(0, Int64(saturating: file?.size ?? 0)),
      version: try photo.text("UpdatedAt")?.instant?.millisecondsSince1970 ?? 0,
      properties: properties)
  }
}

extension PhotoProperties {
  /// Reads the properties of a photo.
  fileprivate mutating func read(_ photo: JSONObject) throws(JSONError) {
    // Positions that PhotoPrism estimated from other photos of the day are not used.
    if try photo.text("PlaceSrc") != "estimate" {
      set(latitude: try photo.number("Lat"), longitude: try photo.number("Lng"))
    }
    if coordinate != nil, let altitude = try photo.number("Altitude"), altitude != 0,
      abs(altitude) < 20_000
    {
      altitudeMeters = altitude
    }
    set(captured: try Self.captured(photo))
    set(
      make: try Self.known(photo.text("CameraMake")),
      model: try Self.known(photo.text("CameraModel")),
      focalLength: try photo.number("FocalLength"))
    // Titles are mostly made up from towns and labels, and an answer does not say which are. Until
    // 2024 the caption was called the description.
    let description = try photo.text("Description")
    caption = PhotoText.ofPerson(try photo.text("Caption")) ?? PhotoText.ofPerson(description)
    let stars = try photo.number("Rating").map { Int(saturating: $0) } ?? 0
    rating = (1...5).contains(stars) ? stars : nil
    isFavorite = try photo.flag("Favorite") == true || stars == 5
  }

  private static func known(_ name: String?) -> String? { name == "Unknown" ? nil : name }

  /// Returns the capture time. `TakenAtLocal` is the camera's local time written as if it were UTC.
  /// Times that PhotoPrism estimated, or took from the file, are not used.
  private static func captured(_ photo: JSONObject) throws(JSONError) -> CaptureTime? {
    guard let taken = try photo.text("TakenAt")?.instant, let source = try photo.text("TakenSrc"),
      !["", "auto", "estimate", "file"].contains(source)
    else { return nil }
    guard let local = try photo.text("TakenAtLocal")?.instant else {
      return CaptureTime(instant: taken)
    }
    guard let zone = try photo.text("TimeZone"), !["", "Local", "zz"].contains(zone) else {
      return CaptureTime(instant: local)
    }
    return CaptureTime(taken, localAsUTC: local)
  }
}
