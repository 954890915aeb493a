import TerminalOutput

#if Postgres
  import Dispatch
  import ArgumentParser
  import PageServer
  import PostgresStore
  import ProcessControl
  import ProgramSettings
  import StoreServer

  /// A run of `photospots serve --store`: starts the server, prints its address, and stops it when
  /// the process is asked to stop.
  struct StoreServeRun {
    private let serving: StoreServing
    private let interruption: Interruption

    init(
      _ command: ServeCommand, _ address: StoreAddress, _ settings: SettingsInForce,
      _ interruption: Interruption
    ) throws {
      self.interruption = interruption
      if try settings.settings.lan {
        StandardError.writeLine("photospots: the setting lan has no effect with --store")
      }
      var serve = StoreServeConfiguration(address, at: try command.place(isForHome: false))
      (serve.tls, serve.isBehindProxy) = (command.tlsFiles, command.behindProxy)
      serve.watchedOwners = command.feeds ? command.watchedOwners : nil
      serve.log = .terminal
      serving = StoreServing(serve, settings)
    }

    /// Serves until the process is asked to stop.
    func run() throws {
      let address = try serving.start()
      let hangup = try Hangup.calling { [serving] in serving.readAgain() }
      try report(address)
      ServeRun.wait(for: interruption)
      ServiceNotices().stopping()
      hangup.cancel()
      serving.stop()
    }

    private func report(_ address: String) throws {
      try StandardOutput.write("\(address)\n")
      StandardError.note(
        "the page is at the address above with #key=KEY; 'photospots store account' creates keys; Ctrl-C stops the server"
      )
    }
  }
#endif
