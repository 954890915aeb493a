import CLibrary
public import CivilTime
import Storage
import Synchronization
import SystemPackage

extension LocalClock {
  /// The local time of the machine, including daylight saving time (`TZ`, `/etc/localtime`).
  ///
  /// The time zone of a travelling machine may change while the program runs, which `localtime_r`
  /// does not notice. So the file is checked again, at most once a second.
  public static let machine = LocalClock(
    MachineTimeZone(variable: getenv("TZ").map { String(cString: $0) }))

  init(_ zone: MachineTimeZone) {
    self.init { zone.rules().utcOffsetSeconds(at: $0) / 60 }
  }
}

/// The current time zone of the machine.
final class MachineTimeZone: Sendable {
  private enum Origin {
    case rules(TimeZoneRules)
    case file(FilePath)
  }

  private struct State {
    var rules = TimeZoneRules.utc
    var stamp: FileStamp?
    var checked: ContinuousClock.Instant?
  }

  private let origin: Origin
  private let interval: Duration
  private let state = Mutex(State())

  /// Creates the time zone that the C library would use.
  ///
  /// - Parameters:
  ///   - variable: The variable `TZ`, if it is set.
  ///   - file: The file of the machine's time zone, used if the variable is not set.
  ///   - folder: The time zone database.
  ///   - interval: The time for which a check of the file is valid.
  init(
    variable: String?, file: FilePath = "/etc/localtime",
    folder: FilePath = TimeZoneDatabase.folder, interval: Duration = .seconds(1)
  ) {
    self.interval = interval
    guard let variable else {
      origin = .file(file)
      return
    }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    let path = folder.pushing(FilePath(name))
    if !name.isEmpty, Disk.exists(path) {
      origin = .file(path)
    } else {
      origin = .rules(TimeZoneRules(posix: name) ?? .utc)
    }
  }

  /// Returns the current rules; those of UTC if there is no file.
  func rules() -> TimeZoneRules {
    let path: FilePath
    switch origin {
    case .rules(let rules): return rules
    case .file(let file): path = file
    }
    let now = ContinuousClock.now
    return state.withLock { state in
      if let checked = state.checked, now - checked < interval { return state.rules }
      let stamp = FileStamp(of: path)
      if state.checked == nil || stamp != state.stamp {
        state.rules = TimeZoneDatabase.rules(in: path) ?? .utc
        state.stamp = stamp
      }
      state.checked = now
      return state.rules
    }
  }
}

/// The identity and modification time of a file, for detecting changes.
private struct FileStamp: Hashable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let modified: [Int]

  init?(of path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
    #if canImport(Darwin)
      modified = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
    #else
      modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
    #endif
  }
}

/// The files of the time zone database.
public enum TimeZoneDatabase {
  /// The folder of the database: `$TZDIR`, or the usual one.
  static let folder = FilePath(
    getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo")

  /// Reads the rules of a zone.
  ///
  /// - Parameter name: A name such as `Europe/Paris`, or a rule such as
  ///   `CET-1CEST,M3.5.0,M10.5.0/3`.
  /// - Returns: The rules; `nil` if the database has no such zone and the text is not a rule.
  public static func rules(of name: String) -> TimeZoneRules? {
    let path = FilePath(name)
    if path.isRelative, !path.isEmpty, path.components.allSatisfy({ $0.kind == .regular }),
      let rules = rules(in: folder.pushing(path))
    {
      return rules
    }
    return TimeZoneRules(posix: name)
  }

  static func rules(in path: FilePath) -> TimeZoneRules? {
    (try? Disk.read(path, limit: 1 << 20)).flatMap { TimeZoneRules(tzif: $0) }
  }
}
