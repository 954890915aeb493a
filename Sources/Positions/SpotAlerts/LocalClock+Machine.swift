import CLibrary
public import CivilTime
import Encodings
import PhotoLibrary
import Storage
import Synchronization
import SystemPackage

extension LocalClock {
  /// The local time of the machine, including daylight saving time (`TZ`, `/etc/localtime`).
  ///
  /// The time zone of a travelling machine may change while the program runs, which `localtime_r`
  /// does not notice. So the file is checked again, at most once a second.
  public static let machine = LocalClock(machineZone)

  /// The local time of the machine by the time zone that it has now.
  package static var machineNow: LocalClock { .zone(machineZone.rules()) }

  /// The reason why the local time of the machine is unknown, so that ``machine`` is UTC; `nil` if
  /// it is known.
  public static var machineProblem: TimeZoneProblem? { machineZone.problem }

  private static let machineZone = MachineTimeZone(
    variable: getenv("TZ").map { String(cString: $0) })

  init(_ zone: MachineTimeZone) {
    self.init { zone.rules().utcOffsetSeconds(at: $0) / 60 }
  }
}

/// The reason why the local time of a machine is unknown.
public enum TimeZoneProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The variable `TZ` names a zone that the machine does not have, and is no rule.
  case unknownName(String)
  /// The file of the machine's zone exists, but has no rules.
  case unusableFile(String)

  /// The problem, and what to do about it.
  public var description: String {
    let remedy =
      "Quiet hours, digests and local times need it: install the time zone database (tzdata), or set "
    return switch self {
    case .unknownName(let name):
      "the time zone \(name.escaped) of the variable TZ is unknown here. \(remedy)TZ to another zone."
    case .unusableFile(let path):
      "the time zone of this machine cannot be read from \(path). \(remedy)the variable TZ, such as TZ=UTC."
    }
  }
}

/// The current time zone of the machine.
final class MachineTimeZone: Sendable {
  private enum Origin {
    case rules(TimeZoneRules)
    case file(FilePath)
    case unknown(String)
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
    if !name.isEmpty, TimeZoneDatabase.rules(in: path) != nil {
      origin = .file(path)
    } else if let rules = TimeZoneRules(posix: name) {
      origin = .rules(rules)
    } else if name.isEmpty || Self.namesOfUTC.contains(name) {
      origin = .rules(.utc)
    } else {
      origin = .unknown(name)
    }
  }

  /// The names of UTC that need no database (IANA, `backward` and `etcetera`).
  private static let namesOfUTC: Set<String> = [
    "UTC", "Etc/UTC", "GMT", "Etc/GMT", "GMT0", "Etc/GMT0", "UCT", "Etc/UCT", "Universal",
    "Etc/Universal", "Zulu", "Etc/Zulu", "Greenwich", "Etc/Greenwich", "Z",
  ]

  /// The reason why the zone is unknown; `nil` if it is known. A machine without a file of its zone
  /// has UTC (tzset(3)).
  var problem: TimeZoneProblem? {
    switch origin {
    case .rules: return nil
    case .unknown(let name): return .unknownName(name)
    case .file(let file):
      guard TimeZoneDatabase.rules(in: file) == nil else { return nil }
      // A link to a zone whose database is missing counts as a file.
      do throws(Errno) { return try Disk.hasEntry(file) ? .unusableFile(file.escaped) : nil } catch
      {
        return .unusableFile(file.escaped)
      }
    }
  }

  /// Returns the current rules; those of UTC if there is no file.
  func rules() -> TimeZoneRules {
    let path: FilePath
    switch origin {
    case .rules(let rules): return rules
    case .unknown: return .utc
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
