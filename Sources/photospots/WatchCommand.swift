import ArgumentParser
import Interchange
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import Storage
import Synchronization
import SystemPackage

/// `photospots watch`
struct WatchCommand: PhotoSpotsSubcommand {
  /// How notifications are written to standard output.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson
  }

  /// How what happens is told.
  enum LogFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow a GPS feed, and tell once per visit when a spot is near.",
    discussion: """
      A recorded file is replayed by its own clock. Standard input and a followed file are live: fixes older \
      than the setting maximumFixAge do not fire. What fired is remembered, so that a spot stays silent for \
      the setting cooldown, also after a restart. A live watch takes a new index as soon as one is written, \
      and at once on SIGHUP, which also reads the settings again.
      """)

  @OptionGroup var feed: FeedArguments

  @Flag(help: "Replay standard input or a FIFO by the clock of its fixes too.")
  var replay = false

  @OptionGroup var receivers: ReceiverArguments

  @Flag(help: "Print every decision as NDJSON, with the figures that decided.")
  var explain = false

  @Flag(help: "Keep where each device went; 'photospots devices --trail' prints it.")
  var keepTrail = false

  @Option(help: "How to write notifications (default: text on a terminal, ndjson otherwise).")
  var format: Format?

  @Option(help: "How to write what is told on standard error; json is an object a line.")
  var logFormat = LogFormat.text

  @Option(
    help: ArgumentHelp("How near a spot is near, instead of proximityRadius.", valueName: "m"))
  var radius: String?

  @Option(
    help: ArgumentHelp("How long a spot stays silent after it fired: 24h.", valueName: "time"))
  var cooldown: String?

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func run() throws {
    StandardError.isStructured.store(logFormat == .json, ordering: .relaxed)
    let sources = try sources()
    let photos = try index.load()
    let list = photos.spots(clusterRadius: sources.rules.clusterRadiusMeters)
    let spots = SpotIndex(spots: list)
    if spots.spots.isEmpty {
      StandardError.writeLine(
        "photospots: the index holds no photo with a position, so nothing can fire")
    }
    let interruption = try Interruption.observe()
    let feeds = try feed.open(sources.settings)
    let isLive = feeds.isLive && !replay
    let session = try WatchSession(
      stateFolder: state.folder, spots: spots, pasts: SpotPasts(of: list, in: photos),
      settings: sources.watcherSettings, isLive: isLive,
      notifiers: notifiers(sources.settings, isLive: isLive), report: Self.tell)
    session.start()
    // A replay is the same each time, whatever is written meanwhile.
    let updates = isLive ? try WatchUpdates(of: sources, for: session) : nil
    defer { updates?.stop() }
    var notices = ServiceNotices()
    notices.ready()
    var lastWords = FeedLastWords()
    var devices =
      isLive ? try DeviceLog(in: state.folder, keepsTrails: keepTrail, now: .now) : nil
    if let damage = devices?.damage { StandardError.writeLine("photospots: \(damage)") }
    defer { Self.telling { () throws(DeviceLogError) in try devices?.save() } }
    try feeds.read(orUntil: interruption) { fixes, format in
      notices.alive()
      // The positions in a document are of the past, also when it comes through a pipe.
      let stampsUntimed = isLive && format?.isDocument != true
      for fix in fixes {
        if fix.time == nil, !stampsUntimed {
          lastWords.passOverUntimed()
        } else {
          let decisions = Self.carryingOn { () throws(AlertStateError) in try session.process(fix) }
          devices?.note(decisions)
          try explain(decisions)
        }
      }
      if isLive {
        try explain(Self.carryingOn { () throws(AlertStateError) in try session.tick() })
        Self.telling { () throws(DeviceLogError) in try devices?.saveIfDue(now: .now) }
      }
    }
    notices.stopping()
    waitFor(orUntil: interruption) { await session.drain() }
    waitFor { await session.stop() }
  }

  /// What the watch is made from, but for the photos.
  private func sources() throws -> WatchSources {
    var overrides: [Setting: Settings.Source] = [:]
    overrides[.proximityRadius] = radius.map {
      Settings.Source(text: $0, origin: .flag("--radius"))
    }
    overrides[.cooldown] = cooldown.map { Settings.Source(text: $0, origin: .flag("--cooldown")) }
    let assignments = settings.assignments
    let readSettings = { @Sendable [overrides] in
      try SettingsArguments.settings(assignments, overrides: overrides)
    }
    let muteList = MuteList(in: state.folder)
    let settings = try readSettings()
    return WatchSources(
      cache: index.cache, stamp: index.cache.stamp(), muteList: muteList,
      mutedSpots: try muteList.load(), settings: settings, rules: try settings.watcher,
      readSettings: readSettings)
  }

  private func notifiers(_ settings: Settings, isLive: Bool) throws -> [any Notifier] {
    let isText = format.map { $0 == .text } ?? (StandardOutput.isTerminal && !explain)
    return [StandardOutputNotifier(format: isText ? .text : .ndjson)]
      + (try receivers.notifiers(
        settings: settings, isLive: isLive, stateFolder: state.folder))
  }

  private func explain(_ decisions: [WatcherDecision]) throws {
    guard explain, !decisions.isEmpty else { return }
    var writer = JSONWriter()
    for decision in decisions {
      decision.write(to: &writer)
      writer.newline()
    }
    try StandardOutput.write(json: writer.bytes)
  }

  /// Decides, and tells where that could not be recorded: the notification is decided again with the next
  /// fix, and a disk that is full now need not be so then.
  private static func carryingOn(
    _ decide: () throws(AlertStateError) -> [WatcherDecision]
  ) -> [WatcherDecision] {
    do throws(AlertStateError) {
      return try decide()
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return []
    }
  }

  /// Does what the watch can do without, and tells where that failed.
  private static func telling(_ body: () throws(DeviceLogError) -> Void) {
    do throws(DeviceLogError) { try body() } catch {
      StandardError.writeLine("photospots: \(error)")
    }
  }

  private static func tell(_ event: AlertEvent) {
    if case .receiverClosed = event {
      // Nobody reads any more: the work is done.
      Interruption.request()
    } else {
      StandardError.writeLine("photospots: \(event)")
    }
  }
}

/// What is said once about a feed.
private struct FeedLastWords {
  private var didTell = false

  mutating func passOverUntimed() {
    guard !didTell else { return }
    didTell = true
    StandardError.writeLine(
      "photospots: some positions of the feed have no date; they are passed over")
  }
}

/// The flag of every command that uses what is remembered of notifications.
struct StateArguments: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: ArgumentHelp(
      "The folder of cooldowns and history (default: \(Places.displayed(Places.state))).",
      valueName: "dir"),
    completion: .directory)
  var path: String?

  var folder: FilePath { path.map(Places.absolute) ?? Places.state }
}
