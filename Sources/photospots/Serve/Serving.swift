import ArgumentParser
import CLibrary
import Dispatch
import FeedServer
import FeedSources
import PhotoLibrary
import SpotAlerts
import SpotService
import Synchronization
import SystemPackage
import WatchService
import WebService

/// A run of `photospots serve`: the server, the watch and the update of the index.
struct Serving {
  private let command: ServeCommand
  private let settings: SettingsInForce
  private let interruption: FileDescriptor
  private let stateFolder: FilePath
  private let place: HostAndPort
  private let key: SessionKey
  private let actionKey: AlertActionKey?

  init(
    _ command: ServeCommand, _ settings: SettingsInForce, _ interruption: FileDescriptor
  ) throws {
    self.command = command
    self.settings = settings
    self.interruption = interruption
    stateFolder = command.state.folder
    place = try command.place()
    key = try ServeKey(in: stateFolder).key(makesNew: command.newKey)
    let secret = try ServeKey(in: stateFolder, for: .action).key(makesNew: command.newKey)
    actionKey = AlertActionKey(Array(secret.text.utf8))
  }

  /// Serves until the process is asked to stop.
  func run() throws {
    let state = try ServedState(
      index: ServedIndex(command.index.cache), settings: settings, stateFolder: stateFolder)
    let service = Service(try configuration(), sources: state)
    let hub = EventHub(boot: Self.boot)
    let watching = Mutex<Watch?>(nil)
    let events = ServeEvents(hub, service, state) { watching.withLock { $0 }?.readAgain() }

    // This comes first because it fails if another instance is running.
    let home = try command.receivers.homeAssistantConnection(
      settings: settings.settings, isLive: true)
    let watch = try watch(state, events, home)
    watching.withLock { $0 = watch }
    let inlet = FeedInlet()
    let requests = try ScanRequests()
    let work = ServeWork(service, state, settings, events, requests)
    let server = try server(service, work, hub, inlet, watch)
    home?.begin(with: watch.session, stateFolder: stateFolder)
    try watch.start(try feeds(inlet), access: access()) { home?.take($0, of: watch.session) }
    events.start()
    let indexing = ServedIndexing(orUntil: interruption) { [command, settings] in
      try command.indexUpdates(settings, requests, ServedIndexing.Reports(events))
    }
    let remote = try command.remoteUpdates(settings) { events.checkForChanges() }
    remote.start(orUntil: interruption)
    let hangup = try Hangup.calling {
      watch.readAgain()
      Self.renewCertificate(of: server)
    }
    let opener = PageOpener(stateFolder: stateFolder)
    try reportAddress(server.place, opener)

    try Self.waitForInterruption(interruption)
    ServiceNotices().stopping()
    hangup.cancel()
    events.stop()
    opener.forget()
    waitFor { await server.stop(grace: .seconds(2)) }
    waitFor { await watch.stop() }
    home?.stop()
    indexing.finish()
    remote.finish()
  }

  /// A random identifier of this run of the program.
  static var boot: String {
    var generator = SystemRandomNumberGenerator()
    return String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36)
  }

  // MARK: - Parts

  private func configuration() throws -> Service.Configuration {
    Service.Configuration(
      version: PhotoSpotsVersion.current,
      hosts: try command.hostRule(settings.settings, at: place), key: key.hashes,
      actionKey: actionKey, description: APIDescription.bytes, features: Self.features)
  }

  /// The optional features of this build.
  private static var features: [String] {
    #if HEIF
      ["HEIF", "recreations"]
    #else
      ["recreations"]
    #endif
  }

  private func watch(
    _ state: ServedState, _ events: ServeEvents, _ home: HomeAssistantConnection?
  ) throws -> Watch {
    let sources = try WatchSources(
      cache: command.index.cache, muteList: state.muteList, refusesLaterPhotos: true,
      recreations: RecreationTimes(stateFolder: stateFolder).source, places: state.ownPlaces.source,
      readAlerts: { [settings, actionKey] in
        let settings = settings.settings
        var alerts = try settings.alerts
        if let page = try settings.pageAddress, let actionKey {
          alerts.links = AlertLinks(page: page, key: actionKey)
        }
        return alerts
      },
      readRules: { [settings] in try settings.settings.watcher })
    let spots = (try? state.library().spots) ?? SpotIndex(spots: [])
    let reports = WatchReports(WatchOutput(), greets: false)
    return try Watch(
      sources, spots: spots, stateFolder: stateFolder,
      devices: Watch.Devices(folder: stateFolder, keepsTrails: command.keepTrail),
      notifiers: try command.receivers.notifiers(
        settings: settings.settings, isLive: true, scratchFolder: stateFolder)
        + (home.map { [$0.notifier] } ?? [])
    ) { event in
      if case .decided(let fix) = event {
        if state.liveDevices.record(fix) { events.sendPosition(fix) }
        events.checkForChanges()
      }
      reports.report(event)
    }
  }

  private func feeds(_ inlet: FeedInlet) throws -> [Feed] {
    try [Feed(origin: .inlet(inlet), label: "/feed", deviceName: "phone")]
      + command.feedArguments().map { $0.feed(follow: false, format: nil) }
  }

  private func access() throws -> FeedAccess {
    FeedAccess(
      tokens: try settings.settings.listenTokens, mqttPassword: try settings.settings.mqttPassword)
  }

  private func server(
    _ service: Service, _ work: ServeWork, _ hub: EventHub, _ inlet: FeedInlet,
    _ watch: Watch
  ) throws -> WebServer {
    let tokens = try settings.settings.listenTokens
    let metrics = ServiceMetrics(
      of: watch, command.index.cache, clusterRadius: { [settings] in settings.clusterRadiusMeters },
      eventClients: { hub.listenerCount }
    ).page(token: try settings.settings.metricsToken)
    return try waitForResult { [command, place] in
      try await WebServer(
        at: place, tls: command.tlsFiles, isBehindProxy: command.behindProxy, service: service,
        outside: work,
        events: hub,
        feed: WebServer.Feed(tokens: tokens, reply: watch.replies.reply, take: inlet.take),
        metrics: metrics,
        report: { StandardError.writeLine("photospots: \($0)") })
    }
  }

  /// Loads a renewed certificate. If it cannot be used, the error is reported and the old one stays
  /// in use.
  static func renewCertificate(of server: WebServer) {
    do throws(WebServerError) { try server.renewCertificate() } catch {
      StandardError.writeLine("photospots: \(error); the previous certificate stays in use")
    }
  }

  // MARK: - Messages

  /// Prints the address and, if requested, opens it in a browser.
  private func reportAddress(_ place: HostAndPort, _ opener: PageOpener) throws {
    let scheme = command.certificate == nil ? "http" : "https"
    let address = "\(scheme)://\(MachineNames.displayed(place)):\(place.port)/#key=\(key.text)"
    try StandardOutput.write(address + "\n")
    StandardError.note("the page is at the address above; Ctrl-C stops the server")
    var notices = ServiceNotices()
    notices.ready()
    notices.alive()
    let opens = command.browser ?? (StandardOutput.isTerminal && PageOpener.hasDesktop)
    guard opens else { return }
    do {
      try opener.open(address)
    } catch { StandardError.writeLine("photospots: \(error)") }
  }

  /// Waits until the process is asked to stop, and meanwhile sends keep-alive notices to the
  /// service manager.
  static func waitForInterruption(_ interruption: FileDescriptor) throws {
    var notices = ServiceNotices()
    var wait = pollfd(fd: interruption.rawValue, events: Int16(POLLIN), revents: 0)
    while poll(&wait, 1, 1000) <= 0 { notices.alive() }
  }
}
