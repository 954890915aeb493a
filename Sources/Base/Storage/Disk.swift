import CLibrary
package import SystemPackage

/// File system operations that keep files intact across a crash.
///
/// Everything is created with access for the owner only, because location data are private. Files
/// that the user asked for follow the user's umask instead; see ``Access``.
package enum Disk {
  /// The access to a new file or folder.
  package enum Access: Sendable {
    /// Only the owner has access, as to all state.
    case ownerOnly
    /// Everybody has the access that the user's umask allows, as to the files of other programs.
    case umask

    /// The permissions of a new file, before the system applies the umask.
    fileprivate var filePermissions: FilePermissions {
      switch self {
      case .ownerOnly: .ownerReadWrite
      case .umask: [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
      }
    }

    /// The permissions of a new folder, before the system applies the umask.
    fileprivate var folderMode: mode_t {
      switch self {
      case .ownerOnly: 0o700
      case .umask: 0o777
      }
    }
  }

  /// Creates a folder and its missing parents; existing folders do not change.
  ///
  /// The new names are synchronised to the disk before the call returns. Otherwise a crash could
  /// lose the folder, and with it files that were synchronised later.
  package static func createFolder(
    _ path: FilePath, access: Access = .ownerOnly
  ) throws(Errno) {
    if isUnmounted(path) { throw .noSuchAddressOrDevice }
    var folder = FilePath(root: path.root, [])
    for component in path.components {
      folder.append(component)
      guard folder.withPlatformString({ mkdir($0, access.folderMode) }) != 0 else {
        giveFolder(folder)
        if let error = synchronizeFolder(of: folder) { throw error }
        continue
      }
      let error = Errno(rawValue: errno)
      // Some systems return "read-only" or "permission denied" for a folder that exists.
      guard isFolder(folder) else {
        try checkAbsence(of: folder.appending("entry"))
        throw error
      }
    }
  }

  /// Returns whether there is a folder at a path, or a link to one.
  package static func isFolder(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Opens a file; if the options create it, only its owner gets access unless more is given.
  static func open(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode,
    _ options: FileDescriptor.OpenOptions = [], access: Access = .ownerOnly
  ) throws(Errno) -> FileDescriptor {
    if options.contains(.create) {
      try willPerform(.create)
      return try openCreating(path, mode, options, permissions: access.filePermissions)
    }
    return try typed {
      try FileDescriptor.open(
        path, mode, options: options.union(.closeOnExec), permissions: access.filePermissions)
    }
  }

  /// Opens a regular file for reading.
  ///
  /// - Throws: `fileTooLarge` if the size exceeds the limit in bytes; `noSuchFileOrDirectory` if
  ///   the file is missing, `noSuchAddressOrDevice` if its disk is away; `notSupported` for a
  ///   folder, a FIFO or a device.
  package static func openRegularFile(
    _ path: FilePath, limit: Int64
  ) throws(Errno) -> FileDescriptor {
    // Non-blocking, because opening a FIFO would wait for a writer.
    let file: FileDescriptor
    do throws(Errno) { file = try open(path, .readOnly, .nonBlocking) } catch {
      if error == .noSuchFileOrDirectory { try checkAbsence(of: path) }
      throw error
    }
    do throws(Errno) {
      guard try size(of: file) <= limit else { throw .fileTooLarge }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  /// Returns the size of an open file in bytes; throws `notSupported` if it is not a regular file.
  package static func size(of file: FileDescriptor) throws(Errno) -> Int64 {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notSupported }
    return Int64(status.st_size)
  }

  /// Reads at the current position of a file; returns the number of bytes, 0 at the end.
  package static func read(
    _ file: FileDescriptor, into bytes: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    try typed { try file.read(into: bytes) }
  }

  /// Reads a whole file; throws the errors of ``openRegularFile(_:limit:)``.
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

  /// Reads a file whose size is not known in advance, such as those in `/proc` and `/sys`; at most
  /// the first `limit` bytes.
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

  /// Writes all bytes at the current position of a file.
  package static func write(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) {
    try willPerform(.write)
    try typed { _ = try file.writeAll(bytes) }
  }

  /// Writes bytes from memory at the current position of a file, without copying them to an array.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - body: A closure that passes buffers to its argument any number of times.
  /// - Throws: The system's error.
  package static func write(
    to file: FileDescriptor, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws(Errno) {
    try willPerform(.write)
    try typed { try body { bytes in _ = try file.writeAll(bytes) } }
  }

  /// Renames a file, replacing an existing file.
  static func rename(_ path: FilePath, to newPath: FilePath) throws(Errno) {
    try willPerform(.rename)
    let result = path.withPlatformString { old in
      newPath.withPlatformString { systemRename(old, $0) }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Waits until the content of a file is on the disk.
  package static func synchronize(_ file: FileDescriptor) throws(Errno) {
    try willPerform(.synchronize)
    #if canImport(Darwin)
      let result = fsync(file.rawValue)
    #else
      let result = fdatasync(file.rawValue)
    #endif
    guard result == 0 else { throw Errno(rawValue: errno) }
  }

  /// Waits until the name of a file is on the disk; returns the error if that failed.
  ///
  /// Some network file systems do not support this, which is not treated as an error.
  static func synchronizeFolder(of path: FilePath) -> Errno? {
    do throws(Errno) {
      try willPerform(.synchronizeFolder)
      let descriptor = try open(folder(of: path), .readOnly)
      defer { close(descriptor) }
      guard fsync(descriptor.rawValue) != 0 else { return nil }
      let error = Errno(rawValue: errno)
      return error == .invalidArgument || error == .notSupported ? nil : error
    } catch { return error }
  }

  /// Returns the folder that contains a file.
  static func folder(of path: FilePath) -> FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// Truncates a file to a size in bytes.
  package static func truncate(_ file: FileDescriptor, to size: Int64) throws(Errno) {
    try willPerform(.write)
    guard ftruncate(file.rawValue, off_t(size)) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Closes a file and ignores errors: content that must not be lost was synchronised before.
  package static func close(_ file: FileDescriptor) {
    try? file.close()
  }

  /// Returns the number of entries in a folder; 0 if it is missing.
  package static func entryCount(of folder: FilePath) throws(Errno) -> Int {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      guard errno == ENOENT else { throw Errno(rawValue: errno) }
      return 0
    }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    // Not counting `.` and `..`.
    return max(0, count - 2)
  }

  /// Returns the names in a folder that begin with the given bytes, in no particular order; none if
  /// it is missing.
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

  /// Releases the lock of a file and closes it.
  ///
  /// The lock is released even if a child process that is just starting still has a copy of the
  /// descriptor.
  package static func unlockAndClose(_ file: FileDescriptor) {
    _ = flock(file.rawValue, LOCK_UN)
    close(file)
  }

  /// Whether a path exists.
  package static func exists(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
  }

  /// The identifier of this process.
  package static var processID: Int { Int(getpid()) }

  /// Runs a closure with typed errors: everything that SystemPackage throws is an `Errno`.
  static func typed<T>(_ body: () throws -> T) throws(Errno) -> T {
    do { return try body() } catch { throw error as? Errno ?? .ioError }
  }
}

/// Calls `rename(2)`, which ``Disk/rename(_:to:)`` shadows.
private func systemRename(
  _ old: UnsafePointer<CInterop.PlatformChar>, _ new: UnsafePointer<CInterop.PlatformChar>
) -> CInt {
  rename(old, new)
}
