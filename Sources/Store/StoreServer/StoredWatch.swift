import FeedServer
import SpotAlerts
import Synchronization
import WatchService

/// The watch of one owner in a server of a store. It starts with the first message, or for alerts
/// that wait for delivery.
final class StoredWatch: Sendable {
  /// Creates the watch, which reports its events to the closure. May block.
  typealias Making =
    @Sendable (_ report: @escaping @Sendable (WatchEvent) -> Void) throws -> Watch

  private struct State {
    var start: Task<Watch?, Never>?
    var watch: Watch?
    var hasEnded = false
    var isStopped = false
  }

  /// The maximum time in seconds for deliveries before the watch stops.
  private static let drainSeconds = 10.0

  private let inlet = FeedInlet()
  private let state = Mutex(State())
  private let make: Making
  private let executor: ThreadExecutor
  private let report: @Sendable (WatchEvent) -> Void

  /// Creates a watch that is not running.
  ///
  /// - Parameters:
  ///   - executor: Where the watch is started and stopped.
  ///   - report: Receives the events of the watch; called on any thread.
  ///   - make: Creates the watch.
  init(
    on executor: ThreadExecutor, report: @escaping @Sendable (WatchEvent) -> Void,
    _ make: @escaping Making
  ) {
    (self.executor, self.report, self.make) = (executor, report, make)
  }

  /// Whether the watch cannot be started, or ended by itself.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Whether no notification waits for its delivery.
  var isDelivered: Bool {
    guard let watch = state.withLock({ $0.watch }) else { return true }
    return watch.session.deliveries.allSatisfy { $0.waitingCount == 0 }
  }

  /// Starts the watch unless it is running, and passes a message to it.
  ///
  /// - Returns: Whether the decisions about all positions are stored.
  func take(_ message: FeedServer.Message) async -> Bool {
    guard await start()?.value != nil else { return false }
    return await inlet.take(message)
  }

  /// Begins to start the watch, unless it is running or was stopped.
  ///
  /// - Returns: The start; `nil` if the watch was stopped before.
  @discardableResult
  func start() -> Task<Watch?, Never>? {
    state.withLock { state in
      if state.start != nil || state.isStopped { return state.start }
      let start = Task(executorPreference: executor) { await self.open() }
      state.start = start
      return start
    }
  }

  /// The receivers; `nil` unless the watch is running.
  var notifiers: [any Notifier]? { state.withLock { $0.watch }?.session.notifiers }

  /// Replaces the receivers of a running watch.
  func replace(notifiers: [any Notifier]) {
    state.withLock { $0.watch }?.session.replace(notifiers: notifiers)
  }

  /// Attempts to deliver each notification for a limited time, and stops; the next watch of the
  /// owner delivers the rest. Messages are refused from now on.
  func stop() async {
    inlet.close()
    let start = state.withLock { state in
      state.isStopped = true
      return state.start
    }
    guard let watch = await start?.value else { return }
    await watch.session.drain(withinSeconds: Self.drainSeconds)
    await watch.stop()
  }

  /// Fetches the spots again for the next positions, and applies changed settings.
  func readAgain() { state.withLock { $0.watch }?.readAgain() }

  private func open() async -> Watch? {
    do {
      let watch = try make { [weak self] event in self?.take(event) }
      try watch.start(
        [Feed(origin: .inlet(inlet), label: "/feed", deviceName: "phone")], access: FeedAccess())
      guard await inlet.isReady() else {
        await watch.stop()
        return nil
      }
      state.withLock { $0.watch = watch }
      return watch
    } catch {
      state.withLock { $0.hasEnded = true }
      report(.notWritten(error))
      return nil
    }
  }

  private func take(_ event: WatchEvent) {
    if case .ended = event {
      state.withLock { $0.hasEnded = true }
      inlet.close()
    }
    report(event)
  }
}
