import CLibSQLite
public import SystemPackage

/// An SQLite database created by a test, which may keep it open as the program that owns it would.
public final class TestDatabase {
  /// An SQLite error.
  public struct Failure: Error {
    /// The reason.
    public let reason: String
  }

  private let handle: OpaquePointer

  /// Creates a database, or opens an existing one.
  public init(_ path: FilePath) throws {
    var handle: OpaquePointer?
    guard path.withPlatformString({ sqlite3_open($0, &handle) }) == SQLITE_OK, let handle else {
      throw Failure(reason: "the database cannot be opened")
    }
    self.handle = handle
  }

  deinit { _ = sqlite3_close(handle) }

  /// Executes statements.
  public func execute(_ statements: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    guard sqlite3_exec(handle, statements, nil, nil, &message) != SQLITE_OK else { return }
    throw Failure(reason: message.map { String(cString: $0) } ?? "unknown")
  }

  /// Creates a database by executing statements, and closes it.
  public static func make(_ path: FilePath, _ statements: String) throws {
    try TestDatabase(path).execute(statements)
  }
}
