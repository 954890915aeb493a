import CivilTime
import Encodings
import LocationFeeds
import SpotWatcher
import Storage
import SystemPackage

/// The trails of devices: an NDJSON file for each device in a subfolder of the state folder.
///
/// Senders may invent devices, so the number and the size of the files are limited. An existing
/// trail is never deleted, since it is the user's data.
struct TrailFiles: Sendable {
  /// The maximum number of trails.
  static let maximumFileCount = 256
  /// The maximum size of a trail in bytes, enough for some ten million positions.
  static let maximumFileSize: Int64 = 1 << 31
  /// The maximum number of bytes of a trail held in memory.
  private static let maximumHeldBytes = 1 << 16

  /// The beginning of a fix with a time, with which every line of a trail begins.
  private static let signature = FileSignature(tokens: ["{", "\"time\"", ":"])

  private let folder: FilePath
  /// The lines that are not written yet, by device.
  private var held: [String?: [UInt8]] = [:]
  /// The number of files, once counted.
  private var fileCount: Int?
  private var didReportLimit = false

  /// Creates the trails of a state folder.
  init(in stateFolder: FilePath) { folder = DeviceLog.trailFolder(in: stateFolder) }

  /// Adds a fix to be written.
  mutating func keep(_ fix: LocationFix) {
    var writer = JSONWriter()
    fix.write(to: &writer)
    writer.newline()
    held[fix.device, default: []] += writer.takeBytes()
  }

  /// Writes the added fixes.
  ///
  /// - Throws: ``DeviceLogError`` after writing as much as possible: `tooManyTrails` the first time
  ///   that a limit is reached; `cannotWrite`, in which case the unwritten fixes are kept up to a
  ///   limit.
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
    if isFull, !didReportLimit {
      didReportLimit = true
      throw .tooManyTrails(folder)
    }
  }

  /// Appends to a trail.
  ///
  /// - Returns: Whether the limits allowed it.
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

  /// Opens a trail, creating it if needed; `nil` if there are already the maximum number of trails.
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

  /// Returns the file of a trail: the device's name with everything but letters, digits, `-` and
  /// `_` percent-encoded, so that it stays in the folder. A name too long for a file is truncated
  /// and made unique with a hash.
  static func path(of device: String?, in folder: FilePath) -> FilePath {
    var name = PercentEncoding.text((device ?? "").utf8, keeping: "-_")
    if name.utf8.count > 180 {
      let hash = SpotNotification.makeID(
        device: device, spotID: "", time: Instant(millisecondsSince1970: 0))
      name = String(name.prefix(160)) + "%" + hash
    }
    // A device without a name has a file name that no encoded name equals.
    return folder.appending((device == nil ? "%" : name) + ".ndjson")
  }
}
