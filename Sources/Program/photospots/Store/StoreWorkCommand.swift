import ArgumentParser
import ProcessControl
import TerminalOutput

#if Postgres
  import PostgresStore
  import StoreServer
#endif

/// `photospots store work`
struct StoreWorkCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "work",
    abstract: "Compute the spots of photos that were added to a store or removed.",
    discussion: """
      Any number of workers may run at the same time, on any machines; the jobs of a killed worker \
      are taken over by others. A worker continues after an outage of the database. Ctrl-C or \
      SIGTERM ends it after its current job.
      """)

  @Option(help: ArgumentHelp("Only the photos of this owner.", valueName: "name"))
  var owner: String?

  @Flag(help: "End when there is nothing left to do.")
  var once = false

  @OptionGroup var store: StoreAddressArgument
  @OptionGroup var output: OutputArguments

  func run() throws {
    #if Postgres
      let interruption = Interruption(try StopSignal.observe())
      let worker = StoreWorker(
        address: try StoreAddress(store.address), ownerName: owner, isOnce: once,
        interruption: interruption, log: .terminal
      ) { report in
        StandardError.note(
          """
          \(Count.text(report.cellCount, "cell")) with \(Count.text(report.photoCount, "photo")): \
          \(Count.text(report.addedCount, "spot")) written, \(Count.text(report.removedCount)) removed
          """)
      }
      if try !worker.run(), once { throw ExitCode.failure }
    #endif
  }
}
