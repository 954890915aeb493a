import ArgumentParser
import CivilTime
import Encodings
import LocationFeeds
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import RecordedReplays
import Spatial
import SpotAlerts
import SpotWatcher
import TerminalOutput

/// The command `photospots why`.
struct WhyCommand: PhotoSpotsSubcommand {
  /// The output format of the answer.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain why a spot fired or did not, in plain sentences.",
    discussion: """
      Uses the decisions that a watch recorded or, with --feed, the decisions on a recorded track \
      with the settings in force. A spot is given by its id or the beginning of it, a place by its \
      position, by an album, or by the name or id of one of your own places; 'last' is the last \
      decision. The latest visit is explained, or with --at the visit nearest to a time.

        photospots why last
        photospots why 47xj --at 2026-05-12T10:04
        photospots why Arezzo --at 10:04
        photospots why 48.8584 2.2945 --feed walk.gpx
      """)

  @Argument(
    help: ArgumentHelp("A spot, a place, or 'last'.", valueName: "spot|place|last"),
    completion: Completions.spots)
  var place: [String]

  @Option(
    help: ArgumentHelp(
      "The visit nearest to a time, by your clock: 2026-05-12T10:04, 2026-05-12, 10:04.",
      valueName: "time"))
  var at: String?

  @Option(
    name: .customLong("feed"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Explain the decisions on a recorded feed.", valueName: "file"),
    completion: .file())
  var feeds: [String] = []

  @Option(
    help: ArgumentHelp(
      "The format of these feeds (default: recognised from their content).", valueName: "format"),
    transform: FeedArguments.format)
  var feedFormat: FeedFormat?

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var store: StoreArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard !place.isEmpty else { throw ValidationError("name a spot, a place, or 'last'") }
    for feed in feeds { try Paths.checkIsNamed(feed, as: "--feed") }
    if store.isGiven, !feeds.isEmpty {
      throw ValidationError("--feed needs the index file; leave --store out")
    }
    guard let at else { return }
    guard CivilTimeText.instant(typed: at, now: .now) != nil else {
      throw ValidationError("--at '\(at.escaped)': write a time such as 2026-05-12T10:04 or 10:04")
    }
  }

  func run() throws {
    let places = try OwnPlaces(stateFolder: state.folder, settings.resolve(), log: .terminal)
    let queried = feeds.isEmpty ? try QueriedHistory(state, store) : nil
    let names = try queried?.names(index, places: places) ?? SpotNames(index, places: places)
    var (history, approaches) = ([HistoryEntry](), [String: FeedHistory.Approach]())
    var areWhole = true
    let recorded = queried?.whole ?? []
    let asked = try subject(names, recorded)
    if feeds.isEmpty {
      history = recorded
    } else {
      let feed: FeedHistory
      (feed, areWhole) = try replay(names, asked)
      (history, approaches) = (feed.history, feed.approaches)
    }
    let mine = history.filter { entry in
      asked.map { $0.isSubject(of: entry) } ?? true
    }
    let visit = Self.visit(mine, at: at.flatMap { CivilTimeText.instant(typed: $0, now: .now) })
    switch format {
    case .text: try StandardOutput.write(lines(visit, of: asked, names))
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for entry in visit {
          writer.object { writer in
            writer.member("place", names.name(of: entry))
            writer.member("explanation", entry.explanation)
            writer.key("entry")
            entry.write(to: &writer)
          }
        }
      }
      writer.newline()
      try StandardOutput.write(json: writer.bytes)
    }
    if feeds.isEmpty { reportDevices(of: visit) }
    if visit.isEmpty {
      reportEmptyResult(
        asked, names, approaches, radiusMeters: try settings.resolve().proximityRadiusMeters)
    }
    guard areWhole else { throw ExitCode.someUnreadable }
  }

  // MARK: - Subject of the question

  /// Spots, and the positions that are treated as theirs.
  private struct Subject {
    var ids: Set<String> = []
    var spots: [PhotoSpot] = []
    var center: Coordinate?
    var radiusMeters = 0.0

    /// Returns whether an entry is about one of the spots, or names one in an alert about another.
    func isSubject(of entry: HistoryEntry) -> Bool {
      ids.contains(entry.spotID) || isNear(entry.coordinate) || !named(in: entry).isEmpty
    }

    /// Returns those of the spots that an alert about another spot names.
    func named(in entry: HistoryEntry) -> [PhotoSpot] {
      guard let alert = entry.notification, !ids.contains(entry.spotID) else { return [] }
      let others = Set(alert.alsoNear.map(\.id))
      return spots.filter { others.contains($0.id) }
    }

    private func isNear(_ position: Coordinate) -> Bool {
      center.map { $0.distance(to: position) <= radiusMeters } ?? false
    }
  }

  /// Returns the subject that the arguments name; `nil` for all spots.
  private func subject(_ names: SpotNames, _ history: [HistoryEntry]) throws -> Subject? {
    let words = place.joined(separator: " ").trimmedAtEnd
    guard words != "last" else { return nil }
    let ids = Set(names.spots.spots.map(\.id) + history.map(\.spotID))
    let start = words.lowercased()
    let matches: Set<String> =
      start.utf8.count < 4 ? [] : ids.filter { $0.hasPrefix(start) }
    if ids.contains(words) || matches.count == 1 {
      let chosen: Set = ids.contains(words) ? [words] : matches
      return Subject(ids: chosen, spots: names.spots.spots.filter { chosen.contains($0.id) })
    }
    let own = names.spots(ofPlace: words)
    if !own.isEmpty { return Subject(ids: Set(own.map(\.id)), spots: own) }
    let radius = try settings.resolve().proximityRadiusMeters
    if let position = try? Coordinate(written: words) {
      let near = try names.spots.spots(orPinsWithin: radius, of: position).map(\.spot)
      return Subject(
        ids: Set(near.map(\.id)), spots: near, center: position, radiusMeters: radius)
    }
    let albums = AlbumName.matches(words, among: names.albums)
    let spots = names.spots(inAlbums: albums)
    guard !spots.isEmpty else {
      throw MessageError(
        """
        '\(words.escaped)' is not a spot, place, position or album; \
        '\(index.commands(state).text("spots"))' lists the spots and places, and \
        '\(index.commands(state).text("why", "last"))' explains the last decision
        """)
    }
    return Subject(ids: Set(spots.map(\.id)), spots: spots)
  }

  /// Returns what the feeds would have caused, and whether all could be read to their ends.
  private func replay(
    _ names: SpotNames, _ asked: Subject?
  ) throws -> (history: FeedHistory, areWhole: Bool) {
    var watcher = try settings.resolve().watcher
    watcher.mutedSpots = try MuteList(in: state.folder).load()
    watcher.recreatedSpots = RecreationTimes(stateFolder: state.folder, log: .terminal).times(
      in: names.spots)
    watcher.refusesLaterPhotos = false
    var feed = FeedHistory(
      spots: names.spots, asking: asked?.spots ?? [], settings: watcher, localClock: .machine)
    let files = RecordedFiles(
      feeds.map(Paths.absolute), format: feedFormat,
      orUntil: Interruption(try StopSignal.observe()), log: .terminal)
    let areWhole = try files.read { feed.process($0) }
    guard !StopSignal.isRequested else { throw ExitCode.failure }
    return (feed, areWhole)
  }

  // MARK: - Visits

  /// The maximum time in seconds between two consecutive entries of a visit.
  private static let visitSeconds = 3600.0

  /// The time in seconds by which an entry may be recorded in the future.
  private static let clockSeconds = 60.0

  /// Returns the entries of the visit nearest to a time, or of the latest visit, oldest first.
  ///
  /// Entries with a recording time in the future were written while the machine's clock was ahead.
  /// They are used only if there are no other entries.
  private static func visit(_ entries: [HistoryEntry], at time: Instant?) -> [HistoryEntry] {
    let nearest =
      time.map { time in
        entries.min { abs($0.time.seconds(since: time)) < abs($1.time.seconds(since: time)) }
      } ?? latest(entries, now: .now)
    guard let nearest else { return [] }
    if let time, abs(nearest.time.seconds(since: time)) > 12 * 3600 { return [] }
    let visit = entries.filter {
      $0.spotID == nearest.spotID && $0.device == nearest.device
        && abs($0.time.seconds(since: nearest.time)) <= visitSeconds
    }.sorted { $0.time < $1.time }
    // An entry about leaving includes everything that the waiting entries say.
    let hasLapsed = visit.contains { $0.kind == .lapsed }
    return hasLapsed ? visit.filter { $0.kind != .waited } : visit
  }

  private static func latest(_ entries: [HistoryEntry], now: Instant) -> HistoryEntry? {
    let limit = now.advanced(bySeconds: clockSeconds)
    let past = entries.filter { $0.recorded <= limit }
    return (past.isEmpty ? entries : past).max {
      ($0.recorded, $0.time) < ($1.recorded, $1.time)
    }
  }

  /// Returns the explanation of a visit, for example
  /// `Arezzo, 12 May 10:04: you came within 40 m at 31 km/h, and were gone before …`.
  private func lines(
    _ visit: [HistoryEntry], of asked: Subject?, _ names: SpotNames
  ) -> String {
    visit.map { entry in
      let device = entry.device.map { " (\($0.escaped))" } ?? ""
      let head = "\(names.name(of: entry)), \(CivilTimeText.dayAndMinute(entry.time))\(device): "
      let others = asked?.named(in: entry).map { names.name(of: $0) } ?? []
      let named = others.isEmpty ? "" : " The alert named \(others.joined(separator: ", ")) too."
      let results = entry.deliveries.map(HistoryText.result).joined(separator: ", ")
      return StandardOutput.row(
        head,
        HistoryText.explanation(of: entry) + "." + named
          + (results.isEmpty ? "" : "  [\(results)]")) + "\n"
    }.joined()
  }

  /// Reports corrected clocks and speeds, and refused reports, of the devices of a visit, or of all
  /// devices if none is recorded.
  private func reportDevices(of visit: [HistoryEntry]) {
    // What a watch records about devices only adds to the answer; 'status' reports its damage.
    let known = (try? DeviceLog.reports(in: state.folder)) ?? []
    let asked = Set(visit.map(\.device))
    for report in known where visit.isEmpty || asked.contains(report.device) {
      let name = report.device?.escaped ?? "the device without a name"
      for text in report.corrections + (report.problem.map { [$0] } ?? []) {
        StandardError.note("\(name): \(text)")
      }
    }
  }

  private func reportEmptyResult(
    _ asked: Subject?, _ names: SpotNames, _ approaches: [String: FeedHistory.Approach],
    radiusMeters: Double
  ) {
    guard let asked else { return StandardError.note("no decision is recorded") }
    let nearest = asked.spots.compactMap { spot in approaches[spot.id].map { (spot, $0) } }
      .min { $0.1.meters < $1.1.meters }
    if let (spot, approach) = nearest, approach.meters <= radiusMeters {
      StandardError.note(
        """
        nothing was decided about \(names.name(of: spot)): you came within \
        \(Distance.text(approach.meters)), \(CivilTimeText.dayAndMinute(approach.time)), by too \
        few positions or uncertain ones
        """)
    } else if let (spot, approach) = nearest {
      StandardError.note(
        """
        \(names.name(of: spot)) was not entered: you came no nearer than \
        \(Distance.text(approach.meters)), \(CivilTimeText.dayAndMinute(approach.time))
        """)
    } else {
      StandardError.note(
        "no visit is recorded there\(at == nil ? "" : " within 12 hours of that time")")
    }
  }
}
