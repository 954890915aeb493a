import CivilTime
import Interchange
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotWatcher
import Storage
import SystemPackage

/// The state of the program: the index, the watch, the devices, the last alert, and the problems.
///
/// The report contains no positions.
struct StatusReport {
  /// A problem, or a possible problem.
  struct Problem {
    enum Severity: String {
      /// The condition may be intended, or may end by itself.
      case warning
      /// Something does not work.
      case error
    }

    let severity: Severity
    /// The affected part: `index`, `store`, `places`, `settings`, `history`, `devices`, `delivery`,
    /// `watch` or `receivers`.
    let part: String
    /// A description of the problem and of what to do about it.
    let text: String
  }

  /// A device that has sent a position to a watch.
  struct Device {
    let report: DeviceReport
    /// The spots within the radius, the nearest first.
    let near: [Spot]
    /// The nearest spot, if no spot is within the radius.
    let nearest: Spot?
  }

  /// A spot and its distance from a device.
  struct Spot {
    let id: String
    let name: String
    let distanceMeters: Double
  }

  let now: Instant
  var index: IndexFacts?
  /// The library in a store, if the report is about a store instead of an index.
  var store: StoredLibraryFacts?
  /// The number of the user's own places; `nil` if they cannot be read.
  var placeCount: Int?
  /// Whether a watch is running; `nil` if unknown.
  var isWatching: Bool?
  var devices: [Device] = []
  var lastAlert: (entry: HistoryEntry, place: String)?
  var problems: [Problem] = []

  init(now: Instant) { self.now = now }

  /// The highest severity of the problems; `nil` if there are none.
  var severity: Problem.Severity? {
    if problems.contains(where: { $0.severity == .error }) { return .error }
    return problems.isEmpty ? nil : .warning
  }

  mutating func add(_ severity: Problem.Severity, _ part: String, _ text: String) {
    problems.append(Problem(severity: severity, part: part, text: text))
  }

  // MARK: - As text

  private static let labelWidth = 12

  /// The text form: one line for each part, then the problems.
  var text: String {
    var lines: [String] = []
    func line(_ label: String, _ text: String) {
      lines.append(StandardOutput.row(label.padded(to: Self.labelWidth), text))
    }
    if let index { line("index", Self.text(index, now)) }
    if let store { line("store", store.text) }
    if let placeCount, placeCount > 0 {
      line("places", "\(Count.text(placeCount)) of your own")
    }
    if let isWatching { line("watch", isWatching ? "running" : "not running") }
    for device in devices { line("device", text(of: device)) }
    if let lastAlert { line("last alert", text(of: lastAlert.entry, at: lastAlert.place)) }
    for problem in problems {
      let label = problem.severity.rawValue
      lines.append(
        Style.warning.of(label) + String(repeating: " ", count: Self.labelWidth - label.count)
          + (StandardOutput.isTerminal
            ? problem.text.wrapped(to: StandardOutput.columns, indent: Self.labelWidth)
            : problem.text))
    }
    if problems.isEmpty { lines.append("no problems") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func text(_ index: IndexFacts, _ now: Instant) -> String {
    let folders = index.roots.count
    let age = index.updated.map { ", changed \(ago($0, now))" } ?? ""
    return """
      \(Count.text(index.photoCount)) \(index.photoCount == 1 ? "photo" : "photos") at \
      \(Count.text(index.spotCount)) \(index.spotCount == 1 ? "spot" : "spots") in \(Count.text(folders)) \
      \(folders == 1 ? "folder" : "folders")\(age)
      """
  }

  private func text(of device: Device) -> String {
    let name = device.report.device?.escaped ?? "(no name)"
    let accuracy = device.report.fix.accuracyClass.map { ", \($0.rawValue) fix" } ?? ""
    var place = ""
    if let spot = device.near.first {
      place = "; near \(spot.name), \(Distance.text(spot.distanceMeters))"
      if device.near.count > 1 { place += ", and \(device.near.count - 1) more" }
    } else if let spot = device.nearest {
      place = "; the nearest spot is \(spot.name), \(Distance.text(spot.distanceMeters)) away"
    }
    return "\(name) \(Self.ago(device.report.heard, now))\(accuracy)\(place)"
  }

  private func text(of entry: HistoryEntry, at place: String) -> String {
    let results = entry.deliveries.map(HistoryCommand.result).joined(separator: ", ")
    let device = entry.device.map { " to \($0.escaped)" } ?? ""
    return "\(Self.ago(entry.time, now))\(device), \(place)"
      + (results.isEmpty ? "" : "  [\(results)]")
  }

  static func ago(_ time: Instant, _ now: Instant) -> String {
    DurationText.text(max(0, now.seconds(since: time))) + " ago"
  }

  // MARK: - As JSON

  /// Writes `status` (`ok`, `warning` or `error`), `time`, `index` or `store`, `places`,
  /// `watching`, `devices`, `lastAlert`, `problems`.
  func write(to writer: inout JSONWriter) {
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

  private func write(_ index: IndexFacts, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("files", index.fileCount)
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
          }
        }
      }
    }
  }

  private func write(_ device: Device, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("device", device.report.device)
      writer.member("heard", device.report.heard.iso8601)
      writer.member("age", max(0, now.seconds(since: device.report.heard)))
      writer.member("accuracyClass", device.report.fix.accuracyClass?.rawValue)
      writer.member("battery", device.report.fix.battery)
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
