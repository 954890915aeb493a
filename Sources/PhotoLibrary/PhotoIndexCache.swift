public import Interchange
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file that keeps a ``PhotoIndex`` between runs: one versioned JSON document.
///
/// The file is replaced in one step, so readers need no lock and see the old index or the new one. One
/// writer at a time holds ``lock()``.
public struct PhotoIndexCache: Sendable {
  /// The version of the format that is written, and the newest that is read.
  public static let version = 1

  /// The file.
  public let path: FilePath

  /// Creates a cache in a file, which need not exist.
  public init(path: FilePath) {
    self.path = path
  }

  // MARK: - Reading

  /// Reads the index.
  ///
  /// - Returns: The index; `nil` where there is no file.
  /// - Throws: `PhotoIndexCacheError` where the file cannot be read, is damaged, or was written by a newer
  ///   version.
  public func load() throws(PhotoIndexCacheError) -> PhotoIndex? {
    guard let text = try readText() else { return nil }
    do throws(IndexFormatError) {
      return try PhotoIndex(json: text)
    } catch {
      switch error {
      case .damaged(let reason): throw .damaged(path, reason: reason)
      case .newer(let version): throw .newer(path, version: version)
      }
    }
  }

  private func readText() throws(PhotoIndexCacheError) -> [UInt8]? {
    do {
      // A FIFO in its place must not block.
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      return try file.closeAfter {
        let size = try Self.size(of: file)
        return try [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
          let bytes = UnsafeMutableRawBufferPointer(buffer)
          while filled < size {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
            let got = try file.read(fromAbsoluteOffset: Int64(filled), into: rest)
            guard got > 0 else { break }
            filled += got
          }
        }
      }
    } catch Errno.noSuchFileOrDirectory {
      return nil
    } catch {
      throw .unreadable(path, error as? Errno ?? .ioError)
    }
  }

  /// Larger files, of some thirty million photos, are no index that could be held in memory.
  private static let maximumSize: Int64 = 4 << 30

  /// The size of a regular file.
  private static func size(of file: FileDescriptor) throws(Errno) -> Int {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isDirectory
    default: throw .notSupported
    }
    guard status.st_size <= maximumSize else { throw .fileTooLarge }
    return Int(status.st_size)
  }

  // MARK: - Writing

  /// Holds others off from writing the index, until the returned lock is given up.
  ///
  /// - Throws: `PhotoIndexCacheError.locked` where another process holds it; `.unwritable` where the
  ///   folder cannot be written to.
  public func lock() throws(PhotoIndexCacheError) -> Lock {
    do {
      try DurableFile.createFolder(path.removingLastComponent())
      var lockPath = path
      lockPath.removeLastComponent()
      lockPath.append((path.lastComponent?.string ?? "index") + ".lock")
      let file = try FileDescriptor.open(
        lockPath, .readWrite, options: [.create, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
        let error = Errno(rawValue: errno)
        try? file.close()
        throw error
      }
      return Lock(file: file)
    } catch Errno.wouldBlock {
      throw .locked(path)
    } catch {
      throw .unwritable(path, error as? Errno ?? .ioError)
    }
  }

  /// Writes the index, in place of the one that is there.
  ///
  /// - Throws: `PhotoIndexCacheError.unwritable`, with the old index untouched.
  public func save(_ index: PhotoIndex) throws(PhotoIndexCacheError) {
    do {
      try DurableFile.replace(path) { file in
        try index.writeJSON { part in _ = try file.writeAll(part) }
      }
    } catch {
      throw .unwritable(path, error as? Errno ?? .ioError)
    }
  }

  /// Puts a damaged file aside, so that a new index can be made and nothing is lost.
  ///
  /// - Returns: Where the file is now.
  public func setDamagedFileAside(at instant: Instant) throws(PhotoIndexCacheError) -> FilePath {
    var aside = path
    aside.removeLastComponent()
    let stamp = instant.iso8601.filter { $0.isNumber || $0 == "T" }
    aside.append((path.lastComponent?.string ?? "index") + ".damaged-" + stamp)
    let isRenamed = path.withPlatformString { old in
      aside.withPlatformString { new in rename(old, new) == 0 }
    }
    guard isRenamed else { throw .unwritable(path, Errno(rawValue: errno)) }
    return aside
  }

  /// The right to write the index, until it goes out of scope.
  public struct Lock: ~Copyable {
    private let file: FileDescriptor

    fileprivate init(file: FileDescriptor) {
      self.file = file
    }

    deinit {
      try? file.close()
    }
  }
}

/// Why the index file could not be used.
public enum PhotoIndexCacheError: Error, Hashable, CustomStringConvertible {
  /// The file is not an index, or only a part of one.
  case damaged(FilePath, reason: String)
  /// The file was written by a newer version of PhotoSpots.
  case newer(FilePath, version: Int64)
  /// The system does not give the file out.
  case unreadable(FilePath, Errno)
  /// The system does not let the file be written.
  case unwritable(FilePath, Errno)
  /// Another process is writing the index.
  case locked(FilePath)

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .damaged(let path, let reason):
      """
      the index \(path) is damaged: \(reason). Run 'photospots index FOLDER' to make it anew; the damaged \
      file is kept beside it.
      """
    case .newer(let path, let version):
      """
      the index \(path) has format version \(version), and this photospots reads version \
      \(PhotoIndexCache.version). Use the newer photospots that wrote it, or name another file with --index.
      """
    case .unreadable(let path, let error):
      "the index \(path) cannot be read: \(error). Check its permissions, or name another with --index."
    case .unwritable(let path, let error):
      """
      the index \(path) cannot be written: \(error). The index from before is untouched. Make room or check \
      permissions, or name another place with --index.
      """
    case .locked(let path):
      "another photospots is writing the index \(path). Wait for it to end, then try again."
    }
  }
}
