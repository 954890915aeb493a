public import CivilTime
public import Encodings
public import LocationFeeds
import PhotoLibrary
import Spatial
public import SpotAlerts
import SpotMap

extension Service {
  /// The name in paths for the device without a name.
  static let unnamedDevice = "-"
  /// The maximum number of points in a trail.
  static let maximumPointCount = 2000

  /// Answers with the last positions of devices, and the numbers of their reports. Devices without
  /// a position come last.
  func devices(_ call: Call) throws(Problem) -> ServiceResponse {
    let known = try sources.deviceReports()
    let reports = Dictionary(known.map { ($0.device, $0) }) { first, _ in first }
    let positions = try sources.devices()
    let located = Set(positions.map(\.device))
    let others = reports.values.filter { !located.contains($0.device) }
      .sorted { ($0.heard, $1.device ?? "") > ($1.heard, $0.device ?? "") }
    let devices =
      positions.map { DevicePosition(fix: $0, report: reports[$0.device]) }
      + others.map { DevicePosition(fix: nil, report: $0) }
    var response = try list(call, devices) { $0.write(to: &$1) }
    response.forbidStoring()
    return response
  }

  /// Writes the last position of a device, the data of the event `position`: `time latitude
  /// longitude altitude horizontalAccuracy speed course device battery`.
  public static func writePosition(_ fix: LocationFix, to writer: inout JSONWriter) {
    fix.write(to: &writer)
  }

  /// Answers with `{device, points, total}`, where points are `[latitude, longitude, time]`. If
  /// there are too many points, evenly spaced ones are selected.
  func trail(_ call: Call) throws(Problem) -> ServiceResponse {
    let (from, to) = (try call.parameters.instant("from"), try call.parameters.instant("to"))
    let name = call.variable
    let device = name == Self.unnamedDevice ? nil : name
    guard let fixes = try sources.trail(of: device) else {
      throw Problem(.noSuchDevice, "No device of this name has sent a position.")
    }
    let wanted = fixes.filter { fix in
      guard let time = fix.time, fix.coordinate != nil else { return false }
      return time >= from ?? time && time <= to ?? time
    }
    var response = ServiceResponse { writer in
      writer.object { writer in
        writer.member("device", name)
        writer.array("points") { writer in
          for fix in Self.thinned(wanted) {
            writer.array { writer in
              writer.number(degrees: fix.latitude)
              writer.number(degrees: fix.longitude)
              if let time = fix.time { writer.string(time.iso8601) }
            }
          }
        }
        writer.member("total", wanted.count)
      }
    }
    response.forbidStoring()
    return response
  }

  /// Returns at most ``maximumPointCount`` elements: the first, the last, and evenly spaced ones
  /// between them.
  static func thinned<Element>(_ elements: [Element]) -> [Element] {
    guard elements.count > maximumPointCount else { return elements }
    return (0..<maximumPointCount).map {
      elements[$0 * (elements.count - 1) / (maximumPointCount - 1)]
    }
  }

  // MARK: - Alerts

  /// Answers with the events at spots, the latest first.
  func alerts(_ call: Call) throws(Problem) -> ServiceResponse {
    var entries = Array(try sources.history().reversed())
    if let device = call.parameters.text("device") {
      let name = device == Self.unnamedDevice ? nil : device
      entries = entries.filter { $0.device == name }
    }
    let library = try sources.library()
    let answer = try spotAnswer(library, SpotFilter(), call.now)
    return try list(call, entries) { AlertAnswer(spots: answer).write($0, to: &$1) }
  }

  /// Writes an event at a spot, an item of `alerts` and the data of the event `alert`.
  ///
  /// - Throws: A problem where the index or the muted spots cannot be read.
  public func writeAlert(
    _ entry: HistoryEntry, now: Instant, to writer: inout JSONWriter
  ) throws(Problem) {
    let answer = try spotAnswer(try sources.library(), SpotFilter(), now)
    AlertAnswer(spots: answer).write(entry, to: &writer)
  }

  /// Writes the data of the event `index`: `updated photos spots`.
  ///
  /// - Throws: A problem where the index cannot be read.
  public func writeIndex(to writer: inout JSONWriter) throws(Problem) {
    let library = try sources.library()
    let mapped = library.spots(passing: SpotFilter())
    writer.object { writer in
      writer.member("updated", library.index.updated?.iso8601)
      writer.member("photos", mapped.photoCount)
      writer.member("spots", mapped.count)
    }
  }
}

/// The last position of a device, and the numbers of its reports.
private struct DevicePosition {
  var fix: LocationFix?
  var report: DeviceReport?

  /// Writes the members of the position, and `heard clockShift speedFactor reports corrections
  /// problem`.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let fix {
        fix.writeMembers(to: &writer)
      } else {
        writer.member("device", report?.device)
      }
      guard let report else { return }
      writer.member("heard", report.heard.iso8601)
      report.writeCounts(to: &writer)
      writer.array("corrections") { writer in
        for correction in report.corrections { writer.string(correction) }
      }
      writer.member("problem", report.problem)
    }
  }
}

extension ServiceResponse {
  /// Forbids browsers to store the response, since it contains positions of people.
  mutating func forbidStoring() {
    fields.removeAll { $0.name == "Cache-Control" }
    fields.append(("Cache-Control", "no-store"))
  }
}
