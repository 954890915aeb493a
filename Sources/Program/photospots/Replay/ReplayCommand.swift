import ArgumentParser
import Encodings
import LocationFeeds
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import RecordedReplays
import SpotAlerts
import SpotWatcher
import TerminalOutput

/// The command `photospots replay`.
struct ReplayCommand: PhotoSpotsSubcommand {
  /// The output format of a replay.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show the alerts of recorded tracks, and why other visits had none.",
    discussion: """
      Applies the rules of 'photospots watch' to the tracks, by their own clock. Nothing is sent \
      or stored, and of the stored state only the muted spots are used. Files are read in the \
      order of their first fix.

        photospots replay tracks/*.gpx --days
        photospots replay tracks/*.gpx --without vehicles
        photospots replay walk.nmea --set radius=50,dwell=30s --set cooldown=7d

      Photos taken later than the track count as old enough, unless --as-of-then is given.

      Each --set is compared with the settings in force, and the differences are listed.
      """)

  @Argument(help: ArgumentHelp("The recorded feeds.", valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: "Print one line per day instead of every visit.")
  var days = false

  @Flag(help: "Suppress spots whose photos were taken later than the track.")
  var asOfThen = false

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Compare these settings with those in force: radius=50,dwell=30s; 'photospots config' lists them.",
      valueName: "name=value,…"),
    completion: Completions.settings)
  var variants: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Compare with the settings in force without a rule: \(WatcherRule.allCases.map(\.rawValue).joined(separator: ", ")), or all for each in turn.",
      valueName: "rule"))
  var without: [String] = []

  @Option(
    help: ArgumentHelp(
      "The format of the files (default: recognised from their content).", valueName: "format"),
    transform: FeedArguments.format)
  var feedFormat: FeedFormat?

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("name the files to replay") }
    for file in files { try Paths.checkIsNamed(file, as: "the name of a file") }
    if files.contains("-") {
      throw ValidationError(
        "replay reads files; 'photospots watch - --replay' reads standard input, or write ./-")
    }
    for name in without where name != "all" {
      guard WatcherRule(rawValue: name) != nil else {
        let names = WatcherRule.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("'\(name)' is not a rule; use \(names), or all")
      }
    }
    for variant in variants { _ = try SettingsArguments.settings(with: variant) }
  }

  func run() throws {
    let settings =
      try [SettingsArguments.settings([])] + variants.map(SettingsArguments.settings(with:))
    let photos = try index.open(clusterRadius: settings[0].clusterRadiusMeters)
    let rules =
      without.contains("all")
      ? WatcherRule.allCases : without.compactMap(WatcherRule.init(rawValue:))
    var spots: [Double: SpotIndex] = [:]
    for radius in try settings.map({ try $0.clusterRadiusMeters }) where spots[radius] == nil {
      spots[radius] = try OwnPlaces(stateFolder: state.folder, settings[0], log: .terminal)
        .joined(with: SpotIndex(photos, clusterRadius: radius), clusterRadius: radius)
    }
    let muted = try MuteList(in: state.folder).load()
    let tried =
      settings.map { ($0, WatcherRule?.none) } + rules.map { (settings[0], WatcherRule?.some($0)) }
    let recreations = RecreationTimes(stateFolder: state.folder, log: .terminal)
    let recreated = spots.mapValues(recreations.times)
    var replays = try tried.map { settings, rule in
      var watcher = try settings.watcher
      watcher.recreatedSpots = try recreated[settings.clusterRadiusMeters] ?? [:]
      watcher.mutedSpots = muted
      watcher.refusesLaterPhotos = asOfThen
      if let rule { watcher.rulesOff.insert(rule) }
      return RelaxedReplay(
        spots: try spots[settings.clusterRadiusMeters] ?? SpotIndex(spots: []), settings: watcher)
    }
    let interruption = Interruption(try StopSignal.observe())
    let recorded = RecordedFiles(
      files.map(Paths.absolute), format: feedFormat, orUntil: interruption, log: .terminal)
    let areWhole = try recorded.read { fix in
      for index in replays.indices { replays[index].process(fix) }
    }
    // The result of an interrupted replay would be mistaken for a complete one.
    guard !StopSignal.isRequested else { throw ExitCode.failure }
    let names = ["as set"] + variants + rules.map { "without \($0.rawValue)" }
    var named = zip(names, replays).map {
      ReplayedVariant(name: $0, $1)
    }
    for place in named.indices.suffix(rules.count) { named[place].isWithoutRule = true }
    let alerts = ReplayedAlerts(
      of: try spots[settings[0].clusterRadiusMeters] ?? SpotIndex(spots: []),
      in: try settings[0].language(), units: try settings[0].units)
    try show(replays, named, alerts)
    guard areWhole else { throw ExitCode.someUnreadable }
  }

  private func show(
    _ replays: [RelaxedReplay], _ named: [ReplayedVariant], _ alerts: ReplayedAlerts
  ) throws {
    switch format {
    case .text:
      try StandardOutput.write(days ? ReplayText.days(named) : ReplayText.visits(named, alerts))
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for variant in named { variant.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.takeBytes())
    }
    let untimed = replays.first?.replay.untimedCount ?? 0
    if untimed > 0 {
      let rest = untimed == 1 ? "position has no date; it is" : "positions have no date; they are"
      StandardError.writeLine("photospots: \(untimed) \(rest) skipped")
    }
    guard named.first?.days.isEmpty == true else { return }
    if untimed > 0 {
      StandardError.writeLine("photospots: the files contain no fix with a date")
    } else {
      StandardError.note("the feed contains no position")
    }
  }
}
