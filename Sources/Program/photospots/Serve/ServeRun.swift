import ArgumentParser
import Dispatch
import PageServer
import ProcessControl
import ProgramSettings
import SpotService

/// A run of `photospots serve` with one library: starts the page server, prints its address, and
/// stops it when the process is asked to stop.
struct ServeRun {
  private let command: ServeCommand
  private let serving: Serving
  private let interruption: Interruption

  init(_ command: ServeCommand, _ settings: SettingsInForce, _ interruption: Interruption) throws {
    (self.command, self.interruption) = (command, interruption)
    serving = try Serving(command.configuration(settings), settings, orUntil: interruption)
  }

  /// Serves until the process is asked to stop.
  func run() throws {
    let address = try serving.start()
    let hangup = try Hangup.calling { [serving] in serving.readAgain() }
    let opener = PageOpener(stateFolder: command.state.folder)
    try report(address, opener)
    let request = try Hangup.callingForCode { [self] in reportAgain(address) }

    Self.wait(for: interruption)
    ServiceNotices().stopping()
    hangup.cancel()
    request.cancel()
    opener.forget()
    serving.stop()
  }

  /// Prints the address and, if requested, opens it in a browser.
  ///
  /// People get a code that works once, since browsers keep addresses in their history. A program
  /// that reads the output gets the key, with which it sends its requests.
  private func report(_ address: String, _ opener: PageOpener) throws {
    if StandardOutput.isTerminal {
      try StandardOutput.write("\(address)#pair=\(try serving.makeCode().text)\n")
      StandardError.note(
        "the page is at the address above, which works once and for ten minutes; Ctrl-C stops the server"
      )
    } else {
      try StandardOutput.write("\(address)#key=\(serving.key.text)\n")
      StandardError.note("the page is at the address above; Ctrl-C stops the server")
    }
    let opens = command.browser ?? (StandardOutput.isTerminal && PageOpener.hasDesktop)
    guard opens else { return }
    do {
      try opener.open("\(address)#pair=\(try serving.makeCode().text)")
    } catch { StandardError.writeLine("photospots: \(error)") }
  }

  /// Prints an address with a new code, as SIGUSR1 asks for.
  private func reportAgain(_ address: String) {
    do {
      try StandardOutput.write("\(address)#pair=\(try serving.makeCode().text)\n")
    } catch { StandardError.writeLine("photospots: \(error)") }
  }

  /// Reports to the service manager that the server is ready, and that it is alive, until the
  /// process is asked to stop.
  static func wait(for interruption: Interruption) {
    var notices = ServiceNotices()
    notices.ready()
    repeat { notices.alive() } while !interruption.isRequested(within: .seconds(1))
  }
}

extension ServeCommand {
  /// Returns what the options ask to serve. The receivers of alerts are created here.
  fileprivate func configuration(_ settings: SettingsInForce) throws -> ServeConfiguration {
    let cache = index.cache
    var serve = ServeConfiguration(
      cache: cache, stateFolder: state.folder, place: try place())
    (serve.tls, serve.isForHome, serve.isBehindProxy) = (tlsFiles, lan, behindProxy)
    (serve.makesNewKey, serve.keepsTrails) = (newKey, keepTrail)
    serve.roots = try folders.map(Paths.root)
    (serve.jobs, serve.options) = (scan.jobs, scan.change(tracks, owner: owner))
    let feeds = try feedArguments()
    serve.feeds = { feeds.map { $0.feed(follow: false, format: nil) } }
    serve.homeAssistant = try receivers.homeAssistantConnection(
      settings: settings.settings, isLive: true, library: cache)
    serve.notifiers = try receivers.notifiers(
      settings: settings.settings, isLive: true, scratchFolder: state.folder, library: cache)
    serve.pictureMaker = .confined
    serve.log = .terminal
    serve.watched = WatchReports(WatchOutput(), greets: false).report
    serve.scanned = { StandardError.note(ScanSummary($0).line) }
    return serve
  }
}
