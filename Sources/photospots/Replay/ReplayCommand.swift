import ArgumentParser
import Interchange
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotWatcher
import SystemPackage

/// The command `photospots replay`.
struct ReplayCommand: PhotoSpotsSubcommand {
  /// The output format of a replay.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show what recorded tracks would have fired, and why not the rest.",
    discussion: """
      The tracks go through the rules of 'photospots watch' by their own clock. Nothing is sent or remembered, \
      and of what 'watch' remembers only the muted spots have a part in it. Files are taken in the order of their first fix.

        photospots replay tracks/*.gpx --days
        photospots replay tracks/*.gpx --without vehicles
        photospots replay walk.nmea --set radius=50,dwell=30s --set cooldown=7d

      A photo that was taken later than the track counts as old enough, unless --as-of-then is given.

      Each --set is tried beside the settings in force, and what it would change is listed.
      """)

  @Argument(help: ArgumentHelp("The recorded feeds.", valueName: "file"), completion: .file())
  var files: [String]

  @Flag(help: "Print one line a day instead of every visit.")
  var days = false

  @Flag(help: "Let spots not fire whose photos were taken later than the track.")
  var asOfThen = false

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Try settings beside those in force: radius=50,dwell=30s; 'photospots config' lists them.",
      valueName: "name=value,…"),
    completion: Completions.settings)
  var variants: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Try the settings in force without a rule: \(WatcherRule.allCases.map(\.rawValue).joined(separator: ", ")), or all, each by itself.",
      valueName: "rule"))
  var without: [String] = []

  @Option(
    help: ArgumentHelp(
      "The format of the files; recognised from their content otherwise.", valueName: "format"),
    transform: FeedArguments.format)
  var feedFormat: FeedFormat?

  @Option(help: "How to write what would have fired.")
  var format = Format.text

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("name the files to replay") }
    for name in without where name != "all" {
      guard WatcherRule(rawValue: name) != nil else {
        let names = WatcherRule.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("'\(name)' is no rule; there are \(names), and all")
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
      spots[radius] = try OwnPlaces(stateFolder: state.folder, settings[0])
        .joined(with: SpotIndex(photos, clusterRadius: radius), clusterRadius: radius)
    }
    let muted = try MuteList(in: state.folder).load()
    let tried =
      settings.map { ($0, WatcherRule?.none) } + rules.map { (settings[0], WatcherRule?.some($0)) }
    let recreations = RecreationTimes(stateFolder: state.folder)
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
    let interruption = try Interruption.observe()
    let recorded = RecordedFiles(
      paths: files.map(Paths.absolute), format: feedFormat, interruption: interruption)
    try recorded.read { fix in
      for index in replays.indices { replays[index].process(fix) }
    }
    // The result of an interrupted replay would be mistaken for a complete one.
    guard !Interruption.isRequested else { throw ExitCode.failure }
    for index in replays.indices { replays[index].finish() }
    try show(replays, names: ["as set"] + variants + rules.map { "without \($0.rawValue)" })
  }

  private func show(_ replays: [RelaxedReplay], names: [String]) throws {
    let named = zip(names, replays).map {
      ReplayedVariant(name: $0, days: $1.replay.days, silencingRules: $1.silencingRules)
    }
    switch format {
    case .text: try StandardOutput.write(days ? ReplayText.days(named) : ReplayText.visits(named))
    case .json:
      var writer = JSONWriter(layout: .indented)
      writer.array { writer in
        for variant in named { variant.write(to: &writer) }
      }
      writer.newline()
      try StandardOutput.write(json: writer.takeBytes())
    }
    if let untimed = replays.first?.replay.untimedCount, untimed > 0 {
      StandardError.writeLine("photospots: \(untimed) positions have no date; they are passed over")
    }
    if named.first?.days.isEmpty == true {
      StandardError.writeLine("photospots: there is no fix with a date in what was read")
    }
  }
}
