#if os(Linux)
  internal import CSandbox
  import CLibrary
  import PhotoMetadata
  import Storage
  import SystemPackage

  /// A process that decodes photos, from its start to its end.
  package enum PictureWorkerProgram {
    /// The only argument of the process.
    package static let argument = "--picture-worker"

    /// The exit status of a process that cannot be confined.
    private static let notConfined: CInt = 70
    /// The maximum size of the address space in bytes: a picture takes up to 450 MiB.
    private static let mostMemory = UInt64(2) << 30
    /// The time in seconds after which the system ends the process if an order is not finished, in
    /// case the process that gave it has ended.
    private static let limitSeconds: UInt32 = 120
    private static let socket = STDIN_FILENO

    /// Reads orders from standard input and answers each, until the end of the input.
    ///
    /// - Returns: Only if standard input is not a socket.
    package static func run() {
      var status = stat()
      guard unsafe fstat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
      // The process that gives the orders decides when this one ends, by closing the connection.
      for number in [SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
      FreedMemory.returnLargePiecesAtOnce()
      // A confined process opens no files.
      HEIFCodec.load()
      Thumbnail.takeTurns(begin: { PictureWorkerProgram.awaitTurn() }, end: {})
      let parts = sandboxEnter(mostMemory)
      guard parts >= 0 else { _exit(notConfined) }
      send(WorkerAnswer(.ready(parts: Int(parts))))
      while let (order, file) = nextOrder() {
        alarm(limitSeconds)
        answer(order, file)
        alarm(0)
        try? file.close()
      }
      _exit(0)
    }

    private static func answer(_ order: WorkerOrder, _ file: FileDescriptor) {
      do throws(PictureError) {
        switch order.kind {
        case .picture(let wish):
          switch try PictureMaking.made(of: file, count: order.count, wish) {
          case .jpeg(let jpeg, let isPoor) where jpeg.count <= WorkerAnswer.longestPicture:
            send(WorkerAnswer(.jpeg(length: jpeg.count, isPoor: isPoor)), jpeg)
          case .unmodified(let content):
            send(WorkerAnswer(content.code.map { .unmodified($0) } ?? .noPicture))
          case .jpeg: send(WorkerAnswer(.noPicture))
          }
        case .pixels(let longestSide):
          let pixels = try PictureMaking.pixels(
            of: file, count: order.count, longestSide: longestSide)
          send(
            WorkerAnswer(
              .pixels(width: pixels.width, height: pixels.height, isCutOff: pixels.isCutOff)),
            pixels.rgb)
        }
      } catch {
        switch error {
        case .unreadable(let cause): send(WorkerAnswer(.unreadable(cause)))
        case .noDecoder: send(WorkerAnswer(.noDecoder))
        default: send(WorkerAnswer(.noPicture))
        }
      }
    }

    /// Waits for the next order. Returns `nil` at the end of the input.
    private static func nextOrder() -> (WorkerOrder, FileDescriptor)? {
      var bytes = [UInt8](repeating: 0, count: WorkerOrder.length)
      var descriptor: CInt = -1
      let received = unsafe sandboxReceive(socket, &bytes, bytes.count, &descriptor)
      guard received == bytes.count, descriptor >= 0, let order = WorkerOrder(bytes) else {
        return nil
      }
      return (order, FileDescriptor(rawValue: descriptor))
    }

    /// Waits for the turn to decode a large picture.
    private static func awaitTurn() {
      send(WorkerAnswer(.waitsForTurn))
      // The time that others take does not count.
      alarm(0)
      var byte: UInt8 = 0
      guard unsafe sandboxReceive(socket, &byte, 1, nil) == 1 else { _exit(0) }
      alarm(limitSeconds)
    }

    /// Sends an answer; ends the process if nobody receives it.
    private static func send(_ answer: WorkerAnswer, _ content: [UInt8] = []) {
      for part in [answer.bytes, content] {
        var sent = 0
        while sent < part.count {
          let start = sent
          let count = unsafe part.withUnsafeBytes { bytes in
            unsafe sandboxSend(
              socket, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start, -1)
          }
          guard count > 0 else { _exit(0) }
          sent += count
        }
      }
    }
  }

  extension PictureContent {
    /// The code of a format that browsers show as it is; `nil` for other formats.
    fileprivate var code: PictureContentCode? {
      switch self {
      case .png: .png
      case .gif: .gif
      case .webP: .webP
      case .avif: .avif
      case .heic: .heic
      case .jpeg, .embedded, .movie, .other: nil
      }
    }
  }
#endif
