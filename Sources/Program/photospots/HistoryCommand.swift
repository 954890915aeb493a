import ArgumentParser
import CivilTime
import Encodings
import KeptPlaces
import PageServer
import PhotoLibrary
import ProgramSettings
import SpotAlerts
import SpotWatcher
import SystemPackage
import TerminalOutput
import Towns

/// The command `photospots history`.
struct HistoryCommand: PhotoSpotsSubcommand {
  /// The output format of the history.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  /// A period to summarize.
  enum Period: String, ExpressibleByArgument, CaseIterable {
    case day, week
  }

  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the alerts, the latest last, and the delivery of each.",
    discussion: """
      With --digest, prints a summary: the alerts, the visits that each rule suppressed, and the \
      spots that you passed once without an alert. 'photospots why' explains a single visit.
      """)

  @Option(help: "The output format.")
  var format = Format.text

  @Option(
    parsing: .unconditional, help: ArgumentHelp("List only the latest n entries.", valueName: "n"))
  var limit: CountArgument?

  @Flag(help: "List the visits that rules suppressed or delayed too.")
  var all = false

  @Option(help: "Summarise today or the last seven days.")
  var digest: Period?

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var store: StoreArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    try limit?.check("--limit")
    if digest != nil, all || limit != nil {
      throw ValidationError("--digest cannot be used with --all or --limit")
    }
  }

  func run() throws {
    if let digest { return try show(digest) }
    let history = try QueriedHistory(state, store)
    let entries = all ? history.whole : history.entries
    let listed = limit.map { entries.suffix($0.count) } ?? entries[...]
    switch format {
    case .text:
      var zone = ZoneLabel()
      let places = listed.isEmpty ? PlacesOfSpots([]) : placesOfSpots()
      try StandardOutput.write(listed.map { HistoryText.line($0, places, &zone) }.joined())
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for entry in listed { entry.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
    if entries.isEmpty { StandardError.note("no alert is recorded") }
  }

  /// Opens the user's places. If the setting of their file cannot be used, the error is reported
  /// and there are none, since the history can be read without them.
  private func openPlaces() -> OwnPlaces? {
    do {
      return try OwnPlaces(
        stateFolder: state.folder, SettingsArguments.settings([]), log: .terminal)
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return nil
    }
  }

  /// Returns the names of the user's places. If their file cannot be read, the error is reported.
  private func placesOfSpots() -> PlacesOfSpots {
    guard let places = openPlaces() else { return PlacesOfSpots([]) }
    do throws(PlaceStoreError) {
      return PlacesOfSpots(try places.store.load().ownPlaces)
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return PlacesOfSpots([])
    }
  }

  private func show(_ period: Period) throws {
    let now = Instant.now
    let days = period == .day ? 1.0 : 7
    let zone = CivilTimeText.offset(at: now)
    let midnight = CivilTimeText.midnight(before: now)
    let start = midnight.advanced(bySeconds: -86_400 * (days - 1))
    let history = try QueriedHistory(state, store)
    let digest = HistoryDigest(of: history.whole, from: start, until: now.advanced(bySeconds: 1))
    switch format {
    case .text:
      let names = try history.names(index, places: openPlaces())
      let title =
        "\(CivilTimeText.bareMinute(start).prefix(10))"
        + (period == .day ? "" : " – \(CivilTimeText.bareMinute(now).prefix(10))")
        + " (\(CivilTimeText.zone(offsetMinutes: zone)))"
      try StandardOutput.write(DigestText.text(digest, title: title, names: names))
    case .json:
      var writer = JSONWriter(layout: .indented)
      digest.write(to: &writer, from: start, until: now)
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
  }
}
