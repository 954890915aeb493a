import ArgumentParser
import CivilTime
import Codecs
import Interchange
import KeptPlaces
import PlaceExchange
import SpotAlerts
import Storage
import SystemPackage

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
      "The format: \(PlaceFormat.allCases.map(\.rawValue).joined(separator: ", ")) (default: by the name of the file, else gpx).",
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

  func run() throws {
    _ = try Interruption.observe()
    let document = try settings.resolve().placeStore(stateFolder: state.folder).load()
    let selected = collection.map { document.selecting(collection: $0) } ?? document
    if let collection, selected.count == 0 {
      throw Failure(
        "there is no place in a collection '\(collection.escaped)'; 'photospots places list' lists the places"
      )
    }
    let format = chosenFormat
    let export = PlaceExport(document: selected, format: format)
    guard file != "-" else {
      return try export.write { bytes in try StandardOutput.write(file: bytes) }
    }
    let path = Paths.absolute(file ?? Self.name(format, at: .now))
    var failure: (any Error)?
    do throws(Errno) {
      let uncertainty = try Disk.create(path, by: Disk.sibling(of: path, ".photospots-new")) {
        descriptor throws(Errno) in
        do {
          try export.write { bytes in try Disk.write(bytes, to: descriptor) }
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
      throw Failure("\(path.escaped) cannot be written: \(reason)")
    }
    try StandardOutput.write(text: path.bytes + [0x0A])
    StandardError.note(PlaceImportText.count(selected.count, "place") + " written")
  }

  private var chosenFormat: PlaceFormat {
    if let format { return format }
    let ending = file.flatMap { Paths.absolute($0).extension }?.lowercased()
    return ending.flatMap(PlaceFormat.init(rawValue:)) ?? .gpx
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

/// Places to export.
struct PlaceExport {
  let document: PlaceDocument
  let format: PlaceFormat

  /// Passes the parts of the file to a closure.
  func write(_ write: ([UInt8]) throws -> Void) throws {
    switch format {
    case .json: try write(document.json)
    case .zip: try writeArchive(write)
    default: try PlaceWriter.write(document.places.map { PlaceRecord($0) }, as: format, write)
    }
  }

  /// Writes an archive. The photos are read twice, so that the manifest can come first without
  /// holding them in memory.
  private func writeArchive(_ write: ([UInt8]) throws -> Void) throws {
    let paths = Set(document.places.flatMap(\.photos).map(\.bytes))
      .sorted { $0.lexicographicallyPrecedes($1) }
    var sums: [[UInt8]: CRC32] = [:]
    var missing: [[UInt8]] = []
    var sizes: [[UInt8]: (size: Int, hash: [UInt8])] = [:]
    for path in paths {
      if Interruption.isRequested { throw Failure("interrupted before the archive was written") }
      guard let (size, hash, sum) = Self.sums(of: FilePath(bytes: path)) else {
        missing.append(path)
        continue
      }
      sizes[path] = (size, hash)
      sums[path] = sum
    }
    let places = document.json
    let present = paths.filter { sizes[$0] != nil }
    let names = PlaceArchive.names(of: present)
    var files = [
      PlaceArchive.File(
        name: PlaceArchive.placesName, size: places.count, hash: SHA256.hash(places))
    ]
    for (path, name) in zip(present, names) {
      guard let (size, hash) = sizes[path] else { continue }
      files.append(PlaceArchive.File(name: name, size: size, hash: hash, path: path))
    }
    var archive = ZipWriter()
    try write(
      archive.file(
        PlaceArchive.manifestName, PlaceArchive.manifest(files, missingPhotos: missing)))
    try write(archive.file(PlaceArchive.placesName, places))
    for file in files {
      guard let path = file.path, let sum = sums[path] else { continue }
      try write(archive.begin(file.name, size: file.size, checksum: sum))
      try copy(FilePath(bytes: path), into: &archive, write)
    }
    try write(archive.finish())
    if !missing.isEmpty {
      StandardError.writeLine(
        """
        photospots: \(PlaceImportText.count(missing.count, "photo")) cannot be read and \
        \(missing.count == 1 ? "is" : "are") not in the archive, such as \
        \(FilePath(bytes: missing[0]).escaped)
        """)
    }
  }

  private static func sums(of path: FilePath) -> (size: Int, hash: [UInt8], sum: CRC32)? {
    guard let file = try? Disk.openRegularFile(path, limit: .max) else { return nil }
    defer { Disk.close(file) }
    var (size, digest, sum) = (0, SHA256.Digest(), CRC32())
    let isRead =
      (try? FileChunks.read(file) { piece in
        size += piece.count
        digest.combine(piece)
        sum.combine(piece)
      }) != nil
    return isRead ? (size, digest.hash, sum) : nil
  }

  private func copy(
    _ path: FilePath, into archive: inout ZipWriter, _ write: ([UInt8]) throws -> Void
  ) throws {
    if Interruption.isRequested { throw Failure("interrupted before the archive was written") }
    let file: FileDescriptor
    do throws(Errno) {
      file = try Disk.openRegularFile(path, limit: .max)
    } catch { throw Failure("\(path.escaped) cannot be read: \(error)") }
    defer { Disk.close(file) }
    var failure: (any Error)?
    do throws(Errno) {
      try FileChunks.read(file) { piece throws(Errno) in
        archive.write(piece)
        do { try write(Array(piece)) } catch {
          failure = error
          throw .canceled
        }
      }
    } catch {
      throw failure ?? Failure("\(path.escaped) cannot be read: \(error)")
    }
    do throws(ZipError) { try archive.end() } catch {
      throw Failure("\(path.escaped) was changed while it was read; run the command again")
    }
  }
}
