import ArgumentParser
import Dispatch
import PageServer
import ProcessControl
import ProgramSettings
import SpotService
import Synchronization
import TerminalOutput

/// A run of `photospots serve` with one library: starts the page server, prints its address, and
/// stops it when the process is asked to stop. After a change of the setting `lan` it starts anew,
/// unless an option decides instead.
struct ServeRun {
  /// The server that runs, for what is done at a signal.
  private final class Current: Sendable {
    let serving = Mutex<(serving: Serving, address: String)?>(nil)
  }

  private var command: ServeCommand
  private let settings: SettingsInForce
  private let interruption: Interruption
  private let opener: PageOpener
  private var isFirst = true
  private let current = Current()

  init(_ command: ServeCommand, _ settings: SettingsInForce, _ interruption: Interruption) {
    (self.command, self.settings, self.interruption) = (command, settings, interruption)
    opener = PageOpener(stateFolder: command.state.folder)
  }

  /// Serves until the process is asked to stop.
  mutating func run() throws {
    try noteConflict()
    let hangup = try Hangup.calling { [current] in
      current.serving.withLock { $0 }?.serving.readAgain()
    }
    let request = try Hangup.callingForCode { [current] in
      if let (serving, address) = current.serving.withLock({ $0 }) {
        Self.reportAgain(address, serving)
      }
    }
    var isWanted = try letsPhonesIn
    repeat {
      let run = self
      func isCurrent() -> Bool {
        !run.command.followsLANSetting || isWanted == (try? run.letsPhonesIn) ?? isWanted
      }
      try serve(isForHome: isWanted, while: isCurrent)
      if !isCurrent() { isWanted.toggle() }
      // What was done at the start is not done again.
      (command.newKey, command.browser) = (false, false)
    } while !interruption.isRequested
    hangup.cancel()
    request.cancel()
    opener.forget()
  }

  /// Whether phones of the network are to open the page.
  private var letsPhonesIn: Bool {
    get throws { try command.letsPhonesIn(settings.settings) }
  }

  /// Says which of the setting and an option that exclude each other has no effect.
  private func noteConflict() throws {
    guard try !command.lan && settings.settings.lan else { return }
    if command.certificate != nil {
      StandardError.writeLine(
        "photospots: the setting lan has no effect, since --certificate provides TLS")
    } else if command.behindProxy {
      StandardError.writeLine(
        "photospots: the setting lan is on, so --behind-proxy has no effect")
    }
  }

  /// Serves until the process is asked to stop, or as long as a condition holds.
  private mutating func serve(isForHome: Bool, while isWanted: () -> Bool) throws {
    let stop = try PartInterruption(of: interruption)
    let (serving, address) = try start(isForHome: isForHome, orUntil: stop.interruption)
    current.serving.withLock { $0 = (serving, address) }
    do { try report(address, serving) } catch {
      // Whoever read the first address may be gone.
      guard !isFirst else { throw error }
      StandardError.writeLine("photospots: \(error)")
    }
    isFirst = false
    Self.wait(for: interruption, while: isWanted)
    current.serving.withLock { $0 = nil }
    if interruption.isRequested { ServiceNotices().stopping() }
    stop.request()
    serving.stop()
  }

  /// Starts the server. If phones cannot be let in as the setting asks for, this is reported, and
  /// the page is served for this machine, unless a proxy is expected to reach it.
  private func start(
    isForHome: Bool, orUntil stop: Interruption
  ) throws -> (Serving, address: String) {
    func started(isForHome: Bool, letsNobodyIn: Bool = false) throws -> (Serving, address: String) {
      var configuration = try command.configuration(settings, isForHome: isForHome)
      configuration.letsNobodyIn = letsNobodyIn
      let serving = try Serving(configuration, settings, orUntil: stop)
      return (serving, try serving.start())
    }
    do { return try started(isForHome: isForHome) } catch {
      guard isForHome, !command.lan, !command.behindProxy, !isFirst || error is UnmadeCertificate
      else { throw error }
      StandardError.writeLine("photospots: phones of this network cannot be let in: \(error)")
      return try started(isForHome: false, letsNobodyIn: true)
    }
  }

  /// Prints the address and, if requested, opens it in a browser.
  ///
  /// People get a code that works once, since browsers keep addresses in their history. A program
  /// that reads the output gets the key, with which it sends its requests.
  private func report(_ address: String, _ serving: Serving) throws {
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
  private static func reportAgain(_ address: String, _ serving: Serving) {
    do {
      try StandardOutput.write("\(address)#pair=\(try serving.makeCode().text)\n")
    } catch { StandardError.writeLine("photospots: \(error)") }
  }

  /// Reports to the service manager that the server is ready, and that it is alive, until the
  /// process is asked to stop, or a condition no longer holds.
  static func wait(for interruption: Interruption, while holds: () -> Bool = { true }) {
    var notices = ServiceNotices()
    notices.ready()
    repeat { notices.alive() } while !interruption.isRequested(within: .seconds(1)) && holds()
  }
}

extension ServeCommand {
  /// Returns what the options ask to serve. The receivers of alerts are created here.
  fileprivate func configuration(
    _ settings: SettingsInForce, isForHome: Bool
  ) throws -> ServeConfiguration {
    let cache = index.cache
    var serve = ServeConfiguration(
      cache: cache, stateFolder: state.folder, place: try place(isForHome: isForHome))
    (serve.tls, serve.isForHome) = (tlsFiles, isForHome)
    serve.isBehindProxy = behindProxy && !isForHome
    serve.followsLANSetting = followsLANSetting
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
