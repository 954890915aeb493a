import ArgumentParser
import Dispatch
import Encodings
import FeedServer
import LocationFeeds
import MQTTBroker
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotAlerts
import SpotWatcher
import Synchronization
import SystemPackage
import TerminalOutput
import WatchService

/// The command `photospots watch`.
struct WatchCommand: PhotoSpotsSubcommand {
  /// The output format of notifications on standard output.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson
  }

  /// The format of messages on standard error.
  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow a GPS feed, and alert once per visit near a spot.",
    discussion: """
      A recorded file is replayed by its own clock, without earlier cooldowns, and nothing is \
      stored unless --record is given. Standard input and a followed file are live: fixes older \
      than the setting maximumFixAge do not fire. Alerts are recorded, so that a spot stays silent \
      for the setting cooldown, also after a restart. A live watch loads a new index as soon as \
      one is written, and at once on SIGHUP, which also reloads the settings.

      When the feed ends, every notification has been sent to each receiver at least once. \
      Undelivered notifications are reported, and the exit status is then 3.
      """)

  @OptionGroup var feed: FeedArguments

  @Flag(help: "Replay standard input or a FIFO like a recorded file, by the times of its fixes.")
  var replay = false

  @Flag(help: "Record the cooldowns and history of a replay, as for a live feed.")
  var record = false

  @Flag(help: "In a replay, suppress spots whose photos were taken later.")
  var asOfThen = false

  @OptionGroup var receivers: ReceiverArguments

  @Option(
    help: ArgumentHelp(
      "The maximum time to retry failed deliveries at the end (default: each is tried once).",
      valueName: "time"))
  var drainTimeout: SecondsArgument?

  @Flag(
    help: """
      Print every decision with its reason: as sentences, or in the format ndjson with the values \
      that led to it.
      """)
  var explain = false

  @Flag(help: "Record the trail of each device; 'photospots devices --trail' prints it.")
  var keepTrail = false

  @Option(
    help: """
      The format of notifications and decisions (default: text on a terminal, ndjson otherwise).
      """)
  var format: Format?

  @Option(help: "The format of messages on standard error; json is one object per line.")
  var logFormat = LogFormat.text

  @Option(
    help: ArgumentHelp("The alert radius, instead of proximityRadius.", valueName: "m"))
  var radius: String?

  @Option(
    help: ArgumentHelp("The time that a spot stays silent after it fired: 24h.", valueName: "time"))
  var cooldown: String?

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var store: StoreArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of connections to the store that decide concurrently, 1 to 64 (default: \(Self.laneCount)).",
      valueName: "n"))
  var lanes: CountArgument?

  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  /// The default number of lanes: more than the usual number of devices that send at the same
  /// moment, but few of the hundred connections that a PostgreSQL server allows by default.
  private static let laneCount = 4

  func validate() throws {
    if let lanes {
      guard store.isGiven else { throw ValidationError("--lanes needs --store") }
      guard (1...64).contains(lanes.count) else {
        throw ValidationError("--lanes must be 1 to 64")
      }
    }
    if let drainTimeout, !(0...86_400).contains(drainTimeout.seconds) {
      throw ValidationError("--drain-timeout must be 0 s to 24 h")
    }
  }

  func run() throws {
    StandardError.isStructured.store(logFormat == .json, ordering: .relaxed)
    let settings = try readSettings()
    let interruption = try StopSignal.observe()
    var feeds = try feed.open(
      settings, phonesIn: state.folder, report: FeedReports.report)
    let isLive = feeds.isLive && !replay
    try MachineZone.check(isLive: isLive)
    if isLive { StopDeadline.begin(on: interruption) }
    let stateFolder = isLive || record ? state.folder : nil
    let scratch = stateFolder == nil && receivers.hook != nil ? try ScratchFolder() : nil
    defer { withExtendedLifetime(scratch) {} }
    let output = WatchOutput()
    let reports = WatchReports(output, greets: isLive && StandardError.isTerminal)
    let home = try receivers.homeAssistantConnection(
      settings: settings, isLive: isLive, library: index.cache)
    let watch = try makeWatch(
      stateFolder: stateFolder, isLive: isLive,
      notifiers: try notifiers(
        settings, isLive: isLive, scratchFolder: scratch?.path ?? state.folder)
        + (home.map { [$0.notifier] } ?? []),
      report: reports.report)
    if isLive { feeds.access.metrics = try metrics(of: watch, settings) }
    let run = WatchRun(
      session: watch.session, output: output, interruption: interruption,
      drainSeconds: drainTimeout?.seconds,
      storage: stateFolder.map { store.isGiven ? "the store" : $0.escaped })
    let hangup = isLive ? try Hangup.calling { watch.readAgain() } : nil
    defer { hangup?.cancel() }
    home?.begin(with: watch.session, stateFolder: stateFolder)
    defer { home?.stop() }
    try run.deliver {
      try read(feeds, watch, run, home)
      if !StopSignal.isRequested { reports.reportAbsence() }
    }
  }

  private func makeWatch(
    stateFolder: FilePath?, isLive: Bool, notifiers: [any Notifier],
    report: @escaping @Sendable (WatchEvent) -> Void
  ) throws -> Watch {
    let devices = isLive ? Watch.Devices(folder: state.folder, keepsTrails: keepTrail) : nil
    if store.isGiven {
      #if Postgres
        let library = try WatchedStore(store)
        let sources = try sources(isLive: isLive, clusterRadius: library.clusterRadiusMeters)
        let shared = library.shared(
          // The decisions of a replay are made in the order of the feed, on all devices.
          laneCount: isLive ? lanes?.count ?? Self.laneCount : 1, remembers: stateFolder != nil)
        try announce("the spots of \(library.ownerName.escaped)", sources, isLive: isLive)
        return try Watch(
          sources, over: shared, devices: devices, isLive: isLive, notifiers: notifiers,
          report: report)
      #endif
    }
    let sources = try sources(isLive: isLive)
    let spots = try spots(sources, isLive: isLive)
    return try Watch(
      sources, spots: spots, stateFolder: stateFolder, devices: devices, isLive: isLive,
      notifiers: notifiers, report: report)
  }

  /// Returns the metrics page of the addresses that phones send to.
  private func metrics(of watch: Watch, _ settings: Settings) throws -> MetricsPage {
    let radius = try settings.clusterRadiusMeters
    return ServiceMetrics(of: watch, store.isGiven ? nil : index.cache) { radius }.page(
      token: try settings.metricsToken)
  }

  /// Reads the feeds until they end.
  private func read(
    _ feeds: FeedRun, _ watch: Watch, _ run: WatchRun, _ home: HomeAssistantConnection?
  ) throws {
    var notices = ServiceNotices()
    notices.ready()
    try FeedReports.telling {
      try watch.run(
        feeds, orUntil: run.interruption,
        whileReading: {
          notices.alive()
          try run.output.check()
        },
        decided: { decisions in
          home?.take(decisions, of: watch.session)
          try explain(decisions)
        })
    }
  }

  /// Opens the index, and reports the number of watched spots and places.
  private func spots(_ sources: WatchSources, isLive: Bool) throws -> SpotIndex {
    let radius = sources.rules.clusterRadiusMeters
    let opened = try index.open(clusterRadius: radius) { sources.ownPlaces.count }
    let spots = SpotIndex(opened, clusterRadius: radius)
    let count = spots.spots.count
    if count == 0, sources.ownPlaces.isEmpty {
      StandardError.writeLine(
        "photospots: the index holds no photo with a position, so nothing can fire")
    }
    try announce(
      "\(Count.text(count)) \(count == 1 ? "spot" : "spots")", sources, isLive: isLive)
    return spots
  }

  /// Reports on a terminal what is watched.
  private func announce(_ spots: String, _ sources: WatchSources, isLive: Bool) throws {
    guard StandardError.isTerminal else { return }
    let count = sources.ownPlaces.count
    let places =
      count == 0 ? "" : " and \(Count.text(count)) \(count == 1 ? "place" : "places")"
    StandardError.writeLine(
      """
      photospots: \(spots)\(places); \(isLive ? "waiting for" : "reading") \(try feed.names)
      """)
  }

  /// Reads the settings, with the overrides given as options.
  private func readSettings() throws -> Settings { try settingsReader()() }

  private func settingsReader() -> @Sendable () throws -> Settings {
    var overrides: [Setting: Settings.Source] = [:]
    overrides[.proximityRadius] = radius.map {
      Settings.Source(text: $0, origin: .flag("--radius"))
    }
    overrides[.cooldown] = cooldown.map { Settings.Source(text: $0, origin: .flag("--cooldown")) }
    let assignments = settings.assignments
    return { [overrides] in try SettingsArguments.settings(assignments, overrides: overrides) }
  }

  /// Returns the sources of the watch other than the photos.
  ///
  /// - Parameters:
  ///   - isLive: Whether the feed is live.
  ///   - storedRadiusMeters: The cluster radius of the spots in a store; `nil` for those of the
  ///     index file.
  /// - Returns: The sources.
  /// - Throws: `SettingsError`, or the error of the muted spots or of the user's places.
  private func sources(
    isLive: Bool, clusterRadius storedRadiusMeters: Double? = nil
  ) throws -> WatchSources {
    let read = settingsReader()
    let isStored = storedRadiusMeters != nil
    return try WatchSources(
      cache: isStored ? nil : index.cache, muteList: MuteList(in: state.folder),
      refusesLaterPhotos: isLive || asOfThen,
      recreations: isStored
        ? nil : RecreationTimes(stateFolder: state.folder, log: .terminal).source,
      places: OwnPlaces(stateFolder: state.folder, read(), log: .terminal).source,
      readAlerts: { try read().alerts },
      readRules: {
        var rules = try read().watcher
        rules.clusterRadiusMeters = storedRadiusMeters ?? rules.clusterRadiusMeters
        return rules
      })
  }

  private func notifiers(
    _ settings: Settings, isLive: Bool, scratchFolder: FilePath
  ) throws -> [any Notifier] {
    return [StandardOutputNotifier(format: isText ? .text : .ndjson)]
      + (try receivers.notifiers(
        settings: settings, isLive: isLive, scratchFolder: scratchFolder, library: index.cache))
  }

  /// Whether notifications and decisions are printed as sentences.
  private var isText: Bool { format.map { $0 == .text } ?? StandardOutput.isTerminal }

  private func explain(_ decisions: [WatcherDecision]) throws {
    guard explain, !decisions.isEmpty else { return }
    if isText { return try StandardOutput.write(decisions.map(DecisionText.row).joined()) }
    var writer = JSONWriter()
    for decision in decisions {
      decision.write(to: &writer)
      writer.newline()
    }
    try StandardOutput.write(json: writer.bytes)
  }
}

/// The option of every command that uses stored state of notifications.
struct StateArguments: ParsableArguments {
  @Option(name: .customLong("state"), help: Self.pathHelp, completion: .directory)
  var path: String?

  private static let pathHelp = ArgumentHelp(
    "The folder of cooldowns and history (default: \(Paths.displayed(Paths.state))).",
    valueName: "dir")

  func validate() throws { try Paths.checkIsNamed(path, as: "--state") }

  var folder: FilePath { path.map(Paths.absolute) ?? Paths.state }

  /// The commands to offer in messages of a command without an index.
  var commands: OfferedCommands { OfferedCommands(state: path.map(Paths.absolute)) }
}
