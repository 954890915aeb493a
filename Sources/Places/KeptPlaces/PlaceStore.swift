public import CivilTime
import Encodings
import Storage
import Synchronization
public import SystemPackage

/// The file of the places: a JSON document, `places.json` in the state folder or at the path in a
/// setting.
///
/// The file may be in a folder that several machines synchronise. Each change is merged with the
/// current file, and with the conflict copies that Syncthing and other programs create when two
/// machines change the file at the same time. The file is replaced atomically, so readers need no
/// lock. The store can be used from any thread.
public final class PlaceStore: Sendable {
  /// The path of the file.
  public let path: FilePath

  /// The folder of the file, so that an unmounted one is not taken for one without places.
  private let folder: KnownFolder
  private let notice: @Sendable (PlaceStoreNotice) -> Void
  /// Serialises writers in this process; the lock file excludes only other processes.
  private let writing = Mutex(())
  private let known = Mutex<(generation: String, document: PlaceDocument)?>(nil)

  /// The maximum size of the file in bytes. A million places with notes need 300 MB.
  private static let maximumSize: Int64 = 1 << 32
  /// The file in the state folder that keeps the identity of a folder that a setting names.
  package static let memoryName = "places-folder.json"
  private static let signature = FileSignature(format: PlaceDocument.format)
  /// The maximum number of attempts to write. An attempt fails if another program replaces the file
  /// meanwhile.
  private static let maximumTries = 8

  /// Creates a store of the places in a state folder.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder.
  ///   - file: The path of the file if it is elsewhere.
  ///   - notice: Receives reports of damage; called on any thread.
  public init(
    stateFolder: FilePath, file: FilePath? = nil,
    notice: @escaping @Sendable (PlaceStoreNotice) -> Void = { _ in }
  ) {
    path = file ?? stateFolder.appending("places.json")
    folder = KnownFolder(
      path.removingLastComponent(),
      memory: file == nil ? nil : stateFolder.appending(Self.memoryName))
    self.notice = notice
  }

  // MARK: - Reading

  /// An identifier of the document's current state on disk; empty where there is no file. It
  /// differs from all others while the file cannot be looked at.
  public var generation: String {
    let own = Disk.generation(of: path)
    guard case .present(let state) = own else { return own.text }
    return ([state] + SyncConflicts.paths(beside: path).map { Disk.generation(of: $0).text })
      .joined(separator: " ")
  }

  /// Reads the places; there are none if there is no file, and the folder is not known from an
  /// earlier one.
  ///
  /// The document is cached until the file changes.
  ///
  /// - Throws: ``PlaceStoreError`` where the file cannot be read, is damaged, is in another format,
  ///   or was written by a newer version, or where its folder is away.
  public func load() throws(PlaceStoreError) -> PlaceDocument {
    let generation = generation
    guard !generation.isEmpty else {
      try checkFolder()
      return PlaceDocument()
    }
    let remembered = known.withLock { $0?.generation == generation ? $0?.document : nil }
    if let remembered { return remembered }
    guard var document = try Self.read(path) else {
      try checkFolder()
      return PlaceDocument()
    }
    noteFolder()
    _ = takeConflicts(into: &document)
    known.withLock { [document] in $0 = (generation, document) }
    return document
  }

  /// Checks that the folder is the one in which the file was seen before, if it was.
  private func checkFolder() throws(PlaceStoreError) {
    let isAway: Bool
    do throws(Errno) { isAway = try folder.isAway() } catch { throw .unreadable(path, error) }
    if isAway { throw .away(path, memory: folder.memory) }
  }

  /// Remembers the folder, in which the file was just read or written.
  private func noteFolder(isWritten: Bool = false) {
    do throws(Errno) { try folder.noteSeen(creatingFolder: isWritten) } catch {
      // A reader of a state folder that it may not write to knows the folder while it runs.
      guard error != .permissionDenied, error != .noSuchFileOrDirectory else { return }
      notice(.folderNotKept(path, error))
    }
  }

  /// Reads the document in any file, for a merge.
  ///
  /// - Throws: ``PlaceStoreError``; `.unreadable` where there is no file.
  public static func document(at path: FilePath) throws(PlaceStoreError) -> PlaceDocument {
    guard let document = try read(path) else { throw .unreadable(path, .noSuchFileOrDirectory) }
    return document
  }

  /// Reads a complete file; returns `nil` where there is none.
  private static func read(_ path: FilePath) throws(PlaceStoreError) -> PlaceDocument? {
    guard let reading = try reading(path) else { return nil }
    guard let error = reading.error else { return reading.document }
    throw PlaceStoreError(error, path)
  }

  /// Reads as much of a file as possible; returns `nil` where there is none.
  private static func reading(
    _ path: FilePath
  ) throws(PlaceStoreError) -> PlaceDocument.Reading? {
    let file: FileDescriptor
    do throws(Errno) {
      file = try Disk.openRegularFile(path, limit: maximumSize)
    } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      throw .unreadable(path, error)
    }
    defer { Disk.close(file) }
    var failure: Errno?
    // The text is read in pieces, so that it is not in memory together with the places.
    var reader = JSONReader { piece in
      do throws(Errno) {
        return try Disk.read(file, into: piece)
      } catch {
        failure = error
        return 0
      }
    }
    let size: Int64
    do throws(Errno) { size = try Disk.size(of: file) } catch { throw .unreadable(path, error) }
    var reading = PlaceDocument.reading(&reader, size: Int(size))
    if let failure { throw .unreadable(path, failure) }
    // A damaged file in another format must not be replaced.
    if case .damaged = reading.error {
      do throws(Errno) {
        if try !Disk.mayReplace(path, of: signature) { reading.error = .foreign }
      } catch { throw .unreadable(path, error) }
    }
    return reading
  }

  /// Merges the conflict copies beside the file into a document, and returns those that were
  /// merged.
  private func takeConflicts(into document: inout PlaceDocument) -> [SyncConflict] {
    var taken: [SyncConflict] = []
    for path in SyncConflicts.paths(beside: path) {
      let conflict = SyncConflict(path: path, generation: Disk.generation(of: path))
      do throws(PlaceStoreError) {
        guard let other = try Self.read(path) else { continue }
        document.merge(other)
        taken.append(conflict)
      } catch { notice(.conflictPassedOver(error)) }
    }
    return taken
  }

  // MARK: - Writing

  /// Changes the places. The change is on disk when the method returns.
  ///
  /// The change is applied to the current document on disk, merged with its conflict copies. A
  /// damaged file is set aside, and its readable part is used. If the change makes no difference,
  /// nothing is written.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - change: Changes the document; an error that it throws becomes `.refused`, and nothing is
  ///     written.
  /// - Returns: The result of `change`.
  /// - Throws: ``PlaceStoreError``. The file is unchanged then, except after
  ///   ``PlaceStoreError/uncertain(_:_:)``.
  public func update<Result: Sendable>(
    now: Instant, _ change: (inout PlaceDocument) throws(PlaceError) -> Result
  ) throws(PlaceStoreError) -> Result {
    if generation.isEmpty { try checkFolder() }
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
    } catch { throw .unwritable(path, error) }
    return try writing.withLock { _ throws(PlaceStoreError) in
      let lock = try lock()
      defer { Disk.unlockAndClose(lock) }
      var (document, state) = try current(now: now)
      let result: Result
      do throws(PlaceError) { result = try change(&document) } catch { throw .refused(error) }
      document.dropRemoved(now: now)
      try write(document, over: state, now: now)
      return result
    }
  }

  /// The state of the files from which a document was read.
  private struct FileState {
    var generation: String
    /// The revision of the document in the file; `nil` where none is readable.
    var revision: Int?
    /// The conflict copies that were merged into the document, and are removed after a write.
    var conflicts: [SyncConflict] = []
  }

  private func lock() throws(PlaceStoreError) -> FileDescriptor {
    let lockPath = Disk.sibling(of: path, ".lock")
    do throws(Errno) {
      if let file = try Disk.lockForChange(lockPath) { return file }
    } catch { throw .unwritable(lockPath, error) }
    throw .inUse(path)
  }

  /// Reads the current document, and merges the conflict copies into it.
  private func current(
    now: Instant
  ) throws(PlaceStoreError) -> (PlaceDocument, FileState) {
    let found = Disk.generation(of: path)
    if case .unknown(let error) = found { throw .unreadable(path, error) }
    var state = FileState(generation: found.text)
    let remembered = known.withLock { $0?.generation == state.generation ? $0?.document : nil }
    var document = PlaceDocument()
    if let remembered {
      document = remembered
      state.revision = document.revision
    } else if let reading = try Self.reading(path) {
      document = reading.document
      switch reading.error {
      case nil: state.revision = document.revision
      case .damaged(let reason):
        let aside = try setAside(now: now)
        notice(.setAside(path, aside: aside, reason: reason, readable: document.count))
        state.generation = ""
      case .some(let error): throw PlaceStoreError(error, path)
      }
    } else {
      // The folder may have gone away since the change began.
      try checkFolder()
      state.revision = document.revision
    }
    state.conflicts = takeConflicts(into: &document)
    return (document, state)
  }

  private func setAside(now: Instant) throws(PlaceStoreError) -> FilePath {
    let stamp = now.iso8601.filter { $0.isNumber || $0 == "T" }
    do throws(Errno) {
      return try Disk.setAside(path, of: Self.signature, ending: ".damaged-\(stamp)")
    } catch { throw PlaceStoreError(writing: path, error) }
  }

  /// Replaces the file if the document differs from it, and removes the conflict copies that were
  /// merged.
  private func write(
    _ document: PlaceDocument, over state: FileState, now: Instant
  ) throws(PlaceStoreError) {
    guard document.revision != state.revision || !state.conflicts.isEmpty else { return }
    var (document, state) = (document, state)
    for _ in 0..<Self.maximumTries {
      if let uncertainty = try replace(document, over: state.generation) {
        guard uncertainty != .resourceTemporarilyUnavailable else {
          // Syncthing replaced the file with that of another machine.
          let (other, otherState) = try current(now: now)
          document.merge(other)
          document.dropRemoved(now: now)
          state.generation = otherState.generation
          state.conflicts += otherState.conflicts
          continue
        }
        throw .uncertain(path, uncertainty)
      }
      for conflict in state.conflicts { conflict.remove() }
      noteFolder(isWritten: true)
      let generation = generation
      known.withLock { [document] in $0 = (generation, document) }
      return
    }
    throw .inUse(path)
  }

  /// Writes a document to disk, unless the file was replaced since it was read.
  ///
  /// - Returns: `nil` on success; the error if it is uncertain that the document is on disk; or
  ///   `resourceTemporarilyUnavailable` where the file was replaced.
  private func replace(
    _ document: PlaceDocument, over generation: String
  ) throws(PlaceStoreError) -> Errno? {
    do throws(Errno) {
      return try Disk.replace(path, of: Self.signature) { file throws(Errno) in
        try document.write { bytes throws(Errno) in try Disk.write(bytes, to: file) }
      } prepare: { _ throws(Errno) in
        let found = Disk.generation(of: path)
        if case .unknown(let error) = found { throw error }
        guard found.text == generation else { throw .resourceTemporarilyUnavailable }
      }
    } catch {
      if error == .resourceTemporarilyUnavailable { return error }
      throw PlaceStoreError(writing: path, error)
    }
  }
}
