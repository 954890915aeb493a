import CLibrary
import Encodings
import PositionImport
import Spatial
import SystemPackage
import TestSupport

extension FuzzTarget {
  /// The targets for the databases of photo managers, and for the list that osxphotos writes.
  static let positions = [photoDatabase, photoList]

  private static let photoDatabase = FuzzTarget(
    "photo-database", magic: Magic(Array("SQLite format 3\0".utf8)), seeds: Seeds.photoDatabases,
    findFault: faultOfRecords)

  private static let photoList = FuzzTarget(
    "photo-list", seeds: Seeds.photoLists, findFault: faultOfRecords)

  /// Reads an input from a named file, since SQLite opens files by name.
  private static func faultOfRecords(_ content: [UInt8]) throws -> String? {
    let folder = TemporaryFolder()
    let path = folder.path("photos")
    try folder.write(content, to: path)
    let records: PositionRecords
    do throws(PositionImportError) {
      records = try PositionRecords(path)
    } catch { return error.description.isEmpty ? "no reason" : nil }
    for photo in records.photos {
      if photo.paths.isEmpty { return "a record without a path" }
      for path in photo.paths {
        guard let name = path.reversed.first, !name.isEmpty else { return "a path without a name" }
        if path.reversed.contains(Array("..".utf8)) { return "a path that leads up" }
      }
      let place = photo.coordinate
      if place.latitude == 0, place.longitude == 0 { return "a position at 0, 0" }
      if let size = photo.size, size <= 0 { return "a size that is none" }
    }
    if try folder.contents(of: path) != content { return "the file was changed" }
    return nil
  }
}

extension Seeds {
  fileprivate static let photoDatabases: [[UInt8]] = {
    let photos = [
      ("a.jpg", "48.5", "12", "'2024-06-01T10:30:00.000'"), ("b.jpg", "0", "1", "NULL"),
    ]
    let files = [("IMG_1", "CR2", "48.25", "'2024-06-01T10:30:00'")]
    // Small pages keep the inputs small.
    let made = [PhotoManagerDatabases.digiKam(photos), PhotoManagerDatabases.lightroom(files)]
      .compactMap { statements -> [UInt8]? in
        let folder = TemporaryFolder()
        let path = folder.path("made")
        try? TestDatabase.make(path, "PRAGMA page_size=512;" + statements)
        return try? folder.contents(of: path)
      }
    // Used if SQLite is not installed.
    return made.isEmpty ? [Array("SQLite format 3\0".utf8)] : made
  }()

  fileprivate static let photoLists: [[UInt8]] = [
    """
    [{"uuid":"A","original_filename":"IMG_1.HEIC","path":"/a/b.heic","path_raw":null,"latitude":1.5,
    "longitude":2,"date":"2020-04-11T12:34:56.789000+02:00","original_filesize":12,"intrash":false,
    "exif":{"iso":1},"persons":["x"]},{"uuid":"B","original_filename":"b","latitude":null}]
    """, "[]",
  ].map { Array($0.utf8) }
}
