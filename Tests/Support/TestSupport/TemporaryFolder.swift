import CLibrary
public import SystemPackage

/// A temporary folder for a test, which is removed with its contents at the end of the test.
public final class TemporaryFolder: Sendable {
  /// The folder's absolute path.
  public let root: FilePath

  /// Creates an empty folder. Failure is fatal, since no test can run without it.
  public init() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/photospots-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      preconditionFailure("no temporary folder in \(parent): \(Errno(rawValue: errno))")
    }
    root = FilePath(platformString: made)
  }

  deinit { Self.remove(root) }

  /// Sets the permissions of a file.
  public func setPermissions(of path: FilePath, to permissions: FilePermissions) throws {
    try check(path.withPlatformString { chmod($0, mode_t(permissions.rawValue)) })
  }

  /// Returns the permissions of a file.
  public func permissions(of path: FilePath) throws -> FilePermissions {
    var status = stat()
    try check(path.withPlatformString { stat($0, &status) })
    return FilePermissions(rawValue: CInterop.Mode(status.st_mode & 0o777))
  }

  /// Returns the permissions of a file or folder that a program creates without any of its own.
  ///
  /// They are measured, since reading the umask would change it for other tests.
  public func permissionsOfUmask(isFolder: Bool = false) throws -> FilePermissions {
    let path = path(".umask")
    if isFolder {
      try check(path.withPlatformString { mkdir($0, 0o777) })
      defer { rmdir(path.string) }
      return try permissions(of: path)
    }
    try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate],
      permissions: [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
    ).close()
    defer { unlink(path.string) }
    return try permissions(of: path)
  }

  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> FilePath { root.appending(name) }

  /// Makes a file executable.
  public func makeExecutable(_ path: FilePath) throws {
    guard path.withPlatformString({ chmod($0, 0o755) }) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Returns the path of a file in the folder whose name may be any bytes but NUL.
  public func path(bytes name: [UInt8]) -> FilePath {
    let path = Array(root.string.utf8) + [UInt8(ascii: "/")] + name + [0]
    return path.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
      FilePath(platformString: $0.baseAddress!)
    }
  }

  /// Writes a file, replacing an existing one, and creates its parent folders.
  public func write(_ content: some Sequence<UInt8>, to path: FilePath) throws {
    try createFolder(path.removingLastComponent())
    try write(content, to: path, options: [.create, .truncate])
  }

  /// Writes a file by its name.
  public func write(_ content: some Sequence<UInt8>, to name: String) throws {
    try write(content, to: path(name))
  }

  /// Writes a text file, replacing an existing one, and creates its parent folders.
  public func write(_ text: String, to path: FilePath) throws {
    try write(text.utf8, to: path)
  }

  /// Writes a text file by its name.
  public func write(_ text: String, to name: String) throws {
    try write(text.utf8, to: path(name))
  }

  /// Appends text to an existing file.
  public func append(_ text: String, to name: String) throws {
    try write(text.utf8, to: path(name), options: .append)
  }

  /// Reads a whole file.
  public func contents(of path: FilePath) throws -> [UInt8] { try Corpus.contents(of: path) }

  /// Whether something exists at a path, including a dangling link.
  public func exists(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0
  }

  /// Creates a folder and its parents.
  public func createFolder(_ path: FilePath) throws {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) != 0 else { return }
    try createFolder(path.removingLastComponent())
    try check(path.withPlatformString { mkdir($0, 0o755) })
  }

  /// Creates a FIFO.
  public func createFIFO(_ path: FilePath) throws {
    try check(path.withPlatformString { mkfifo($0, 0o600) })
  }

  /// Creates a symbolic link.
  public func link(_ path: FilePath, to target: FilePath) throws {
    try check(
      target.withPlatformString { target in path.withPlatformString { symlink(target, $0) } })
  }

  /// Renames a file or folder.
  public func move(_ old: FilePath, to new: FilePath) throws {
    try check(old.withPlatformString { old in new.withPlatformString { rename(old, $0) } })
  }

  /// Removes a file, or a folder with its contents.
  public func remove(_ path: FilePath) { Self.remove(path) }

  /// Sets a file's modification time.
  public func setModified(_ path: FilePath, seconds: Int, nanoseconds: Int = 0) throws {
    let time = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    try check(path.withPlatformString { utimensat(AT_FDCWD, $0, [time, time], 0) })
  }

  private func write(
    _ content: some Sequence<UInt8>, to path: FilePath, options: FileDescriptor.OpenOptions
  ) throws {
    let file = try FileDescriptor.open(
      path, .writeOnly, options: options, permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(content) }
  }

  private func check(_ result: CInt) throws {
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  private static func remove(_ path: FilePath) {
    path.withPlatformString { name in
      guard unlink(name) != 0, let stream = opendir(name) else { return }
      var children: [FilePath] = []
      while let entry = readdir(stream) {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
        let child = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        if strcmp(child, ".") != 0, strcmp(child, "..") != 0 {
          children.append(FilePath(platformString: name).pushing(FilePath(platformString: child)))
        }
      }
      closedir(stream)
      for child in children { remove(child) }
      rmdir(name)
    }
  }
}
