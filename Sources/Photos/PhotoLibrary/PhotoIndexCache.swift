public import CivilTime
import Encodings
import Storage
public import SystemPackage

/// The file that stores a ``PhotoIndex`` between runs: one versioned JSON document, and beside it a
/// derived file that readers map into memory instead of parsing the document.
///
/// The file is replaced atomically, so readers need no lock and see either the old index or the new
/// one. A writer must acquire the ``lock()``.
public struct PhotoIndexCache: Sendable {
  /// The version of the format that is written, which is also the newest that can be read.
  public static let version = 3

  /// The path of the file, or of a symbolic link to it.
  public let path: FilePath

  /// The commands that messages about the index offer.
  package var commands = OfferedCommands()

  static let signature = FileSignature(format: PhotoIndex.format)

  /// Creates a cache in a file, which need not exist.
  public init(path: FilePath) {
    self.path = path
  }

  // MARK: - Reading

  /// Reads the index.
  ///
  /// - Returns: The index; `nil` if there is no file.
  /// - Throws: `PhotoIndexCacheError` if the file cannot be read, is damaged or not an index, or
  ///   was written by a newer version.
  public func load() throws(PhotoIndexCacheError) -> PhotoIndex? {
    try load(includingStatuses: true)
  }

  /// Reads only the columns that questions about photos and spots need, which saves a quarter.
  ///
  /// The index lacks the sizes and times of files, so it can be neither updated nor written.
  /// Otherwise as ``load()``.
  public func loadForQuestions() throws(PhotoIndexCacheError) -> PhotoIndex? {
    try load(includingStatuses: false)
  }

  /// Reads the index, with or without the columns that only a scan needs.
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

  /// The maximum size of an index file in bytes, enough for some thirty million photos.
  private static let maximumSize: Int64 = 1 << 33

  private func load(
    from file: FileDescriptor, includingStatuses: Bool
  ) throws(PhotoIndexCacheError) -> PhotoIndex? {
    var failure: Errno?
    // Parsed in chunks: the text of a million photos would take as much memory as their index.
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
      case .damaged(let reason):
        guard mayReplace(path) else { throw .foreign(path) }
        throw .damaged(path, reason: reason)
      case .newer(let version): throw .newer(path, version: version)
      // An earlier version of the program wrote it, without shots.
      case .statusesNeeded: return try load()
      }
    }
  }

  // MARK: - Writing

  /// Acquires the lock for writing the index; it is released when the returned value is destroyed.
  ///
  /// - Throws: `PhotoIndexCacheError.locked` if another process holds the lock; `.foreign` if the
  ///   index or lock path is occupied by another kind of file; `.unwritable` if the folder cannot
  ///   be written to.
  public func lock() throws(PhotoIndexCacheError) -> Lock {
    // Nothing is created beside a file that is not an index.
    guard mayReplace(path) || isReorderedIndex else { throw .foreign(path) }
    // If the index is a symbolic link, the lock is that of its target, so that all links share it.
    let lockPath = try sibling(".lock")
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
      if let file = try Disk.lock(lockPath) { return Lock(file: file) }
    } catch {
      throw error == .foreignFile ? .foreign(lockPath) : .unwritable(path, error)
    }
    throw .locked(path)
  }

  /// Returns the path of a file beside the index, whose name is that of the index with an ending.
  func sibling(_ ending: String) throws(PhotoIndexCacheError) -> FilePath {
    do throws(Errno) {
      return Disk.sibling(of: try Disk.target(of: path), ending)
    } catch { throw .unwritable(path, error) }
  }

  /// Returns whether a file begins like an index, or cannot be examined, in which case loading or
  /// writing it reports the error.
  func mayReplace(_ path: FilePath) -> Bool {
    do throws(Errno) {
      return try Disk.mayReplace(path, of: Self.signature)
    } catch { return true }
  }

  /// Whether the file is an index although it does not begin like one: other programs may have
  /// reordered the members of the document.
  private var isReorderedIndex: Bool {
    (try? loadForQuestions()) != nil
  }

  /// Writes the index in place of the existing one.
  ///
  /// - Parameters:
  ///   - index: The index, which must not have been read for questions only.
  ///   - radiusMeters: The cluster radius of the spots written with it, which readers map; `nil`
  ///     for no spots.
  /// - Returns: The reason why the mapped file could not be written, if it could not. Readers then
  ///   read the document.
  /// - Throws: `PhotoIndexCacheError.foreign` and `.unwritable`, with the old index unchanged;
  ///   `.uncertain` with the new one in its place.
  @discardableResult
  public func save(
    _ index: PhotoIndex, clusterRadius radiusMeters: Double? = nil
  ) throws(PhotoIndexCacheError) -> PhotoIndexCacheError? {
    var signature = Self.signature
    if !mayReplace(path) {
      guard isReorderedIndex else { throw .foreign(path) }
      signature = .any
    }
    let temporary = try sibling(".new")
    guard mayReplace(temporary) else { throw .foreign(temporary) }
    var index = index
    index.computedSpots = radiusMeters.map { index.spotTable(clusterRadius: $0) }
    let uncertainty: Errno?
    var obstacle: PhotoIndexCacheError?
    do throws(Errno) {
      uncertainty = try Disk.replace(path, of: signature) { file throws(Errno) in
        try index.writeJSON { part throws(Errno) in try Disk.write(part, to: file) }
      } prepare: { file throws(Errno) in
        guard radiusMeters != nil else { return }
        // Published just before the document is renamed, so that readers of the new document find
        // its mapped file too.
        let document = try FileStatus(of: file).identity
        do throws(PhotoIndexCacheError) {
          try publish(index, of: document)
        } catch { obstacle = error }
      }
    } catch {
      throw .unwritable(path, error)
    }
    if let uncertainty { throw .uncertain(path, uncertainty) }
    return obstacle
  }

  /// Renames a damaged file, so that a new index can be made and nothing is lost.
  ///
  /// - Returns: The new path of the file.
  /// - Throws: `PhotoIndexCacheError.foreign` if the file never was an index.
  public func setDamagedFileAside(at instant: Instant) throws(PhotoIndexCacheError) -> FilePath {
    let stamp = instant.iso8601.filter { $0.isNumber || $0 == "T" }
    do throws(Errno) {
      return try Disk.setAside(path, of: Self.signature, ending: ".damaged-" + stamp)
    } catch {
      throw error == .foreignFile ? .foreign(path) : .unwritable(path, error)
    }
  }

  /// The exclusive right to write the index, released when the value is destroyed.
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

/// A reason why the index file could not be used.
public enum PhotoIndexCacheError: Error, Hashable, CustomStringConvertible {
  /// The file begins like an index, but is damaged.
  case damaged(FilePath, reason: String)
  /// The file was written by a newer version of PhotoSpots.
  case newer(FilePath, version: Int64)
  /// The file cannot be read.
  case unreadable(FilePath, Errno)
  /// The file cannot be written.
  case unwritable(FilePath, Errno)
  /// The index was written, but may not have reached the disk yet.
  case uncertain(FilePath, Errno)
  /// The path is occupied by a file that is neither an index nor part of one.
  case foreign(FilePath)
  /// The mapped file could not be written.
  case unmapped(FilePath, Errno)
  /// Another process is writing the index.
  case locked(FilePath)

  /// A message that says what happened and what to do.
  public var description: String {
    switch self {
    case .damaged(let path, let reason):
      """
      the index \(path) is damaged: \(reason). Run \
      '\(OfferedCommands(index: path).text("index", "FOLDER"))' to make a new one; the damaged file is \
      kept.
      """
    case .newer(let path, let version):
      """
      the index \(path) has format version \(version), and this photospots reads version \
      \(PhotoIndexCache.version). Use the newer photospots that wrote it, or choose another file \
      with --index.
      """
    case .unreadable(let path, let error):
      "the index \(path) cannot be read: \(error). Check its permissions, or choose another with --index."
    case .unwritable(let path, let error):
      """
      the index \(path) cannot be written: \(error). The previous index is unchanged. Free some \
      space, check the permissions, or choose another file with --index.
      """
    case .uncertain(let path, let error):
      """
      the index \(path) was written, but may not survive a crash: \(error). Check the disk, then \
      index again.
      """
    case .foreign(let path):
      """
      \(path) was not written by photospots, so it is not changed. Choose another file with \
      --index, or move this one away.
      """
    case .unmapped(let path, let error):
      """
      \(path) cannot be written: \(error). Without it, every command reads the whole index, which \
      takes longer. Free some space or check the permissions.
      """
    case .locked(let path):
      "another photospots process is writing the index \(path). Wait for it to end, then try again."
    }
  }
}
