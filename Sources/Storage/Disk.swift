import CLibrary
package import SystemPackage

/// The few steps on the file system that keep a file whole across a crash.
///
/// Whatever is created is for its owner alone: where someone was, and when, is nobody else's
/// business.
package enum Disk {
  /// Creates a folder, and the folders above it; one that exists is left as it is.
  ///
  /// New names are on the disk when it returns, so that a file in the folder is not lost with it.
  package static func createFolder(_ path: FilePath) throws(Errno) {
    var folder = FilePath(root: path.root, [])
    for component in path.components {
      folder.append(component)
      guard folder.withPlatformString({ mkdir($0, 0o700) }) != 0 else {
        if let error = synchronizeFolder(of: folder) { throw error }
        continue
      }
      let error = Errno(rawValue: errno)
      // Some systems answer "read-only" or "permission denied" for a folder that is there.
      guard isFolder(folder) else { throw error }
    }
  }

  private static func isFolder(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Opens a file, which is created for its owner alone where the options say so.
  static func open(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode,
    _ options: FileDescriptor.OpenOptions = []
  ) throws(Errno) -> FileDescriptor {
    if options.contains(.create) { try will(.create) }
    return try typed {
      try FileDescriptor.open(
        path, mode, options: options.union(.closeOnExec), permissions: .ownerReadWrite)
    }
  }

  /// Opens a file to be read.
  ///
  /// - Throws: `fileTooLarge` beyond the limit in bytes; `noSuchFileOrDirectory` where there is
  ///   none; `notSupported` for a folder, a FIFO or a device.
  package static func openRegularFile(
    _ path: FilePath, limit: Int64
  ) throws(Errno) -> FileDescriptor {
    // A FIFO in the place of the file must not block.
    let file = try open(path, .readOnly, .nonBlocking)
    do throws(Errno) {
      guard try size(of: file) <= limit else { throw .fileTooLarge }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  /// The size of an open file in bytes; throws `notSupported` for what is no regular file.
  package static func size(of file: FileDescriptor) throws(Errno) -> Int64 {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notSupported }
    return Int64(status.st_size)
  }

  /// Reads at the position of a file; returns how many bytes, 0 at its end.
  package static func read(
    _ file: FileDescriptor, into bytes: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try typed { try file.read(into: bytes) }
  }

  /// Reads a file whole; throws what ``openRegularFile(_:limit:)`` does.
  package static func read(_ path: FilePath, limit: Int) throws(Errno) -> [UInt8] {
    let file = try openRegularFile(path, limit: Int64(limit))
    defer { close(file) }
    let size = Int(try size(of: file))
    return try typed {
      try [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        while filled < size {
          let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
          let count = try file.read(fromAbsoluteOffset: Int64(filled), into: rest)
          guard count > 0 else { break }
          filled += count
        }
      }
    }
  }

  /// Reads a file whose size is not known before, as those of the kernel in `/proc` and `/sys`; its
  /// first `limit` bytes where it is longer.
  package static func readToEnd(_ path: FilePath, limit: Int) throws(Errno) -> [UInt8] {
    let file = try open(path, .readOnly)
    defer { close(file) }
    return try typed {
      var bytes: [UInt8] = []
      while bytes.count < limit {
        let part = try [UInt8](unsafeUninitializedCapacity: min(1 << 16, limit - bytes.count)) {
          buffer, count in
          count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        guard !part.isEmpty else { break }
        bytes += part
      }
      return bytes
    }
  }

  /// Writes all bytes at the position of a file.
  package static func write(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) {
    try will(.write)
    try typed { _ = try file.writeAll(bytes) }
  }

  /// Writes bytes that lie in memory at the position of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - give: Hands the bytes over, whatever number of times.
  /// - Throws: The system's error.
  package static func write(
    to file: FileDescriptor, _ give: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws(Errno) {
    try will(.write)
    try typed { try give { bytes in _ = try file.writeAll(bytes) } }
  }

  /// Gives a file another name, in place of a file that has it.
  static func rename(_ path: FilePath, to newPath: FilePath) throws(Errno) {
    try will(.rename)
    let result = path.withPlatformString { old in
      newPath.withPlatformString { systemRename(old, $0) }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Waits until what was written to a file is on the disk.
  package static func synchronize(_ file: FileDescriptor) throws(Errno) {
    try will(.synchronize)
    #if canImport(Darwin)
      let result = fsync(file.rawValue)
    #else
      let result = fdatasync(file.rawValue)
    #endif
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Waits until a file's name is on the disk; returns why that failed.
  ///
  /// Some network file systems cannot do that at all, which is no failure.
  static func synchronizeFolder(of path: FilePath) -> Errno? {
    do throws(Errno) {
      try will(.synchronizeFolder)
      let descriptor = try open(folder(of: path), .readOnly)
      defer { close(descriptor) }
      guard fsync(descriptor.rawValue) != 0 else { return nil }
      let error = Errno(rawValue: errno)
      return error == .invalidArgument || error == .notSupported ? nil : error
    } catch { return error }
  }

  /// The folder that a file lies in.
  static func folder(of path: FilePath) -> FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// Cuts a file off at a size in bytes.
  package static func truncate(_ file: FileDescriptor, to size: Int64) throws(Errno) {
    try will(.write)
    guard ftruncate(file.rawValue, off_t(size)) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Closes a file; what must be on the disk was synchronised before.
  package static func close(_ file: FileDescriptor) {
    try? file.close()
  }

  /// Counts the entries of a folder, which has none where it is missing.
  package static func entryCount(of folder: FilePath) throws(Errno) -> Int {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      guard errno == ENOENT else { throw Errno(rawValue: errno) }
      return 0
    }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    // Without the folder itself and the one above.
    return max(0, count - 2)
  }

  /// The names in a folder that begin with certain bytes, in no order; none where it is missing.
  package static func names(
    in folder: FilePath, beginning: [UInt8]
  ) throws(Errno) -> [[UInt8]] {
    guard let stream = (folder.isEmpty ? "." : folder).withPlatformString({ opendir($0) }) else {
      guard errno == ENOENT else { throw Errno(rawValue: errno) }
      return []
    }
    defer { closedir(stream) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
      var length = 0
      while name[length] != 0 { length += 1 }
      let bytes = UnsafeBufferPointer(start: name, count: length)
      if bytes.starts(with: beginning) { names.append(Array(bytes)) }
    }
    return names
  }

  /// Gives up the lock of a file, also where a process that is just being started holds a copy of
  /// the descriptor, and closes it.
  package static func unlockAndClose(_ file: FileDescriptor) {
    _ = flock(file.rawValue, LOCK_UN)
    close(file)
  }

  /// Whether there is something at a path.
  package static func exists(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
  }

  /// The number of this process.
  package static var processID: Int { Int(getpid()) }

  /// Everything that SystemPackage throws is an `Errno`.
  static func typed<T>(_ body: () throws -> T) throws(Errno) -> T {
    do { return try body() } catch { throw error as? Errno ?? .ioError }
  }
}

/// `rename(2)`, whose name the function above takes.
private func systemRename(
  _ old: UnsafePointer<CInterop.PlatformChar>, _ new: UnsafePointer<CInterop.PlatformChar>
) -> CInt {
  rename(old, new)
}
