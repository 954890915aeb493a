public import CivilTime
import Encodings
import Spatial
public import SpotWatcher
import Storage
public import SystemPackage

/// The spots that the user muted individually: a small JSON file in the state folder.
///
/// Any command may change it while a watch is running, which applies the changes automatically.
///
/// ```json
/// { "format": "photospots-mutes", "version": 1, "mutes": [
///     { "spot": "47xjsbmtz9sp", "latitude": 48.8617, "longitude": 2.2884,
///       "until": "2026-12-01T08:00:00.000Z" }] }
/// ```
public struct MuteList: Sendable {
  /// The path of the list.
  public let path: FilePath
  /// The state folder, so that an unmounted one is not taken for one without a list.
  private let folder: KnownFolder

  private static let fileName = "mutes.json"
  /// The maximum size of the file in bytes, enough for some ten thousand spots.
  private static let maximumSize = 1 << 20

  /// Creates the list of a state folder.
  public init(in stateFolder: FilePath) {
    path = stateFolder.appending(Self.fileName)
    folder = KnownFolder(stateFolder)
  }

  /// Reads the list; empty if there is no file, and there was none before in another folder.
  ///
  /// - Returns: The muted spots, including expired mutes, in the order of muting.
  /// - Throws: ``MuteListError`` if the file cannot be read or is not a mute list.
  public func load() throws(MuteListError) -> [MutedSpot] {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try Disk.read(path, limit: Self.maximumSize)
      try folder.noteSeen()
    } catch {
      guard error == .noSuchFileOrDirectory else { throw .unreadable(path, error) }
      try checkFolder()
      return []
    }
    do throws(JSONError) {
      return try Self.list.elements(in: bytes, Self.mute)
    } catch {
      throw error.isOfNewerVersion ? .newer(path, error.reason) : .damaged(path, error.reason)
    }
  }

  /// Checks that the folder is the one in which this list was read before.
  private func checkFolder() throws(MuteListError) {
    let isAway: Bool
    do throws(Errno) { isAway = try folder.isAway() } catch { throw .unreadable(path, error) }
    if isAway { throw .away(path) }
  }

  /// Changes the list, which is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - now: The time; mutes that have expired by then are removed.
  ///   - change: Changes the current list.
  /// - Throws: ``MuteListError``; the list is then unchanged, except after
  ///   ``MuteListError/uncertain(_:_:)``.
  public func update(now: Instant, _ change: (inout [MutedSpot]) -> Void) throws(MuteListError) {
    try checkFolder()
    do throws(Errno) {
      try Disk.createFolder(path.removingLastComponent())
    } catch { throw .cannotWrite(path, error) }
    let lock = try lock()
    defer { Disk.unlockAndClose(lock) }
    var mutes = try load()
    change(&mutes)
    mutes.removeAll { !$0.isInForce(at: now) }
    let uncertainty: Errno?
    do throws(Errno) {
      let document = Self.list.document(mutes) { Self.write($1, to: &$0) }
      uncertainty = try Disk.replace(path, of: Self.list.signature, with: document)
    } catch { throw .cannotWrite(path, error) }
    if let uncertainty { throw .uncertain(path, uncertainty) }
  }

  /// Acquires the lock that serialises changes.
  private func lock() throws(MuteListError) -> FileDescriptor {
    let lockPath = path.removingLastComponent().appending(Self.fileName + ".lock")
    do throws(Errno) {
      if let file = try Disk.lockForChange(lockPath) { return file }
    } catch { throw .cannotWrite(lockPath, error) }
    throw .inUse(path)
  }

  // MARK: - The document

  static let list = StateList(
    format: "photospots-mutes", version: 1, member: "mutes", contents: "muted spots")

  static func write(_ mute: MutedSpot, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("spot", mute.spotID)
      writer.member("latitude", degrees: mute.center.latitude)
      writer.member("longitude", degrees: mute.center.longitude)
      writer.member("until", mute.until?.iso8601)
    }
  }

  static func mute(_ reader: inout JSONReader) throws(JSONError) -> MutedSpot {
    let start = reader.offset
    var (spotID, latitude, longitude) = ("", Double.nan, Double.nan)
    var until: Instant?
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "spot": spotID = try reader.string()
      case "latitude": latitude = try reader.double()
      case "longitude": longitude = try reader.double()
      case "until": until = try reader.instant()
      default: try reader.skipValue()
      }
    }
    guard !spotID.isEmpty, let center = Coordinate(latitude: latitude, longitude: longitude) else {
      throw JSONError(offset: start, reason: "a muted spot has no id or no position")
    }
    return MutedSpot(spotID: spotID, center: center, until: until)
  }
}

/// A reason why the list of muted spots cannot be used.
public enum MuteListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file exists but cannot be read.
  case unreadable(FilePath, Errno)
  /// The list was read before, and its folder is missing or another one now.
  case away(FilePath)
  /// A newer version of the program wrote the list, with what to do.
  case newer(FilePath, String)
  /// The file is not a mute list.
  case damaged(FilePath, String)
  /// The list cannot be written.
  case cannotWrite(FilePath, Errno)
  /// The list was written, but may not have reached the disk yet.
  case uncertain(FilePath, Errno)
  /// Another command is changing the list.
  case inUse(FilePath)

  /// The system's error behind this one; `nil` if there is none.
  package var storageError: Errno? {
    switch self {
    case .unreadable(_, let error), .cannotWrite(_, let error), .uncertain(_, let error): error
    case .away: .noSuchFileOrDirectory
    case .newer, .damaged, .inUse: nil
    }
  }

  /// A message that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .unreadable(let path, let error):
      "the muted spots in \(path) cannot be read: \(error). Check the file's permissions."
    case .away(let path):
      "the muted spots in \(path) cannot be read: its folder is missing or another one. Mount its disk."
    case .newer(let path, let reason):
      "the muted spots in \(path) cannot be read: \(reason)"
    case .damaged(let path, let reason):
      "the muted spots in \(path) cannot be read: \(reason). Repair the file, or delete it to mute nothing."
    case .cannotWrite(let path, .foreignFile):
      "\(path) was not written by photospots, so it is not changed. Move it away, or choose another folder "
        + "with --state."
    case .uncertain(let path, let error):
      "the muted spots were written to \(path), but may not survive a crash: "
        + "\(error)"
    case .cannotWrite(let path, let error):
      "the muted spots cannot be written to \(path): \(error)"
    case .inUse(let path):
      "another command is changing \(path); try again"
    }
  }
}

extension [MutedSpot] {
  /// Adds a mute, unless the list has one of the same spot that ends no earlier. The result
  /// therefore does not depend on the order and number of followed links.
  public mutating func extend(by mute: MutedSpot) {
    let isLonger = contains { known in
      guard known.spotID == mute.spotID else { return false }
      guard let end = known.until else { return true }
      return mute.until.map { $0 <= end } ?? false
    }
    guard !isLonger else { return }
    removeAll { $0.spotID == mute.spotID }
    append(mute)
  }
}
