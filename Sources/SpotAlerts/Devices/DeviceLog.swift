public import CivilTime
import Interchange
public import LocationFeeds
import Spatial
public import SpotWatcher
import Storage
public import SystemPackage

/// Where devices were last, and their trails where somebody asked for these to be kept.
///
/// A small JSON file in the state folder, and for each trail a file of NDJSON beside it. Both are
/// written from time to time, so a crash loses some seconds of them; what fired is in the journal
/// and loses nothing.
///
/// ```swift
/// var log = try DeviceLog(in: stateFolder, keepsTrails: false, now: now)
/// log.note(try session.process(fix))
/// try log.saveIfDue(now: now)
/// ```
public struct DeviceLog: Sendable {
  /// How often the files are written, in seconds.
  static let interval = 10.0
  /// One more device, and the least recently used one is forgotten.
  package static let maximumDeviceCount = 4096

  /// What was found damaged in the log of before; `nil` where it was whole.
  public let damage: DeviceLogDamage?

  private let folder: FilePath
  private let localClock: LocalClock
  private(set) var slots = DeviceSlots(capacity: maximumDeviceCount)
  /// By the slots of the devices.
  private var reports: [DeviceReport] = []
  /// `nil` where trails are not kept.
  private var trails: TrailFiles?
  private var saved: Instant?
  private var isChanged = false

  /// Opens the log of a state folder; one that is damaged is renamed, and what can be read of it is
  /// taken.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder; its `WatchSession` keeps other writers away.
  ///   - keepsTrails: Whether where devices went is written down.
  ///   - localClock: What a day is of.
  ///   - now: The machine's clock, for the name of a damaged log.
  /// - Throws: ``DeviceLogError`` where there is a file in its place that cannot be read, is none,
  ///   or is of a later version.
  public init(
    in stateFolder: FilePath, keepsTrails: Bool, localClock: LocalClock = .machine, now: Instant
  ) throws(DeviceLogError) {
    folder = stateFolder
    self.localClock = localClock
    trails = keepsTrails ? TrailFiles(in: stateFolder) : nil
    var damage: DeviceLogDamage?
    let known = try Self.reports(in: stateFolder) { damage = $0 }
    if var found = damage {
      let stamp = now.iso8601.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
      try Self.writing(found.log) { path throws(Errno) in
        found.copy = try Disk.setAside(
          path, of: Self.list.signature, ending: ".damaged-\(stamp)")
      }
      damage = found
      isChanged = true
    }
    self.damage = damage
    for report in known.reversed() { set(report) }
  }

  /// Takes what was decided about a fix into account.
  ///
  /// - Complexity: O(1) on average.
  public mutating func note(_ decisions: [WatcherDecision]) {
    guard let decision = decisions.first, decision.kind.isBelieved else { return }
    let fix = decision.fix
    guard let time = fix.time, let position = fix.coordinate else { return }
    isChanged = true
    let day = localClock.date(at: time)
    var report =
      slots.slot(of: fix.device).map { reports[$0] }
      ?? DeviceReport(
        device: fix.device, fix: fix, heard: time, day: day, walkedMeters: 0, fixCount: 0)
    if report.day != day { (report.day, report.walkedMeters, report.fixCount) = (day, 0, 0) }
    if decision.kind.isLookedAt {
      report.walkedMeters += report.fix.coordinate?.distance(to: position) ?? 0
      report.fixCount += 1
      report.fix = fix
      trails?.keep(fix)
    }
    report.heard = time
    set(report)
  }

  private mutating func set(_ report: DeviceReport) {
    switch slots.use(report.device) {
    case .new: reports.append(report)
    case .known(let slot), .reused(let slot, _): reports[slot] = report
    }
  }

  // MARK: - Files

  private static let fileName = "devices.json"

  /// Writes what is new where the last time was a while ago.
  ///
  /// - Throws: ``DeviceLogError`` where something cannot be written, which is kept for the next
  ///   time, as far as it is not too much; or once, where there are too many trails.
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
    try Self.writing(Self.path(in: folder)) { path throws(Errno) in
      // After a crash the file of some seconds before is as good.
      _ = try Disk.replace(path, of: Self.list.signature, with: document)
    }
    try trails?.save()
    isChanged = false
  }

  private static func writing(
    _ path: FilePath, _ body: (FilePath) throws(Errno) -> Void
  ) throws(DeviceLogError) {
    do throws(Errno) { try body(path) } catch { throw .cannotWrite(path, error) }
  }

  static let list = StateList(
    format: "photospots-devices", version: 1, member: "devices", contents: "devices")

  private var document: [UInt8] {
    Self.list.document(reports.sorted { $0.heard > $1.heard }) { $1.write(to: &$0) }
  }

  private static func path(in folder: FilePath) -> FilePath { folder.appending(fileName) }

  // MARK: - Reading

  /// Reads what is known of devices.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder.
  ///   - tell: Told where the file is damaged; then what can be read of it is returned.
  /// - Returns: The devices, the one first that was heard of last; none where no watch has run.
  /// - Throws: ``DeviceLogError`` where the file cannot be read, is no such log, or is of a later
  ///   version.
  public static func reports(
    in stateFolder: FilePath, tellingDamage tell: (DeviceLogDamage) -> Void = { _ in }
  ) throws(DeviceLogError) -> [DeviceReport] {
    let path = path(in: stateFolder)
    guard let bytes = try contents(of: path, limit: maximumSize) else { return [] }
    let contents = list.contents(in: bytes) { reader throws(JSONError) in
      try DeviceReport(from: &reader)
    }
    // A crash of the file system may leave an empty file.
    guard contents.format == list.format || bytes.isEmpty else { throw .notALog(path) }
    guard contents.version <= list.version else {
      throw .newerVersion(path, found: contents.version, supported: list.version)
    }
    if let damage = contents.damage { tell(DeviceLogDamage(log: path, reason: damage.reason)) }
    return contents.elements
  }

  /// The folder of the trails in a state folder.
  public static func trailFolder(in stateFolder: FilePath) -> FilePath {
    stateFolder.appending("trails")
  }

  /// Reads the trail of a device; `nil` where none was kept.
  ///
  /// A line that a crash cut off is passed over.
  ///
  /// - Throws: ``DeviceLogError`` where it cannot be read.
  public static func trail(
    of device: String?, in stateFolder: FilePath
  ) throws(DeviceLogError) -> [LocationFix]? {
    let path = TrailFiles.path(of: device, in: trailFolder(in: stateFolder))
    guard let bytes = try contents(of: path, limit: Int(TrailFiles.maximumFileSize)) else {
      return nil
    }
    return FeedReader.fixes(in: bytes, format: .ndjson).fixes
  }

  /// Sixteen times what the most devices need.
  private static let maximumSize = 1 << 26

  private static func contents(
    of path: FilePath, limit: Int
  ) throws(DeviceLogError) -> [UInt8]? {
    do throws(Errno) {
      return try Disk.read(path, limit: limit)
    } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      throw .unreadable(path, error)
    }
  }
}

extension WatcherDecision.Kind {
  /// Whether a fix with this decision was believed.
  fileprivate var isBelieved: Bool { self == .unmoved || self == .stale || isLookedAt }
}

/// What was found damaged in what is known of devices.
public struct DeviceLogDamage: Hashable, Sendable, CustomStringConvertible {
  /// The log.
  public let log: FilePath
  /// Why the first of the devices that cannot be read cannot be.
  public let reason: String
  /// Where the log lies now; `nil` where it was only looked at.
  public internal(set) var copy: FilePath?

  /// What was found and where it is kept.
  public var description: String {
    "\(log): damaged: \(reason); "
      + (copy.map { "went on with what can be read, and kept it as it was in \($0)." }
        ?? "the next live watch sets it aside.")
  }
}

/// Why what is known of devices cannot be read or written.
public enum DeviceLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is there and cannot be read.
  case unreadable(FilePath, Errno)
  /// The file is no such log.
  case notALog(FilePath)
  /// The log was written by a later version of the program.
  case newerVersion(FilePath, found: Int, supported: Int)
  /// The file cannot be written.
  case cannotWrite(FilePath, Errno)
  /// There are as many trails as may be, or one is as long as it may be.
  case tooManyTrails(FilePath)

  /// What is wrong and what to do about it.
  public var description: String {
    switch self {
    case .unreadable(let path, let error): "\(path) cannot be read: \(error)"
    case .notALog(let path):
      "\(path): this is no list of devices of PhotoSpots. Move it away, or choose another folder with --state."
    case .newerVersion(let path, let found, let supported):
      "\(path): written in version \(found) of the list of devices; this program reads version "
        + "\(supported). Update the program, or choose another folder with --state."
    case .cannotWrite(let path, .foreignFile):
      "\(path) was not written by photospots, so it is left as it is. Move it away."
    case .cannotWrite(let path, let error): "\(path) cannot be written: \(error)"
    case .tooManyTrails(let folder):
      "\(folder): \(TrailFiles.maximumFileCount) trails are kept at most, each of "
        + "\(TrailFiles.maximumFileSize >> 30) GiB; further positions are not. Remove those that nobody needs."
    }
  }
}
