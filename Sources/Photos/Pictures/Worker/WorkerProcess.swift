#if os(Linux)
  internal import CSandbox
  import CLibrary
  import Dispatch
  import Synchronization
  import SystemPackage

  /// A reason why a worker gave no answer.
  enum WorkerFailure: Error, Hashable {
    /// It had ended before it got the order.
    case notTaken
    /// It ended, or broke off the connection.
    case ended
    /// It took too long.
    case tooSlow
    /// Its answer was none to the order.
    case answeredWrongly

    /// Describes the failure, as the predicate of a sentence.
    ///
    /// - Parameter end: How the process ended.
    /// - Returns: The description.
    func text(_ end: String) -> String {
      switch self {
      case .notTaken, .ended: end
      case .tooSlow: "took too long and was killed"
      case .answeredWrongly: "gave an impossible answer and was killed"
      }
    }
  }

  /// A process that decodes photos, and the connection to it.
  ///
  /// It ends when the connection is closed, which the system does if this process ends.
  final class WorkerProcess: Sendable {
    /// The time within which a process must have begun.
    private static let startLimit = Duration.seconds(20)

    /// The identifier of the process.
    let process: pid_t
    private let socket: FileDescriptor
    private let parts: CInt
    private let hasEnded = Atomic(false)

    /// Starts a process and waits until it is confined.
    init(_ program: FilePath) throws(Errno) {
      var sockets: [CInt] = [-1, -1]
      guard unsafe sandboxConnect(&sockets) == 0 else { throw Errno(rawValue: errno) }
      let (ours, theirs) = (sockets[0], sockets[1])
      var process: pid_t = 0
      let error = Self.start(program, theirs, &process)
      close(theirs)
      guard error == 0 else {
        close(ours)
        throw Errno(rawValue: error)
      }
      self.process = process
      socket = FileDescriptor(rawValue: ours)
      let deadline = ContinuousClock.now + Self.startLimit
      var parts: CInt = -1
      if let head = try? Self.receive(WorkerAnswer.length, ours, until: deadline),
        case .ready(let confined)? = WorkerAnswer(head)?.status
      {
        parts = CInt(confined)
      }
      self.parts = parts
      guard parts >= 0 else {
        end()
        throw .connectionReset
      }
    }

    deinit { end() }

    /// A message about the parts of the confinement that the system does not provide; `nil` if it
    /// provides the decisive one.
    var missingParts: String? {
      guard parts & CInt(SANDBOX_SECCOMP) == 0 else { return nil }
      let others =
        parts & CInt(SANDBOX_LANDLOCK) == 0
        ? "nor its access to files (Landlock)" : "but its access to files is"
      return """
        photos are decoded in a process of their own, but the system does not let its system calls \
        be limited (seccomp), \(others)
        """
    }

    /// Sends an order with a file, and waits for the answer.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - file: The file.
    ///   - limit: The maximum duration, without the time to wait for `turn`.
    ///   - turn: The turn to decode a large picture.
    /// - Returns: The status and the content that follows it.
    /// - Throws: The error that prevented an answer. The caller must end the process then.
    func answer(
      _ order: WorkerOrder, _ file: FileDescriptor, within limit: Duration,
      _ turn: DispatchSemaphore
    ) throws(WorkerFailure) -> (WorkerAnswer.Status, [UInt8]) {
      let bytes = order.bytes
      guard unsafe sandboxSend(socket.rawValue, bytes, bytes.count, file.rawValue) == bytes.count
      else { throw .notTaken }
      var hasTurn = false
      defer { if hasTurn { turn.signal() } }
      var deadline = ContinuousClock.now + limit
      while true {
        let head = try Self.receive(WorkerAnswer.length, socket.rawValue, until: deadline)
        guard let answer = WorkerAnswer(head), answer.answers(order) else { throw .answeredWrongly }
        if answer.status == .waitsForTurn {
          guard !hasTurn else { throw .answeredWrongly }
          turn.wait()
          hasTurn = true
          deadline = ContinuousClock.now + limit
          guard unsafe sandboxSend(socket.rawValue, [1], 1, -1) == 1 else { throw .ended }
          continue
        }
        let content = try Self.receive(answer.contentLength, socket.rawValue, until: deadline)
        return (answer.status, content)
      }
    }

    /// Ends the process, and describes how it ended if it had ended before.
    @discardableResult
    func end() -> String {
      guard !hasEnded.exchange(true, ordering: .relaxed) else { return "has ended" }
      try? socket.close()
      // Has no effect on a process that has ended, but this one has not waited for.
      kill(process, SIGKILL)
      var status: CInt = 0
      while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      return signal == 0
        ? "ended with status \(status >> 8 & 0xFF)" : "was ended by signal \(signal)"
    }

    /// Receives a number of bytes.
    private static func receive(
      _ count: Int, _ socket: CInt, until deadline: ContinuousClock.Instant
    ) throws(WorkerFailure) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let rest = ContinuousClock.now.duration(to: deadline)
        guard rest > .zero else { throw .tooSlow }
        var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&wait, 1, CInt(clamping: rest.components.seconds * 1000 + 1000))
        guard ready != 0 else { throw .tooSlow }
        if ready < 0 {
          guard errno == EINTR else { throw .ended }
          continue
        }
        let start = filled
        let received = unsafe bytes.withUnsafeMutableBytes { bytes in
          unsafe sandboxReceive(
            socket, bytes.baseAddress.map { unsafe $0 + start }, count - start, nil)
        }
        guard received > 0 else { throw .ended }
        filled += received
      }
      return bytes
    }

    private static func start(
      _ program: FilePath, _ socket: CInt, _ process: inout pid_t
    ) -> CInt {
      unsafe program.withPlatformString { program in
        unsafe PictureWorkerProgram.argument.withCString { argument in
          let arguments: [UnsafePointer<CChar>?] = unsafe [program, argument, nil]
          return unsafe sandboxStart(program, arguments, socket, &process)
        }
      }
    }
  }
#endif
