import Storage
import SystemPackage

extension PhotoIndexCache {
  private static let mappedSignature = FileSignature(format: PhotoIndex.mappedFormat)

  /// A larger file is not mapped; it holds some forty million photos.
  private static let maximumMappedSize: Int64 = 8 << 30

  /// An index that was opened for questions.
  public struct Opened: Sendable {
    /// The index. It holds nothing that tells whether a file changed, so it can be neither brought
    /// up to date nor written.
    public let index: PhotoIndex
    /// Why the file that readers map could not be written, where it is missing or does not fit the
    /// document.
    public let obstacle: PhotoIndexCacheError?
  }

  /// Opens the index for questions about photos and spots: as it lies in the mapped file beside the
  /// document.
  ///
  /// Where that file is missing, was made from another document, or is damaged as far as its head
  /// tells, the document is read, and the file is made anew, unless another process is about to.
  ///
  /// - Parameter radiusMeters: The cluster radius of the spots that a new mapped file gets.
  /// - Returns: The index; `nil` where there is no file.
  /// - Throws: As ``load()``.
  public func open(
    clusterRadius radiusMeters: Double
  ) throws(PhotoIndexCacheError) -> Opened? {
    guard let document = stamp()?.status else { return try loaded(radiusMeters) }
    if let index = mapped(document) { return Opened(index: index, obstacle: nil) }
    guard let opened = try loaded(radiusMeters) else { return nil }
    guard stamp()?.status == document else { return opened }
    do throws(PhotoIndexCacheError) {
      try publish(opened.index, of: document)
    } catch {
      return Opened(index: opened.index, obstacle: error)
    }
    // The mapped pages are the system's, and what was read is not needed any more.
    return Opened(index: mapped(document) ?? opened.index, obstacle: nil)
  }

  /// The document, read, with its spots.
  private func loaded(_ radiusMeters: Double) throws(PhotoIndexCacheError) -> Opened? {
    guard var index = try loadForQuestions() else { return nil }
    index.madeSpots = index.spotTable(clusterRadius: radiusMeters)
    return Opened(index: index, obstacle: nil)
  }

  /// The index as it lies in the mapped file, where that was made from a document.
  func mapped(_ document: FileStatus) -> PhotoIndex? {
    guard let path = try? mappedPath(),
      let file = try? MappedFile(path, limit: Self.maximumMappedSize)
    else { return nil }
    return PhotoIndex(mapped: file, of: document)
  }

  /// Makes the mapped file anew where it does not hold what it should, all of which is looked at.
  ///
  /// - Parameters:
  ///   - index: What the document holds.
  ///   - radiusMeters: The cluster radius of the spots.
  /// - Returns: Why the file could not be written, where it could not.
  public func restoreMapped(
    _ index: PhotoIndex, clusterRadius radiusMeters: Double
  ) -> PhotoIndexCacheError? {
    guard let document = stamp()?.status, !isMappedWhole(document, radiusMeters) else {
      return nil
    }
    var index = index
    index.madeSpots = index.spotTable(clusterRadius: radiusMeters)
    do throws(PhotoIndexCacheError) {
      try publish(index, of: document)
      return nil
    } catch { return error }
  }

  private func isMappedWhole(_ document: FileStatus, _ radiusMeters: Double) -> Bool {
    guard let path = try? mappedPath(),
      let file = try? MappedFile(path, limit: Self.maximumMappedSize),
      let index = PhotoIndex(mapped: file, of: document), let head = MappedHead(file),
      var reader = MappedReader(file, head.sections, from: head.length, rows: head.rows)
    else { return false }
    return index.madeSpots?.clusterRadiusMeters == radiusMeters && reader.isWhole()
  }

  /// Writes the mapped file, in place of the one that is there, unless another process is about to.
  /// Should that one write it of an older document, the next reader makes it anew.
  ///
  /// - Parameters:
  ///   - index: An index with spots.
  ///   - document: What tells the document that holds the same.
  /// - Throws: `PhotoIndexCacheError.foreign` and `.unmapped`, with the old file untouched.
  func publish(
    _ index: PhotoIndex, of document: FileStatus
  ) throws(PhotoIndexCacheError) {
    guard let lock = try lockMapped() else { return }
    let path = try mappedPath()
    do throws(Errno) {
      // Where its name is not on the disk after a crash, it is made again.
      _ = try Disk.replace(path, of: Self.mappedSignature, like: self.path) { file throws(Errno) in
        try index.writeMapped(of: document, to: file)
      }
    } catch {
      throw error == .foreignFile ? .foreign(path) : .unmapped(path, error)
    }
    _ = consume lock
  }

  /// Holds others off from writing the mapped file at the same time; `nil` where one does.
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
  /// Whether a part of the mapped file was asked for that it no longer has, so that answers may be
  /// wrong.
  public var isCutOff: Bool { mapping?.isCut ?? false }
}
