import CLibrary
import LocationFeeds
import SystemPackage

/// The files in a folder that may be recorded tracks.
struct TrackFolder {
  /// The extensions of recordings: the formats that `photospots fixes` reads.
  static let extensions: Set = [
    "gpx", "kml", "nmea", "nma", "gps", "log", "csv", "tsv", "json", "geojson", "geojsonl",
    "geojsons", "ndjson", "jsonl", "rec", "txt", "fit", "tcx",
  ]
  /// The extensions of recordings that are not read, with the reason.
  static let unread = [
    "kmz": "KMZ is not read; unpack the KML in it",
    "zip": "archives are not read; unpack it",
    "igc": "IGC is not read; convert it to GPX",
  ]
  /// The extensions of files that are often other than recordings, and are skipped then.
  private static let otherwiseUsed: Set = ["log", "csv", "tsv", "json", "txt", "gps"]
  /// The maximum number of files.
  static let maximumCount = 100_000
  private static let maximumDepth = 32

  /// The files, in the order of their paths.
  private(set) var files: [FilePath] = []
  /// Folders and files that cannot be read, with the reason.
  private(set) var problems: [(path: FilePath, reason: String)] = []
  /// The number of files of formats that are not read.
  private(set) var unreadCount = 0
  /// Whether there are more than ``maximumCount`` files.
  private(set) var isCut = false
  /// The number of files whose names are not those of recordings.
  private var otherCount = 0

  /// The reason why a folder with files has none to read; `nil` if it has, or if a problem tells.
  var absence: String? {
    guard files.isEmpty, problems.isEmpty, otherCount > 0 else { return nil }
    return
      "no file in it has the name of a recorded track, such as .gpx, but \(otherCount) have others"
  }

  /// Lists the files in a folder and its subfolders. The path of a file gives that file. Links and
  /// hidden names are skipped.
  init(_ path: FilePath) {
    var status = stat()
    let isFile =
      path.withPlatformString({ stat($0, &status) }) == 0 && status.st_mode & S_IFMT == S_IFREG
    if isFile { files = [path] } else { list(path, depth: 0) }
    files.sort { $0.string < $1.string }
  }

  private mutating func list(_ folder: FilePath, depth: Int) {
    guard let stream = folder.withPlatformString({ opendir($0) }) else {
      problems.append((folder, "\(Errno(rawValue: errno))"))
      return
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: 256) {
          FilePath(platformString: $0)
        }
      }
      guard let component = name.lastComponent, component.kind == .regular,
        !component.string.hasPrefix(".")
      else { continue }
      visit(folder.appending(component), depth: depth)
    }
  }

  private mutating func visit(_ path: FilePath, depth: Int) {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      if depth < Self.maximumDepth { list(path, depth: depth + 1) }
    } else if status.st_mode & S_IFMT == S_IFREG {
      let ending = Self.ending(of: path)
      if let reason = Self.unread[ending] {
        unreadCount += 1
        if problems.count < Self.maximumCount { problems.append((path, reason)) }
        return
      }
      guard Self.extensions.contains(ending) else {
        otherCount += 1
        return
      }
      guard files.count < Self.maximumCount else {
        isCut = true
        return
      }
      files.append(path)
    }
  }

  /// Returns why a readable file has no timed position; `nil` if it has one, and for lines without
  /// a position, which may be of anything.
  private static func emptiness(_ reader: FeedReader) -> String? {
    let statistics = reader.statistics
    guard let format = reader.format, statistics.fixes == statistics.untimedFixes else {
      return nil
    }
    if statistics.fixes > 0 {
      return switch format {
      case .csv: "no position in it has a time; no column of a known name holds one"
      case _ where format.isDocument: "no position in it has a time, as in a planned route"
      default: "no position in it has a time of a known name"
      }
    }
    if format == .gpx {
      return "it has no recorded track; waypoints are places and routes are plans, which do not "
        + "tell where you were at a time"
    }
    guard format.isDocument || format == .csv, statistics.withoutPosition > 0 else { return nil }
    return format == .google
      ? "it has visits and activities but no timed positions; export the timeline on the phone, "
        + "or Records.json from Takeout"
      : "it has \(statistics.withoutPosition) records but no timed position"
  }

  /// Returns the extension of a recording, without that of its compression: `gpx` for `a.gpx.gz`.
  private static func ending(of path: FilePath) -> String {
    let ending = path.extension?.lowercased() ?? ""
    guard ending == "gz", let stem = path.stem else { return ending }
    return FilePath(stem).extension?.lowercased() ?? ending
  }

  /// Returns why a file that was read to its end is not, or only in part, a recording; `nil` for a
  /// good recording, and for a file that is something else.
  static func problem(of path: FilePath, _ reader: FeedReader) -> String? {
    let statistics = reader.statistics
    guard reader.format != nil else {
      let isOther = otherwiseUsed.contains(ending(of: path))
      return isOther || statistics.lines == 0 ? nil : "the format is unknown"
    }
    guard let last = statistics.latestBadLine else { return emptiness(reader) }
    // Receivers lose some sentences and lines; a document is either whole or was damaged.
    guard statistics.fixes == 0 || last.isRecord else { return nil }
    if last.fault == .doubtful, statistics.badLines == 1 { return "\(last.fault)" }
    return "\(statistics.badLines) of \(statistics.lines) "
      + "\(last.isRecord ? "records" : "lines") cannot be read, the last: \(last)"
  }
}
