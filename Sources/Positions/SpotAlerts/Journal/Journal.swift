package import CivilTime
import Storage
import Synchronization
public import SystemPackage

/// The append-only file of firings and deliveries, with one record per line.
///
/// Cooldowns, outbox and history share one file, so that a notification and its cooldown reach the
/// disk in one write or not at all. When the journal is opened, a line cut off by a crash is
/// removed; if lines are damaged otherwise, a copy of the journal is kept. A journal that has grown
/// beyond its limit is compacted into a new file, which replaces it atomically.
///
/// An open journal holds the lock of its folder, so there is one writer; readers need no lock.
package final class Journal: Sendable {
  let path: FilePath
  private let clusterRadiusMeters: Double
  private let limits: JournalLimits
  private let lock: FolderLock
  private let file: Mutex<OpenFile>

  private struct OpenFile {
    var descriptor: FileDescriptor
    var size: Int
    /// The size at which the journal is compacted.
    var limit: Int
    /// The reason why nothing more can be written: the journal is closed, or may end in a partial
    /// record; `nil` otherwise.
    var failure: Errno?
    var isClosed = false
    /// The buffered lines, which the next write includes.
    var waiting: [UInt8] = []
  }

  static let fileName = "journal.ndjson"
  private static let signature = FileSignature(format: JournalContents.format)

  private init(
    path: FilePath, clusterRadiusMeters: Double, limits: JournalLimits, lock: FolderLock,
    file: OpenFile
  ) {
    self.path = path
    self.clusterRadiusMeters = clusterRadiusMeters
    self.limits = limits
    self.lock = lock
    self.file = Mutex(file)
  }

  deinit { close() }

  /// Closes the journal and releases its lock immediately; further appends fail.
  package func close() {
    file.withLock { file in
      guard !file.isClosed else { return }
      _ = Self.write([], to: &file, isDurable: false)
      Disk.close(file.descriptor)
      file.isClosed = true
      file.failure = .badFileDescriptor
    }
    lock.release()
  }

  /// Opens and locks the journal of a folder, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - clusterRadiusMeters: The maximum distance between two centres of the same place.
  ///   - limits: The limits of its size; a journal that exceeds them is compacted.
  ///   - now: The current time of the machine's clock.
  /// - Returns: The journal, its contents, and the damage found; `nil` for none.
  /// - Throws: `AlertStateError` if it cannot be opened, is in use, or is of a later version.
  static func open(
    in folder: FilePath, clusterRadiusMeters: Double, limits: JournalLimits = JournalLimits(),
    now: Instant
  ) throws(AlertStateError) -> (
    journal: Journal, contents: JournalContents, damage: JournalDamage?
  ) {
    try opening(folder) { () throws(Errno) in try Disk.createFolder(folder) }
    let lock = try FolderLock(folder)
    let path = folder.appending(fileName)
    var (bytes, isCut) = try read(path, limits)
    var contents = try JournalContents(bytes, path: path)
    let damage = try keepAside(bytes, contents, path, now: now)
    let isDue = isCut || bytes.count >= limits.compactionBytes
    if contents.wholeLength == 0 || damage != nil || isDue {
      bytes = contents.compacted(
        now: now, clusterRadiusMeters: clusterRadiusMeters, limits: limits)
      try replace(path, with: bytes)
      contents = try JournalContents(bytes, path: path)
    }
    let size = contents.wholeLength
    let isTorn = bytes.count > size
    let descriptor = try opening(path) { () throws(Errno) in
      let descriptor = try Disk.openToAppend(path, of: signature)
      if isTorn { try Disk.truncate(descriptor, to: Int64(size)) }
      return descriptor
    }
    let journal = Journal(
      path: path, clusterRadiusMeters: clusterRadiusMeters, limits: limits, lock: lock,
      file: OpenFile(descriptor: descriptor, size: size, limit: limits.next(after: size)))
    return (journal, contents, damage)
  }

  /// Reads the contents of a folder's journal without locking it; empty where there is none.
  static func contents(in folder: FilePath) throws(AlertStateError) -> JournalContents {
    let path = folder.appending(fileName)
    return try JournalContents(try read(path, JournalLimits()).bytes, path: path)
  }

  /// Writes the buffered records and returns the history, oldest first.
  package func history() throws(AlertStateError) -> [HistoryEntry] {
    flush()
    return try JournalContents(try Self.read(path, limits).bytes, path: path).history
  }

  private static func read(
    _ path: FilePath, _ limits: JournalLimits
  ) throws(AlertStateError) -> (bytes: [UInt8], isCut: Bool) {
    do throws(Errno) {
      return try JournalFile.read(path, maximumBytes: limits.readableBytes)
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .cannotOpen(path, error) }
      return ([], false)
    }
  }

  private static func keepAside(
    _ bytes: [UInt8], _ contents: JournalContents, _ path: FilePath, now: Instant
  ) throws(AlertStateError) -> JournalDamage? {
    guard !contents.damagedLines.isEmpty else { return nil }
    let stamp = now.iso8601.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
    let copy = path.removingLastComponent().appending("\(fileName).damaged-\(stamp)")
    try replace(copy, with: bytes)
    return JournalDamage(journal: path, lines: contents.damagedLines, copy: copy)
  }

  private static func replace(
    _ path: FilePath, with bytes: [UInt8]
  ) throws(AlertStateError) {
    let uncertainty = try opening(path) { () throws(Errno) in
      try Disk.replace(path, of: signature, with: bytes)
    }
    if let uncertainty { throw .cannotOpen(path, uncertainty) }
  }

  private static func opening<T>(
    _ path: FilePath, _ body: () throws(Errno) -> T
  ) throws(AlertStateError) -> T {
    do throws(Errno) { return try body() } catch {
      throw error == .foreignFile ? .notAJournal(path) : .cannotOpen(path, error)
    }
  }

  // MARK: - Writing

  /// Appends records in one write.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - isDurable: Whether to return only when they are on the disk.
  /// - Throws: `AlertStateError.cannotWrite`; then none of them is in the journal.
  func append(_ records: [JournalRecord], isDurable: Bool) throws(AlertStateError) {
    let bytes = records.flatMap(\.line)
    let failure = file.withLock { Self.write(bytes, to: &$0, isDurable: isDurable) }
    if let failure { throw .cannotWrite(path, failure) }
  }

  /// The size in bytes at which buffered lines are written.
  private static let waitingBytes = 1 << 14

  /// Buffers records that only explain what happened. They are written together with the next
  /// appended records, when there are many, or by ``flush()``; if writing fails, they are lost.
  package func note(_ records: [JournalRecord]) {
    guard !records.isEmpty else { return }
    file.withLock { file in
      for record in records { file.waiting += record.line }
      if file.waiting.count >= Self.waitingBytes {
        _ = Self.write([], to: &file, isDurable: false)
      }
    }
  }

  /// Writes the records that ``note(_:)`` has buffered.
  package func flush() {
    file.withLock { file in
      if !file.waiting.isEmpty { _ = Self.write([], to: &file, isDurable: false) }
    }
  }

  /// Writes the buffered lines followed by some bytes, all or nothing, and empties the buffer even
  /// if that fails.
  ///
  /// - Returns: The error; `nil` on success.
  private static func write(
    _ bytes: [UInt8], to file: inout OpenFile, isDurable: Bool
  ) -> Errno? {
    let bytes = file.waiting + bytes
    file.waiting.removeAll(keepingCapacity: true)
    if let failure = file.failure { return failure }
    guard !bytes.isEmpty else { return nil }
    do throws(Errno) {
      try Disk.write(bytes, to: file.descriptor)
      if isDurable { try Disk.synchronize(file.descriptor) }
      file.size += bytes.count
      return nil
    } catch {
      // On a full disk, a part of the record may have been written.
      do throws(Errno) {
        try Disk.truncate(file.descriptor, to: Int64(file.size))
      } catch {
        file.failure = error
      }
      return error
    }
  }

  /// Compacts the journal if it has grown beyond its limit; called after each append.
  ///
  /// If that fails, the journal stays unchanged, and compaction is tried again after it has grown
  /// further.
  ///
  /// - Complexity: O(1) if the limit is not reached.
  package func compactIfGrown(now: Instant) throws(AlertStateError) {
    let failure = file.withLock { file -> Errno? in
      guard file.size >= file.limit, file.failure == nil else { return nil }
      file.limit = file.size + min(file.size, limits.maximumBytes / 4)
      // Compaction reads the whole history into memory.
      defer { FreedMemory.returnToSystem() }
      do throws(Errno) {
        let old = try JournalFile.read(path, maximumBytes: limits.readableBytes).bytes
        guard let contents = try? JournalContents(old, path: path) else { return .ioError }
        let bytes = contents.compacted(
          now: now, clusterRadiusMeters: clusterRadiusMeters, limits: limits)
        let uncertainty = try Disk.replace(path, of: Self.signature, with: bytes)
        // Records appended to the replaced file would be lost.
        do throws(Errno) {
          let descriptor = try Disk.openToAppend(path, of: Self.signature)
          Disk.close(file.descriptor)
          file.descriptor = descriptor
        } catch {
          file.failure = error
          throw error
        }
        file.size = bytes.count
        file.limit = limits.next(after: bytes.count)
        return uncertainty
      } catch { return error }
    }
    if let failure { throw .cannotWrite(path, failure) }
  }
}

/// Damage found in a journal when it was opened.
public struct JournalDamage: Hashable, Sendable, CustomStringConvertible {
  /// The path of the journal.
  public let journal: FilePath
  /// The numbers of the lines that could not be read, from 1.
  public let lines: [Int]
  /// The path of a copy of the damaged journal.
  public let copy: FilePath

  /// A message that describes the damage and says where the copy is.
  public var description: String {
    let first = lines.prefix(5).map { "\($0)" }.joined(separator: ", ")
    return
      "\(journal): damaged in line \(first)\(lines.count > 5 ? ", …" : ""); continued without these lines, and kept the file as \(copy)."
  }
}

/// The lock of a state folder, held by its only writer until it is released or deallocated.
final class FolderLock: Sendable {
  private let held: Mutex<FileDescriptor?>

  static let fileName = "lock"

  init(_ folder: FilePath) throws(AlertStateError) {
    let path = folder.appending(Self.fileName)
    let file: FileDescriptor?
    do throws(Errno) { file = try Disk.lock(path) } catch { throw .cannotOpen(path, error) }
    guard let file else {
      let text = (try? Disk.read(path, limit: 64)).map { String(decoding: $0, as: UTF8.self) }
      throw .inUse(folder, processID: text.flatMap { Int($0) })
    }
    // The id is only used in the error message of other processes.
    try? Disk.truncate(file, to: 0)
    try? Disk.write(Array("\(Disk.processID)".utf8), to: file)
    held = Mutex(file)
  }

  /// Locks a folder, which is created if it is missing.
  convenience init(creating folder: FilePath) throws(AlertStateError) {
    do throws(Errno) { try Disk.createFolder(folder) } catch { throw .cannotOpen(folder, error) }
    try self.init(folder)
  }

  deinit { release() }

  func release() {
    held.withLock { held in
      if let file = held { Disk.unlockAndClose(file) }
      held = nil
    }
  }
}
