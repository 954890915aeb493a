import ArgumentParser
import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotExport
import SpotWatcher
import Storage
import TerminalOutput

/// The command `photospots devices`.
struct DevicesCommand: PhotoSpotsSubcommand {
  /// The output format of devices and trails.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, gpx, geojson
  }

  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Show each device: when it was heard, its last position, and its reports.",
    discussion: """
      A device that is not used any more, such as an old phone, counts as silent until --forget \
      removes it, while no watch or server runs. Its alerts and its trail stay. \
      Trails are sensitive, so they are recorded only by 'photospots watch --keep-trail'. They are \
      stored in the folder 'trails' of the state folder; delete a file there to delete its trail.
      """)

  @Option(
    help: ArgumentHelp(
      "Print the trail of a device as GPX or GeoJSON; - is the device without a name.",
      valueName: "name"))
  var trail: String?

  @Option(
    help: ArgumentHelp(
      "Remove a device that is not used any more; - is the device without a name.",
      valueName: "name"))
  var forget: String?

  @Option(
    help: "The output format: text or json for devices, gpx (default) or geojson for a trail.")
  var format: Format?

  @OptionGroup var state: StateArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard forget == nil || trail == nil && format == nil else {
      throw ValidationError("--forget cannot be used with --trail or --format")
    }
    let isOfTrail = format == .gpx || format == .geojson
    guard let format, isOfTrail != (trail != nil) else { return }
    throw ValidationError(
      trail == nil
        ? "--format \(format.rawValue) needs --trail"
        : "--format \(format.rawValue) cannot be used with --trail; use gpx or geojson")
  }

  func run() throws {
    if let trail { return try showTrail(of: trail) }
    if let forget { return try remove(forget) }
    let reports = try DeviceLog.reports(in: state.folder) { damage in
      StandardError.writeLine("photospots: \(damage)")
    }
    if format == .json {
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for report in reports { report.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.takeBytes())
    } else {
      let width = reports.map { Self.name($0).columns }.max() ?? 0
      try StandardOutput.write(reports.map { Self.line($0, width, now: .now) }.joined())
    }
    if reports.isEmpty {
      StandardError.note("no device has sent a position to a live watch")
    }
  }

  private static func name(_ report: DeviceReport) -> String {
    report.device?.escaped ?? "(no name)"
  }

  private static func line(_ report: DeviceReport, _ width: Int, now: Instant) -> String {
    let silence = DurationText.text(max(0, now.seconds(since: report.heard)))
    var fields = ["\(silence) ago".leftPadded(to: 11)]
    if let position = report.fix?.coordinate {
      fields.append(SpotText.position(position).padded(to: 22))
    } else {
      fields.append("no position".padded(to: 22))
    }
    if let accuracy = report.fix?.horizontalAccuracyMeters, let name = report.fix?.accuracyClass {
      fields.append("\(name.rawValue) (\(Distance.text(accuracy)))")
    }
    if let battery = report.fix?.battery {
      fields.append("battery \(Int(saturating: (battery * 100).rounded())) %")
    }
    let day = String(report.day.instant().iso8601.prefix(10))
    if report.fix != nil {
      fields.append("\(Distance.text(report.walkedMeters)) on \(day)")
    }
    // The position may be older than the last report.
    if let time = report.fix?.time, report.heard.seconds(since: time) > 60 {
      fields.append("position of \(DurationText.text(report.heard.seconds(since: time))) before")
    }
    if report.counts.received > 0 { fields.append(report.counts.text) }
    fields += report.corrections
    let beginning = name(report).padded(to: width) + "  "
    return StandardOutput.row(beginning, fields.joined(separator: "  ")) + "\n"
  }

  private func remove(_ name: String) throws {
    guard try DeviceLog.forget(Self.device(name), in: state.folder, now: .now) else {
      throw MessageError(
        """
        there is no device '\(name.escaped)'; '\(state.commands.text("devices"))' lists the devices
        """)
    }
    try StandardOutput.write("removed the device '\(name.escaped)'\n")
    let trail = DeviceLog.trailFile(of: Self.device(name), in: state.folder)
    if Disk.exists(trail) {
      StandardError.note("its trail stays until \(trail.escaped) is deleted")
    }
  }

  /// The name of a device; `nil` for the device without a name.
  private static func device(_ name: String) -> String? { name == "-" ? nil : name }

  private func showTrail(of name: String) throws {
    let device = Self.device(name)
    guard let fixes = try DeviceLog.trail(of: device, in: state.folder) else {
      throw MessageError(
        """
        there is no trail of '\(name.escaped)'. Trails are recorded by \
        '\(state.commands.text("watch", "SOURCE", "--keep-trail"))'; \
        '\(state.commands.text("devices"))' lists the devices
        """)
    }
    let trail = Trail(name: device ?? "", fixes: fixes)
    if format == .geojson {
      try StandardOutput.write(json: trail.geoJSON)
    } else {
      try StandardOutput.write(trail.gpx)
    }
  }
}
