import CivilTime
import Codecs
import Interchange
import LocationFeeds
import SpotWatcher
import Storage
import SystemPackage

/// The trails of devices: a file of NDJSON for each, in a folder of the state.
///
/// Senders may invent devices, so there is a number of files beyond which no new one is begun, and
/// a size beyond which none grows. A trail that was begun is never removed: it is someone's life.
struct TrailFiles: Sendable {
  /// How many trails there may be.
  static let maximumFileCount = 256
  /// How long a trail may be in bytes: some ten million positions.
  static let maximumFileSize: Int64 = 1 << 31
  /// So much of a trail is held back at most.
  private static let maximumHeldBytes = 1 << 16

  /// The beginning of a fix with a time, as every one of a trail has.
  private static let signature = FileSignature(tokens: ["{", "\"time\"", ":"])

  private let folder: FilePath
  /// What is not written yet, by device.
  private var held: [String?: [UInt8]] = [:]
  /// How many files there are, once they were counted.
  private var fileCount: Int?
  private var didTellLimit = false

  /// The trails in a state folder.
  init(in stateFolder: FilePath) { folder = DeviceLog.trailFolder(in: stateFolder) }

  /// Takes a fix to be written.
  mutating func keep(_ fix: LocationFix) {
    var writer = JSONWriter()
    fix.write(to: &writer)
    writer.newline()
    held[fix.device, default: []] += writer.takeBytes()
  }

  /// Writes what is new.
  ///
  /// - Throws: ``DeviceLogError``, once everything was written that could be: `tooManyTrails` the
  ///   first time that something is left out, `cannotWrite` with what could not be written kept, as
  ///   far as it is not too much.
  mutating func save() throws(DeviceLogError) {
    var failure: DeviceLogError?
    var isFull = false
    for (device, bytes) in held {
      do throws(DeviceLogError) {
        if try !append(bytes, of: device) { isFull = true }
        held[device] = nil
      } catch {
        failure = error
        if bytes.count > Self.maximumHeldBytes { held[device] = nil }
      }
    }
    if let failure { throw failure }
    if isFull, !didTellLimit {
      didTellLimit = true
      throw .tooManyTrails(folder)
    }
  }

  /// Appends to a trail.
  ///
  /// - Returns: Whether there was room.
  private mutating func append(
    _ bytes: [UInt8], of device: String?
  ) throws(DeviceLogError) -> Bool {
    let path = Self.path(of: device, in: folder)
    do throws(Errno) {
      guard let file = try open(path) else { return false }
      defer { Disk.close(file) }
      guard try Disk.size(of: file) + Int64(bytes.count) <= Self.maximumFileSize else {
        return false
      }
      try Disk.write(bytes, to: file)
      return true
    } catch { throw .cannotWrite(path, error) }
  }

  /// Opens a trail, which is begun where it is missing; `nil` where there are as many as may be.
  private mutating func open(_ path: FilePath) throws(Errno) -> FileDescriptor? {
    do throws(Errno) {
      return try Disk.openToAppend(path, of: Self.signature)
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
    }
    try Disk.createFolder(folder)
    if fileCount == nil { fileCount = try Disk.entryCount(of: folder) }
    guard let count = fileCount, count < Self.maximumFileCount else { return nil }
    let file = try Disk.openToAppend(path, of: Self.signature, createsFile: true)
    fileCount = count + 1
    return file
  }

  /// The file of a trail below the folder of trails: the device's name, with everything but
  /// letters, digits, `-` and `_` as its percent code, so that no name leads elsewhere; a name that
  /// is too long for a file is cut, and told apart by a hash.
  static func path(of device: String?, in folder: FilePath) -> FilePath {
    var name = PercentEncoding.text((device ?? "").utf8, keeping: "-_")
    if name.utf8.count > 180 {
      let hash = SpotNotification.makeID(
        device: device, spotID: "", time: Instant(millisecondsSince1970: 0))
      name = String(name.prefix(160)) + "%" + hash
    }
    // A device without a name has a file that no name can have.
    return folder.appending((device == nil ? "%" : name) + ".ndjson")
  }
}
