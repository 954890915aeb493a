#if HTTPServer
  import Encodings
  import SpotService
  import IndexUpdates
  import FeedSources
  import HTTPClient
  import PhotoLibrary
  import ProcessControl
  import ProgramSettings
  import Storage
  import SystemPackage
  import TestSupport
  import Testing

  @testable import PageServer

  /// A page server in the process of the test, as `serve` starts one.
  @Suite(.timeLimit(.minutes(30))) struct ServingTests {
    private let folder = TemporaryFolder()
    private let scans = Observed<[Int]>([])
    private let problems = Observed<[String]>([])

    private func configuration(_ roots: [FilePath]) -> ServeConfiguration {
      var serve = ServeConfiguration(
        cache: PhotoIndexCache(path: folder.path("index.json")), stateFolder: folder.path("state"),
        place: HostAndPort(host: "127.0.0.1", port: 0))
      serve.cachesFolder = folder.path("caches")
      serve.roots = roots
      serve.scanned = { [scans] outcome in scans.update { $0.append(outcome.report.files.photos) } }
      serve.log = MessageLog { [problems] level, text in
        if level == .problem { problems.update { $0.append(text) } }
      }
      return serve
    }

    /// Returns the status and the body of an answer.
    private func get(
      _ address: String, _ path: String, key: String? = nil
    ) async throws -> (status: Int, body: String) {
      var request = WebRequest(
        for: try #require(WebAddress(address + path)), userAgent: "PhotoSpots tests")
      request.add("Authorization", key.map { "Bearer \($0)" })
      let exchange = await WebClient(limitSeconds: 60).exchange(request, bodyLimit: 1 << 20)
      guard case .answered(let answer) = exchange else { return (0, "\(exchange)") }
      return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    @Test func `a page server indexes its folders, answers who has its key, and stops`()
      async throws
    {
      let (asked, ask) = try FileDescriptor.pipe()
      let folder = folder
      let settings = try SettingsInForce {
        Settings(
          only: [
            .recreationsFolder: Settings.Source(
              text: folder.path("recreations").string, origin: .defaults)
          ])
      }
      let serving = try Serving(
        configuration([Repository.samples.appending("photos")]), settings,
        orUntil: Interruption(asked))
      let address = try await onThread { Result { try serving.start() } }.get()
      #expect(try ServeAddress(in: folder.path("state")).load() == address)
      await scans.met { !$0.isEmpty }
      #expect(scans.value.first ?? 0 > 10)

      let key = serving.key.text
      #expect(try await get(address, "api/v1/spots").status == 401)
      let spots = try await get(address, "api/v1/spots.geojson", key: key)
      #expect(spots.status == 200 && spots.body.contains("\"Feature\""), "\(spots)")

      try ask.writeAll([0])
      await onThread { serving.stop() }
      #expect(try await get(address, "api/v1/spots", key: key).status == 0)
      #expect(try ServeAddress(in: folder.path("state")).load() == nil)
      #expect(problems.value.isEmpty, "\(problems.value)")
      for end in [asked, ask] { try end.close() }
    }

    @Test func `a key that others can read is refused with what to do`() throws {
      let key = ServeKey(in: folder.root)
      _ = try key.key(makesNew: false)
      try folder.setPermissions(of: key.path, to: FilePermissions(rawValue: 0o644))
      let error = try #require(throws: MessageError.self) { try key.key(makesNew: false) }
      #expect(error.description.contains("serve --new-key"))
      #expect(try key.key(makesNew: true).text.count > 20)
    }

    @Test func `a key whose disk is away is not given up`() throws {
      let key = ServeKey(in: folder.root)
      try folder.link(key.path, to: folder.path("unmounted/serve-key.json"))
      let error = try #require(throws: MessageError.self) { try key.key(makesNew: false) }
      #expect(error.description.contains("cannot be read") && error.description.contains("mounted"))
      #expect(!error.description.contains("--new-key"))
    }
  }
#endif
