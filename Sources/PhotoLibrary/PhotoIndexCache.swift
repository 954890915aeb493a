public import Interchange
import Storage
public import SystemPackage

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
    try load(includingStatuses: true)
  }

  /// Reads what questions about photos and spots need, which is a quarter less.
  ///
  /// The index holds nothing that tells whether a file changed, so it can be neither brought up to date nor
  /// written. All else is as in ``load()``.
  public func loadForQuestions() throws(PhotoIndexCacheError) -> PhotoIndex? {
    try load(includingStatuses: false)
  }

  private func load(includingStatuses: Bool) throws(PhotoIndexCacheError) -> PhotoIndex? {
    let file: FileDescriptor
    do throws(Errno) {
      file = try Disk.openRegularFile(path, limit: Self.maximumSize)
    } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      throw .unreadable(path, error)
    }
    defer { Disk.close(file) }
    return try load(from: file, includingStatuses: includingStatuses)
  }

  /// An index of this size is still read; it holds some ten million photos.
  private static let maximumSize: Int64 = 1 << 31

  private func load(
    from file: FileDescriptor, includingStatuses: Bool
  ) throws(PhotoIndexCacheError) -> PhotoIndex? {
    var failure: Errno?
    // Piece by piece: the text of a million photos would take as much memory as their index.
    var reader = JSONReader { piece in
      do throws(Errno) {
        return try Disk.read(file, into: piece)
      } catch {
        failure = error
        return 0
      }
    }
    do throws(IndexFormatError) {
      return try PhotoIndex(json: &reader, includingStatuses: includingStatuses)
    } catch {
      if let failure { throw .unreadable(path, failure) }
      switch error {
      case .damaged(let reason): throw .damaged(path, reason: reason)
      case .newer(let version): throw .newer(path, version: version)
      // An earlier program wrote it, without shots.
      case .statusesNeeded: return try load()
      }
    }
  }

  // MARK: - Writing

  /// Holds others off from writing the index, until the returned lock is given up.
  ///
  /// - Throws: `PhotoIndexCacheError.locked` where another process holds it; `.unwritable` where the
  ///   folder cannot be written to.
  public func lock() throws(PhotoIndexCacheError) -> Lock {
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
      let file = try Disk.open(sibling(".lock"), .readWrite, .create)
      let lock = Lock(file: file)
      if try Disk.lock(file) { return lock }
    } catch {
      throw .unwritable(path, error)
    }
    throw .locked(path)
  }

  /// A file beside the index, whose name begins with that of the index.
  private func sibling(_ suffix: String) -> FilePath {
    path.removingLastComponent().appending((path.lastComponent?.string ?? "index") + suffix)
  }

  /// Writes the index, in place of the one that is there.
  ///
  /// - Throws: `PhotoIndexCacheError.unwritable`, with the old index untouched.
  public func save(_ index: PhotoIndex) throws(PhotoIndexCacheError) {
    do throws(Errno) {
      try Disk.replace(path) { file throws(Errno) in
        try index.writeJSON { part throws(Errno) in try Disk.write(part, to: file) }
      }
    } catch {
      throw .unwritable(path, error)
    }
  }

  /// Puts a damaged file aside, so that a new index can be made and nothing is lost.
  ///
  /// - Returns: Where the file is now.
  public func setDamagedFileAside(at instant: Instant) throws(PhotoIndexCacheError) -> FilePath {
    let stamp = instant.iso8601.filter { $0.isNumber || $0 == "T" }
    let aside = sibling(".damaged-" + stamp)
    do throws(Errno) {
      try Disk.rename(path, to: aside)
    } catch {
      throw .unwritable(path, error)
    }
    return aside
  }

  /// The right to write the index, until it goes out of scope.
  public struct Lock: ~Copyable {
    private let file: FileDescriptor

    fileprivate init(file: FileDescriptor) {
      self.file = file
    }

    deinit {
      Disk.unlockAndClose(file)
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
