public import CivilTime
import Codecs
public import LocationFeeds
public import PhotoMetadata
import Storage
import Synchronization
public import SystemPackage

/// The pictures that were taken again of old photos: each a file of its own in a folder of photos,
/// and a list of them in the state folder.
///
/// Old photos are neither opened nor changed. Calls may come from any thread; one picture is kept
/// at a time, and waits for the disk.
public final class RecreationStore: Sendable {
  /// The maximum size of a picture, in bytes.
  public static let maximumPictureSize = 32 << 20

  private let list: RecreationList
  /// The lock of the list is only for other programs.
  private let writing = Mutex(())

  /// The pictures of a state folder.
  public init(stateFolder: FilePath) {
    list = RecreationList(in: stateFolder)
  }

  /// Tells states of the list from one another; empty where there is none.
  public var generation: String { Disk.generation(of: list.path) }

  /// The pictures whose files are there, the latest kept first.
  ///
  /// - Throws: ``RecreationError`` where the list cannot be read.
  public func all() throws(RecreationError) -> [KeptRecreation] {
    try list.load().reversed().filter(Self.isThere)
  }

  /// The file of a picture; `nil` where there is no picture of the id, or its file is gone.
  ///
  /// - Throws: ``RecreationError`` where the list cannot be read.
  public func file(of id: String) throws(RecreationError) -> FilePath? {
    try list.load().last { $0.id == id && Self.isThere($0) }?.path
  }

  /// Takes a picture off the list; its file stays.
  ///
  /// - Returns: Whether it was on the list.
  /// - Throws: ``RecreationError``; then the list is as it was, but for
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

  /// Keeps a picture as a new file, which is on the disk and on the list when this returns.
  ///
  /// The file has the picture as it came, and metadata of our own in place of what came with it:
  /// EXIF with camera, time, position and direction, as far as they are known, and XMP that names
  /// the old photo. The same bytes sent again for the same photo give the one that is there.
  ///
  /// - Parameters:
  ///   - jpeg: The picture, from anybody.
  ///   - old: The photo that was taken again.
  ///   - score: The alignment score, 0–1; other values count as unknown.
  ///   - folder: The folder for the file, which is created where there is none; an absolute path.
  ///   - taken: When it was taken, as its sender says: the picture's time where that has none. One
  ///     without an offset is of the zone of `localClock`; one in the future is not believed.
  ///   - devices: The last positions of devices. One that is of the time and in the old photo's
  ///     spot is the picture's, where the picture has none there; else it is the old photo's, so
  ///     that the picture joins the spot.
  ///   - now: The machine's clock, which is the picture's time where nothing else tells it.
  ///   - localClock: The offset of local time.
  /// - Returns: The kept recreation.
  /// - Throws: ``RecreationError``; then nothing is kept, but for
  ///   ``RecreationError/uncertain(_:_:)``.
  /// - Complexity: O(*n*) in the bytes of the picture, and as many of memory twice.
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

  /// 16 characters of a hash of what was sent: the same again has the same id.
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

  /// Writes the file and the list.
  ///
  /// The list names the file before that is created, so that a crash leaves a picture that is known
  /// when it is sent again, or an entry without a file, which ``all()`` passes over; never a file
  /// that is kept a second time.
  private func keep(
    _ new: NewRecreation, in folder: FilePath
  ) throws(RecreationError) -> KeptRecreation {
    var known = try list.load()
    if let same = known.first(where: { $0.id == new.id }) {
      if Self.isThere(same) { return same }
      Self.removeEmpty(same.path)
      known.removeAll { $0.id == new.id }
    }
    do throws(Errno) { try Disk.createFolder(folder) } catch { throw .cannotWrite(folder, error) }
    var attempts = 0
    for number in 1...Self.maximumNumber {
      let path = folder.appending(new.fileName(number: number))
      guard !Disk.exists(path) else { continue }
      let recreation = new.kept(at: path)
      do throws(RecreationError) {
        try list.save(known + [recreation])
        try Self.create(path, new, in: folder)
        // Whoever looked at the list meanwhile passed over an entry without a file.
        Disk.noteChange(of: list.path)
        return recreation
      } catch {
        // The file is in place.
        if case .uncertain(path, _) = error { throw error }
        // As far as the disk lets it; else the entry has no file, and is passed over.
        try? list.save(known)
        // Another program may have taken the name meanwhile.
        attempts += 1
        guard error == .cannotWrite(path, .fileExists), attempts < 3 else { throw error }
      }
    }
    throw .cannotWrite(folder, .fileExists)
  }

  /// Nobody takes as many pictures of a place in a second.
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

  /// Whether the file is there; an empty one only keeps the name, as a crash left it.
  private static func isThere(_ recreation: KeptRecreation) -> Bool {
    (try? Disk.size(of: recreation.path)).flatMap { $0 } ?? 0 > 0
  }

  private static func removeEmpty(_ path: FilePath) {
    if (try? Disk.size(of: path)) == 0 { Disk.removeOwn(path) }
  }
}

/// A picture that is to be kept.
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
