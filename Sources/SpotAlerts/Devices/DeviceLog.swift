public import Interchange
public import LocationFeeds
import Spatial
import Storage
public import SystemPackage

/// Where devices were last, and their trails where somebody asked for these to be kept.
///
/// A small JSON file in the state folder, and for each trail a file of NDJSON beside it. Both are written from
/// time to time, so a crash loses some seconds of them; what fired is in the journal and loses nothing.
///
/// ```swift
/// var log = try DeviceLog(in: stateFolder, keepsTrails: false)
/// log.note(try session.process(fix))
/// try log.saveIfDue(now: now)
/// ```
public struct DeviceLog: Sendable {
  /// How often the files are written, in seconds.
  static let interval = 10.0
  /// One more device, and the one that was silent longest is forgotten.
  static let maximumDeviceCount = 4096
  /// So much of a trail is held back at most.
  private static let maximumHeldBytes = 1 << 16

  private let folder: FilePath
  private let keepsTrails: Bool
  private let localClock: LocalClock
  private var reports: [String?: DeviceReport] = [:]
  /// What of the trails is not written yet.
  private var trails: [String?: [UInt8]] = [:]
  private var saved: Instant?
  private var isChanged = false

  /// Opens the log of a state folder.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder; its `WatchSession` keeps other writers away.
  ///   - keepsTrails: Whether where devices went is written down.
  ///   - localClock: What a day is of.
  /// - Throws: ``DeviceLogError`` where there is a log that cannot be read.
  public init(
    in stateFolder: FilePath, keepsTrails: Bool, localClock: LocalClock = .machine
  ) throws(DeviceLogError) {
    folder = stateFolder
    self.keepsTrails = keepsTrails
    self.localClock = localClock
    for report in try Self.reports(in: stateFolder) { reports[report.device] = report }
  }

  /// Takes what was decided about a fix into account.
  public mutating func note(_ decisions: [WatcherDecision]) {
    guard let decision = decisions.first, decision.kind.isBelieved else { return }
    let fix = decision.fix
    guard let time = fix.time, let position = fix.coordinate else { return }
    isChanged = true
    let day = localClock.date(at: time)
    var report =
      reports[fix.device]
      ?? DeviceReport(
        device: fix.device, fix: fix, heard: time, day: day, walkedMeters: 0, fixCount: 0)
    if report.day != day { (report.day, report.walkedMeters, report.fixCount) = (day, 0, 0) }
    if decision.kind.isLookedAt {
      report.walkedMeters += report.fix.coordinate?.distance(to: position) ?? 0
      report.fixCount += 1
      report.fix = fix
      if keepsTrails { keep(fix) }
    }
    report.heard = time
    makeRoom(for: fix.device)
    reports[fix.device] = report
  }

  private mutating func makeRoom(for device: String?) {
    guard reports[device] == nil, reports.count >= Self.maximumDeviceCount,
      let silent = reports.min(by: { $0.value.heard < $1.value.heard })
    else { return }
    reports[silent.key] = nil
  }

  private mutating func keep(_ fix: LocationFix) {
    var writer = JSONWriter()
    fix.write(to: &writer)
    writer.newline()
    trails[fix.device, default: []] += writer.takeBytes()
  }

  // MARK: - Files

  /// Writes what is new where the last time was a while ago.
  ///
  /// - Throws: ``DeviceLogError/cannotWrite(_:_:)``; what could not be written is kept for the next time, as far as it is
  ///   not too much.
  public mutating func saveIfDue(now: Instant) throws(DeviceLogError) {
    guard isChanged else { return }
    // A clock that was turned back must not keep the files from being written.
    if let saved, (0..<Self.interval).contains(now.seconds(since: saved)) { return }
    saved = now
    try save()
  }

  /// Writes what is new.
  public mutating func save() throws(DeviceLogError) {
    guard isChanged else { return }
    for (device, bytes) in trails {
      if bytes.count > Self.maximumHeldBytes { trails[device] = nil }
      try Self.append(bytes, to: Self.trailPath(of: device, in: folder))
      trails[device] = nil
    }
    try Self.writing(Self.path(in: folder)) { path throws(Errno) in
      // After a crash the file of some seconds before is as good.
      _ = try Disk.replace(path, of: Self.list.signature, with: document)
    }
    isChanged = false
  }

  private static func append(_ bytes: [UInt8], to path: FilePath) throws(DeviceLogError) {
    try writing(path) { path throws(Errno) in
      try Disk.createFolder(path.removingLastComponent())
      let file = try Disk.openToAppend(path, of: trailSignature, createsFile: true)
      defer { Disk.close(file) }
      try Disk.write(bytes, to: file)
    }
  }

  /// The beginning of a fix with a time, as every one of a trail has.
  private static let trailSignature = FileSignature(tokens: ["{", "\"time\"", ":"])

  private static func writing(
    _ path: FilePath, _ body: (FilePath) throws(Errno) -> Void
  ) throws(DeviceLogError) {
    do throws(Errno) { try body(path) } catch { throw .cannotWrite(path, error) }
  }

  private static let list = StateList(
    format: "photospots-devices", version: 1, member: "devices", contents: "devices")

  private var document: [UInt8] {
    Self.list.document(reports.values.sorted { $0.heard > $1.heard }) { $1.write(to: &$0) }
  }

  private static func path(in folder: FilePath) -> FilePath { folder.appending("devices.json") }

  // MARK: - Reading

  /// Reads what is known of devices, the one first that was heard of last; empty where no watch has run.
  ///
  /// - Throws: ``DeviceLogError`` where the file cannot be read or is no such log.
  public static func reports(in stateFolder: FilePath) throws(DeviceLogError) -> [DeviceReport] {
    let path = path(in: stateFolder)
    guard let bytes = try contents(of: path) else { return [] }
    do throws(JSONError) {
      return try list.elements(in: bytes) { reader throws(JSONError) in
        try DeviceReport(from: &reader)
      }
    } catch { throw .damaged(path, error.reason) }
  }

  /// Reads the trail of a device; `nil` where none was kept.
  ///
  /// A line that a crash cut off is passed over.
  ///
  /// - Throws: ``DeviceLogError`` where it cannot be read.
  public static func trail(
    of device: String?, in stateFolder: FilePath
  ) throws(DeviceLogError) -> [LocationFix]? {
    guard let bytes = try contents(of: trailPath(of: device, in: stateFolder)) else { return nil }
    return FeedReader.fixes(in: bytes, format: .ndjson).fixes
  }

  /// A trail of twenty years, a fix a second, would be longer.
  private static let maximumTrailSize = 1 << 31

  private static func contents(of path: FilePath) throws(DeviceLogError) -> [UInt8]? {
    do throws(Errno) {
      return try Disk.read(path, limit: maximumTrailSize)
    } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      throw .unreadable(path, error)
    }
  }

  /// The file of a trail: the device's name, with everything but letters, digits, `-` and `_` as its percent code, so
  /// that no name leads elsewhere; a name that is too long for a file is cut, and told apart by a hash.
  static func trailPath(of device: String?, in folder: FilePath) -> FilePath {
    var name = ""
    for byte in (device ?? "").utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        name += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    if name.utf8.count > 180 {
      let hash = SpotNotification.makeID(
        device: device, spotID: "", time: Instant(millisecondsSince1970: 0))
      name = String(name.prefix(160)) + "%" + hash
    }
    // A device without a name has a file that no name can have.
    return folder.appending("trails").appending((device == nil ? "%" : name) + ".ndjson")
  }
}

extension WatcherDecision.Kind {
  /// Whether a fix with this decision was believed.
  fileprivate var isBelieved: Bool { self == .unmoved || self == .stale || isLookedAt }

  /// Whether a fix with this decision was believed and had moved.
  var isLookedAt: Bool {
    switch self {
    case .invalid, .late, .stale, .inaccurate, .jump, .unmoved: false
    default: true
    }
  }
}

/// Why what is known of devices cannot be read or written.
public enum DeviceLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is there and cannot be read.
  case unreadable(FilePath, Errno)
  /// The file is no such log.
  case damaged(FilePath, String)
  /// The file cannot be written.
  case cannotWrite(FilePath, Errno)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .unreadable(let path, let error): "\(path) cannot be read: \(error)"
    case .damaged(let path, let reason):
      "\(path) cannot be read: \(reason). Remove it; it tells only where devices were last."
    case .cannotWrite(let path, .foreignFile):
      "\(path) was not written by photospots, so it is left as it is. Move it away."
    case .cannotWrite(let path, let error): "\(path) cannot be written: \(error)"
    }
  }
}
