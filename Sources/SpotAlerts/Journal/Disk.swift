import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The few steps on the file system that keep a file whole across a crash.
enum Disk {
  /// Creates a folder for its owner alone, and the folders above it; one that exists is left as it is.
  static func createFolder(_ path: FilePath) throws(Errno) {
    let parent = path.removingLastComponent()
    if !parent.isEmpty, parent != path, !exists(parent) { try createFolder(parent) }
    let result = path.withPlatformString { mkdir($0, 0o700) }
    guard result == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
  }

  static func exists(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
  }

  static func open(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode,
    _ options: FileDescriptor.OpenOptions = []
  ) throws(Errno) -> FileDescriptor {
    try typed {
      try FileDescriptor.open(
        path, mode, options: options.union(.closeOnExec), permissions: .ownerReadWrite)
    }
  }

  /// Reads a file whole.
  ///
  /// - Throws: `fileTooLarge` beyond the limit; `noSuchFileOrDirectory` where there is none.
  static func read(_ path: FilePath, limit: Int) throws(Errno) -> [UInt8] {
    let file = try open(path, .readOnly)
    defer { close(file) }
    let size = try typed { try file.seek(offset: 0, from: .end) }
    guard size <= limit else { throw .fileTooLarge }
    try typed { _ = try file.seek(offset: 0, from: .start) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(size) + 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try typed { try buffer.withUnsafeMutableBytes { try file.read(into: $0) } }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw .fileTooLarge }
    }
  }

  static func write(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) {
    try typed { _ = try file.writeAll(bytes) }
  }

  /// Replaces a file at once: whoever reads it, and whatever crashes, finds the old or the new one.
  static func replace(_ path: FilePath, with bytes: [UInt8]) throws(Errno) {
    var temporary = path
    temporary.extension = "new"
    let file = try open(temporary, .writeOnly, [.create, .truncate])
    do {
      defer { close(file) }
      try write(bytes, to: file)
      try synchronize(file)
    }
    let result = temporary.withPlatformString { from in
      path.withPlatformString { rename(from, $0) }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    try synchronizeFolder(path.removingLastComponent())
  }

  /// Waits until what was written to a file is on the disk.
  static func synchronize(_ file: FileDescriptor) throws(Errno) {
    #if canImport(Darwin)
      let result = fsync(file.rawValue)
    #else
      let result = fdatasync(file.rawValue)
    #endif
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Waits until the names in a folder are on the disk.
  static func synchronizeFolder(_ path: FilePath) throws(Errno) {
    let folder = try open(path.isEmpty ? "." : path, .readOnly)
    defer { close(folder) }
    guard fsync(folder.rawValue) == 0 else { throw Errno(rawValue: errno) }
  }

  static func truncate(_ file: FileDescriptor, to size: Int64) throws(Errno) {
    guard ftruncate(file.rawValue, off_t(size)) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Closes a file; what must be on the disk was synchronised before.
  static func close(_ file: FileDescriptor) {
    try? file.close()
  }

  /// Locks a file for this process alone, until it is closed; false where another one holds it.
  static func lock(_ file: FileDescriptor) throws(Errno) -> Bool {
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 else { return true }
    guard errno == EWOULDBLOCK else { throw Errno(rawValue: errno) }
    return false
  }

  /// Gives up the lock of a file, also where a process that is just being started holds a copy of the
  /// descriptor, and closes it.
  static func unlockAndClose(_ file: FileDescriptor) {
    _ = flock(file.rawValue, LOCK_UN)
    close(file)
  }

  static var processID: Int { Int(getpid()) }

  /// Everything that SystemPackage throws is an `Errno`.
  private static func typed<T>(_ body: () throws -> T) throws(Errno) -> T {
    do { return try body() } catch { throw error as? Errno ?? .ioError }
  }
}
