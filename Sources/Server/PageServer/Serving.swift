import Encodings
import FeedServer
import FeedSources
import IndexUpdates
import MQTTBroker
import PhotoLibrary
import PhotoMetadata
package import ProcessControl
import ProgramSettings
import SpotAlerts
package import SpotService
import SpotWatcher
import Storage
import Synchronization
import SystemPackage
import WatchService
import WebService

/// A page server with one library: the page and its API, the watch, and the update of the index, in
/// one process.
///
/// A program creates it, starts it, and stops it when its interruption is requested.
package final class Serving: Sendable {
  private let configuration: ServeConfiguration
  private let settings: SettingsInForce
  private let interruption: Interruption
  private let actionKey: AlertActionKey?
  private let sessions: ServeSessions
  private let phones: ServedPhones
  private let parts = Mutex<Parts?>(nil)

  /// The key with which programs send requests.
  package let key: SessionKey

  /// What runs between start and stop.
  private struct Parts: Sendable {
    let server: WebServer
    let watch: Watch
    let events: ServeEvents
    let indexing: ServedIndexing
    let remote: RemoteUpdateLoop
    let certificate: HomeCertificate?
  }

  /// Reads or creates the keys, and the sessions of browsers.
  ///
  /// - Parameters:
  ///   - configuration: What is served.
  ///   - settings: The settings, which may change while the server runs.
  ///   - interruption: Ends updates of the index; it must be requested before ``stop()``.
  /// - Throws: A `MessageError` if a key cannot be read or written.
  package init(
    _ configuration: ServeConfiguration, _ settings: SettingsInForce,
    orUntil interruption: Interruption
  ) throws {
    (self.configuration, self.settings) = (configuration, settings)
    self.interruption = interruption
    let (folder, makesNew) = (configuration.stateFolder, configuration.makesNewKey)
    key = try ServeKey(in: folder).key(makesNew: makesNew)
    sessions = try ServeSessions(in: folder, of: key.hashes, log: configuration.log)
    phones = try ServedPhones(in: folder, log: configuration.log) { [sessions] in
      sessions.endAll(ofPhonesExcept: $0)
    }
    let secret = try ServeKey(in: folder, for: .action).key(makesNew: makesNew)
    actionKey = AlertActionKey(Array(secret.text.utf8))
  }

  /// Starts to serve, to watch and to update the index.
  ///
  /// - Returns: The address of the page, with a slash at its end. It is also stored for
  ///   `photospots serve --open`.
  /// - Throws: ``UnmadeCertificate``; another error if another watch uses the state folder, the
  ///   address cannot be listened on, or a setting is invalid.
  package func start() throws -> String {
    let log = configuration.log
    let poorPhotos = KeptPoorPhotos(in: configuration.cachesFolder, log: log)
    let state = try ServedState(
      index: ServedIndex(configuration.cache, poorPhotos.photos, log: log), settings: settings,
      stateFolder: configuration.stateFolder, letsNobodyIn: configuration.letsNobodyIn, log: log)
    let home = try configuration.isForHome ? homeCertificate() : nil
    let certificate = home?.certificate
    let service = Service(try serviceConfiguration(home?.authority), sources: state)
    let hub = EventHub(boot: Self.boot)
    let watching = Mutex<Watch?>(nil)
    let events = ServeEvents(
      hub, service, state, settingsChanged: { watching.withLock { $0 }?.readAgain() },
      phonesChanged: phones.readAgain)

    // This comes first because it fails if another instance is running.
    let watch = try watch(state, events)
    watching.withLock { $0 = watch }
    let inlet = FeedInlet()
    let requests = try ScanRequests()
    let control = IndexingControl(requests)
    let folders = FolderRequests(
      found: FoundFolders(home: configuration.homeFolder), control: control, service: service
    ) { (try? state.library().index.roots.map(\.path)) ?? [] }
    let work = ServeWork(
      service, state, settings, events, requests,
      ServedPictures(configuration, settings) { name in
        if poorPhotos.add(name) { events.checkForChanges() }
      },
      ServedTiles(settings, cachesFolder: configuration.cachesFolder, log: log), folders)
    let server: WebServer
    do { server = try self.server(service, work, hub, inlet, watch, certificate?.files) } catch {
      // Another attempt may follow, at another address.
      waitFor { await watch.stop() }
      throw error
    }
    certificate?.keepCurrent { server.renewCertificate(log: log) }
    let board = configuration.homeAssistant
    board?.begin(with: watch.session, stateFolder: configuration.stateFolder)
    try watch.start(feeds(inlet), access: access()) { board?.take($0, of: watch.session) }
    events.start()
    let updates = ServedUpdates(configuration, settings, interruption)
    let indexing = ServedIndexing(control, orUntil: interruption, log: log) {
      [scanned = configuration.scanned] in
      try updates.folders(
        requests, wanted: control.wanted,
        ServedIndexing.Reports(events, control, scanned: scanned))
    }
    let remote = try updates.libraries { events.checkForChanges() }
    remote.start(orUntil: interruption)
    parts.withLock {
      $0 = Parts(
        server: server, watch: watch, events: events, indexing: indexing, remote: remote,
        certificate: certificate)
    }
    return try storedAddress(of: server.place)
  }

  /// Reads the settings, the index and the certificate again. If the certificate cannot be used,
  /// the error is reported and the old one stays in use.
  package func readAgain() {
    guard let parts = parts.withLock({ $0 }) else { return }
    parts.watch.readAgain()
    parts.server.renewCertificate(log: configuration.log)
  }

  /// Creates a code that lets one browser in, once and within ten minutes.
  ///
  /// - Throws: A `Problem` if it cannot be stored.
  package func makeCode() throws(Problem) -> PairingCode {
    try sessions.makeCode(forPhone: nil)
  }

  /// Stops the server, the watch and the updates.
  package func stop() {
    guard let parts = parts.withLock({ $0.take() }) else { return }
    parts.certificate?.stop()
    parts.events.stop()
    ServeAddress(in: configuration.stateFolder).forget()
    waitFor { await parts.server.stop(grace: .seconds(2)) }
    waitFor { await parts.watch.stop() }
    configuration.homeAssistant?.stop()
    parts.indexing.finish()
    parts.remote.finish()
  }

  /// A random identifier of this run of the program.
  package static var boot: String {
    var generator = SystemRandomNumberGenerator()
    return String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36)
  }

  // MARK: - Parts

  private func serviceConfiguration(
    _ authority: MachineAuthority?
  ) throws -> Service.Configuration {
    var service = Service.Configuration(
      version: PhotoSpotsVersion.current,
      hosts: try HostRule(settings.settings, at: configuration.place), key: key.hashes,
      actionKey: actionKey, description: APIDescription.bytes,
      features: Self.features + (authority == nil ? [] : ["authority"])
        + (configuration.followsLANSetting ? ["lan"] : []))
    service.authority = authority
    service.displayedHost = try displayedHost(of: configuration.place)
    service.sessions = sessions
    service.phones = AnsweredPhones(phones: phones, address: try phoneAddress(configuration.place))
    service.usedLinks = try ServedLinks(in: configuration.stateFolder, log: configuration.log)
    service.keyAdvice =
      "'photospots serve --open' opens the page; a browser that is logged in can make a code."
    return service
  }

  /// The optional features of this machine.
  private static var features: [String] {
    PhotoFormats.decodesHEIF ? ["HEIF", "recreations"] : ["recreations"]
  }

  private func watch(_ state: ServedState, _ events: ServeEvents) throws -> Watch {
    let recreations = RecreationTimes(
      stateFolder: configuration.stateFolder, log: configuration.log)
    let sources = try WatchSources(
      cache: configuration.cache, muteList: state.muteList, refusesLaterPhotos: true,
      recreations: recreations.source, places: state.ownPlaces.source,
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
    return try Watch(
      sources, spots: spots, stateFolder: configuration.stateFolder,
      devices: Watch.Devices(
        folder: configuration.stateFolder, keepsTrails: configuration.keepsTrails),
      notifiers: configuration.notifiers
        + (configuration.homeAssistant.map { [$0.notifier] } ?? [])
    ) { [watched = configuration.watched] event in
      if case .decided(let fix) = event {
        if state.liveDevices.record(fix) { events.sendPosition(fix) }
        events.checkForChanges()
      }
      watched(event)
    }
  }

  private func feeds(_ inlet: FeedInlet) -> [Feed] {
    [Feed(origin: .inlet(inlet), label: "/feed", deviceName: "phone")] + configuration.feeds()
  }

  private func access() throws -> FeedAccess {
    FeedAccess(
      tokens: try settings.settings.listenTokens, mqttPassword: try settings.settings.mqttPassword)
  }

  private func server(
    _ service: Service, _ work: ServeWork, _ hub: EventHub, _ inlet: FeedInlet, _ watch: Watch,
    _ homeFiles: TLSFiles?
  ) throws -> WebServer {
    var feed = WebServer.Feed(
      tokens: try settings.settings.listenTokens, reply: watch.replies.reply, take: inlet.take)
    feed.phones = phones
    let metrics = ServiceMetrics(
      of: watch, configuration.cache,
      clusterRadius: { [settings] in settings.clusterRadiusMeters },
      eventClients: { hub.listenerCount }
    ).page(token: try settings.settings.metricsToken)
    return try waitForResult { [configuration, feed] in
      try await WebServer(
        at: configuration.place, tls: homeFiles ?? configuration.tls,
        keepsLocalPlain: homeFiles != nil,
        isBehindProxy: configuration.isBehindProxy, service: service, outside: work, events: hub,
        feed: feed, metrics: metrics,
        report: { [log = configuration.log] in log.problem("\($0)") })
    }
  }

  private func homeCertificate() throws(UnmadeCertificate) -> (
    certificate: HomeCertificate, authority: MachineAuthority?
  ) {
    do {
      let certificate = try HomeCertificate(
        in: configuration.stateFolder, settings, log: configuration.log)
      return (certificate, try certificate.machineAuthority())
    } catch { throw UnmadeCertificate(reason: "\(error)") }
  }

  /// The host of the page's address: one that is in the certificate, and that phones know.
  private func displayedHost(of place: HostAndPort) throws -> String {
    guard configuration.isForHome else { return MachineNames.displayed(place) }
    return MachineNames.bracketed(
      MachineNames.reachedAtHome(place, named: try settings.settings.serveHosts))
  }

  private func phoneAddress(_ place: HostAndPort) throws -> PhoneAddress {
    PhoneAddress(
      setting: { [settings] in try? settings.settings.pageAddress },
      hosts: try settings.settings.serveHosts, place: place,
      isSecured: configuration.tls != nil || configuration.isForHome,
      isForHome: configuration.isForHome, isBehindProxy: configuration.isBehindProxy)
  }

  /// Returns the address of the page, and stores it for `serve --open`.
  private func storedAddress(of place: HostAndPort) throws -> String {
    let isSecured = configuration.tls != nil || configuration.isForHome
    let address = "\(isSecured ? "https" : "http")://\(try displayedHost(of: place)):\(place.port)/"
    let folder = configuration.stateFolder
    let forPhones = try phoneAddress(place).page
    do throws(Errno) {
      try ServeAddress(in: folder).store(
        address, forPhones: forPhones, letsNobodyIn: configuration.letsNobodyIn)
    } catch {
      throw MessageError("the address cannot be stored in \(folder.escaped): \(error)")
    }
    return address
  }
}

/// The certificate for phones of the network cannot be made.
package struct UnmadeCertificate: Error, CustomStringConvertible {
  let reason: String

  /// The reason.
  package var description: String { reason }
}
