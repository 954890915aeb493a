import ArgumentParser
import CivilTime
import Compression
import Encodings
import GeoDocuments
import KeptPlaces
import PageServer
import PhotoLibrary
import PlaceTransfer
import ProcessControl
import ProgramSettings
import SpotAlerts
import Storage
import SystemPackage
import TerminalOutput

/// The command `photospots places export`.
struct PlacesExportCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export places for other programs, or with their photos for another machine.",
    discussion: """
      Without --output, the file is named after the current time, 'places 2026-11-22 \
      16.05.30.gpx', in the current folder. Existing files are never replaced. A .zip holds the \
      places, their photos, and a manifest with the checksum of each file; 'photospots places \
      import' restores everything.
      """)

  @Option(
    help: ArgumentHelp(
      "The format: \(PlaceFormat.written.map(\.rawValue).joined(separator: ", ")) (default: by the name of the file, else gpx).",
      valueName: "name"))
  var format: PlaceFormat?

  @Option(help: ArgumentHelp("Only the places of this collection.", valueName: "name"))
  var collection: String?

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  @OptionGroup var state: StateArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    if let format, !PlaceFormat.written.contains(format) {
      throw ValidationError("--format: \(format.title) is only read; choose another format")
    }
  }

  func run() throws {
    let interruption = Interruption(try StopSignal.observe())
    let document = try settings.resolve().placeStore(stateFolder: state.folder, log: .terminal)
      .load()
    let selected = collection.map { document.selecting(collection: $0) } ?? document
    if let collection, selected.count == 0 {
      throw MessageError(
        """
        there is no place in a collection '\(collection.escaped)'; \
        '\(state.commands.text("places list"))' lists the places
        """
      )
    }
    let format = chosenFormat
    let export = PlaceExport(
      document: selected, format: format, roots: PhotoIndexCache(path: Paths.index).rootPaths,
      orUntil: interruption)
    guard file != "-" else {
      let missing = try export.write { bytes in try StandardOutput.write(file: bytes) }
      return Self.report(missing)
    }
    try Paths.checkIsNamed(file, as: "--output")
    let path = Paths.absolute(file ?? Self.name(format, at: .now))
    var (missing, failure) = ([FilePath](), (any Error)?.none)
    do throws(Errno) {
      let uncertainty = try Disk.create(path, by: Disk.sibling(of: path, ".photospots-new")) {
        descriptor throws(Errno) in
        do {
          missing = try export.write { bytes in try Disk.write(bytes, to: descriptor) }
        } catch let error as Errno {
          throw error
        } catch {
          failure = error
          throw .canceled
        }
      }
      if let uncertainty {
        StandardError.writeLine(
          "photospots: \(path.escaped) is written, but may not survive a crash: \(uncertainty)")
      }
    } catch {
      if let failure { throw failure }
      let reason = error == .fileExists ? "the file exists; choose another name" : error.description
      throw MessageError("\(path.escaped) cannot be written: \(reason)")
    }
    Self.report(missing)
    try StandardOutput.write(text: path.bytes + [0x0A])
    StandardError.note(PlaceImportText.count(selected.count, "place") + " written")
  }

  /// Reports the photos that are not in the archive.
  private static func report(_ missing: [FilePath]) {
    guard let first = missing.first else { return }
    StandardError.writeLine(
      """
      photospots: \(PlaceImportText.count(missing.count, "photo")) cannot be read and \
      \(missing.count == 1 ? "is" : "are") not in the archive, such as \(first.escaped)
      """)
  }

  private var chosenFormat: PlaceFormat {
    if let format { return format }
    let ending = file.flatMap { Paths.absolute($0).extension }?.lowercased()
    return PlaceFormat.written.first { $0.rawValue == ending } ?? .gpx
  }

  /// Returns a file name with a time in the machine's time zone, for example
  /// `places 2026-11-22 16.05.30.gpx`.
  static func name(
    _ format: PlaceFormat, at instant: Instant, clock: LocalClock = .machine
  ) -> String {
    let text = instant.iso8601(utcOffsetMinutes: clock.utcOffsetMinutes(instant)).prefix(19)
    let stamp = text.replacing("T", with: " ").replacing(":", with: ".")
    return "places \(stamp).\(format.rawValue)"
  }
}
