import CivilTime
import PhotoMetadata
import Spatial
import SystemPackage

@testable import PhotoLibrary

/// A file as stored in the index, by default a photo with a fixed time and position.
struct ShotRow {
  /// The path below `/photos`.
  var path: String
  var size: Int64 = 4_000_000
  var captured: CaptureTime? = CaptureTime(instant: ShotRow.moment, utcOffsetMinutes: 120)
  /// `nil` for a file without a position.
  var coordinate: Coordinate? = ShotRow.place
  var model = "One"
  var rating: Int8?
  var isFavorite = false

  static let moment = Instant(secondsSince1970: 1_700_000_000)
  static let place = Coordinate(latitude: 48.8584, longitude: 2.2945)!

  init(_ path: String, size: Int64 = 4_000_000) {
    self.path = path
    self.size = size
  }

  /// Returns a copy taken some seconds later.
  func later(_ seconds: Double, offset: Int? = 120) -> ShotRow {
    var row = self
    row.captured = CaptureTime(
      instant: Self.moment.advanced(bySeconds: seconds), utcOffsetMinutes: offset)
    return row
  }

  /// Returns a copy taken some metres further north.
  func north(_ meters: Double) -> ShotRow {
    var row = self
    row.coordinate = Coordinate(latitude: 48.8584 + meters / 111_195, longitude: 2.2945)
    return row
  }

  var undated: ShotRow {
    var row = self
    row.captured = nil
    return row
  }

  var unlocated: ShotRow {
    var row = self
    row.coordinate = nil
    return row
  }

  var folder: String { "/photos/" + path.split(separator: "/").dropLast().joined(separator: "/") }
  var name: String { String(path.split(separator: "/").last ?? "") }
}

extension PhotoIndex {
  /// Creates an index of files that need not exist.
  init(_ rows: [ShotRow]) {
    self.init()
    let folders = Dictionary(grouping: rows, by: \.folder)
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (folder, rows) in folders {
      self.folders.append(Array(folder.utf8))
      for row in rows.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
        append(row)
      }
    }
    findShots()
  }

  private mutating func append(_ row: ShotRow) {
    let camera = Camera(make: "Maker", model: row.model).map { cameras.index(of: $0) }
    let photo = row.coordinate.map {
      PhotoTable.Photo(
        facts: PhotoFacts(
          file: FileID(0), captured: row.captured, camera: camera, rating: row.rating,
          isFavorite: row.isFavorite),
        coordinate: $0, source: .exif)
    }
    appendFile(
      name: Array(row.name.utf8), status: FileStatus(size: row.size, modified: 0, inode: 0),
      outcome: photo == nil ? .noPosition : .located, photo: photo)
  }

  /// The files of each shot that has several, as paths below `/photos`, the one that stands for it
  /// first.
  var shotPaths: [[String]] {
    shots.ids.map { shot in
      shots[shot].map { file in
        String(path(of: file).string.dropFirst("/photos/".count))
      }
    }
  }
}

extension ShotMember {
  /// A file of an index whose folders are all there.
  init(_ file: FileID, in index: PhotoIndex) {
    self.init(
      file, in: index, name: ShotNames(index.files).shotName(of: file), isMissing: false)
  }
}
