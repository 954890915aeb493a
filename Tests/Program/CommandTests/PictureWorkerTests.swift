#if os(Linux)
  import CLibrary
  import CSandbox
  import Storage
  import Synchronization
  import SystemPackage
  import TestSupport
  import Testing
  @testable import Pictures

  /// The confined processes of the real program that decode photos.
  @Suite(.timeLimit(.minutes(30))) struct PictureWorkerTests {
    private let folder = TemporaryFolder()

    /// The messages of workers.
    private final class Messages: Sendable {
      private let lines = Mutex<[String]>([])

      var all: [String] { lines.withLock { $0 } }

      func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func workers(
      _ program: FilePath = PhotoSpotsProcess.program, limit: Duration = .seconds(60),
      _ messages: Messages = Messages()
    ) -> PictureWorkers {
      PictureWorkers(program: program, atOnce: 1, limit: limit) { messages.add($0) }
    }

    /// The sample photos, and a sample with three other contents.
    private func files() throws -> [LibraryFile] {
      let photos = Corpus.paths(under: samples.appending("photos"))
        .filter { $0.extension == "jpg" }.sorted { $0.string < $1.string }
      let photo = try Corpus.contents(of: try #require(photos.first))
      try folder.write(photo.prefix(photo.count / 2), to: "cut.jpg")
      try folder.write(Array("\u{89}PNG\r\n\u{1A}\n".utf8) + [1, 2, 3], to: "a.png")
      try folder.write([1, 2, 3], to: "none.jpg")
      return (photos + ["cut.jpg", "a.png", "none.jpg", "missing.jpg"].map(folder.path))
        .map { LibraryFile($0) }
    }

    private func photo() throws -> LibraryFile { try #require(try files().first) }

    /// A result or an error, which can be compared.
    private func outcome<Made: Sendable>(
      _ make: () throws(PictureError) -> Made
    ) -> Result<Made, PictureError> {
      do throws(PictureError) { return .success(try make()) } catch { return .failure(error) }
    }

    @Test func `a worker makes the same pictures and pixels as this process`() throws {
      let messages = Messages()
      let maker = PictureMaker.workers(workers(PhotoSpotsProcess.program, messages))
      let files = try files()
      #expect(files.count > 20)
      for file in files {
        for (size, isSquare) in [(512, false), (160, true)] {
          let order = PictureOrder(name: "a", files: [file], size: size, isSquare: isSquare)
          let (here, there) = (
            outcome { () throws(PictureError) in try PictureMaking.picture(order) },
            outcome { () throws(PictureError) in try PictureMaking.picture(order, by: maker) }
          )
          #expect(here == there, "\(file.path)")
        }
        let (here, there) = (
          outcome { () throws(PictureError) in
            try PictureMaking.pixels(of: [file], longestSide: 192)
          },
          outcome { () throws(PictureError) in
            try PictureMaking.pixels(of: [file], longestSide: 192, by: maker)
          }
        )
        #expect(here == there, "\(file.path)")
      }
      #expect(messages.all.allSatisfy { $0.contains("seccomp") })
    }

    // MARK: - Confinement

    /// Runs `sandbox-probe`, and returns what it could do, and what not.
    private func probe(
      _ mode: String
    ) throws -> (parts: Int, possible: Set<Substring>, impossible: Set<Substring>) {
      try folder.write("secret", to: "key")
      var sockets: [CInt] = [-1, -1]
      #expect(sandboxConnect(&sockets) == 0)
      defer { close(sockets[0]) }
      let program = PhotoSpotsProcess.program.removingLastComponent().appending("sandbox-probe")
      let arguments = [program.string, mode, folder.path("key").string, folder.root.string]
      let texts = arguments.map { strdup($0) }
      defer { for text in texts { free(text) } }
      let list = texts.map { UnsafePointer($0) } + [nil]
      var process: pid_t = 0
      #expect(sandboxStart(program.string, list, sockets[1], &process) == 0)
      close(sockets[1])
      var report: [UInt8] = []
      while true {
        var part = [UInt8](repeating: 0, count: 4096)
        let count = sandboxReceive(sockets[0], &part, part.count, nil)
        guard count > 0 else { break }
        report += part.prefix(count)
      }
      var status: CInt = 0
      waitpid(process, &status, 0)
      #expect(status == 0)
      var (parts, possible, impossible) = (0, Set<Substring>(), Set<Substring>())
      for line in String(decoding: report, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ")
        let (name, result) = (line.dropLast(words[words.count - 1].count + 1), words.last)
        if name == "parts" {
          parts = Int(result ?? "") ?? 0
        } else if result == "done" {
          possible.insert(name)
        } else {
          impossible.insert(name)
        }
      }
      return (parts, possible, impossible)
    }

    @Test func `a confined process computes, and reaches no network, file or process`() throws {
      let confined = try probe("confined")
      guard confined.parts & Int(SANDBOX_SECCOMP) != 0 else { return }
      #expect(confined.possible == ["take some memory", "start a thread"])
      #expect(confined.impossible.count == 23)
      // The attempts succeed without the confinement.
      let free = try probe("free")
      #expect(free.impossible.isEmpty)
      #expect(free.possible == confined.possible.union(confined.impossible))
    }

    /// The text of a file in `/proc`, which has no size.
    private func text(_ path: FilePath) throws -> String {
      let file = try FileDescriptor.open(path, .readOnly)
      return try file.closeAfter {
        try String(unsafeUninitializedCapacity: 1 << 14) {
          try file.read(into: UnsafeMutableRawBufferPointer($0))
        }
      }
    }

    @Test func `the program confines its workers`() throws {
      let confined = try probe("confined")
      let workers = workers()
      workers.prepare()
      let process = try #require(workers.idleProcesses.first)
      let status = try text(FilePath("/proc/\(process)/status"))
      #expect(status.contains("NoNewPrivs:\t1\n"))
      if confined.parts & Int(SANDBOX_SECCOMP) != 0 {
        #expect(status.contains("Seccomp:\t2\n"))
      }
      let limits = try text(FilePath("/proc/\(process)/limits"))
      for (name, value) in [("file size", 0), ("open files", 16), ("core file size", 0)] {
        let line = try Regex("Max \(name) +\(value) +\(value) ")
        #expect(limits.contains(line), "\(limits)")
      }
    }

    // MARK: - Failures

    @Test func `a worker that crashes fails one picture, and the next one is made`() throws {
      let messages = Messages()
      let workers = workers(PhotoSpotsProcess.program, messages)
      let (maker, photo) = (PictureMaker.workers(workers), try photo())
      let expected = try PictureMaking.pixels(of: [photo], longestSide: 192)
      var crashes = 0
      // Whether a signal comes before or after the order is up to the system.
      for _ in 0..<50 where crashes < 2 {
        workers.prepare()
        let process = pid_t(try #require(workers.idleProcesses.first))
        kill(process, SIGSTOP)
        let result = Mutex<Result<Pixels, PictureError>?>(nil)
        let thread = try BackgroundThread {
          let made = outcome { () throws(PictureError) in
            try PictureMaking.pixels(of: [photo], longestSide: 192, by: maker)
          }
          result.withLock { $0 = made }
        }
        while !workers.idleProcesses.isEmpty { sched_yield() }
        for _ in 0..<100 { sched_yield() }
        kill(process, SIGSEGV)
        kill(process, SIGCONT)
        thread.join()
        switch try #require(result.withLock { $0 }) {
        case .success(let pixels): #expect(pixels == expected)
        case .failure(let error):
          #expect(error == .crashed)
          crashes += 1
          #expect(messages.all.count == crashes)
          #expect(messages.all.last?.contains("was ended by signal 11") == true)
        }
        // Resets the delay of the next restart.
        #expect(try PictureMaking.pixels(of: [photo], longestSide: 192, by: maker) == expected)
      }
      #expect(crashes == 2)
    }

    @Test func `a worker that ends while it is idle costs no picture`() throws {
      let messages = Messages()
      let workers = workers(PhotoSpotsProcess.program, messages)
      let (maker, photo) = (PictureMaker.workers(workers), try photo())
      let expected = try PictureMaking.pixels(of: [photo], longestSide: 192)
      workers.prepare()
      let process = pid_t(try #require(workers.idleProcesses.first))
      kill(process, SIGKILL)
      var info = siginfo_t()
      // Waits for its end without taking its status.
      #expect(waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == 0)
      #expect(try PictureMaking.pixels(of: [photo], longestSide: 192, by: maker) == expected)
      #expect(messages.all.isEmpty)
    }

    @Test func `a worker that takes too long is killed`() throws {
      let messages = Messages()
      let workers = workers(PhotoSpotsProcess.program, limit: .milliseconds(50), messages)
      workers.prepare()
      let process = pid_t(try #require(workers.idleProcesses.first))
      kill(process, SIGSTOP)
      let photo = try photo()
      #expect(throws: PictureError.slow) {
        try PictureMaking.pixels(of: [photo], longestSide: 192, by: .workers(workers))
      }
      #expect(kill(process, 0) == -1 && workers.idleProcesses.isEmpty)
      #expect(messages.all.count == 1 && messages.all[0].contains("too long"))
    }

    @Test(arguments: ["/nothing-has-this-name", "/bin/false"] as [FilePath])
    func `a program that is no worker fails clearly`(program: FilePath) throws {
      let messages = Messages()
      let photo = try photo()
      let maker = PictureMaker.workers(workers(program, messages))
      let attempt = outcome { () throws(PictureError) in
        try PictureMaking.pixels(of: [photo], longestSide: 192, by: maker)
      }
      guard case .failure(.unavailable) = attempt else {
        Issue.record("\(attempt)")
        return
      }
      #expect(messages.all.count == 1 && messages.all[0].contains("cannot be started"))
    }

    @Test func `workers end with the process that started them`() throws {
      var workers: PictureWorkers? = workers()
      workers?.prepare()
      let process = pid_t(try #require(workers?.idleProcesses.first))
      #expect(kill(process, 0) == 0)
      workers = nil
      #expect(kill(process, 0) == -1)
    }
  }
#endif
