#if HTTPServer
  import Encodings
  import FeedSources
  import HTTPClient
  import IndexUpdates
  import PhotoLibrary
  import ProcessControl
  import ProgramSettings
  import Storage
  import SystemPackage
  import TestSupport
  import Testing

  @testable import PageServer
  @testable import SpotService

  /// Tests of the folders that the page offers, and of scans that it starts and stops.
  @Suite(.timeLimit(.minutes(30))) struct FolderTests {
    private let folder = TemporaryFolder()

    private func found(mounts: [FilePath] = [], fixed: [FilePath] = []) -> FoundFolders {
      FoundFolders(home: folder.path("home"), mounts: mounts, fixed: fixed)
    }

    private func write(_ names: [String]) throws {
      for name in names { try folder.write("x", to: name) }
    }

    private func names(_ found: FoundFolders, except known: [FilePath] = []) -> [String] {
      found.all(except: known).map {
        "\($0.path.lastComponent?.string ?? "") \($0.look.photoCount)"
      }
    }

    // MARK: - What is found

    @Test func `folders of the user and of containers are found with the number of photos`() throws
    {
      try write([
        "home/Pictures/a.jpg", "home/Pictures/2019/b.HEIC", "home/Pictures/2019/notes.txt",
        "home/Pictures/.hidden/c.jpg", "home/DCIM/100CANON/d.cr2", "home/Documents/e.jpg",
        "photos/f.jpg", "photos/g.jpg",
      ])
      let found = found(fixed: [folder.path("photos"), folder.path("missing")])
      #expect(Set(names(found)) == ["Pictures 2", "DCIM 1", "photos 2"])
      // What is indexed is not offered again.
      #expect(
        Set(names(found, except: [folder.path("home/Pictures"), folder.path("photos")]))
          == ["DCIM 1"])
      #expect(names(found, except: [folder.root]).isEmpty)
    }

    @Test func `the folder that the desktop has for pictures is found`() throws {
      try write(["home/Bilder/a.jpg", "home/Pictures/none.txt"])
      try folder.write(
        "# x\nXDG_MUSIC_DIR=\"$HOME/Musik\"\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n",
        to: "home/.config/user-dirs.dirs")
      #expect(names(found()) == ["Bilder 1"])
    }

    @Test func `an empty folder is not offered, and a linked one is what it links to`() throws {
      try write(["elsewhere/a.jpg", "home/Photos/readme.md"])
      try folder.link(folder.path("home/Pictures"), to: folder.path("elsewhere"))
      #expect(names(found()) == ["elsewhere 1"])
    }

    @Test func `a folder that cannot be read says so`() throws {
      try write(["home/Pictures/a.jpg"])
      guard getuidIsNotRoot else { return }
      try folder.setPermissions(
        of: folder.path("home/Pictures"), to: FilePermissions(rawValue: 0))
      let one = try #require(found().all(except: []).first)
      #expect(one.look.problem != nil && one.look.photoCount == 0)
      try folder.setPermissions(
        of: folder.path("home/Pictures"), to: FilePermissions(rawValue: 0o700))
    }

    private var getuidIsNotRoot: Bool {
      (try? Disk.ownership(of: folder.root))??.user != 0
    }

    @Test func `folders below those of disks that are on the same disk are no disks`() throws {
      try write(["media/me/STICK/a.jpg", "media/b.jpg"])
      #expect(names(found(mounts: [folder.path("media")])).isEmpty)
    }

    @Test func `a look ends with its time, and says that it saw a part`() throws {
      try write((0..<20).map { "home/Pictures/\($0)/a.jpg" })
      var asked = 0
      let look = FolderLook(at: folder.path("home/Pictures")) {
        asked += 1
        return asked > 6
      }
      #expect(look.photoCount == 5 && !look.isWhole && look.problem == nil)
      #expect(FolderLook(at: folder.path("home/Pictures")) { false }.isWhole)
      #expect(FolderLook(at: folder.path("none")) { false }.problem == .noSuchFileOrDirectory)
    }

    @Test func `an id reveals no path and tells folders apart`() {
      let ids = ["/a", "/b", "/a/b"].map { FoundFolders.id(of: FilePath($0)) }
      #expect(Set(ids).count == 3 && ids.allSatisfy { $0.utf8.count == 16 && !$0.contains("/") })
    }

    @Test func `a card is named with its disk`() {
      let look = FolderLook(at: "/none") { false }
      let card = FolderRequests.served("/media/me/EOS/DCIM", look)
      #expect(card.nameTexts == ["EOS", "DCIM"])
      #expect(FolderRequests.served("/home/me/Pictures", look).nameTexts == ["Pictures"])
    }

    // MARK: - Scans

    private func configuration() -> ServeConfiguration {
      var serve = ServeConfiguration(
        cache: PhotoIndexCache(path: folder.path("index.json")), stateFolder: folder.path("state"),
        place: HostAndPort(host: "127.0.0.1", port: 0))
      serve.cachesFolder = folder.path("caches")
      serve.homeFolder = folder.path("home")
      return serve
    }

    /// Sends a request to a page server from this machine: POST if there is a body.
    private func ask(
      _ address: String, _ path: String, key: String, body: String = ""
    ) async throws -> (status: Int, json: JSONValue?) {
      let to = try #require(WebAddress(address + path))
      var request =
        body.isEmpty
        ? WebRequest(for: to, userAgent: "PhotoSpots tests")
        : WebRequest(.post, to: to, contentType: "application/json", body: Array(body.utf8))
      request.add("Authorization", "Bearer \(key)")
      let exchange = await WebClient(limitSeconds: 60).exchange(request, bodyLimit: 1 << 20)
      guard case .answered(let answer) = exchange else { return (0, nil) }
      return (answer.status, try? JSONValue(answer.body))
    }

    @Test func `a page on the machine finds folders, indexes them, and hears of the result`()
      async throws
    {
      let (asked, ask) = try FileDescriptor.pipe()
      // A link is resolved, so the page hears of the folder itself.
      let photos = Repository.samples.appending("photos")
      try folder.write("x", to: "home/notes.txt")
      try folder.link(folder.path("home/Pictures"), to: photos)
      let settings = try SettingsInForce {
        Settings(
          only: [
            .recreationsFolder: Settings.Source(
              text: folder.path("recreations").string, origin: .defaults)
          ])
      }
      let serving = try Serving(configuration(), settings, orUntil: Interruption(asked))
      let address = try await onThread { Result { try serving.start() } }.get()
      let key = serving.key.text

      let list = try await self.ask(address, "api/v1/folders", key: key)
      #expect(list.json?["isLocal"] == .boolean(true))
      let one = try #require(list.json?["items"]?[0])
      #expect(one["path"] == .string(photos.string))
      #expect((one["photos"]?.number ?? 0) > 0)
      let id = try #require(one["id"]?.text)

      for body in [
        #"{"path": "relative"}"#, #"{"path": "\#(folder.path("none").string)"}"#,
        #"{"path": "\#(folder.path("state").string)"}"#, #"{"folders": ["0000"]}"#,
      ] {
        let refused = try await self.ask(address, "api/v1/indexing", key: key, body: body)
        #expect(refused.status == 400, "\(body)")
      }
      let idle = try await self.ask(address, "api/v1/indexing", key: key)
      #expect(idle.json?["isRunning"] == .boolean(false) && idle.json?["result"] == .null)

      let started = try await self.ask(
        address, "api/v1/indexing", key: key, body: #"{"folders": ["\#(id)"]}"#)
      #expect(started.json?["isRunning"] == .boolean(true))
      var state = started.json
      while state?["isRunning"] != .boolean(false) {
        state = try await self.ask(address, "api/v1/indexing", key: key).json
      }
      #expect((state?["result"]?["located"]?.number ?? 0) > 0, "\(String(describing: state))")
      let status = try await self.ask(address, "api/v1/status", key: key)
      #expect((status.json?["photos"]?.number ?? 0) > 0)
      let rest = try await self.ask(address, "api/v1/folders", key: key)
      #expect(rest.json?["items"]?.items.isEmpty == true)

      try ask.writeAll([0])
      await onThread { serving.stop() }
      for end in [asked, ask] { try end.close() }
    }

    @Test func `a scan that is stopped stays stopped until it goes on`() throws {
      let requests = try ScanRequests()
      let control = IndexingControl(requests)
      let monitor = ScanMonitor()
      control.stop()
      #expect(!control.isStopped)
      control.start(["/p"])
      #expect(control.isWaitedFor && requests.take() == ["/p"])
      control.willScan(["/p"], monitor)
      #expect(control.current.isRunning && control.current.folder == "p")
      control.stop()
      #expect(monitor.isCancelled && control.isStopped && !control.isWaitedFor)
      #expect(throws: IndexingControl.Stopped.self) { try control.didScan(nil) }
      #expect(!control.current.isRunning && control.current.isStopped)
      // The folder is not forgotten.
      control.start([])
      #expect(control.isWaitedFor && requests.take() == ["/p"])
      control.willScan(["/p"], ScanMonitor())
      try control.didScan(nil)
      #expect(!control.isWaitedFor && !control.current.isRunning)
    }

    @Test func `a scan that waits for the index is not running, and its folder is not forgotten`()
      throws
    {
      let control = IndexingControl(try ScanRequests())
      control.willScan(["/a", "/b"], ScanMonitor())
      #expect(control.current.isRunning)
      try control.didPostpone()
      #expect(!control.current.isRunning)
      control.start(["/p"])
      control.willScan(["/p"], ScanMonitor())
      try control.didPostpone()
      #expect(control.isWaitedFor && control.wanted == ["/p"])
      control.stop()
      #expect(throws: IndexingControl.Stopped.self) { try control.didPostpone() }
    }

    @Test func `a stop before the scan began cancels it, and a failure ends the wait`() throws {
      let control = IndexingControl(try ScanRequests())
      let monitor = ScanMonitor()
      control.start(["/p"])
      control.stop()
      control.willScan(["/p"], monitor)
      #expect(monitor.isCancelled)
      control.start([])
      control.didFail()
      #expect(!control.isWaitedFor && !control.current.isRunning)
    }
  }

  extension ServedFolder {
    fileprivate var nameTexts: [String] {
      let response = ServiceResponse { writer in write(isLocal: false, to: &writer) }
      return (try? JSONValue(response.body))?["name"]?.items.compactMap(\.text) ?? []
    }
  }
#endif
