import Storage
package import SystemPackage

extension PhotoIndexCache {
  private static let mappedSignature = FileSignature(format: PhotoIndex.mappedFormat)

  /// The maximum size of a mapped file in bytes, enough for some forty million photos.
  private static let maximumMappedSize: Int64 = 8 << 30

  /// An index opened for questions.
  public struct Opened: Sendable {
    /// The index. It lacks the sizes and times of files, so it can be neither updated nor written.
    public let index: PhotoIndex
    /// The reason why the mapped file, which is missing or does not match the document, could not
    /// be written.
    public let obstacle: PhotoIndexCacheError?
  }

  /// Opens the index for questions about photos and spots, from the mapped file beside the
  /// document.
  ///
  /// If that file is missing, was made from another document, or has a damaged head, the document
  /// is read instead and the mapped file written again, unless another process is about to write
  /// it.
  ///
  /// - Parameter radiusMeters: The cluster radius of the spots of a new mapped file.
  /// - Returns: The index; `nil` if there is no index file.
  /// - Throws: As ``load()``.
  public func open(
    clusterRadius radiusMeters: Double
  ) throws(PhotoIndexCacheError) -> Opened? {
    guard let document = stamp()?.identity else { return try loaded(radiusMeters) }
    if let index = mapped(document) { return Opened(index: index, obstacle: nil) }
    guard let opened = try loaded(radiusMeters) else { return nil }
    guard stamp()?.identity == document else { return opened }
    do throws(PhotoIndexCacheError) {
      try publish(opened.index, of: document)
    } catch {
      return Opened(index: opened.index, obstacle: error)
    }
    // The pages of the mapped file belong to the system, and the memory of the parsed document can
    // be released.
    return Opened(index: mapped(document) ?? opened.index, obstacle: nil)
  }

  /// Reads the document and makes its spots.
  private func loaded(_ radiusMeters: Double) throws(PhotoIndexCacheError) -> Opened? {
    guard var index = try loadForQuestions() else { return nil }
    index.computedSpots = index.spotTable(clusterRadius: radiusMeters)
    return Opened(index: index, obstacle: nil)
  }

  /// Returns the index in the mapped file, if that was made from the given document.
  func mapped(_ document: FileStatus.Identity) -> PhotoIndex? {
    guard let path = try? mappedPath(),
      let file = try? MappedFile(path, limit: Self.maximumMappedSize)
    else { return nil }
    return PhotoIndex(mapped: file, of: document)
  }

  /// Checks the whole mapped file, and writes it again if it does not match the index.
  ///
  /// - Parameters:
  ///   - index: The contents of the document.
  ///   - radiusMeters: The cluster radius of the spots.
  /// - Returns: The reason why the file could not be written, if it could not.
  public func restoreMapped(
    _ index: PhotoIndex, clusterRadius radiusMeters: Double
  ) -> PhotoIndexCacheError? {
    guard let document = stamp()?.identity, !isMappedWhole(document, radiusMeters) else {
      return nil
    }
    var index = index
    index.computedSpots = index.spotTable(clusterRadius: radiusMeters)
    do throws(PhotoIndexCacheError) {
      try publish(index, of: document)
      return nil
    } catch { return error }
  }

  /// The roots of the index, whatever the cluster radius of its spots; none without a current
  /// mapped file.
  package var rootPaths: [FilePath] {
    guard let document = stamp()?.identity, let path = try? mappedPath(),
      let file = try? MappedFile(path, limit: Self.maximumMappedSize)
    else { return [] }
    return PhotoIndex(mapped: file, of: document)?.roots.map(\.path) ?? []
  }

  /// Returns whether the mapped file was made from a document, contains spots of a radius, and is
  /// undamaged.
  private func isMappedWhole(_ document: FileStatus.Identity, _ radiusMeters: Double) -> Bool {
    guard let path = try? mappedPath(),
      let file = try? MappedFile(path, limit: Self.maximumMappedSize),
      let index = PhotoIndex(mapped: file, of: document), let head = MappedHead(file),
      var reader = MappedReader(file, head.sections, from: head.length, rows: head.rows)
    else { return false }
    return index.computedSpots?.clusterRadiusMeters == radiusMeters && reader.isWhole()
  }

  /// Replaces the mapped file, unless another process is about to write it. If that process writes
  /// it from an older document, the next reader replaces it again.
  ///
  /// - Parameters:
  ///   - index: An index with spots.
  ///   - document: The identity of the document with the same contents.
  /// - Throws: `PhotoIndexCacheError.foreign` and `.unmapped`, with the old file unchanged.
  func publish(
    _ index: PhotoIndex, of document: FileStatus.Identity
  ) throws(PhotoIndexCacheError) {
    guard let lock = try lockMapped() else { return }
    let path = try mappedPath()
    do throws(Errno) {
      // The folder is not synced: if a crash loses the new name, the file is written again.
      _ = try Disk.replace(path, of: Self.mappedSignature, like: self.path) { file throws(Errno) in
        try index.writeMapped(of: document, to: file)
      }
    } catch {
      throw error == .foreignFile ? .foreign(path) : .unmapped(path, error)
    }
    _ = consume lock
  }

  /// Acquires the lock for writing the mapped file; `nil` if another process holds it.
  private func lockMapped() throws(PhotoIndexCacheError) -> MappedLock? {
    let path = try sibling(".mapped.lock")
    do throws(Errno) {
      return try Disk.lock(path).map { MappedLock(file: $0) }
    } catch {
      throw error == .foreignFile ? .foreign(path) : .unmapped(path, error)
    }
  }

  private struct MappedLock: ~Copyable {
    let file: FileDescriptor
    deinit { Disk.unlockAndClose(file) }
  }

  private func mappedPath() throws(PhotoIndexCacheError) -> FilePath { try sibling(".mapped") }
}

extension PhotoIndex {
  /// Whether the mapped file was truncated and a missing part of it was accessed, so that results
  /// may be wrong.
  public var isCutOff: Bool { mapping?.isCut ?? false }
}
