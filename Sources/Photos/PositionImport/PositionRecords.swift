import PhotoMetadata
package import SQLiteFiles
import Spatial
import Storage
package import SystemPackage

/// The photos with positions in another program's database.
package struct PositionRecords: Sendable {
  /// The program.
  package let manager: PhotoManager
  /// The photos with a position.
  package internal(set) var photos: [RecordedPhoto] = []
  /// The number of records with an unusable position: 0, 0, or numbers out of range.
  package internal(set) var unusableCount = 0
  /// The number of records with a position but no path or name.
  package internal(set) var pathlessCount = 0

  init(_ manager: PhotoManager) { self.manager = manager }

  /// The maximum number of rows of a table, or elements of a list, that are read.
  package static let maximumCount = 5_000_000
  /// The limits of a database's values and queries. The length limit allows for long XMP packets in
  /// rows, which are not read.
  static let limits = SQLiteFile.Limits(valueLength: 64 << 20, megasteps: 2000)

  /// Reads a database, whose kind is detected from its content.
  ///
  /// The file is neither locked nor changed, and may be in use by its program.
  package init(_ path: FilePath) throws(PositionImportError) {
    let beginning: [UInt8]
    do throws(Errno) {
      beginning = try Self.beginning(of: path)
    } catch { throw .unreadable(error) }
    if beginning == SQLiteFile.magic {
      self = try Self.database(path)
    } else {
      self = try OSXPhotosDocument.read(path)
    }
  }

  private static func beginning(of path: FilePath) throws(Errno) -> [UInt8] {
    let file = try Disk.openRegularFile(path, limit: .max)
    defer { Disk.close(file) }
    var bytes = [UInt8](repeating: 0, count: SQLiteFile.magic.count)
    var result: Result<Int, Errno> = .success(0)
    bytes.withUnsafeMutableBytes { buffer in
      do throws(Errno) { result = .success(try Disk.read(file, into: buffer)) } catch {
        result = .failure(error)
      }
    }
    return Array(bytes.prefix(try result.get()))
  }

  /// Reads an SQLite database.
  private static func database(_ path: FilePath) throws(PositionImportError) -> PositionRecords {
    let records: PositionRecords?
    do throws(SQLiteError) {
      records = try SQLiteFile.read(path, limits: limits) {
        file throws(SQLiteError) -> PositionRecords? in
        if let catalog = try LightroomCatalog(file) { return try catalog.records() }
        return try DigiKamDatabase(file)?.records()
      }
    } catch { throw .database(error) }
    guard let records else { throw .unknown }
    return records
  }

  // MARK: - Adding

  /// Returns the position given by two numbers; if they are unusable, counts the record and returns
  /// `nil`.
  mutating func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
    guard let latitude, let longitude, latitude != 0 || longitude != 0,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else {
      unusableCount += 1
      return nil
    }
    return coordinate
  }
}

/// A failure to import positions.
package enum PositionImportError: Error, Hashable, CustomStringConvertible {
  /// The file cannot be read.
  case unreadable(Errno)
  /// The kind of the file is unknown.
  case unknown
  /// The file is a list of photos but is damaged; the text gives the location.
  case damaged(String)
  /// The database cannot be read.
  case database(SQLiteError)

  /// The reason, and the expected kinds of files.
  package var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .unknown:
      """
      it is not digiKam's database (digikam4.db), Lightroom's catalogue (.lrcat) or the JSON of \
      'osxphotos query --json' or 'osxphotos dump --json'
      """
    case .damaged(let reason): reason
    case .database(let error): error.description
    }
  }
}
