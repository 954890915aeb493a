public import CivilTime
import Encodings
import Storage
public import SystemPackage

/// A stored recreation: a new photo with the view of an old one.
public struct KeptRecreation: Hashable, Sendable {
  /// The identifier, derived from the uploaded bytes and the old photo.
  public let id: String
  /// The name of the old photo on the page.
  public let photoName: String
  /// The file of the old photo.
  public let photoPath: FilePath
  /// The identifier of the old photo's spot; `nil` if unknown.
  public let spotID: String?
  /// The time of capture; `nil` if neither the camera's clock nor the machine's was set.
  public let taken: Instant?
  /// The time when the recreation was stored, by the machine's clock.
  public let kept: Instant
  /// The alignment score, 0–1.
  public let score: Double?
  /// The file of the recreation.
  public let path: FilePath

  /// The time of capture, or else the time of storing.
  public var time: Instant { taken ?? kept }
  /// The file name of the recreation, as text.
  public var fileName: String { NameText.text(of: path.lastName ?? []) }

  init(
    id: String, photoName: String, photoPath: FilePath, spotID: String?, taken: Instant?,
    kept: Instant, score: Double?, path: FilePath
  ) {
    self.id = id
    self.photoName = photoName
    self.photoPath = photoPath
    self.spotID = spotID
    self.taken = taken
    self.kept = kept
    self.score = score
    self.path = path
  }
}

extension KeptRecreation {
  /// Writes the recreation as an element of the list.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("photo", photoName)
      writer.member("photoPath", name: photoPath.bytes)
      writer.member("spot", spotID)
      writer.member("taken", taken?.iso8601)
      writer.member("kept", kept.iso8601)
      writer.member("score", score)
      writer.member("path", name: path.bytes)
    }
  }

  /// Reads an element written by ``write(to:)``.
  init(_ reader: inout JSONReader) throws(JSONError) {
    let element = try JSONObject(&reader)
    let photoPath = try element.nameBytes("photoPath") ?? []
    let path = try element.nameBytes("path") ?? []
    let score = try element.double("score")
    guard let id = try element.string("id"), !id.isEmpty,
      let photoName = try element.string("photo"), let kept = try element.instant("kept"),
      path.first == UInt8(ascii: "/"), !path.contains(0), !photoPath.contains(0),
      score.map((0...1).contains) ?? true
    else {
      throw element.error("a picture lacks its id, photo, time or path, or has a wrong score")
    }
    self.init(
      id: id, photoName: photoName, photoPath: FilePath(bytes: photoPath),
      spotID: try element.string("spot"), taken: try element.instant("taken"), kept: kept,
      score: score, path: FilePath(bytes: path))
  }
}

extension JSONObject {
  /// Returns a time in ISO 8601 with an offset; `nil` where the member is missing.
  fileprivate func instant(_ key: String) throws(JSONError) -> Instant? {
    try value(key) { reader throws(JSONError) in
      let start = reader.offset
      guard let instant = Instant(iso8601: try reader.stringBytes()) else {
        throw JSONError(offset: start, reason: "a time is not in ISO 8601")
      }
      return instant
    }
  }
}
