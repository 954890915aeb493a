#if os(Linux)
  import CLibrary
  import Dispatch
  import PhotoMetadata
  import Synchronization
  package import SystemPackage

  /// Processes that decode photos for this one, without network, secrets and writable files.
  ///
  /// Photos are opened here, and passed as open files. A process that crashes or is too slow fails
  /// only the picture that it was making, and is replaced.
  package final class PictureWorkers: Sendable {
    private struct State {
      var idle: [WorkerProcess] = []
      var delay = RestartDelay()
      var hasReportedParts = false
    }

    private let program: FilePath
    private let limit: Duration
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let places: DispatchSemaphore
    /// The turn to decode a large picture, which takes several hundred MiB.
    private let turn = DispatchSemaphore(value: 1)

    /// Creates workers, which are started when they are needed.
    ///
    /// - Parameters:
    ///   - program: A program that calls ``PictureWorkerProgram/run(_:)`` if its arguments ask for
    ///     that.
    ///   - atOnce: The maximum number of processes.
    ///   - limit: The maximum duration of one decoding.
    ///   - report: A closure called with a message when a process ends unexpectedly, and once if
    ///     the system does not provide a part of the confinement.
    package init(
      program: FilePath = "/proc/self/exe", atOnce: Int = PictureStore.processors,
      limit: Duration = .seconds(60), report: @escaping @Sendable (String) -> Void
    ) {
      (self.program, self.limit, self.report) = (program, limit, report)
      places = DispatchSemaphore(value: max(1, atOnce))
    }

    /// Starts a worker if there is none.
    func prepare() {
      places.wait()
      defer { places.signal() }
      guard state.withLock({ $0.idle.isEmpty }), let worker = try? start() else { return }
      state.withLock { $0.idle.append(worker) }
    }

    /// The identifiers of the processes that wait for an order.
    package var idleProcesses: [Int] { state.withLock { $0.idle.map { Int($0.process) } } }

    /// Returns a picture of an open file; see ``PictureMaking``.
    func made(
      of file: FileDescriptor, count: Int, _ wish: PictureWish
    ) throws(PictureError) -> MadePicture {
      let (status, content) = try answer(WorkerOrder(.picture(wish), count: count), file)
      switch status {
      case .jpeg(_, let isPoor): return .jpeg(content, isPoor: isPoor)
      case .unmodified(let code): return .unmodified(code.content)
      case .unreadable(let error): throw .unreadable(error)
      case .noDecoder: throw .noDecoder
      default: throw .noPicture
      }
    }

    /// Decodes an open file; see ``PictureMaking/pixels(of:longestSide:by:)``.
    func pixels(
      of file: FileDescriptor, count: Int, longestSide: Int
    ) throws(PictureError) -> Pixels {
      let order = WorkerOrder(.pixels(longestSide: longestSide), count: count)
      let (status, content) = try answer(order, file)
      switch status {
      case .pixels(let width, let height, let isCutOff):
        return Pixels(width: width, height: height, rgb: content, isCutOff: isCutOff)
      case .unreadable(let error): throw .unreadable(error)
      case .noDecoder: throw .noDecoder
      default: throw .noPicture
      }
    }

    /// Gives an order to a worker, and waits for the answer.
    private func answer(
      _ order: WorkerOrder, _ file: FileDescriptor
    ) throws(PictureError) -> (WorkerAnswer.Status, [UInt8]) {
      places.wait()
      defer { places.signal() }
      while true {
        let idle = idleWorker()
        let worker = if let idle { idle } else { try start() }
        do throws(WorkerFailure) {
          let answer = try worker.answer(order, file, within: limit, turn)
          state.withLock { state in
            state.delay.succeed()
            state.idle.append(worker)
          }
          return answer
        } catch {
          let end = worker.end()
          // It had ended while it was idle, for example for lack of memory.
          if idle != nil, error == .notTaken { continue }
          state.withLock { $0.delay.fail(at: .now) }
          report("a process that decodes photos \(error.text(end)); one picture was not made")
          throw error == .tooSlow ? .slow : .crashed
        }
      }
    }

    private func idleWorker() -> WorkerProcess? { state.withLock { $0.idle.popLast() } }

    private func start() throws(PictureError) -> WorkerProcess {
      guard state.withLock({ $0.delay.allowsStart(at: .now) }) else { throw .busy }
      do throws(Errno) {
        let worker = try WorkerProcess(program)
        let isFirst = state.withLock { state in
          defer { state.hasReportedParts = true }
          return !state.hasReportedParts
        }
        if isFirst, let missing = worker.missingParts { report(missing) }
        return worker
      } catch {
        state.withLock { $0.delay.fail(at: .now) }
        report("\(PictureError.unavailable(error))")
        throw .unavailable(error)
      }
    }
  }

  extension PictureContentCode {
    fileprivate var content: PictureContent {
      switch self {
      case .png: .png
      case .gif: .gif
      case .webP: .webP
      case .avif: .avif
      case .heic: .heic
      }
    }
  }
#endif
