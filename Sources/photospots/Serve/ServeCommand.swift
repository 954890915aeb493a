import ArgumentParser
import FeedServer
import FeedSources
import LocationFeeds
import PhotoLibrary
import SpotAlerts
import SpotService
import Storage
import SystemPackage
import WatchService
import WebService

/// The command `photospots serve`.
struct ServeCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show the map, what is near and the years of a place in a browser, and watch.",
    discussion: """
      One process for all: the page, its API, the address that phones send their position to, and the watch. \
      Named folders are indexed first, and all folders of the index are kept current. The page is for this \
      machine alone, unless --listen names another address, which needs a certificate or a proxy.

        photospots serve ~/Pictures
        photospots serve --source gpsd://localhost --hook ./ring.sh
        photospots serve --listen 0.0.0.0:8090 --certificate cert.pem --key key.pem

      The address that is printed holds a key, which opens the page once; after that the browser knows it. \
      Apps on phones send to /feed, with a token of the setting listenTokens.
      """)

  @Argument(
    help: ArgumentHelp("Folders of photos to index.", valueName: "folder"), completion: .directory)
  var folders: [String] = []

  @Option(
    help: ArgumentHelp("Where the page is.", valueName: "host:port"))
  var listen = "127.0.0.1:8090"

  @Option(
    help: ArgumentHelp("The certificate chain of the machine, as PEM.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(
    help: ArgumentHelp("The private key of the certificate, as PEM.", valueName: "file"),
    completion: .file())
  var key: String?

  @Flag(help: "A proxy in front speaks TLS; its X-Forwarded-Proto is believed.")
  var behindProxy = false

  @Flag(
    help: "Make other keys: browsers that know the old one are shut out, and links in alerts end.")
  var newKey = false

  @Flag(
    inversion: .prefixedNo,
    help: "Open the page in a browser (default: from a terminal on a desktop).")
  var browser: Bool?

  @Option(
    name: .customLong("source"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A live feed to watch beside what phones send, as 'watch' takes it; may be repeated.",
      valueName: "source"))
  var sources: [String] = []

  @OptionGroup var receivers: ReceiverArguments

  @Flag(help: "Keep where each device went; the page shows it after a restart too.")
  var keepTrail = false

  @OptionGroup var scan: ScanArguments
  @OptionGroup var tracks: TrackArguments
  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    let place = try place()
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key go together")
    }
    if behindProxy, certificate != nil {
      throw ValidationError("behind a proxy that speaks TLS no certificate is needed")
    }
    if !place.isLoopback, certificate == nil, !behindProxy {
      throw ValidationError(
        """
        other machines can reach \(place), and what they send could be read on the way: give --certificate \
        and --key, or --behind-proxy where a proxy on this machine speaks TLS
        """)
    }
    for argument in try feedArguments() {
      switch argument.place {
      case .standardInput, .file:
        throw ValidationError(
          "--source '\(argument.text.escaped)': only live feeds are served: gpsd://host, /dev/ttyUSB0, udp://:port …"
        )
      case .address(.http):
        throw ValidationError(
          "--source '\(argument.text.escaped)': phones send to \(place)/feed, which needs no source"
        )
      case .serialDevice, .address: break
      }
    }
  }

  func run() throws {
    FreedMemory.returnLargePiecesAtOnce()
    let inForce = try SettingsInForce(settingsReader())
    let interruption = try Interruption.observe()
    let serving = try Serving(self, inForce, interruption)
    try serving.run()
  }

  /// Returns a closure that reads the settings, including the assignments of this run.
  func settingsReader() -> @Sendable () throws -> Settings {
    let assignments = settings.assignments
    return { try SettingsArguments.settings(assignments) }
  }

  /// The address that the server listens on.
  func place() throws -> HostAndPort {
    do throws(FeedAddressError) {
      if case .http(let place)? = try FeedAddress("http://" + listen) { return place }
    } catch {}
    throw ValidationError("--listen '\(listen.escaped)': write host:port, such as 127.0.0.1:8090")
  }

  /// Returns the feeds to read.
  func feedArguments() throws -> [FeedArgument] { try sources.map(FeedArgument.init) }

  /// Returns the update loop of the remote libraries that are named or in the index.
  func remoteUpdates(
    _ inForce: SettingsInForce, _ look: @escaping @Sendable () -> Void
  ) throws -> RemoteUpdateLoop {
    let named = try folders.map(Paths.root).compactMap { RemoteLibrary(path: $0.bytes) }
    let cache = index.cache
    return RemoteUpdateLoop(every: WatchTimes().sweepInterval) {
      let settings = inForce.settings
      let radius = try settings.clusterRadiusMeters
      let roots = try cache.open(clusterRadius: radius)?.index.roots ?? []
      let known = roots.compactMap(\.remote).filter { !named.contains($0) }
      return try (named + known).map { library in
        RemoteRun(
          cache: cache, library: library, key: try settings.key(of: library),
          clusterRadiusMeters: radius, isFull: false,
          maximumAgeSeconds: try settings.indexMaxAgeSeconds, showsProgress: false)
      }
    } report: { outcome, isFirst in
      if isFirst || !outcome.report.foundNothingNew {
        StandardError.note(ScanSummary(outcome).line)
      }
      look()
    }
  }

  /// Returns the update loop of the folders that are named or in the index, and of the recreations
  /// folder once it exists; `nil` without folders.
  func indexUpdates(
    _ inForce: SettingsInForce, _ requests: ScanRequests, _ reports: any IndexUpdateReports
  ) throws -> IndexUpdateLoop? {
    let settings = inForce.settings
    let radius = try settings.clusterRadiusMeters
    let known = try index.cache.open(clusterRadius: radius)?.index.roots.map(\.path) ?? []
    let recreations = [try settings.recreationsFolder].filter(Disk.exists)
    let all = try (folders.map(Paths.root) + known + recreations).filter { !$0.isRemote }
    guard !all.isEmpty else { return nil }
    let inference = try tracks.inference(settings)
    var indexing = PhotoIndexer.Settings(
      jobs: scan.jobs, excludes: scan.exclude, isFull: false,
      maximumAgeSeconds: try settings.indexMaxAgeSeconds)
    indexing.readsUnlocated = inference != nil
    return IndexUpdateLoop(
      cache: index.cache, settings: indexing, clusterRadiusMeters: radius, reports: reports,
      requests: requests, tracks: inference,
      watch: LibraryWatch(folders: all, excludes: scan.exclude))
  }
}
