import ArgumentParser
import Interchange
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import Storage
import Synchronization
import SystemPackage

/// `photospots watch`
struct WatchCommand: ParsableCommand {
  /// How notifications are written to standard output.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, ndjson
  }

  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow a GPS feed, and tell once per visit when a spot is near.",
    discussion: """
      A recorded file is replayed by its own clock. Standard input and a followed file are live: fixes older \
      than the setting maximumFixAge do not fire. What fired is remembered, so that a spot stays silent for \
      the setting cooldown, also after a restart. A live watch takes a new index as soon as one is written, \
      and at once on SIGHUP.
      """)

  @OptionGroup var feed: FeedArguments

  @Flag(help: "Replay standard input or a FIFO by the clock of its fixes too.")
  var replay = false

  @OptionGroup var receivers: ReceiverArguments

  @Flag(help: "Print every decision as NDJSON, with the figures that decided.")
  var explain = false

  @Option(help: "How to write notifications (default: text on a terminal, ndjson otherwise).")
  var format: Format?

  @Option(
    help: ArgumentHelp("How near a spot is near, instead of proximityRadius.", valueName: "m"))
  var radius: String?

  @Option(
    help: ArgumentHelp("How long a spot stays silent after it fired: 24h.", valueName: "time"))
  var cooldown: String?

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments

  func run() throws {
    var overrides: [Setting: Settings.Source] = [:]
    overrides[.proximityRadius] = radius.map {
      Settings.Source(text: $0, origin: .flag("--radius"))
    }
    overrides[.cooldown] = cooldown.map { Settings.Source(text: $0, origin: .flag("--cooldown")) }
    let settings = try settings.resolve(overrides: overrides)
    // Before it is loaded, so that one that is written meanwhile is noticed.
    let stamp = index.cache.stamp()
    let photos = try index.load()
    let list = photos.spots(clusterRadius: settings.clusterRadiusMeters)
    let spots = SpotIndex(spots: list)
    if spots.spots.isEmpty {
      StandardError.writeLine(
        "photospots: the index holds no photo with a position, so nothing can fire")
    }
    let interruption = try Interruption.observe()
    var source = try feed.open()
    let isLive = source.isLive && !replay
    let session = try WatchSession(
      stateFolder: state.folder, spots: spots, pasts: SpotPasts(of: list, in: photos),
      settings: settings.watcher, isLive: isLive,
      notifiers: notifiers(settings, isLive: isLive), report: Self.tell)
    session.start()
    // A replay is the same each time, whatever happens to the index meanwhile.
    let follower =
      isLive
      ? try IndexFollower(
        cache: index.cache, from: stamp, clusterRadiusMeters: settings.clusterRadiusMeters,
        session: session) : nil
    defer { follower?.stop() }
    var lastWords = FeedLastWords()
    try feed.read(&source, orUntil: interruption) { fixes, format in
      // The positions in a document are of the past, also when it comes through a pipe.
      let stampsUntimed = isLive && format?.isDocument != true
      for fix in fixes {
        if fix.time == nil, !stampsUntimed {
          lastWords.passOverUntimed()
        } else {
          try explain(Self.carryingOn { () throws(AlertStateError) in try session.process(fix) })
        }
      }
      if isLive {
        try explain(Self.carryingOn { () throws(AlertStateError) in try session.tick() })
      }
    }
    waitFor(orUntil: interruption) { await session.drain() }
    waitFor { await session.stop() }
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
    try StandardOutput.write(writer.bytes)
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
      "The folder of cooldowns and history, instead of photospots in $XDG_STATE_HOME.",
      valueName: "dir"))
  var path: String?

  var folder: FilePath { path.map(Places.absolute) ?? Places.state }
}
