import Encodings
import Storage
import SystemPackage

/// The list of recreations: a JSON file in the state folder.
///
/// ```json
/// { "format": "photospots-recreations", "version": 1, "recreations": [
///     { "id": "q3v…", "photo": "k7m…", "photoPath": "/photos/IMG_1.jpg", "spot": "47xjsbmtz9sp",
///       "taken": "2026-11-22T09:15:03.000Z", "kept": "2026-11-22T09:15:40.000Z", "score": 0.93,
///       "path": "/photos/PhotoSpots/2026-11-22 10.15.03 Arezzo (2008).jpg" }] }
/// ```
struct RecreationList {
  /// The path of the list.
  let path: FilePath
  /// The state folder, so that an unmounted one is not taken for one without a list.
  private let folder: KnownFolder

  /// The maximum number of recreations; beyond it, the oldest are removed from the list.
  static let maximumCount = 10_000
  private static let fileName = "recreations.json"
  /// The maximum size of the file in bytes, enough for `maximumCount` entries with the longest
  /// paths.
  private static let maximumSize = 1 << 27

  /// The format of the file.
  static let stateList = StateList(
    format: "photospots-recreations", version: 1, member: "recreations",
    contents: "pictures taken again")
  private static let signature = FileSignature(format: stateList.format)

  /// Creates the list of a state folder, without reading it.
  init(in stateFolder: FilePath) {
    path = stateFolder.appending(Self.fileName)
    folder = KnownFolder(stateFolder)
  }

  /// Reads the list in the order of storing; empty if there is no file.
  func load() throws(RecreationError) -> [KeptRecreation] {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Disk.read(path, limit: Self.maximumSize)
      try folder.noteSeen()
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .unreadable(path, error) }
      try Self.check(folder)
      return []
    }
    do throws(JSONError) {
      return try Self.stateList.elements(in: bytes) { reader throws(JSONError) in
        try KeptRecreation(&reader)
      }
    } catch {
      throw error.isOfNewerVersion ? .newer(path, error.reason) : .damaged(path, error.reason)
    }
  }

  /// Checks that a folder is the one that was seen before, if it was.
  static func check(_ folder: KnownFolder) throws(RecreationError) {
    let isAway: Bool
    do throws(Errno) { isAway = try folder.isAway() } catch {
      throw .unreadable(folder.path, error)
    }
    if isAway { throw .away(folder.path, memory: folder.memory) }
  }

  /// Writes the list and synchronises it to the disk; the caller must hold the lock.
  func save(_ recreations: [KeptRecreation]) throws(RecreationError) {
    let uncertainty: Errno?
    do throws(Errno) {
      let document = Self.stateList.document(recreations.suffix(Self.maximumCount)) {
        $1.write(to: &$0)
      }
      uncertainty = try Disk.replace(path, of: Self.signature, with: document)
    } catch { throw .cannotWrite(path, error) }
    if let uncertainty { throw .uncertain(path, uncertainty) }
  }

  /// Runs a closure with the list locked against other programs, so that no change is lost.
  func locked<Result>(
    _ body: () throws(RecreationError) -> Result
  ) throws(RecreationError) -> Result {
    try Self.check(self.folder)
    let folder = path.removingLastComponent()
    do throws(Errno) { try Disk.createFolder(folder) } catch { throw .cannotWrite(folder, error) }
    let lock = try lock(folder.appending(Self.fileName + ".lock"))
    defer { Disk.unlockAndClose(lock) }
    return try body()
  }

  private func lock(_ lockPath: FilePath) throws(RecreationError) -> FileDescriptor {
    do throws(Errno) {
      if let file = try Disk.lockForChange(lockPath) { return file }
    } catch { throw .cannotWrite(lockPath, error) }
    throw .inUse(path)
  }
}
