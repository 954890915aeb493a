import CivilTime
import Encodings
import PhotoMetadata
import Spatial

@testable public import PhotoLibrary

/// A photo in an index, whose file need not exist.
public struct TestPhoto: Sendable {
  public var path: String
  public var latitude: Double
  public var longitude: Double
  /// ISO 8601; `nil` for undated.
  public var captured: String?
  public var isFavorite = false
  public var headingDegrees: Double?
  public var size: Int64 = 4_000_000

  public init(
    _ path: String, _ latitude: Double, _ longitude: Double, _ captured: String? = nil,
    isFavorite: Bool = false, headingDegrees: Double? = nil
  ) {
    (self.path, self.latitude, self.longitude, self.captured) =
      (path, latitude, longitude, captured)
    (self.isFavorite, self.headingDegrees) = (isFavorite, headingDegrees)
  }

  fileprivate var folder: String {
    "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }
  fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
}

extension PhotoIndex {
  /// Makes an index of photos.
  public init(made photos: [TestPhoto]) {
    self.init()
    for (folder, photos) in Dictionary(grouping: photos, by: \.folder)
      .sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    {
      folders.append(Array(folder.utf8))
      for photo in photos.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
        append(photo)
      }
    }
    findShots()
  }

  private mutating func append(_ photo: TestPhoto) {
    let time = photo.captured.flatMap { text in
      CivilDateTime.parse(iso8601: Array(text.utf8)).map { dateTime, offset in
        CaptureTime(
          instant: dateTime.instant(utcOffsetMinutes: offset ?? 0), utcOffsetMinutes: offset)
      }
    }
    let camera = Camera(make: "Maker", model: "One").map { cameras.index(of: $0) }
    appendFile(
      name: Array(photo.name.utf8),
      status: FileStatus(size: photo.size, modified: 7, inode: 0), outcome: .located,
      photo: PhotoTable.Photo(
        facts: PhotoFacts(
          file: FileID(0), captured: time, camera: camera, rating: photo.isFavorite ? 5 : nil,
          isFavorite: photo.isFavorite),
        coordinate: Coordinate(latitude: photo.latitude, longitude: photo.longitude)!,
        heading: photo.headingDegrees.flatMap { Heading(degrees: $0, isMagnetic: false) },
        source: .exif))
  }
}
