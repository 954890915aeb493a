import ArgumentParser
import Encodings
import FeedSources
import LocationFeeds
import PageServer
import PhotoLibrary
import ProcessControl
import ProgramSettings
import SpotAlerts
import SpotService
import Storage
import SystemPackage
import TerminalOutput
import WatchService

#if Postgres
  import PostgresStore
#endif

/// The command `photospots serve`.
struct ServeCommand: PhotoSpotsSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the page with the map and photos for browsers, and watch.",
    discussion: """
      Runs the page, its API, the address for positions of phones, and the watch in one process. \
      Folders given here are indexed first, and all folders of the index are kept current. Only \
      this machine can open the page, unless --listen gives another address, which needs a \
      certificate or a proxy.

        photospots serve ~/Pictures
        photospots serve --source gpsd://localhost --hook ./ring.sh
        photospots serve --lan
        photospots serve --listen 0.0.0.0:8090 --certificate cert.pem --key key.pem

      With --lan, phones of this network can open the page by https, at the printed address. Its \
      certificate comes from an authority of this machine's own, which is made once, in the state \
      folder. Until a phone trusts it, its browser warns. The setting 'lan', which the page can \
      change, does the same. This machine's own browser needs no https.

      The printed address contains a code, which lets one browser in, once and within ten minutes. \
      'photospots serve --open' and SIGUSR1 make another one. A program that reads the output gets \
      the key instead, with which it sends requests. Phone apps send positions to /feed, with the \
      token that 'photospots phone add' makes for each phone.

      With --store, each account of the store sees its own library, and nothing is indexed. \
      'photospots store account' creates the keys. With --feeds too, phones send positions to \
      /feed with tokens of the accounts, and each account is watched.
      """)

  @Argument(
    help: ArgumentHelp("Folders of photos to index.", valueName: "folder"), completion: .directory)
  var folders: [String] = []

  @Option(
    help: ArgumentHelp(
      "The address of the page (default: 127.0.0.1:8090; with --lan 0.0.0.0:8090).",
      valueName: "host:port"))
  var listen: String?

  @Flag(
    help: "Let phones of this network in, by https with a certificate of this machine's own.")
  var lan = false

  @Option(
    help: ArgumentHelp("The certificate chain of the machine, as PEM.", valueName: "file"),
    completion: .file())
  var certificate: String?

  @Option(
    help: ArgumentHelp("The private key of the certificate, as PEM.", valueName: "file"),
    completion: .file())
  var key: String?

  @Flag(help: "A proxy in front provides TLS; its X-Forwarded-Proto is trusted.")
  var behindProxy = false

  @Flag(
    help:
      "Make new keys: browsers with the old key lose access, and links in alerts become invalid.")
  var newKey = false

  @Flag(
    inversion: .prefixedNo,
    help: "Open the page in a browser (default: from a terminal on a desktop).")
  var browser: Bool?

  @Flag(
    help: "Open the page of the server that is running, with a new code, or print its address.")
  var open = false

  @Option(
    name: .customLong("source"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A live feed to watch besides the phones, written as for 'watch'; may be repeated.",
      valueName: "source"))
  var sources: [String] = []

  @Option(
    help: ArgumentHelp(
      "Serve the libraries of a PostgreSQL store to the accounts that have keys.",
      valueName: "postgres://…"))
  var store: String?

  @Flag(help: "With --store: accept positions at /feed, and watch each account that sends some.")
  var feeds = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --feeds: how many accounts are watched at the same time, 1 to 128 (default: 64).",
      valueName: "n"))
  var watchedAccounts: CountArgument?

  @OptionGroup var receivers: ReceiverArguments

  @Flag(help: "Record the trail of each device; the page shows it after a restart too.")
  var keepTrail = false

  @OptionGroup var scan: ScanArguments
  @OptionGroup var tracks: TrackArguments

  @Option(
    help: ArgumentHelp(
      """
      With --tracks NAME=FOLDER: the person who took the photos. Where tracks contradict each \
      other, only those of this name count.
      """,
      valueName: "name"))
  var owner: String?

  @OptionGroup var state: StateArguments
  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    let place = try place(listen ?? "127.0.0.1:8090")
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--certificate and --key must be used together")
    }
    if behindProxy, certificate != nil {
      throw ValidationError(
        "--behind-proxy cannot be used with --certificate, since the proxy provides TLS")
    }
    if lan, behindProxy || certificate != nil || store != nil {
      let other = behindProxy ? "behind-proxy" : certificate != nil ? "certificate" : "store"
      throw ValidationError(
        "--lan cannot be used with --\(other): it makes a certificate for the page of this machine")
    }
    if !place.isLoopback, certificate == nil, !behindProxy, try !letsPhonesIn(settingsReader()()) {
      throw ValidationError(
        """
        other machines can reach \(place), and their requests could be read in transit: use --lan, \
        --certificate and --key, or --behind-proxy if a proxy on this machine provides TLS
        """)
    }
    try validateStore()
    try tracks.check(owner: owner)
    for argument in try feedArguments() {
      switch argument.place {
      case .standardInput, .file:
        throw ValidationError(
          "--source '\(argument.text.escaped)': only live feeds can be watched here: gpsd://host, /dev/ttyUSB0, udp://:port …"
        )
      case .address(.http):
        throw ValidationError(
          "--source '\(argument.text.escaped)': phones send positions to \(place)/feed; remove this source"
        )
      case .serialDevice, .address: break
      }
    }
  }

  func run() throws {
    FreedMemory.returnLargePiecesAtOnce()
    if open { return try openPage() }
    try MachineZone.check(isLive: true)
    let inForce = try SettingsInForce(settingsReader())
    let interruption = Interruption(try StopSignal.observe())
    StopDeadline.begin(on: interruption.descriptor)
    #if Postgres
      if let store {
        return try StoreServeRun(self, StoreAddress(store), inForce, interruption).run()
      }
    #endif
    var run = ServeRun(self, inForce, interruption)
    try run.run()
  }

  /// Opens the page of the running server with a new code, or prints its address.
  private func openPage() throws {
    let known: String?
    do throws(Errno) { known = try ServeAddress(in: state.folder).load() } catch {
      throw MessageError(
        """
        the address of the running 'photospots serve' in \(state.folder.escaped) cannot be read: \(error)
        """)
    }
    guard let address = known else {
      throw MessageError(
        """
        no page is served with the state in \(state.folder.escaped); start \
        '\(index.commands(state).text("serve"))'
        """)
    }
    let code: PairingCode
    do throws(Errno) {
      code = try PairingCodes(folder: state.folder).make(now: SystemClock().now())
    } catch { throw MessageError("the code cannot be stored in \(state.folder.escaped): \(error)") }
    let page = "\(address)#pair=\(code.text)"
    guard browser ?? (StandardOutput.isTerminal && PageOpener.hasDesktop) else {
      return try StandardOutput.write(page + "\n")
    }
    let opening = try PageOpener(stateFolder: state.folder).open(page)
    waitFor { await opening.value }
  }

  /// Returns a closure that reads the settings, including the assignments of this run.
  func settingsReader() -> @Sendable () throws -> Settings {
    let assignments = settings.assignments
    return { try SettingsArguments.settings(assignments) }
  }

  /// Whether the page may change the setting `lan`, which decides if phones of the network may open
  /// it. Beside the options here, the server keeps to what the setting said at its start.
  var followsLANSetting: Bool { !lan && certificate == nil && !behindProxy && store == nil }

  /// Returns whether phones of the network may open the page: by the option, or by the setting,
  /// which a container has instead and which comes before ``behindProxy``.
  func letsPhonesIn(_ settings: Settings) throws -> Bool {
    try lan || (certificate == nil && store == nil && settings.lan)
  }

  /// Returns the address that the server listens on.
  ///
  /// - Parameter isForHome: Whether phones of the network may open the page.
  /// - Returns: The address of `--listen`, at all addresses of the machine if the setting `lan`
  ///   asks for that; with the option `--lan`, an address of this machine alone is meant. Without
  ///   TLS, an address of this machine alone.
  /// - Throws: A `ValidationError` if `--listen` has no host and port.
  func place(isForHome: Bool) throws -> HostAndPort {
    let place = try place(listen ?? (isForHome ? "0.0.0.0:8090" : "127.0.0.1:8090"))
    let isIPv6 = place.host.contains(":")
    if isForHome, !lan, place.isLoopback {
      return HostAndPort(host: isIPv6 ? "::" : "0.0.0.0", port: place.port)
    }
    // Only the setting, which is off now, permitted the address.
    if !isForHome, !place.isLoopback, certificate == nil, !behindProxy {
      return HostAndPort(host: isIPv6 ? "::1" : "127.0.0.1", port: place.port)
    }
    return place
  }

  private func place(_ text: String) throws -> HostAndPort {
    do throws(FeedAddressError) {
      if case .http(let place)? = try FeedAddress("http://" + text) { return place }
    } catch {}
    throw ValidationError("--listen '\(text.escaped)': write host:port, such as 127.0.0.1:8090")
  }

  /// Returns the feeds to read.
  func feedArguments() throws -> [FeedArgument] { try sources.map(FeedArgument.init) }
}
