package import CivilTime
package import Encodings
import LocationFeeds
package import PageServer
package import PhotoLibrary
import Spatial
package import SpotAlerts
import SpotWatcher
import Storage
import SystemPackage

/// The state of the program: the index, the watch, the devices, the last alert, and the problems.
///
/// The report contains no positions.
package struct StatusReport {
  /// A problem, or a possible problem.
  package struct Problem {
    /// How bad a problem is.
    package enum Severity: String {
      /// The condition may be intended, or may end by itself.
      case warning
      /// Something does not work.
      case error
    }

    /// How bad the problem is.
    package let severity: Severity
    /// The affected part: `index`, `store`, `places`, `settings`, `history`, `devices`, `delivery`,
    /// `watch`, `receivers`, `mutes`, `recreations`, `keys`, `files` or `clock`.
    package let part: String
    /// A description of the problem and of what to do about it.
    package let text: String
  }

  /// A device that has sent a position to a watch.
  package struct Device {
    /// The last position of the device.
    package let report: DeviceReport
    /// The spots within the radius, the nearest first.
    package let near: [Spot]
    /// The nearest spot, if no spot is within the radius.
    package let nearest: Spot?
  }

  /// A spot and its distance from a device.
  package struct Spot {
    /// The id of the spot.
    package let id: String
    /// The name of its place, or its id.
    package let name: String
    /// The distance from the device in metres.
    package let distanceMeters: Double
  }

  /// The time of the report.
  package let now: Instant
  /// The commands to offer.
  package var commands = OfferedCommands()
  /// The index; `nil` if it cannot be read.
  package var index: IndexFacts?
  /// The library in a store, if the report is about a store instead of an index.
  package var store: StoredLibraryFacts?
  /// The number of the user's own places; `nil` if they cannot be read.
  package var placeCount: Int?
  /// Whether a watch is running; `nil` if unknown.
  package var isWatching: Bool?
  /// The devices, as the watch last heard them.
  package var devices: [Device] = []
  /// The last alert, with the name of its place; `nil` if there was none.
  package var lastAlert: (entry: HistoryEntry, place: String)?
  /// The files that a watch and a server open.
  package var files: [StateFile] = []
  /// Whether the report lists the files.
  package var listsFiles = false
  /// The problems, in the order in which they were found.
  package var problems: [Problem] = []

  /// Creates an empty report.
  package init(now: Instant) { self.now = now }

  /// The highest severity of the problems; `nil` if there are none.
  package var severity: Problem.Severity? {
    if problems.contains(where: { $0.severity == .error }) { return .error }
    return problems.isEmpty ? nil : .warning
  }

  /// Adds a problem.
  package mutating func add(_ severity: Problem.Severity, _ part: String, _ text: String) {
    problems.append(Problem(severity: severity, part: part, text: text))
  }

  // MARK: - As JSON

  /// Writes `status` (`ok`, `warning` or `error`), `time`, `index` or `store`, `places`,
  /// `watching`, `devices`, `lastAlert`, `problems`.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("status", severity?.rawValue ?? "ok")
      writer.member("time", now.iso8601)
      writer.key("index")
      if let index { write(index, to: &writer) } else { writer.null() }
      if let store {
        writer.key("store")
        store.write(to: &writer)
      }
      writer.member("places", placeCount)
      writer.key("watching")
      if let isWatching { writer.boolean(isWatching) } else { writer.null() }
      writer.array("devices") { writer in
        for device in devices { write(device, to: &writer) }
      }
      writer.key("lastAlert")
      if let lastAlert { write(lastAlert, to: &writer) } else { writer.null() }
      if listsFiles {
        writer.array("files") { writer in
          for file in files { write(file, to: &writer) }
        }
      }
      writer.array("problems") { writer in
        for problem in problems {
          writer.object { writer in
            writer.member("severity", problem.severity.rawValue)
            writer.member("part", problem.part)
            writer.member("text", problem.text)
          }
        }
      }
    }
  }

  private func write(_ file: StateFile, to writer: inout JSONWriter) {
    let line = StateFileLine(file)
    writer.object { writer in
      writer.member("path", name: file.path.bytes)
      writer.member("contents", file.title)
      writer.array("readers") { writer in
        for user in file.users { writer.string(user.rawValue) }
      }
      writer.member("owner", line.ownership?.user)
      writer.member("mode", line.mode)
      writer.member("version", file.statedVersion)
      writer.member("exists", line.exists)
      writer.member("problem", line.problem)
    }
  }

  private func write(_ index: IndexFacts, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("files", index.fileCount)
      for (outcome, count) in index.files.named { writer.member(outcome, count) }
      writer.member("photos", index.photoCount)
      writer.member("spots", index.spotCount)
      writer.member("updated", index.updated?.iso8601)
      writer.member("age", index.updated.map { max(0, now.seconds(since: $0)) })
      writer.array("folders") { writer in
        for root in index.roots {
          writer.object { writer in
            writer.member("path", name: root.path.bytes)
            writer.member("stale", root.isStale)
            writer.member("fullyRead", root.fullyRead?.iso8601)
            guard !root.options.isEmpty else { return }
            writer.array("options") { writer in
              for (path, options) in root.options.sorted(by: { $0.key.string < $1.key.string }) {
                write(options, of: path, to: &writer)
              }
            }
          }
        }
      }
    }
  }

  private func write(
    _ options: FolderOptions, of path: FilePath, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("path", name: path.bytes)
      writer.array("exclude") { writer in for text in options.excludes { writer.string(text) } }
      writer.array("include") { writer in for text in options.includes { writer.string(text) } }
      writer.array("tracks") { writer in
        for tracks in options.tracks { writer.string(name: tracks.stored) }
      }
      if let owner = options.trackOwner { writer.member("trackOwner", owner) }
      writer.array("cameraClock") { writer in
        for text in options.cameraClocks { writer.string(text) }
      }
    }
  }

  private func write(_ device: Device, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("device", device.report.device)
      writer.member("heard", device.report.heard.iso8601)
      writer.member("age", max(0, now.seconds(since: device.report.heard)))
      writer.member("accuracyClass", device.report.fix?.accuracyClass?.rawValue)
      writer.member("battery", device.report.fix?.battery)
      writer.member("positionTime", device.report.fix?.time?.iso8601)
      device.report.writeCounts(to: &writer)
      writer.array("near") { writer in
        for spot in device.near { write(spot, to: &writer) }
      }
      if let nearest = device.nearest {
        writer.key("nearest")
        write(nearest, to: &writer)
      }
    }
  }

  private func write(_ spot: Spot, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", spot.id)
      writer.member("name", spot.name)
      writer.member("distance", (spot.distanceMeters * 10).rounded() / 10)
    }
  }

  private func write(_ alert: (entry: HistoryEntry, place: String), to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", alert.entry.notification?.id)
      writer.member("time", alert.entry.time.iso8601)
      writer.member("device", alert.entry.device)
      writer.member("spot", alert.entry.spotID)
      writer.member("place", alert.place)
      writer.array("deliveries") { writer in
        for delivery in alert.entry.deliveries { delivery.write(to: &writer) }
      }
    }
  }
}
