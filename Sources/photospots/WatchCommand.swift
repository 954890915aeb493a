import ArgumentParser
import Interchange
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotWatcher
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
      A recorded file is replayed by its own clock, as if nothing had ever fired, and leaves nothing behind \
      unless --record says so. Standard input and a followed file are live: fixes older \
      than the setting maximumFixAge do not fire. What fired is remembered, so that a spot stays silent for \
      the setting cooldown, also after a restart. A live watch takes a new index as soon as one is written, \
      and at once on SIGHUP, which also reads the settings again.

      When the feed ends, each receiver has been told of everything once. What one did not take is said, and the \
      exit status is 3.
      """)

  @OptionGroup var feed: FeedArguments

  @Flag(help: "Replay standard input or a FIFO by the clock of its fixes too.")
  var replay = false

  @Flag(help: "Remember what a recorded file fires: cooldowns and history, as of a live feed.")
  var record = false

  @Flag(help: "In a replay, let spots not fire whose photos were taken later.")
  var asOfThen = false

  @OptionGroup var receivers: ReceiverArguments

  @Option(
    help: ArgumentHelp(
      "How long to wait at the end for further tries of what a receiver did not take (default: each is tried once).",
      valueName: "time"))
  var drainTimeout: SecondsArgument?

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

  func validate() throws {
    if let drainTimeout, !(0...86_400).contains(drainTimeout.seconds) {
      throw ValidationError("--drain-timeout must be 0 s to 24 h")
    }
  }

  func run() throws {
    StandardError.isStructured.store(logFormat == .json, ordering: .relaxed)
    let sources = try sources()
    let radius = sources.rules.clusterRadiusMeters
    let photos = try index.open(clusterRadius: radius)
    let spots = SpotIndex(photos, clusterRadius: radius)
    if spots.spots.isEmpty {
      StandardError.writeLine(
        "photospots: the index holds no photo with a position, so nothing can fire")
    }
    let interruption = try Interruption.observe()
    let feeds = try feed.open(sources.settings)
    let isLive = feeds.isLive && !replay
    let stateFolder = isLive || record ? state.folder : nil
    let scratch = stateFolder == nil && receivers.hook != nil ? try ScratchFolder() : nil
    defer { withExtendedLifetime(scratch) {} }
    let notifiers = try notifiers(
      sources.settings, isLive: isLive,
      scratchFolder: scratch?.path ?? state.folder)
    if StandardError.isTerminal {
      let count = spots.spots.count
      StandardError.writeLine(
        """
        photospots: \(Count.text(count)) \(count == 1 ? "spot" : "spots"); \
        \(isLive ? "waiting for" : "reading") \(feeds.names)
        """)
    }
    let output = WatchOutput()
    var watcherSettings = sources.watcherSettings
    watcherSettings.refusesLaterPhotos = isLive || asOfThen
    let session = try WatchSession(
      stateFolder: stateFolder, spots: spots, pasts: SpotPasts(of: spots),
      settings: watcherSettings, isLive: isLive, notifiers: notifiers,
      report: { Self.tell($0, output) })
    let run = WatchRun(
      session: session, output: output, interruption: interruption,
      drainSeconds: drainTimeout?.seconds, stateFolder: stateFolder)
    try run.deliver { try read(feeds, sources, isLive: isLive, run) }
  }

  /// Reads the feeds to their ends, and takes what changes on the disk meanwhile.
  private func read(
    _ feeds: FeedRun, _ sources: WatchSources, isLive: Bool, _ run: WatchRun
  ) throws {
    let session = run.session
    // A replay is the same each time, whatever is written meanwhile.
    let updates = isLive ? try WatchUpdates(of: sources, for: session) : nil
    defer { updates?.stop() }
    var notices = ServiceNotices()
    notices.ready()
    var words = FeedWords(greetsFirst: isLive && StandardError.isTerminal)
    var devices =
      isLive ? try DeviceLog(in: state.folder, keepsTrails: keepTrail, now: .now) : nil
    if let damage = devices?.damage { StandardError.writeLine("photospots: \(damage)") }
    // What is answered as taken is on the disk.
    func save() -> Bool {
      Self.telling { () throws(DeviceLogError) in try devices?.save() } != nil
    }
    defer { _ = save() }
    try feeds.read(orUntil: run.interruption, commit: save) { reading in
      notices.alive()
      try run.output.check()
      // The positions in a document are of the past, also when it comes through a pipe.
      let stampsUntimed = isLive && reading.format?.isDocument != true
      words.greet(reading.fixes)
      for fix in reading.fixes {
        guard fix.time != nil || stampsUntimed else {
          words.passOverUntimed()
          continue
        }
        let decisions = Self.telling { () throws(AlertStateError) in
          try session.process(fix, isSentAgain: reading.isSentAgain)
        }
        guard let decisions else {
          // A disk that is full now need not be so with the next fix; what is sent again comes
          // again in whole.
          if reading.isSentAgain { return false }
          continue
        }
        devices?.note(decisions)
        try explain(decisions)
      }
      if isLive {
        try explain(Self.telling { () throws(AlertStateError) in try session.tick() } ?? [])
        _ = Self.telling { () throws(DeviceLogError) in try devices?.saveIfDue(now: .now) }
      }
      return true
    }
    if !Interruption.isRequested {
      try explain(Self.telling { () throws(AlertStateError) in try session.finish() } ?? [])
    }
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

  private func notifiers(
    _ settings: Settings, isLive: Bool, scratchFolder: FilePath
  ) throws -> [any Notifier] {
    let isText = format.map { $0 == .text } ?? (StandardOutput.isTerminal && !explain)
    return [StandardOutputNotifier(format: isText ? .text : .ndjson)]
      + (try receivers.notifiers(
        settings: settings, isLive: isLive, scratchFolder: scratchFolder))
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

  /// Does what the watch goes on without where it fails, which is told; then there is no result.
  private static func telling<Value, Reason: Error>(
    _ body: () throws(Reason) -> Value
  ) -> Value? {
    do throws(Reason) {
      return try body()
    } catch {
      StandardError.writeLine("photospots: \(error)")
      return nil
    }
  }

  private static func tell(_ event: AlertEvent, _ output: WatchOutput) {
    switch event {
    case .receiverClosed: output.close()
    case .receiverLost(_, let reason): output.lose(reason)
    default: StandardError.writeLine("photospots: \(event)")
    }
  }
}

/// What is said once about a feed.
private struct FeedWords {
  /// Whether it is still to be told that positions come.
  private var greetsFirst: Bool
  private var didTell = false

  init(greetsFirst: Bool) { self.greetsFirst = greetsFirst }

  /// Tells that the first position has come, and not where it is.
  mutating func greet(_ fixes: [LocationFix]) {
    guard greetsFirst, let fix = fixes.first else { return }
    greetsFirst = false
    let device = fix.device.map { " of \($0.escaped)" } ?? ""
    let accuracy = fix.accuracyClass.map { ", \($0.rawValue)" } ?? ""
    StandardError.writeLine("photospots: the first position\(device) has come\(accuracy)")
  }

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
