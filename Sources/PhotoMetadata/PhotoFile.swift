import CLibrary
public import SystemPackage

/// An open regular file, closed at the end of its life.
///
/// Opening never blocks, and FIFOs, sockets, devices and folders are refused unread.
public struct PhotoFile: ~Copyable, Sendable {
  /// The file, open for reading.
  public let descriptor: FileDescriptor
  /// Its size in bytes.
  public let size: Int64
  /// Its modification time in nanoseconds since 1970.
  public let modifiedNanoseconds: Int64
  /// Its number in its file system.
  public let inode: UInt64

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLink: Whether the path may be a symbolic link.
  /// - Throws: ``PhotoFileError`` where it is no regular file or the system does not give it out.
  public init(_ path: FilePath, followsLink: Bool = true) throws(PhotoFileError) {
    try self.init(opened: unsafe path.withPlatformString { unsafe Self.open($0, followsLink) })
  }

  /// Opens a file by its name in an open folder, without following a link.
  ///
  /// - Parameters:
  ///   - name: The name as the system's bytes and the zero byte behind it, and no other.
  ///   - folder: The folder.
  /// - Throws: ``PhotoFileError`` where it is no regular file or the system does not give it out.
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

  /// Takes over what `open` has just returned.
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
    modifiedNanoseconds = Self.nanoseconds(ofModification: status)
    inode = UInt64(status.st_ino)
  }

  deinit {
    close(descriptor.rawValue)
  }

  /// Tells the system that only little of the file will be read, here and there: by itself it reads
  /// 128 KiB from the disk for the first 16 that are asked for.
  private static func disableReadAhead(_ descriptor: CInt) {
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_RDAHEAD, 0)
    #else
      _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
    #endif
  }

  private static func nanoseconds(ofModification status: stat) -> Int64 {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    // Wraps around beyond the years 1678–2262; it still changes when the time does.
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// Why a file could not be opened.
public enum PhotoFileError: Error, Hashable, CustomStringConvertible {
  /// It is something else than a regular file.
  case notRegular
  /// The system does not give it out.
  case system(Errno)

  /// What is wrong.
  public var description: String {
    switch self {
    case .notRegular: "it is no regular file"
    case .system(let error): error.description
    }
  }
}

/// `open` of the C library, which has the same name as the method above.
private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: CInt) -> CInt {
  unsafe open(path, flags)
}
