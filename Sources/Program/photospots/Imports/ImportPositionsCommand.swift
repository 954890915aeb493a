import ArgumentParser
import Encodings
import IndexUpdates
import PhotoLibrary
import PositionImport
import ProgramSettings
import Storage
import SystemPackage
import TerminalOutput

/// The command `photospots import-positions`.
struct ImportPositionsCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import-positions",
    abstract: "Import positions of photos from the database of another program.",
    discussion: """
      Reads digiKam's database (digikam4.db), Lightroom Classic's catalogue (.lrcat), and the JSON that \
      osxphotos writes for the library of Apple Photos ('osxphotos query --json'). The kind is \
      recognised by the content. The database is neither locked nor changed, and may be in use.

      Photos of the index without a position of their own get the position from the database, \
      marked as imported; the photos are not changed. Photos are matched by path; if folders were \
      moved, by the end of the path, or by name and time or size if exactly one photo matches.
      """)

  @Argument(help: "The database.", completion: .file())
  var file: String?

  @Flag(help: "Show the result, and change nothing.")
  var dryRun = false

  @Flag(help: "Remove the imported positions.")
  var dropImported = false

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    switch (file, dropImported) {
    case (nil, false): throw ValidationError("name the database: photospots import-positions FILE")
    case (.some, true): throw ValidationError("--drop-imported takes no file")
    case (.some, false), (nil, true): break
    }
  }

  func run() throws {
    let radius = try settings.resolve().clusterRadiusMeters
    if let file { try importPositions(Paths.absolute(file), radius) } else { try drop(radius) }
  }

  private func importPositions(_ path: FilePath, _ clusterRadiusMeters: Double) throws {
    guard !Disk.isFolder(path) else {
      throw MessageError(
        "nothing was imported: \(path.escaped) is a folder; name the database or the JSON file")
    }
    // The records are read before the lock is taken, since reading may take long.
    let records: PositionRecords
    do throws(PositionImportError) {
      records = try PositionRecords(path)
    } catch { throw MessageError("nothing was imported: \(path.escaped): \(error)") }
    let result = try change(clusterRadiusMeters) { index in
      let matches = PositionMatches(records, with: index)
      return (
        PositionImportReport(
          path: path, records: records, matches: matches, index: index,
          commands: self.index.commands()),
        matches.apply(to: &index)
      )
    }
    try StandardOutput.write(
      json: json ? result.json(isDryRun: dryRun) : [], orText: json ? "" : result.text)
    if dryRun { StandardError.note("nothing was changed (--dry-run)") }
  }

  private func drop(_ clusterRadiusMeters: Double) throws {
    let (count, located) = try change(clusterRadiusMeters) { index in
      let count = PositionMatches.drop(from: &index)
      return ((count, index.shotCount), count)
    }
    try StandardOutput.write(
      json: json ? PositionImportReport.json(dropped: count, isDryRun: dryRun) : [],
      orText: json
        ? ""
        : """
        \(Count.text(count)) imported position\(count == 1 ? "" : "s") removed; the index holds \
        \(Count.text(located)) located photo\(located == 1 ? "" : "s")

        """)
    if dryRun { StandardError.note("nothing was changed (--dry-run)") }
  }

  /// Changes the index under its lock, and saves it where something changed. `body` returns a
  /// result and the number of changes.
  private func change<Result>(
    _ clusterRadiusMeters: Double, _ body: (inout PhotoIndex) throws -> (Result, Int)
  ) throws -> Result {
    let cache = index.cache
    let lock = dryRun ? nil : try cache.lock(waits: true)
    guard var changed = try cache.load() else { throw index.missing }
    let (result, count) = try body(&changed)
    if count > 0, !dryRun,
      let obstacle = try cache.save(changed, clusterRadius: clusterRadiusMeters)
    {
      StandardError.writeLine("photospots: \(obstacle)")
    }
    _ = consume lock
    return result
  }
}

extension StandardOutput {
  /// Writes the JSON if there is any, or else the text.
  fileprivate static func write(json: [UInt8], orText text: String) throws {
    if json.isEmpty { try write(text) } else { try write(json: json) }
  }
}
