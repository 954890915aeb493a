import ArgumentParser
import SystemPackage

#if Postgres
  import PostgresStore
#endif

/// `photospots store work`
struct StoreWorkCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "work",
    abstract: "Make the spots of photos that came into a store, or went.",
    discussion: """
      Any number of workers may run at the same time, on as many machines; one that is killed leaves what it \
      had to the others. A worker goes on when the database was away. Ctrl-C or SIGTERM ends it after the job \
      that it is doing.
      """)

  @Option(help: ArgumentHelp("Only the photos of this owner.", valueName: "name"))
  var owner: String?

  @Flag(help: "End when there is nothing left to do.")
  var once = false

  @OptionGroup var store: StoreAddressArgument
  @OptionGroup var output: OutputArguments

  func run() throws {
    #if Postgres
      let interruption = try Interruption.observe()
      try StoreWorker(
        address: try StoreAddress(store.address), ownerName: owner, isOnce: once,
        interruption: interruption
      ).run()
    #endif
  }
}
