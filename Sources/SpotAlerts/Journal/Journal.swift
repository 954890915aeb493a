package import CivilTime
import Storage
import Synchronization
public import SystemPackage

/// The file that remembers what fired and what became of it: one line a record, appended.
///
/// One file for cooldowns, outbox and history, so that a notification and its cooldown are on the
/// disk in one write or not at all. What a crash cut off is removed when the journal is opened;
/// lines that were damaged otherwise are kept aside in a copy. When it has grown it is compacted
/// into a new file that replaces it at once, so it is bounded, whatever is appended.
///
/// An open journal holds the lock of its folder, so there is one writer; readers need none.
package final class Journal: Sendable {
  let path: FilePath
  private let clusterRadiusMeters: Double
  private let limits: JournalLimits
  private let lock: FolderLock
  private let file: Mutex<OpenFile>

  private struct OpenFile {
    var descriptor: FileDescriptor
    var size: Int
    /// At this size the journal is compacted.
    var limit: Int
    /// Why nothing more can be written: it is closed, or may end in a part of a record.
    var failure: Errno?
    var isClosed = false
    /// Lines that wait for the next write.
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

  /// Closes the journal and gives up its lock, at once; nothing can be appended any more.
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

  /// Opens the journal in a folder, which is created where it is missing, and locks it.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - clusterRadiusMeters: How far apart two centres of the same place may lie.
  ///   - limits: How large it may be; one that has become larger is compacted.
  ///   - now: The machine's clock.
  /// - Returns: The journal, what it holds, and what was damaged and kept aside.
  /// - Throws: `AlertStateError` where it cannot be opened, is in use, or is of a later version.
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

  /// Reads what a journal holds, without its lock; nothing where there is none.
  static func contents(in folder: FilePath) throws(AlertStateError) -> JournalContents {
    let path = folder.appending(fileName)
    return try JournalContents(try read(path, JournalLimits()).bytes, path: path)
  }

  /// What happened so far, with what waits to be written; the oldest first.
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

  /// So many bytes wait at most for a write that something else needs.
  private static let waitingBytes = 1 << 14

  /// Takes records that only explain what happened: they are written with the next that matter,
  /// when they are many, or by ``flush()``. What cannot be written is lost.
  package func note(_ records: [JournalRecord]) {
    guard !records.isEmpty else { return }
    file.withLock { file in
      for record in records { file.waiting += record.line }
      if file.waiting.count >= Self.waitingBytes {
        _ = Self.write([], to: &file, isDurable: false)
      }
    }
  }

  /// Writes what ``note(_:)`` took.
  package func flush() {
    file.withLock { file in
      if !file.waiting.isEmpty { _ = Self.write([], to: &file, isDurable: false) }
    }
  }

  /// Writes what waits and some bytes behind it, all or nothing; what waited is gone in any case.
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
      // A full disk may have taken a part of the record.
      do throws(Errno) {
        try Disk.truncate(file.descriptor, to: Int64(file.size))
      } catch {
        file.failure = error
      }
      return error
    }
  }

  /// Compacts the journal where it has grown beyond its limit; to be called after whatever was
  /// appended.
  ///
  /// One that cannot be compacted stays as it is, and is tried again after it has grown further.
  ///
  /// - Complexity: O(1) where it has not grown so much.
  package func compactIfGrown(now: Instant) throws(AlertStateError) {
    let failure = file.withLock { file -> Errno? in
      guard file.size >= file.limit, file.failure == nil else { return nil }
      file.limit = file.size + min(file.size, limits.maximumBytes / 4)
      // The whole history was in memory.
      defer { FreedMemory.returnToSystem() }
      do throws(Errno) {
        let old = try JournalFile.read(path, maximumBytes: limits.readableBytes).bytes
        guard let contents = try? JournalContents(old, path: path) else { return .ioError }
        let bytes = contents.compacted(
          now: now, clusterRadiusMeters: clusterRadiusMeters, limits: limits)
        let uncertainty = try Disk.replace(path, of: Self.signature, with: bytes)
        // What is appended to the file that was replaced would be lost.
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

/// What was found damaged in a journal when it was opened.
public struct JournalDamage: Hashable, Sendable, CustomStringConvertible {
  /// The journal.
  public let journal: FilePath
  /// The numbers of the lines that could not be read, from 1.
  public let lines: [Int]
  /// A copy of the journal as it was.
  public let copy: FilePath

  /// What was found and where it is kept.
  public var description: String {
    let first = lines.prefix(5).map { "\($0)" }.joined(separator: ", ")
    return "\(journal): damaged in line \(first)\(lines.count > 5 ? ", …" : ""); went on without, "
      + "and kept it as it was in \(copy)."
  }
}

/// The lock that one writer holds on a state folder until it is gone.
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
    // The id is only for the message to others.
    try? Disk.truncate(file, to: 0)
    try? Disk.write(Array("\(Disk.processID)".utf8), to: file)
    held = Mutex(file)
  }

  deinit { release() }

  func release() {
    held.withLock { held in
      if let file = held { Disk.unlockAndClose(file) }
      held = nil
    }
  }
}
