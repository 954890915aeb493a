import CLibrary
public import Storage
public import SystemPackage

/// An open regular file that is closed when its owner releases it.
///
/// Opening never blocks; FIFOs, sockets, devices and folders are rejected without being read.
public struct PhotoFile: ~Copyable, Sendable {
  /// The file descriptor, open for reading.
  public let descriptor: FileDescriptor
  /// The size in bytes.
  public let size: Int64
  /// The modification time in nanoseconds since 1970.
  public let modifiedNanoseconds: Int64
  /// The time of the last change of the content or of a property in nanoseconds since 1970, which
  /// no program can set; 0 if the file system has none.
  package let changedNanoseconds: Int64
  /// The inode number.
  public let inode: UInt64

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLink: Whether to follow a symbolic link.
  /// - Throws: ``PhotoFileError`` if it is not a regular file or cannot be opened.
  public init(_ path: FilePath, followsLink: Bool = true) throws(PhotoFileError) {
    try self.init(opened: unsafe path.withPlatformString { unsafe Self.open($0, followsLink) })
  }

  /// Opens a file of a library, following no link below the library's folder.
  ///
  /// - Throws: ``PhotoFileError`` if it is not a regular file, is not as it was expected to be, or
  ///   cannot be opened.
  public init(_ file: LibraryFile) throws(PhotoFileError) {
    let opened: FileDescriptor
    do throws(Errno) { opened = try Disk.open(file) } catch {
      throw error == .notSupported ? .notRegular : .system(error)
    }
    try self.init(opened: opened.rawValue)
  }

  /// Opens a file by its name in an open folder, without following a symbolic link.
  ///
  /// - Parameters:
  ///   - name: The bytes of the name and a final zero byte; no other byte is zero.
  ///   - folder: The folder.
  /// - Throws: ``PhotoFileError`` if it is not a regular file or cannot be opened.
  package init(terminatedName name: [UInt8], in folder: FileDescriptor) throws(PhotoFileError) {
    precondition(name.last == 0, "the name is not terminated")
    let opened = unsafe name.withUnsafeBufferPointer { name in
      unsafe name.withMemoryRebound(to: CChar.self) { name in
        // There is at least the zero byte.
        unsafe name.baseAddress.map { unsafe openat(folder.rawValue, $0, Self.flags | O_NOFOLLOW) }
          ?? -1
      }
    }
    try self.init(opened: opened)
  }

  private static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY

  private static func open(_ path: UnsafePointer<CChar>, _ followsLink: Bool) -> CInt {
    unsafe systemOpen(path, flags | (followsLink ? 0 : O_NOFOLLOW))
  }

  /// Takes ownership of the result of `open`.
  private init(opened: CInt) throws(PhotoFileError) {
    guard opened >= 0 else { throw .system(Errno(rawValue: errno)) }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0 else {
      let error = Errno(rawValue: errno)
      close(opened)
      throw .system(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .notRegular
    }
    Self.disableReadAhead(opened)
    descriptor = FileDescriptor(rawValue: opened)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    modifiedNanoseconds = Self.nanoseconds(modified)
    changedNanoseconds = Self.nanoseconds(changed)
    inode = UInt64(status.st_ino)
  }

  deinit {
    close(descriptor.rawValue)
  }

  /// Disables read-ahead, because only small, scattered parts of the file are read: otherwise the
  /// system reads 128 KiB from the disk when the first 16 are requested.
  private static func disableReadAhead(_ descriptor: CInt) {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_RDAHEAD, 0)
    #else
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
    #endif
  }

  /// Wraps around outside the years 1678–2262; the result still changes when the time does.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// A reason why a file could not be opened.
public enum PhotoFileError: Error, Hashable, CustomStringConvertible {
  /// It is not a regular file.
  case notRegular
  /// The system could not open it.
  case system(Errno)

  /// A description of the error.
  public var description: String {
    switch self {
    case .notRegular: "it is not a regular file"
    case .system(let error): error.description
    }
  }
}

/// Calls the C library's `open`, which the method above shadows.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: CInt) -> CInt {
  unsafe open(path, flags)
}
