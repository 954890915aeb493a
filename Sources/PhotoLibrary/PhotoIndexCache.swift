public import CivilTime
import Interchange
import Storage
public import SystemPackage

/// The file that keeps a ``PhotoIndex`` between runs: one versioned JSON document. Beside it lies a
/// file that is made from it, and that readers map instead of reading the document.
///
/// The file is replaced in one step, so readers need no lock and see the old index or the new one.
/// One writer at a time holds ``lock()``.
public struct PhotoIndexCache: Sendable {
  /// The version of the format that is written, and the newest that is read.
  public static let version = 3

  /// The file, or a symbolic link to it.
  public let path: FilePath

  static let signature = FileSignature(format: PhotoIndex.format)

  /// Creates a cache in a file, which need not exist.
  public init(path: FilePath) {
    self.path = path
  }

  // MARK: - Reading

  /// Reads the index.
  ///
  /// - Returns: The index; `nil` where there is no file.
  /// - Throws: `PhotoIndexCacheError` where the file cannot be read, is damaged or something else
  ///   than an index, or was written by a newer version.
  public func load() throws(PhotoIndexCacheError) -> PhotoIndex? {
    try load(includingStatuses: true)
  }

  /// Reads what questions about photos and spots need, which is a quarter less.
  ///
  /// The index holds nothing that tells whether a file changed, so it can be neither brought up to
  /// date nor written. All else is as in ``load()``.
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

  /// An index of this size is still read; it holds some thirty million photos.
  private static let maximumSize: Int64 = 1 << 33

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
      case .damaged(let reason):
        guard mayReplace(path) else { throw .foreign(path) }
        throw .damaged(path, reason: reason)
      case .newer(let version): throw .newer(path, version: version)
      // An earlier program wrote it, without shots.
      case .statusesNeeded: return try load()
      }
    }
  }

  // MARK: - Writing

  /// Holds others off from writing the index, until the returned lock is given up.
  ///
  /// - Throws: `PhotoIndexCacheError.locked` where another process holds it; `.foreign` where a
  ///   file that is no index, or no lock, is in the way; `.unwritable` where the folder cannot be
  ///   written to.
  public func lock() throws(PhotoIndexCacheError) -> Lock {
    // Nothing is created beside a file that belongs to somebody else.
    guard mayReplace(path) || isWhole else { throw .foreign(path) }
    // Where the index is a link, every name of it has the one lock.
    let lockPath = try sibling(".lock")
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
      if let file = try Disk.lock(lockPath) { return Lock(file: file) }
    } catch {
      throw error == .foreignFile ? .foreign(lockPath) : .unwritable(path, error)
    }
    throw .locked(path)
  }

  /// A file beside the index, whose name begins with that of the index.
  func sibling(_ ending: String) throws(PhotoIndexCacheError) -> FilePath {
    do throws(Errno) {
      return Disk.sibling(of: try Disk.target(of: path), ending)
    } catch { throw .unwritable(path, error) }
  }

  /// Whether a file begins as an index, or cannot be looked at, which loading or writing it will
  /// tell.
  func mayReplace(_ path: FilePath) -> Bool {
    do throws(Errno) {
      return try Disk.mayReplace(path, of: Self.signature)
    } catch { return true }
  }

  /// Whether the file is an index although it does not begin as one: other programs may have put
  /// the members of the document in another order.
  private var isWhole: Bool {
    guard let index = try? loadForQuestions() else { return false }
    return index.fileCount >= 0
  }

  /// Writes the index, in place of the one that is there.
  ///
  /// - Parameters:
  ///   - index: The index, which must not have been read for questions only.
  ///   - radiusMeters: The cluster radius of the spots that are written with it, and mapped by
  ///     readers; `nil` for none.
  /// - Returns: Why the file that readers map could not be written, where it could not. Then they
  ///   read the document.
  /// - Throws: `PhotoIndexCacheError.foreign` and `.unwritable`, with the old index untouched;
  ///   `.uncertain` with the new one in its place.
  @discardableResult
  public func save(
    _ index: PhotoIndex, clusterRadius radiusMeters: Double? = nil
  ) throws(PhotoIndexCacheError) -> PhotoIndexCacheError? {
    var signature = Self.signature
    if !mayReplace(path) {
      guard isWhole else { throw .foreign(path) }
      signature = .any
    }
    let temporary = try sibling(".new")
    guard mayReplace(temporary) else { throw .foreign(temporary) }
    var index = index
    index.madeSpots = radiusMeters.map { index.spotTable(clusterRadius: $0) }
    let uncertainty: Errno?
    var obstacle: PhotoIndexCacheError?
    do throws(Errno) {
      uncertainty = try Disk.replace(path, of: signature) { file throws(Errno) in
        try index.writeJSON { part throws(Errno) in try Disk.write(part, to: file) }
      } prepare: { file throws(Errno) in
        guard radiusMeters != nil else { return }
        // Just before the document gets its name, so that readers that see it find the mapped file
        // too.
        let document = try FileStatus(of: file)
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

  /// Puts a damaged file aside, so that a new index can be made and nothing is lost.
  ///
  /// - Returns: Where the file is now.
  /// - Throws: `PhotoIndexCacheError.foreign` where the file never was an index.
  public func setDamagedFileAside(at instant: Instant) throws(PhotoIndexCacheError) -> FilePath {
    let stamp = instant.iso8601.filter { $0.isNumber || $0 == "T" }
    do throws(Errno) {
      return try Disk.setAside(path, of: Self.signature, ending: ".damaged-" + stamp)
    } catch {
      throw error == .foreignFile ? .foreign(path) : .unwritable(path, error)
    }
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
  /// The file began as an index, and is none any more.
  case damaged(FilePath, reason: String)
  /// The file was written by a newer version of PhotoSpots.
  case newer(FilePath, version: Int64)
  /// The system does not give the file out.
  case unreadable(FilePath, Errno)
  /// The system does not let the file be written.
  case unwritable(FilePath, Errno)
  /// The index was written, but may not be on the disk yet.
  case uncertain(FilePath, Errno)
  /// A file that is no index, nor anything that belongs to one, is in the place of it.
  case foreign(FilePath)
  /// The file that readers map could not be written.
  case unmapped(FilePath, Errno)
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
    case .uncertain(let path, let error):
      """
      the index \(path) was written, but the system does not confirm that it is on the disk: \(error). Check \
      the disk, then index again.
      """
    case .foreign(let path):
      """
      \(path) was not written by photospots, so it is left as it is. Name another file with --index, or move \
      this one away.
      """
    case .unmapped(let path, let error):
      """
      \(path) cannot be written: \(error). Without it every command reads the whole index, which takes longer. \
      Make room or check permissions.
      """
    case .locked(let path):
      "another photospots is writing the index \(path). Wait for it to end, then try again."
    }
  }
}
