import CLibrary
import Storage
package import SystemPackage

extension SQLiteFile {
  /// The maximum number of attempts to read a file while it is being written.
  private static let attempts = 3

  /// Reads a database that another program may have open and write to, without locking or changing
  /// it.
  ///
  /// Transactions committed to a write-ahead log are included. Since no lock is taken, a concurrent
  /// write may be partly visible. In that case everything is read again, up to three times in
  /// total.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: The limits of values and queries.
  ///   - body: A closure that queries the database; called once per attempt.
  /// - Returns: The result of `body`.
  /// - Throws: The error of the last attempt: ``SQLiteError/isBeingWritten`` if the file changed
  ///   meanwhile, otherwise the error that `body` threw.
  package static func read<Result>(
    _ path: FilePath, limits: Limits, _ body: (SQLiteFile) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    // The log is stored next to the file itself, not next to a link to it.
    let path = unsafe path.withPlatformString { name -> FilePath in
      guard let real = unsafe realpath(name, nil) else { return path }
      defer { unsafe free(real) }
      return unsafe FilePath(platformString: real)
    }
    var reason = SQLiteError.isBeingWritten
    for _ in 0..<attempts {
      let before = try SQLiteFileState(path)
      guard !before.isBeingWritten else { continue }
      var result: Result?
      do throws(SQLiteError) {
        result = try body(
          SQLiteFile(path, before.log == nil ? .immutable : .withLog, limits: limits))
        reason = .isBeingWritten
      } catch {
        // An inconsistent read may look like damage.
        reason = error
      }
      guard try SQLiteFileState(path) == before else {
        reason = .isBeingWritten
        continue
      }
      guard let result else { throw reason }
      return result
    }
    throw reason
  }
}

/// The state of a database's files, which changes with every write that a reader may see in part.
struct SQLiteFileState: Equatable {
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int
  private let inode: UInt64
  /// The header of the write-ahead log (sqlite.org/fileformat2.html, section 4.1), which changes
  /// when the log is restarted; `nil` without a log. Frames appended to the log later are not
  /// visible to a reader.
  let log: [UInt8]?
  /// Whether a transaction is in progress, or was interrupted and needs its journal
  /// (sqlite.org/fileformat2.html, section 3) to be rolled back.
  let isBeingWritten: Bool

  private static let logHeaderLength = 32
  private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  init(_ path: FilePath) throws(SQLiteError) {
    var status = stat()
    guard unsafe path.withPlatformString({ unsafe stat($0, &status) }) == 0 else {
      throw .unreadable(Errno(rawValue: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(.notSupported) }
    size = Int64(status.st_size)
    #if canImport(Darwin)
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
    inode = UInt64(status.st_ino)
    let log = Self.beginning(of: path, "-wal", Self.logHeaderLength)
    self.log = log.count == Self.logHeaderLength ? log : nil
    isBeingWritten = Self.beginning(of: path, "-journal", 8) == Self.journalMagic
  }

  /// Returns the first bytes of a file next to the database; fewer if it is shorter or missing.
  private static func beginning(of path: FilePath, _ suffix: String, _ count: Int) -> [UInt8] {
    let path = FilePath(bytes: path.bytes + Array(suffix.utf8))
    guard let file = try? Disk.openRegularFile(path, limit: .max) else { return [] }
    defer { Disk.close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = unsafe bytes.withUnsafeMutableBytes {
      (try? unsafe Disk.read(file, into: $0)) ?? 0
    }
    return Array(bytes.prefix(filled))
  }
}
