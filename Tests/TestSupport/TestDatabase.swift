import CLibrary
public import SystemPackage

/// An SQLite database created by a test, which may keep it open as the program that owns it would.
public final class TestDatabase {
  private typealias Open =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<OpaquePointer?>?
    ) -> CInt
  private typealias Execute =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, OpaquePointer?, OpaquePointer?,
      UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> CInt
  private typealias Close = @convention(c) (OpaquePointer?) -> CInt

  /// SQLite's functions, from a library loaded at run time.
  private struct Library: @unchecked Sendable {
    let open: Open
    let execute: Execute
    let close: Close

    init?() {
      guard
        let library = (["libsqlite3.so.0", "libsqlite3.dylib"] as [String]).lazy.compactMap({
          dlopen($0, RTLD_NOW)
        }).first, let open = dlsym(library, "sqlite3_open"),
        let execute = dlsym(library, "sqlite3_exec"), let close = dlsym(library, "sqlite3_close")
      else { return nil }
      self.open = unsafeBitCast(open, to: Open.self)
      self.execute = unsafeBitCast(execute, to: Execute.self)
      self.close = unsafeBitCast(close, to: Close.self)
    }
  }

  private static let library = Library()

  /// Whether the library is installed.
  public static var isPossible: Bool { library != nil }

  /// An SQLite error.
  public struct Failure: Error {
    /// The reason.
    public let reason: String
  }

  private let library: Library
  private let handle: OpaquePointer

  /// Creates a database, or opens an existing one.
  public init(_ path: FilePath) throws {
    guard let library = Self.library else { throw Failure(reason: "SQLite is not installed") }
    var handle: OpaquePointer?
    guard path.withPlatformString({ library.open($0, &handle) }) == 0, let handle else {
      throw Failure(reason: "the database cannot be opened")
    }
    (self.library, self.handle) = (library, handle)
  }

  deinit { _ = library.close(handle) }

  /// Executes statements.
  public func execute(_ statements: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    guard library.execute(handle, statements, nil, nil, &message) != 0 else { return }
    throw Failure(reason: message.map { String(cString: $0) } ?? "unknown")
  }

  /// Creates a database by executing statements, and closes it.
  public static func make(_ path: FilePath, _ statements: String) throws {
    try TestDatabase(path).execute(statements)
  }
}
