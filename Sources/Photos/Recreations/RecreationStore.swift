public import CivilTime
import Encodings
public import LocationFeeds
public import PhotoMetadata
import Storage
import Synchronization
public import SystemPackage

/// The store of recreations: each is a file in a folder of photos, and a list of them is in the
/// state folder.
///
/// Old photos are neither opened nor changed. Methods may be called from any thread. Recreations
/// are stored one at a time, and the call waits until the disk has them.
public final class RecreationStore: Sendable {
  /// The maximum size of a picture, in bytes.
  public static let maximumPictureSize = 32 << 20

  private let list: RecreationList
  private let stateFolder: FilePath
  /// Serialises changes within this process; the lock of the list excludes other programs.
  private let writing = Mutex(())

  /// Creates a store with a state folder.
  public init(stateFolder: FilePath) {
    self.stateFolder = stateFolder
    list = RecreationList(in: stateFolder)
  }

  /// A text that changes with the list; empty if there is no list.
  public var generation: String { Disk.generation(of: list.path).text }

  /// Returns the recreations whose files exist or cannot be looked at, the most recently stored
  /// first.
  ///
  /// - Throws: ``RecreationError`` if the list cannot be read.
  public func all() throws(RecreationError) -> [KeptRecreation] {
    try list.load().reversed().filter(Self.mayBeThere)
  }

  /// Checks that the list can be read, as a server does at its start.
  ///
  /// - Throws: ``RecreationError`` if it cannot.
  package func check() throws(RecreationError) { _ = try list.load() }

  /// Checks that a folder for pictures is the one in which pictures were stored before, if it was
  /// used.
  ///
  /// - Throws: ``RecreationError`` if the folder cannot be looked at, or is away.
  package func check(_ folder: FilePath) throws(RecreationError) {
    try check(known(folder), among: try list.load())
  }

  private func known(_ folder: FilePath) -> KnownFolder {
    KnownFolder(folder, memory: stateFolder.appending(Self.memoryName))
  }

  private func check(
    _ folder: KnownFolder, among recreations: [KeptRecreation]
  ) throws(RecreationError) {
    do throws(RecreationError) { try RecreationList.check(folder) } catch {
      guard case .away = error else { throw error }
      // Some file systems give folders another inode after each mount; the pictures are proof.
      let own = recreations.last { $0.path.removingLastComponent() == folder.path }
      guard let own, try Self.isThere(own) else { throw error }
    }
  }

  /// The file in the state folder that keeps the identity of the folder of pictures.
  package static let memoryName = "recreations-folder.json"

  /// Returns the file of a recreation; `nil` if the identifier is unknown or the file no longer
  /// exists.
  ///
  /// - Throws: ``RecreationError`` if the list cannot be read.
  public func file(of id: String) throws(RecreationError) -> FilePath? {
    try list.load().last { $0.id == id && Self.mayBeThere($0) }?.path
  }

  /// Removes a recreation from the list; its file stays.
  ///
  /// - Returns: Whether it was in the list.
  /// - Throws: ``RecreationError``; the list is then unchanged, except for
  ///   ``RecreationError/uncertain(_:_:)``.
  public func forget(_ id: String) throws(RecreationError) -> Bool {
    try exclusively { () throws(RecreationError) in
      var recreations = try list.load()
      let count = recreations.count
      recreations.removeAll { $0.id == id }
      guard recreations.count < count else { return false }
      try list.save(recreations)
      return true
    }
  }

  /// Moves the paths of old photos and of recreations, after a library was moved.
  ///
  /// - Parameters:
  ///   - moved: Returns a path at the new place; `nil` for a path that stays.
  ///   - name: Returns the name on the page of the photo at a new path; `nil` if it is unknown.
  /// - Returns: The number of recreations with another path.
  /// - Throws: ``RecreationError``; the list is then unchanged, except for
  ///   ``RecreationError/uncertain(_:_:)``.
  package func relocate(
    _ moved: (FilePath) -> FilePath?, name: (FilePath) -> String?
  ) throws(RecreationError) -> Int {
    func isMoved(_ recreation: KeptRecreation) -> Bool {
      moved(recreation.photoPath) != nil || moved(recreation.path) != nil
    }
    guard try list.load().contains(where: isMoved) else { return 0 }
    return try exclusively { () throws(RecreationError) in
      let recreations = try list.load()
      try list.save(
        recreations.map { old in
          let photo = moved(old.photoPath)
          return KeptRecreation(
            id: old.id, photoName: photo.flatMap(name) ?? old.photoName,
            photoPath: photo ?? old.photoPath, spotID: old.spotID, taken: old.taken,
            kept: old.kept, score: old.score, path: moved(old.path) ?? old.path)
        })
      return recreations.count(where: isMoved)
    }
  }

  /// Stores a recreation as a new file and adds it to the list; both are on the disk when the call
  /// returns.
  ///
  /// The file has the uploaded picture with new metadata: EXIF with the camera, time, position and
  /// direction as far as known, and XMP that refers to the old photo. If the same bytes were stored
  /// before for the same old photo, the existing recreation is returned.
  ///
  /// - Parameters:
  ///   - jpeg: The uploaded picture, untrusted.
  ///   - old: The photo that was taken again.
  ///   - score: The alignment score, 0–1; other values count as unknown.
  ///   - folder: The absolute path of the folder for the file, which is created if it is missing.
  ///   - taken: The time of capture according to the client, used if the picture contains none.
  ///     Without an offset it is interpreted in the time zone of `localClock`; a time in the future
  ///     is ignored.
  ///   - devices: The last positions of devices. If the picture has no position in the old photo's
  ///     spot, the position of a device at the time of capture in that spot is used, and otherwise
  ///     the old photo's position, so that the recreation joins the spot.
  ///   - now: The time on the machine's clock, used as the time of capture if no other is known.
  ///   - localClock: The UTC offset of local time.
  /// - Returns: The stored recreation.
  /// - Throws: ``RecreationError``; nothing is stored then, except for
  ///   ``RecreationError/uncertain(_:_:)``.
  /// - Complexity: O(*n*) time and memory, where *n* is the size of the picture in bytes; up to two
  ///   copies are in memory.
  public func keep(
    _ jpeg: [UInt8], of old: OldPhoto, score: Double?, in folder: FilePath,
    taken: CaptureTime? = nil, devices: [LocationFix] = [], now: Instant, localClock: LocalClock
  ) throws(RecreationError) -> KeptRecreation {
    guard jpeg.count <= Self.maximumPictureSize else { throw .tooLarge }
    let score = score.flatMap { (0...1).contains($0) ? $0 : nil }
    let file = try RecreationFile(
      jpeg, of: old, score: score, taken: taken, devices: devices, now: now,
      localClock: localClock)
    let new = NewRecreation(
      id: Self.id(of: jpeg, old), old: old, score: score, kept: now, file: file)
    return try exclusively { () throws(RecreationError) in try keep(new, in: folder) }
  }

  /// Returns 16 characters of a hash of the upload, so that a repeated upload has the same
  /// identifier.
  private static func id(of jpeg: [UInt8], _ old: OldPhoto) -> String {
    let hash = SHA256.hash(SHA256.hash(jpeg) + Array(old.name.utf8))
    let numbers = [hash[0..<8], hash[8..<16]].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    return String(numbers.map(Base32.text).joined().prefix(16))
  }

  private func exclusively<Result: Sendable>(
    _ body: () throws(RecreationError) -> Result
  ) throws(RecreationError) -> Result {
    try writing.withLock { _ throws(RecreationError) in try list.locked(body) }
  }

  // MARK: - The file and the list

  /// Writes the list and the file, in this order.
  ///
  /// The list names the file before it exists. So a crash leaves either a recreation that is
  /// recognised when it is uploaded again, or an entry without a file, which ``all()`` ignores. A
  /// file is never stored twice.
  private func keep(
    _ new: NewRecreation, in folder: FilePath
  ) throws(RecreationError) -> KeptRecreation {
    var known = try list.load()
    if let same = known.first(where: { $0.id == new.id }) {
      if try Self.isThere(same) { return same }
      Self.removeEmpty(same.path)
      known.removeAll { $0.id == new.id }
    }
    let knownFolder = self.known(folder)
    try check(knownFolder, among: known)
    do throws(Errno) {
      try Disk.createFolder(folder, access: .umask)
      try knownFolder.noteSeen()
    } catch { throw .cannotWrite(folder, error) }
    var attempts = 0
    for number in 1...Self.maximumNumber {
      let path = folder.appending(new.fileName(number: number))
      guard !Disk.exists(path) else { continue }
      let recreation = new.kept(at: path)
      do throws(RecreationError) {
        try list.save(known + [recreation])
        try Self.create(path, new, in: folder)
        // Readers may have read the list before the file existed; a new generation makes them read
        // it again.
        Disk.noteChange(of: list.path)
        return recreation
      } catch {
        // The file exists.
        if case .uncertain(path, _) = error { throw error }
        // If the list cannot be restored, its entry has no file and is ignored.
        try? list.save(known)
        // Another program may have created a file with this name meanwhile.
        attempts += 1
        guard error == .cannotWrite(path, .fileExists), attempts < 3 else { throw error }
      }
    }
    throw .cannotWrite(folder, .fileExists)
  }

  /// The maximum number of recreations of a place with the same second.
  private static let maximumNumber = 1000

  private static func create(
    _ path: FilePath, _ new: NewRecreation, in folder: FilePath
  ) throws(RecreationError) {
    let uncertainty: Errno?
    do throws(Errno) {
      let temporary = folder.appending(".photospots-\(new.id).new")
      uncertainty = try Disk.create(path, with: new.file.bytes, by: temporary)
    } catch { throw .cannotWrite(path, error) }
    if let uncertainty { throw .uncertain(path, uncertainty) }
  }

  /// Returns whether the file exists; an empty file only reserves the name after a crash.
  private static func isThere(_ recreation: KeptRecreation) throws(RecreationError) -> Bool {
    do throws(Errno) { return try Disk.size(of: recreation.path) ?? 0 > 0 } catch {
      // A component of the path may be a file by now.
      guard error == .notDirectory else { throw .unreadable(recreation.path, error) }
      return false
    }
  }

  /// Returns whether the file exists or cannot be looked at.
  private static func mayBeThere(_ recreation: KeptRecreation) -> Bool {
    do throws(RecreationError) { return try isThere(recreation) } catch { return true }
  }

  private static func removeEmpty(_ path: FilePath) {
    // What cannot be looked at is kept.
    if (try? Disk.size(of: path)) == 0 { Disk.removeOwn(path) }
  }
}

/// A recreation to be stored.
private struct NewRecreation {
  let id: String
  let old: OldPhoto
  let score: Double?
  let kept: Instant
  let file: RecreationFile

  func fileName(number: Int) -> String {
    RecreationName.text(taken: file.taken, old: old, number: number)
  }

  func kept(at path: FilePath) -> KeptRecreation {
    KeptRecreation(
      id: id, photoName: old.name, photoPath: old.path, spotID: old.spotID,
      taken: file.taken?.instant, kept: kept, score: score, path: path)
  }
}
