import ArgumentParser
import CivilTime
import Encodings
import GeoDocuments
import KeptPlaces
import PageServer
import PhotoLibrary
import PlaceTransfer
import ProcessControl
import ProgramSettings
import Storage
import TerminalOutput

/// The command `photospots places import`.
struct PlacesImportCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import places of other programs.",
    discussion: """
      Reads GPX waypoints (Garmin's and OsmAnd's too), KML and KMZ placemarks, GeoJSON, TopoJSON, CSV, \
      well-known text, OpenStreetMap's elements, waypoints of geocaching sites, TomTom's POI, Google's saved \
      places, JSON of other programs with positions, and the files of 'photospots places export'. The format is recognised from the \
      content. Importing a file again changes nothing: places changed here since stay changed, and \
      removed places stay removed, unless --restore. What was edited in an exported file is taken, and \
      what is not is named. A .zip of 'places export' is checked completely before anything \
      is changed.
      """)

  @Argument(help: "The files.", completion: .file())
  var files: [String]

  @Flag(help: "Show the result, and change nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "The format: \(PlaceFormat.allCases.map(\.rawValue).joined(separator: ", ")) (default: recognised from the content).",
      valueName: "name"))
  var format: PlaceFormat?

  @Option(
    help: ArgumentHelp(
      "The columns of a table: latitude=Y,longitude=X,name=Title; a number counts from 1. Fields: \(PlaceColumns.fields).",
      valueName: "fields"))
  var columns: String?

  @Option(help: ArgumentHelp("Also put the places into this collection.", valueName: "name"))
  var collection: String?

  @Option(
    help: ArgumentHelp(
      "The folder for the pictures of a KMZ, and for photos of an archive that are no longer where they were.",
      valueName: "dir"),
    completion: .directory)
  var photosTo: String?

  @Option(
    help: ArgumentHelp(
      "Which value is kept where the file differs: file, mine or newest (the one that was changed last).",
      valueName: "side"))
  var prefer = PlaceTaking.Preference.newest

  @Flag(help: "Restore places that were removed here, however long ago.")
  var restore = false

  @Option(
    help: ArgumentHelp(
      "The encoding of the files, such as windows-1251 (default: as the file declares).",
      valueName: "name"))
  var encoding: String?

  @OptionGroup var state: StateArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    if let columns, PlaceColumns(columns) == nil {
      throw ValidationError(
        "--columns '\(columns)': write FIELD=COLUMN with commas between, as in latitude=Y,longitude=X"
      )
    }
    if format == .zip || format == .kmz {
      throw ValidationError("--format: archives are recognised from their content; remove --format")
    }
  }

  func run() throws {
    let interruption = Interruption(try StopSignal.observe())
    let settings = try settings.resolve()
    let radius = try settings.clusterRadiusMeters
    let options = PlaceReading.Options(
      format: format, columns: columns.flatMap { PlaceColumns($0) }, encoding: encoding)
    // All files are read, and archives verified, before any place is changed.
    let imports = try files.map { name in
      let read = try PlaceImport(Paths.absolute(name), options, orUntil: interruption)
      guard let collection else { return read }
      return read.collected(collection)
    }
    let folder = photosTo.map(Paths.absolute)
    let plans = try imports.map { item in
      do throws(ArchivedPhotos.Refusal) {
        return try ArchivedPhotos(item, folder: folder, asks: !dryRun)
      } catch { throw MessageError(PlaceImportText.text(error)) }
    }
    let store = try settings.placeStore(stateFolder: state.folder, log: .terminal)
    let now = Instant.now
    let apply = { (document: inout PlaceDocument) throws(PlaceError) -> [PlaceImport.Outcome] in
      var outcomes: [PlaceImport.Outcome] = []
      for (item, plan) in zip(imports, plans) {
        outcomes.append(
          try item.apply(
            to: &document, photos: plan, preference: prefer, restoresRemoved: restore,
            radiusMeters: radius, now: now))
      }
      return outcomes
    }
    let outcomes: [PlaceImport.Outcome]
    if dryRun {
      var document = try store.load()
      outcomes = try apply(&document)
    } else {
      for plan in plans { try plan.write(orUntil: interruption) }
      outcomes = try store.update(now: now, apply)
    }
    for (place, item) in imports.enumerated() {
      try StandardOutput.write(
        PlaceImportText.text(
          item, outcomes[place], plans[place], prefer, isDryRun: dryRun, state.commands))
    }
    var total = PlaceCounts()
    for (place, item) in imports.enumerated() {
      total.add(PlaceCounts(item, outcomes[place], plans[place]))
    }
    try StandardOutput.write(total.text + "\n")
    if dryRun { StandardError.note("nothing was changed (--dry-run)") }
  }
}

extension PlaceFormat: ExpressibleByArgument {}
extension PlaceTaking.Preference: ExpressibleByArgument {}

/// The text form of an import's outcome, or of its preview.
enum PlaceImportText {
  /// The maximum number of collections and neighbors that are named; the rest are counted.
  private static let namedCount = 10

  static func text(
    _ item: PlaceImport, _ outcome: PlaceImport.Outcome, _ photos: ArchivedPhotos,
    _ preference: PlaceTaking.Preference, isDryRun: Bool, _ commands: OfferedCommands
  ) -> String {
    let total = outcome.added + outcome.changed + outcome.unchanged + outcome.removed
    var counts = ["\(Count.text(outcome.added)) new"]
    if outcome.changed > 0 { counts.append("\(Count.text(outcome.changed)) changed") }
    if outcome.unchanged > 0 { counts.append("\(Count.text(outcome.unchanged)) unchanged") }
    if outcome.restored > 0 { counts.append("\(Count.text(outcome.restored)) restored") }
    if outcome.removed > 0 {
      counts.append("\(Count.text(outcome.removed)) removed here, not restored")
    }
    var lines = [
      "\(item.path.escaped): \(item.title), \(Self.count(total, "place")): \(counts.joined(separator: ", "))"
    ]
    lines += differences(outcome, preference)
    if outcome.removed > 0 { lines.append("  --restore brings the removed ones back") }
    if !outcome.collections.isEmpty { lines.append("  " + collections(outcome.collections)) }
    if case .places(let file) = item.content {
      if file.repeatedCount > 0 {
        lines.append("  \(Count.text(file.repeatedCount)) repeated in the file, merged")
      }
      for skipped in file.skipped {
        let names = skipped.examples.map { "'\($0.escaped)'" }.joined(separator: ", ")
        let more = skipped.count > skipped.examples.count && !names.isEmpty ? ", …" : ""
        lines.append(
          "  left out: \(skipped.text)" + (names.isEmpty ? "" : " (\(names)\(more))"))
      }
      lines += unread(file.unread)
      if let encoding = file.guessedEncoding {
        lines.append(
          "  read as \(encoding): the file names no encoding and is not UTF-8; --encoding names another"
        )
      }
    }
    for neighbor in outcome.neighbors.prefix(namedCount) {
      let meters = Count.text(Int(saturating: neighbor.meters.rounded()))
      lines.append(
        "  '\(neighbor.name.escaped)' is \(meters) m from your place '\(neighbor.known.escaped)' (\(neighbor.id))"
      )
    }
    if outcome.neighbors.count > namedCount {
      lines.append(
        "  and \(Count.text(outcome.neighbors.count - namedCount)) more near your places")
    }
    if !outcome.neighbors.isEmpty {
      lines.append("  '\(commands.text("places duplicates"))' lists and merges them")
    }
    lines += photos.lines(isDryRun: isDryRun)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Lines about what the file says differently, and about its times.
  private static func differences(
    _ outcome: PlaceImport.Outcome, _ preference: PlaceTaking.Preference
  ) -> [String] {
    var lines: [String] = []
    if !outcome.differing.isEmpty {
      let places = count(outcome.differing.count, "place")
      let reason =
        preference == .mine
        ? "as --prefer mine asks"
        : "changed here later, or empty, undated or of another place there; --prefer file takes them"
      lines.append("  differs, not taken: \(places), \(reason)")
    }
    for place in outcome.differing.prefix(namedCount) {
      let fields = place.fields.joined(separator: ", ")
      lines.append("    '\(place.name.escaped)' (\(place.id)): \(fields)")
    }
    if outcome.differing.count > namedCount {
      lines.append("    and \(Count.text(outcome.differing.count - namedCount)) more")
    }
    if outcome.futureTimes > 0 {
      lines.append(
        "  left out: \(count(outcome.futureTimes, "time")) more than a day in the future")
    }
    return lines
  }

  /// A line with the columns, properties and elements that have no field.
  private static func unread(_ unread: [(name: String, count: Int)]) -> [String] {
    guard !unread.isEmpty else { return [] }
    let named = unread.prefix(namedCount).map { "'\($0.name.escaped)' \(Count.text($0.count))" }
    let others = unread.count - namedCount
    let more = others > 0 ? ", and \(Count.text(others)) more" : ""
    return ["  not read, as places have no such field: \(named.joined(separator: ", "))\(more)"]
  }

  /// The reason why the photos of an archive cannot be imported, and what to do.
  static func text(_ refusal: ArchivedPhotos.Refusal) -> String {
    switch refusal {
    case .wouldOverwrite(let count, let first):
      """
      nothing was imported: \(Self.count(count, "other file")) would be overwritten by photos of \
      the archive, such as \(first.escaped). Choose another folder with --photos-to
      """
    case .needsFolder(let count, let first, let former):
      """
      nothing was imported: \(Self.count(count, "photo")) of the archive \
      \(count == 1 ? "is" : "are") not where \(count == 1 ? "it was" : "they were"), such as \
      \(first.escaped). Choose a folder for them with --photos-to; --photos-to \
      \(former.quoted) restores them
      """
    }
  }

  static func count(_ count: Int, _ noun: String) -> String {
    Count.text(count, noun)
  }

  private static func collections(_ counts: [String: Int]) -> String {
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let named = sorted.prefix(namedCount).map { "\($0.key.escaped) \(Count.text($0.value))" }
    let more = sorted.count > namedCount ? ", and \(sorted.count - namedCount) more" : ""
    return "collections: " + named.joined(separator: ", ") + more
  }
}

extension ArchivedPhotos {
  /// Returns lines that summarize where the photos are, or would be after the import.
  func lines(isDryRun: Bool) -> [String] {
    var lines: [String] = []
    if leftOutCount > 0 {
      let advice = hasFolder ? "unreadable" : "--photos-to DIR stores them"
      lines.append(
        "  left out: \(PlaceImportText.count(leftOutCount, "picture")) of the archive; \(advice)")
    }
    if presentCount > 0 {
      lines.append("  \(PlaceImportText.count(presentCount, "photo")) already there")
    }
    if missingCount > 0 {
      let count = PlaceImportText.count(missingCount, "photo")
      lines.append(
        hasFolder
          ? "  \(count) \(isDryRun ? "to be written" : "written")"
          : "  \(count) not where they were: choose a folder for them with --photos-to")
    }
    if lostCount > 0 {
      lines.append(
        "  \(PlaceImportText.count(lostCount, "photo")) could not be read when the archive was written"
      )
    }
    return lines
  }
}
