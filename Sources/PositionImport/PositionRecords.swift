import PhotoMetadata
package import SQLiteFiles
import Spatial
import Storage
package import SystemPackage

/// The photos with a position that a database of another program records.
package struct PositionRecords: Sendable {
  /// The program.
  package let manager: PhotoManager
  /// The photos with a position.
  package internal(set) var photos: [RecordedPhoto] = []
  /// The number of records whose position is none: 0, 0, or numbers outside the globe.
  package internal(set) var unusableCount = 0
  /// The number of records with a position but no path or name.
  package internal(set) var pathlessCount = 0

  init(_ manager: PhotoManager) { self.manager = manager }

  /// The greatest number of rows of a table, or elements of a list, that is read.
  package static let maximumCount = 5_000_000
  /// A database's values and rows are bounded to this length; an XMP packet in a row that is not
  /// read may be long.
  static let limits = SQLiteFile.Limits(valueLength: 64 << 20, megasteps: 2000)

  /// Reads a database, which is recognised by its content.
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

  /// Reads a database of SQLite.
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

  /// The position in two numbers, where they are one; else it is counted.
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
  /// The file is not of a kind that is known.
  case unknown
  /// The file is a list of photos, but is damaged; the text says where.
  case damaged(String)
  /// The database cannot be read.
  case database(SQLiteError)

  /// The reason, and what is expected.
  package var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .unknown:
      """
      it is none of digiKam's database (digikam4.db), Lightroom's catalogue (.lrcat) and the JSON of \
      'osxphotos query --json' or 'osxphotos dump --json'
      """
    case .damaged(let reason): reason
    case .database(let error): error.description
    }
  }
}
