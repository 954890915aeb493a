public import CivilTime
import Encodings
public import LocationFeeds
import Spatial
public import SpotWatcher
import Storage
public import SystemPackage

/// The last known positions of devices, and their trails if these are enabled.
///
/// It is a small JSON file in the state folder, and an NDJSON file for each trail beside it. Both
/// are written periodically, so a crash loses some seconds of them. Notifications are in the
/// journal, which loses nothing.
///
/// ```swift
/// var log = try DeviceLog(in: stateFolder, keepsTrails: false, now: now)
/// log.note(try session.process(fix))
/// try log.saveIfDue(now: now)
/// ```
public struct DeviceLog: Sendable {
  /// The interval in seconds at which the files are written.
  static let interval = 10.0
  /// The maximum number of devices; beyond it the least recently used device is evicted.
  package static let maximumDeviceCount = 4096

  /// The damage found in the existing log; `nil` if there was none.
  public let damage: DeviceLogDamage?

  private let folder: FilePath
  private let localClock: LocalClock
  private(set) var slots = DeviceSlots(capacity: maximumDeviceCount)
  /// The reports of devices, by their slots.
  private var reports: [DeviceReport] = []
  /// The trails; `nil` if they are disabled.
  private var trails: TrailFiles?
  private var saved: Instant?
  private var isChanged = false

  /// Opens the log of a state folder. A damaged log is renamed and its readable devices are kept.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder; the lock of its `WatchSession` excludes other writers.
  ///   - keepsTrails: Whether to record the trails of devices.
  ///   - localClock: The clock that determines local days.
  ///   - now: The machine's clock, for the name of a damaged log.
  /// - Throws: ``DeviceLogError`` if the file cannot be read, is not a device log, or is of a later
  ///   version.
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
    }
    self.damage = damage
    for report in known.reversed() { set(report) }
    isChanged = self.damage != nil
  }

  /// Records a fix from its decisions.
  ///
  /// - Complexity: O(1) on average.
  public mutating func note(_ decisions: [WatcherDecision]) {
    guard let decision = decisions.first else { return }
    var report = report(of: decision.fix.device, at: decision.time)
    report.counts.count(ReportOutcome(of: decisions))
    if decision.kind.isBelieved { follow(decision, &report) }
    set(report)
  }

  /// Takes a plausible fix as the device's position.
  private mutating func follow(_ decision: WatcherDecision, _ report: inout DeviceReport) {
    let fix = decision.fix
    guard let time = fix.time, let position = fix.coordinate else { return }
    let day = localClock.date(at: time)
    if report.day != day { (report.day, report.walkedMeters, report.fixCount) = (day, 0, 0) }
    guard decision.kind.isLookedAt else {
      if decision.kind == .unmoved { report.odometer.stay(until: time, of: day) }
      report.fix = report.fix ?? fix
      return
    }
    report.walkedMeters += report.odometer.move(to: position, at: time, of: day)
    report.fixCount += 1
    report.fix = fix
    trails?.keep(fix)
  }

  /// Records the end of reports that were not decided.
  ///
  /// - Parameters:
  ///   - end: The end.
  ///   - device: The device's name; `nil` if it is unknown.
  ///   - count: The number of the reports.
  ///   - now: The time of their arrival.
  public mutating func note(
    _ end: ReportOutcome, of device: String?, times count: Int = 1, at now: Instant
  ) {
    var report = report(of: device, at: now)
    report.counts.count(end, times: count)
    set(report)
  }

  /// Records how a device's reports are corrected.
  ///
  /// - Parameters:
  ///   - device: The device's name; `nil` if it is unknown.
  ///   - clockShiftSeconds: The seconds by which its clock is ahead; `nil` if it is right.
  ///   - speedFactor: The factor by which its stated speeds are too high; `nil` if they are right.
  ///   - now: The time of the arrival.
  public mutating func note(
    _ device: String?, clockShiftSeconds: Double?, speedFactor: Double?, at now: Instant
  ) {
    var report = report(of: device, at: now)
    (report.clockShiftSeconds, report.speedFactor) = (clockShiftSeconds, speedFactor)
    set(report)
  }

  /// Returns the report of a device that is heard at a time.
  private func report(of device: String?, at now: Instant) -> DeviceReport {
    var report =
      slots.slot(of: device).map { reports[$0] }
      ?? DeviceReport(device: device, heard: now, day: localClock.date(at: now))
    report.heard = now
    return report
  }

  private mutating func set(_ report: DeviceReport) {
    isChanged = true
    switch slots.use(report.device) {
    case .new: reports.append(report)
    case .known(let slot), .reused(let slot, _): reports[slot] = report
    }
  }

  // MARK: - Files

  private static let fileName = "devices.json"

  /// Writes changes if the last write was long enough ago.
  ///
  /// - Throws: ``DeviceLogError`` if something cannot be written. It is then kept for the next
  ///   time, up to a limit. A limit on trails is reported once.
  public mutating func saveIfDue(now: Instant) throws(DeviceLogError) {
    guard isChanged else { return }
    // A clock that was set back must not keep the files from being written.
    if let saved, (0..<Self.interval).contains(now.seconds(since: saved)) { return }
    saved = now
    try save()
  }

  /// Writes changes.
  public mutating func save() throws(DeviceLogError) {
    guard isChanged else { return }
    try Self.writing(Self.path(in: folder)) { path throws(Errno) in
      // Not synced: after a crash, the file of a few seconds before is good enough.
      _ = try Disk.replace(path, of: Self.list.signature, with: document)
    }
    try trails?.save()
    isChanged = false
  }

  /// Removes a device that is not used any more. Its trail stays.
  ///
  /// - Parameters:
  ///   - device: The device's name; `nil` for the one without a name.
  ///   - stateFolder: The folder.
  ///   - now: The machine's clock, for the name of a damaged log.
  /// - Returns: Whether the log had the device.
  /// - Throws: `AlertStateError` if a watch uses the folder; ``DeviceLogError`` if the log cannot
  ///   be read or written.
  package static func forget(
    _ device: String?, in stateFolder: FilePath, now: Instant
  ) throws -> Bool {
    let isKnown = { (report: DeviceReport) in report.device == device }
    guard try reports(in: stateFolder).contains(where: isKnown) else { return false }
    let lock = try FolderLock(stateFolder)
    defer { lock.release() }
    var log = try DeviceLog(in: stateFolder, keepsTrails: false, now: now)
    log.reports.removeAll(where: isKnown)
    log.isChanged = true
    try log.save()
    return true
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

  /// Reads the device reports.
  ///
  /// - Parameters:
  ///   - stateFolder: The folder.
  ///   - report: Called if the file is damaged; the readable reports are returned then.
  /// - Returns: The devices, the most recently heard first; empty if no watch has run.
  /// - Throws: ``DeviceLogError`` if the file cannot be read, is not a device log, or is of a later
  ///   version.
  public static func reports(
    in stateFolder: FilePath, reportingDamage report: (DeviceLogDamage) -> Void = { _ in }
  ) throws(DeviceLogError) -> [DeviceReport] {
    let path = path(in: stateFolder)
    guard let bytes = try contents(of: path, limit: maximumSize) else { return [] }
    let contents = list.contents(in: bytes) { reader throws(JSONError) in
      try DeviceReport(from: &reader)
    }
    if contents.format != list.format, try !isRemnant(path) { throw .notALog(path) }
    guard contents.version <= list.version else {
      throw .newerVersion(path, found: contents.version, supported: list.version)
    }
    if let damage = contents.damage { report(DeviceLogDamage(log: path, reason: damage.reason)) }
    return contents.elements
  }

  /// Returns whether a file without the format may be what a crash of the file system left of a
  /// log: an empty or truncated file, or zero bytes.
  private static func isRemnant(_ path: FilePath) throws(DeviceLogError) -> Bool {
    do throws(Errno) { return try Disk.mayReplace(path, of: list.signature) } catch {
      throw .unreadable(path, error)
    }
  }

  /// Returns the folder of the trails in a state folder.
  public static func trailFolder(in stateFolder: FilePath) -> FilePath {
    stateFolder.appending("trails")
  }

  /// Returns the path at which the trail of a device is, if there is one.
  package static func trailFile(of device: String?, in stateFolder: FilePath) -> FilePath {
    TrailFiles.path(of: device, in: trailFolder(in: stateFolder))
  }

  /// Reads the trail of a device; `nil` if there is none.
  ///
  /// A line truncated by a crash is skipped.
  ///
  /// - Throws: ``DeviceLogError`` if it cannot be read.
  public static func trail(
    of device: String?, in stateFolder: FilePath
  ) throws(DeviceLogError) -> [LocationFix]? {
    let path = TrailFiles.path(of: device, in: trailFolder(in: stateFolder))
    guard let bytes = try contents(of: path, limit: Int(TrailFiles.maximumFileSize)) else {
      return nil
    }
    return FeedReader.fixes(in: bytes, format: .ndjson).fixes
  }

  /// The maximum size of the file in bytes, sixteen times that with the maximum number of devices.
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
  /// Whether a fix with this decision counts as the device's position.
  fileprivate var isBelieved: Bool { self == .unmoved || self == .stale || isLookedAt }
}

/// Damage found in the device log.
public struct DeviceLogDamage: Hashable, Sendable, CustomStringConvertible {
  /// The path of the log.
  public let log: FilePath
  /// The error of the first unreadable device.
  public let reason: String
  /// The path of the renamed log; `nil` if the log was only read.
  public internal(set) var copy: FilePath?

  /// A message that describes the damage and says where the damaged log is.
  public var description: String {
    "\(log): damaged: \(reason); "
      + (copy.map { "continued with the readable part, and kept the file as \($0)." }
        ?? "the next live watch sets it aside.")
  }
}

/// A reason why the device log cannot be read or written.
public enum DeviceLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file exists but cannot be read.
  case unreadable(FilePath, Errno)
  /// The file is not a device log.
  case notALog(FilePath)
  /// The log was written by a later version of the program.
  case newerVersion(FilePath, found: Int, supported: Int)
  /// The file cannot be written.
  case cannotWrite(FilePath, Errno)
  /// The maximum number of trails, or the maximum size of one, is reached.
  case tooManyTrails(FilePath)

  /// The system's error behind this one; `nil` if there is none.
  package var storageError: Errno? {
    switch self {
    case .unreadable(_, let error), .cannotWrite(_, let error): error
    case .notALog, .newerVersion, .tooManyTrails: nil
    }
  }

  /// A message that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .unreadable(let path, let error): "\(path) cannot be read: \(error)"
    case .notALog(let path):
      "\(path): this is not a list of devices of PhotoSpots. Move it away, or choose another folder with --state."
    case .newerVersion(let path, let found, let supported):
      "\(path): written in version \(found) of the list of devices; this program reads version "
        + "\(supported). Update the program, or choose another folder with --state."
    case .cannotWrite(let path, .foreignFile):
      "\(path) was not written by photospots, so it is not changed. Move it away."
    case .cannotWrite(let path, let error): "\(path) cannot be written: \(error)"
    case .tooManyTrails(let folder):
      "\(folder): \(TrailFiles.maximumFileCount) trails of at most "
        + "\(TrailFiles.maximumFileSize >> 30) GiB each are kept; further positions are not recorded. Delete trails that you do not need."
    }
  }
}
