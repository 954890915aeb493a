import ArgumentParser
import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import ProgramSettings
import Spatial
import Storage
import SystemPackage
import TerminalOutput

/// The command `photospots inspect`.
struct InspectCommand: PhotoSpotsSubcommand {
  /// The output format of the inspections.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the metadata of photos, and the source of each position.",
    discussion: """
      For a photo without a position of its own, the position in the index is shown too, whether \
      inferred from a track or imported from another program.

      A name without folders that is no file here is looked up among the indexed photos.
      """)

  @Argument(help: "The photos.", completion: .file())
  var files: [String]

  @Option(help: "The output format.")
  var format = Format.text
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    for file in files { try Paths.checkIsNamed(file, as: "the name of a photo") }
  }

  func run() throws {
    // Photos can also be inspected without an index, or with one that cannot be read.
    var loaded: PhotoIndex??
    func library() -> PhotoIndex? {
      if let loaded { return loaded }
      let library = try? index.cache.load()
      loaded = .some(library)
      return library
    }
    let datesNames = try settings.resolve().datesFromNames
    let named = files.map { (text: $0, file: NamedPhotoFile($0, in: library)) }
    var inspections = named.compactMap { named -> Inspection? in
      switch named.file {
      case .typed(let path): Inspection(of: path, datesName: datesNames)
      case .indexed(let path):
        Inspection(of: path, as: library()?.libraryFile(path), datesName: datesNames)
      case .several: nil
      }
    }
    if inspections.contains(where: \.lacksPosition), let library = library() {
      for place in inspections.indices where inspections[place].lacksPosition {
        inspections[place].given = library.givenPosition(ofFileAt: inspections[place].path)
      }
    }
    switch format {
    case .text: try StandardOutput.write(inspections.map(\.text).joined(separator: "\n"))
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for inspection in inspections { inspection.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
    let unreadable = inspections.filter(\.isUnreadable)
    for inspection in unreadable {
      StandardError.writeLine("photospots: \(inspection.path.escaped): \(inspection.outcome)")
    }
    let sidecars = inspections.flatMap(\.sidecarProblems)
    for sidecar in sidecars {
      StandardError.writeLine("photospots: \(sidecar.path.escaped): \(sidecar.reason)")
    }
    let lists = named.flatMap { $0.file.list(named: $0.text) }
    for line in lists { StandardError.writeLine("photospots: \(line)") }
    if !unreadable.isEmpty || !lists.isEmpty || sidecars.contains(where: \.isUnreadable) {
      throw ExitCode.someUnreadable
    }
  }
}

/// The metadata of a file, with its sources.
private struct Inspection {
  let path: FilePath
  let outcome: String
  let isUnreadable: Bool
  let properties: PhotoProperties?
  /// The sidecar files that were read.
  let sidecars: [Sidecar]
  private(set) var sidecarProblems: [Sidecar.Problem] = []
  /// The position that the index has assigned to a photo without a position of its own.
  var given: GivenPosition?
  /// The file's problem, if a sidecar provides the position nevertheless.
  private var problem: String?
  private var bytesRead = 0
  private var reads = 0

  /// Inspects a file. A file of the library, which the user did not name by its path, is opened
  /// without following a link below the library's folder.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - libraryFile: The file as one of the library.
  ///   - datesName: Whether the date in its name counts where nothing else has one.
  init(of path: FilePath, as libraryFile: LibraryFile? = nil, datesName: Bool) {
    self.path = path
    sidecars = Sidecar.all(of: path)
    do {
      let file = if let libraryFile { try PhotoFile(libraryFile) } else { try PhotoFile(path) }
      var reader = MetadataReader()
      let reading = try reader.read(file.descriptor, count: Int(file.size))
      (bytesRead, reads) = (reader.bytesRead, reader.readCount)
      var properties = PhotoProperties()
      if case .photo(let found) = reading { properties = found }
      sidecarProblems = properties.complete(with: sidecars)
      if datesName, let name = path.lastComponent?.bytes {
        properties.completeDate(fromName: name[...], now: .now)
      }
      isUnreadable = false
      switch reading {
      case .malformed where Self.isNamedAsSidecar(path),
        .notAPhoto where Self.isNamedAsSidecar(path):
        outcome = "not a photo; a sidecar is shown with the photo that it belongs to"
        self.properties = nil
      case .malformed(let reason) where properties.coordinate == nil:
        (outcome, self.properties) = ("malformed: " + reason, nil)
      case .notAPhoto: (outcome, self.properties) = ("not a photo", nil)
      case .photo, .malformed:
        outcome = properties.coordinate == nil ? "no position" : "located"
        self.properties = properties
        if case .malformed(let reason) = reading { problem = reason }
      }
    } catch {
      outcome =
        "unreadable: "
        + (Disk.isFolder(path) ? "it is a folder; name the photos in it" : "\(error)")
      isUnreadable = true
      properties = nil
    }
  }

  /// Returns whether a file has the name of a sidecar.
  private static func isNamedAsSidecar(_ path: FilePath) -> Bool {
    ["json", "xmp"].contains(path.extension?.lowercased())
  }

  /// Whether the file is a photo without a position.
  var lacksPosition: Bool { properties.map { $0.coordinate == nil } ?? false }

  // MARK: - Text

  var text: String {
    var lines = [path.escaped, line("outcome", outcome)]
    lines += optional("problem", problem)
    guard let properties else { return lines.joined(separator: "\n") + "\n" }
    if let coordinate = properties.coordinate {
      lines.append(
        line(
          "position", Self.text(coordinate),
          properties.positionSource?.rawValue))
    }
    lines += optional(
      "datum", properties.convertedDatum.map { "\($0), converted to WGS 84 (to some 20 m)" })
    if let given {
      lines.append(
        line("position", Self.text(given.coordinate), given.source.rawValue + ", in the index only")
      )
      lines += optional("accuracy", given.horizontalAccuracyMeters.map { "\($0) m" })
    }
    lines.append(line("EXIF position", properties.exifPosition.rawValue))
    lines.append(line("XMP position", properties.xmpPosition.rawValue))
    if properties.quickTimePosition != .absent {
      lines.append(line("QuickTime", properties.quickTimePosition.rawValue))
    }
    for block in properties.unread { lines.append(line("not read", block.description)) }
    for sidecar in sidecars { lines.append("  " + "sidecar".padded(to: 14) + sidecar.path.escaped) }
    lines += optional("altitude", properties.altitudeMeters.map { "\($0) m" })
    lines += optional("accuracy", properties.horizontalAccuracyMeters.map { "\($0) m" })
    lines += optional(
      "heading", properties.heading.map { "\($0.degrees)° \($0.isMagnetic ? "magnetic" : "true")" })
    lines += optional(
      "captured", properties.captured.map { Self.text($0, properties.captureTimeSource) },
      properties.captureTimeSource.map { $0.rawValue + offsetRule(properties) })
    lines += optional(
      "captured", properties.partialCapture?.date.description,
      properties.partialCapture.map { $0.source.rawValue + ", no day" })
    lines += optional("title", properties.title)
    lines += optional("caption", properties.caption)
    lines += optional("make", properties.make)
    lines += optional("model", properties.model)
    lines += optional("focal length", properties.focalLength.map(Self.text))
    lines += optional("orientation", properties.orientation.map(String.init))
    lines += optional("rating", properties.rating.map(String.init))
    lines += optional("favorite", properties.isFavorite ? "yes" : nil)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Formats a coordinate with nine decimals, since positions in metadata are stored to 1e-9°.
  private static func text(_ coordinate: Coordinate) -> String {
    PlainNumber.text(coordinate.latitude, decimals: 9) + ", "
      + PlainNumber.text(coordinate.longitude, decimals: 9)
  }

  /// Formats a capture time in the camera's local time, with the UTC offset if the photo states it.
  private static func text(_ time: CaptureTime, _ source: CaptureTimeSource?) -> String {
    if time.isDayOnly { return time.iso8601 }
    let clock = time.instant.iso8601(utcOffsetMinutes: time.utcOffsetMinutes ?? 0)
    let offset = time.utcOffsetMinutes ?? (source == .gps ? 0 : nil)
    let text = clock.prefix(19).replacing("T", with: " ")
    return text + (offset.map { " " + CivilTimeText.zone(offsetMinutes: $0) } ?? "")
  }

  private static func text(_ focalLength: FocalLength) -> String {
    let own = focalLength.millimeters.map { "\($0) mm" }
    let equivalent = focalLength.millimetersOn35mmFilm.map { "\($0) mm on 35 mm film" }
    return [own, equivalent].compactMap { $0 }.joined(separator: ", ")
  }

  private func offsetRule(_ properties: PhotoProperties) -> String {
    guard properties.captured?.isDayOnly == false else { return ", only the day" }
    return properties.captured?.utcOffsetMinutes == nil && properties.captureTimeSource != .gps
      ? ", zone unknown" : ""
  }

  private func line(_ name: String, _ value: String, _ rule: String? = nil) -> String {
    // Metadata is as untrusted as a file name.
    let value = value.escaped
    return "  " + name.padded(to: 14) + value + (rule.map { "  (\($0))" } ?? "")
  }

  private func optional(_ name: String, _ value: String?, _ rule: String? = nil) -> [String] {
    value.map { [line(name, $0, rule)] } ?? []
  }

  // MARK: - JSON

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", name: path.bytes)
      writer.member("outcome", outcome)
      writer.member("problem", problem)
      writer.member("bytesRead", bytesRead)
      writer.member("reads", reads)
      guard let properties else { return }
      writer.member("latitude", properties.coordinate?.latitude)
      writer.member("longitude", properties.coordinate?.longitude)
      writer.member("source", properties.positionSource?.rawValue)
      writer.member("convertedDatum", properties.convertedDatum)
      if let given {
        writer.object("given") { writer in
          writer.member("latitude", given.coordinate.latitude)
          writer.member("longitude", given.coordinate.longitude)
          writer.member("altitude", given.altitudeMeters)
          writer.member("horizontalAccuracy", given.horizontalAccuracyMeters)
          writer.member("source", given.source.rawValue)
        }
      }
      writer.member("exifPosition", properties.exifPosition.rawValue)
      writer.member("xmpPosition", properties.xmpPosition.rawValue)
      writer.member("quickTimePosition", properties.quickTimePosition.rawValue)
      writer.array("unread") { writer in
        for block in properties.unread { writer.string(block.description) }
      }
      writer.array("sidecars") { writer in
        for sidecar in sidecars { writer.string(name: sidecar.path.bytes) }
      }
      writer.member("altitude", properties.altitudeMeters)
      writer.member("horizontalAccuracy", properties.horizontalAccuracyMeters)
      writer.member("heading", properties.heading?.degrees)
      writer.member("headingIsMagnetic", properties.heading?.isMagnetic)
      // That of a receiver is UTC.
      writer.member(
        "captured",
        properties.captureTimeSource == .gps
          ? properties.captured?.iso8601 : properties.captured?.localISO8601)
      writer.member("capturedSource", properties.captureTimeSource?.rawValue)
      writer.member("capturedPartially", properties.partialCapture?.date.description)
      writer.member("capturedPartiallySource", properties.partialCapture?.source.rawValue)
      writer.member("title", properties.title)
      writer.member("caption", properties.caption)
      writer.member("make", properties.make)
      writer.member("model", properties.model)
      writer.member("focalLength", properties.focalLength?.millimeters)
      writer.member("focalLength35mm", properties.focalLength?.millimetersOn35mmFilm)
      writer.member("orientation", properties.orientation)
      writer.member("rating", properties.rating)
      writer.member("favorite", properties.isFavorite)
    }
  }
}
