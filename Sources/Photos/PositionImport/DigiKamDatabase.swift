import Encodings
import PhotoMetadata
import SQLiteFiles
import Spatial

/// A digiKam database.
///
/// Source: digiKam, `core/data/database/dbconfig.xml.cmake.in`, action "CreateDB" of QSQLITE (the
/// tables are the same since schema version 5, digiKam 0.10), and
/// `core/libs/database/collection/collectionmanager*.cpp` (the identifiers of album roots).
struct DigiKamDatabase {
  private let file: SQLiteFile
  private let hasSize: Bool
  private let hasAltitude: Bool
  private let hasTime: Bool

  /// Creates a reader of a file; `nil` if it is not a digiKam database.
  init?(_ file: SQLiteFile) throws(SQLiteError) {
    let images = try file.columns(of: "Images")
    let positions = try file.columns(of: "ImagePositions")
    guard images.isSuperset(of: ["id", "album", "name", "status"]),
      positions.isSuperset(of: ["imageid", "latitudeNumber", "longitudeNumber"]),
      try file.columns(of: "Albums").isSuperset(of: ["id", "albumRoot", "relativePath"]),
      try file.columns(of: "AlbumRoots").isSuperset(of: ["id", "identifier", "specificPath"])
    else { return nil }
    self.file = file
    hasSize = images.contains("fileSize")
    hasAltitude = positions.contains("altitude")
    hasTime = try file.columns(of: "ImageInformation").isSuperset(of: ["imageid", "creationDate"])
  }

  /// Reads the photos with positions.
  func records() throws(SQLiteError) -> PositionRecords {
    var records = PositionRecords(.digiKam)
    var positions: [Int64: (Coordinate, altitude: Double?)] = [:]
    try file.forEachRow(
      of: "ImagePositions",
      ["imageid", "latitudeNumber", "longitudeNumber", hasAltitude ? "altitude" : nil]
    ) { row in
      // A row without numbers contains only a direction or a description.
      guard let image = row.integer(0), row.number(1) != nil || row.number(2) != nil,
        let coordinate = records.coordinate(row.number(1), row.number(2))
      else { return }
      positions[image] = (coordinate, Self.altitude(row.number(3)))
    }
    guard !positions.isEmpty else { return records }
    var times: [Int64: CaptureTime] = [:]
    if hasTime {
      try file.forEachRow(of: "ImageInformation", ["imageid", "creationDate"]) { row in
        guard let image = row.integer(0), positions[image] != nil else { return }
        times[image] = row.captureTime(1)
      }
    }
    let albums = try albums()
    try file.forEachRow(
      of: "Images", ["id", "album", "name", "status", hasSize ? "fileSize" : nil]
    ) { row in
      guard let image = row.integer(0), let position = positions[image],
        Self.isThere(status: row.integer(3))
      else { return }
      guard let name = row.pathPart(2), let album = row.integer(1).flatMap({ albums[$0] }),
        let path = RecordedPath(album + [UInt8(ascii: "/")] + name)
      else {
        records.pathlessCount += 1
        return
      }
      records.photos.append(
        RecordedPhoto(
          paths: [path], size: row.integer(4).flatMap { $0 > 0 ? $0 : nil },
          captured: times[image], coordinate: position.0, altitudeMeters: position.altitude))
    }
    return records
  }

  /// Returns whether an image is visible or hidden, that is, neither trashed nor obsolete
  /// (`DatabaseItem::Status` in `coredbconstants.h`).
  private static func isThere(status: Int64?) -> Bool { (0...2).contains(status ?? -1) }

  private static func altitude(_ meters: Double?) -> Double? {
    meters.flatMap { (-12_000...100_000).contains($0) ? $0 : nil }
  }

  /// Returns the paths of folders by their ids.
  private func albums() throws(SQLiteError) -> [Int64: [UInt8]] {
    var roots: [Int64: [UInt8]] = [:]
    try file.forEachRow(of: "AlbumRoots", ["id", "identifier", "specificPath"]) { row in
      guard let root = row.integer(0) else { return }
      roots[root] = Self.rootPath(row.pathPart(1) ?? [], row.pathPart(2) ?? [])
    }
    var albums: [Int64: [UInt8]] = [:]
    try file.forEachRow(of: "Albums", ["id", "albumRoot", "relativePath"]) { row in
      guard let album = row.integer(0), let root = row.integer(1).flatMap({ roots[$0] }),
        let relative = row.pathPart(2)
      else { return }
      // An album below a root whose own path is not known is relative too.
      albums[album] =
        root.isEmpty
        ? Array(relative.drop { $0 == UInt8(ascii: "/") }) : root + [UInt8(ascii: "/")] + relative
    }
    return albums
  }

  /// Returns the path of an album root. For `volumeid:?path=…` and `networkshareid:?mountpath=…` it
  /// includes the mount point; for `volumeid:?uuid=…` it does not, since only the machine with the
  /// volume knows the mount point.
  static func rootPath(_ identifier: [UInt8], _ specificPath: [UInt8]) -> [UInt8] {
    let text = String(decoding: identifier, as: UTF8.self)
    let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    for item in query.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1)
      if parts.count == 2, parts[0] == "path" || parts[0] == "mountpath" {
        return PercentEncoding.plainBytes(parts[1]) + specificPath
      }
    }
    // Not absolute, since the folders above it are unknown.
    return Array(specificPath.drop { $0 == UInt8(ascii: "/") })
  }
}
