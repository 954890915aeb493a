import ArgumentParser
import CivilTime
import Encodings
import ProcessControl
import ProgramSettings
import TerminalOutput
import Upkeep

#if Postgres
  import PostgresStore
#endif

/// `photospots status`
struct StatusCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the index, the watch and the devices, and any problems.",
    discussion: """
      The exit status is for monitoring: 0 for no problems, 1 if something does not work, 2 for \
      warnings only: a folder that could not be read, a silent device, no running watch. A hook is \
      checked if --hook names it, the other receivers if they are set. A running 'watch' or 'serve' \
      has metrics for Prometheus at /metrics.
      """)

  @Flag(
    help: """
      List the files that a watch and a server open: contents, owner, permissions, version, readers.
      """)
  var all = false

  @Flag(help: "Write JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("The time after which a device counts as silent.", valueName: "time"))
  var silentAfter = SecondsArgument(seconds: 86_400)

  @OptionGroup var receivers: ReceiverArguments
  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var store: StoreArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard (0...365 * 86_400).contains(silentAfter.seconds) else {
      throw ValidationError("--silent-after must be 0 s to 365 d")
    }
  }

  func run() throws {
    let settings = try SettingsArguments.settings(settings.assignments)
    var check = StatusCheck(
      index.cache, stateFolder: state.folder, settings: settings,
      silenceSeconds: silentAfter.seconds, now: .now)
    check.log = .terminal
    check.checkReceivers = {
      _ = try receivers.notifiers(
        settings: settings, isLive: true, scratchFolder: state.folder, library: index.cache)
    }
    #if Postgres
      if store.isGiven {
        check.openStore = {
          let (connection, owner) = try store.open()
          return (
            try StoredLibraryFacts(of: owner, connection),
            try PostgresSpots(of: owner, connection)
          )
        }
      }
    #endif
    var report = check.report()
    report.listsFiles = all
    if json {
      var writer = JSONWriter(layout: .indented)
      report.write(to: &writer)
      writer.newline()
      try StandardOutput.write(json: writer.takeBytes())
    } else {
      try StandardOutput.write(report.text)
    }
    switch report.severity {
    case .error: throw ExitCode.failure
    case .warning: throw ExitCode.warnings
    case nil: break
    }
  }
}
