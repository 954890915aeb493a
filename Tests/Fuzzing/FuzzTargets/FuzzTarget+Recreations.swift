import CivilTime
import Encodings
import PhotoMetadata
import Recreations
import Spatial
import SystemPackage
import TestSupport

extension FuzzTarget {
  /// The targets for pictures sent by a page, and for the list of them.
  static let recreations = [recreation, recreationList]

  private static let now = Instant(secondsSince1970: 1_795_176_000)

  private static let oldPhoto = {
    var photo = OldPhoto(name: "k7mabcdefghijklm", path: "/photos/DSCN0010.jpg")
    photo.captured = CaptureTime(instant: Instant(secondsSince1970: 1_224_686_000))
    photo.coordinate = Coordinate(latitude: 43.466448, longitude: 11.885126)
    return photo
  }()

  private static let recreation = FuzzTarget(
    "recreation", magic: Magic([0xFF, 0xD8]), seeds: Seeds.pictures + Seeds.recreations
  ) { content in
    guard let file = RecreationDocuments.file(of: content, old: oldPhoto, now: now) else {
      return nil
    }
    guard file.count <= content.count + 4096 else { return "much more than was sent" }
    guard JPEGMarkers(file) != nil else { return "no JPEG file" }
    var reader = MetadataReader()
    guard case .photo(let properties) = reader.read(file), properties.positionSource == .exif,
      let position = properties.coordinate, let before = oldPhoto.coordinate,
      position.distance(to: before) < 200.1, let orientation = properties.orientation,
      (1...8).contains(orientation), properties.rating == nil
    else { return "not what was to be written" }
    guard let captured = properties.captured, captured.instant > Instant(secondsSince1970: 0) else {
      return "a time before the program"
    }
    // A written file is stored unchanged, and its metadata is read back as written.
    guard let again = RecreationDocuments.file(of: file, old: oldPhoto, now: now) else {
      return "a file that cannot be kept"
    }
    return RecreationDocuments.file(of: again, old: oldPhoto, now: now) == again
      ? nil : "another file when kept again"
  }

  private static let recreationList = FuzzTarget(
    "recreations", seeds: Seeds.recreationList
  ) { content in
    let written: [UInt8]
    do throws(JSONError) {
      written = try RecreationDocuments.list(content).written
    } catch {
      return nil
    }
    return try RecreationDocuments.list(written).written == written
      ? nil : "other pictures after writing them"
  }
}

extension Seeds {
  /// Small pictures with all kinds of data that are removed from them.
  static let recreations: [[UInt8]] = {
    let frame = JPEGFile.Part.segment(marker: 0xC0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    return [
      JPEGFile([.jfif, .xmp(attributes: "exif:GPSLatitude=\"43,28N\""), frame]).bytes,
      JPEGFile([
        .segment(marker: 0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1]), frame,
        .segment(marker: 0xFE, [0x20]), .segment(marker: 0xDA, [1, 1, 0, 0, 63, 0]),
        .bytes([0xFF, 0, 0xFF, 0xD0, 1]),
      ]).bytes + [1, 2, 3],
    ]
  }()

  static let recreationList = [
    Array(
      """
      {"format":"photospots-recreations","version":1,"recreations":[{"id":"q3vabcdefghijklm",\
      "photo":"k7mabcdefghijklm","photoPath":"/photos/\u{EFFF}.jpg","spot":"47xjsbmtz9sp",\
      "taken":"2026-11-22T09:15:03.000Z","kept":"2026-11-22T09:15:40.000Z","score":0.93,\
      "path":"/photos/PhotoSpots/2026-11-22 10.15.03 Arezzo (2008).jpg"},{"id":"a","photo":"",\
      "kept":"2026-11-22T09:15:40.000Z","path":"/b","more":[1]}]}
      """.utf8)
  ]
}
