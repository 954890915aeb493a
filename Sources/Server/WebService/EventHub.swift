public import Encodings
public import SpotService
import Synchronization

/// Distributes events to all open pages, and keeps the latest ones for pages that reconnect.
///
/// Publishing never waits for a page: each page has a queue, and a page that is too slow is
/// informed that it missed events.
public final class EventHub: Sendable {
  private struct State {
    var log: EventLog
    var listeners: [ObjectIdentifier: EventListener] = [:]
    var limit = ServiceEvent.maximumListenerCount
    var hasEnded = false
  }

  private let state: Mutex<State>

  /// Creates a hub without events.
  ///
  /// - Parameter boot: An identifier of this run of the program: letters and digits.
  public init(boot: String) {
    state = Mutex(State(log: EventLog(boot: boot)))
  }

  /// Sends an event to all pages.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - device: The device of a position.
  ///   - write: Writes the event's data, a JSON object.
  /// - Throws: The error of `write`; no event is sent then.
  public func publish<E: Error>(
    _ kind: ServiceEvent.Kind, device: String? = nil,
    _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    try state.withLock { state throws(E) in
      let event = try state.log.add(kind, device: device, write)
      for listener in state.listeners.values { listener.add(event) }
    }
  }

  /// Sends an event without data to all pages.
  public func publish(_ kind: ServiceEvent.Kind) { publish(kind) { $0.object { _ in } } }

  /// The number of listening pages.
  public var listenerCount: Int { state.withLock(\.listeners.count) }

  /// Adds a listening page.
  ///
  /// - Parameter id: The id of the last event that the page received.
  /// - Returns: The page; `nil` where too many pages are listening, or the hub has ended.
  func join(after id: String?) -> EventListener? {
    state.withLock { state in
      guard !state.hasEnded, state.listeners.count < state.limit else { return nil }
      let listener = EventListener(boot: state.log.boot, missed: state.log.missed(after: id))
      state.listeners[ObjectIdentifier(listener)] = listener
      return listener
    }
  }

  /// Removes a page and ends its stream.
  func leave(_ listener: EventListener) {
    _ = state.withLock { $0.listeners.removeValue(forKey: ObjectIdentifier(listener)) }
    listener.end()
  }

  /// Sends a keep-alive comment to all pages.
  package func keepAlive() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.keepAlive() }
  }

  /// Sets the maximum number of pages, at most ``ServiceEvent/maximumListenerCount``.
  package func limit(to count: Int) {
    state.withLock { $0.limit = min(max(count, 1), ServiceEvent.maximumListenerCount) }
  }

  /// Ends all streams. No further pages are added.
  package func end() {
    let listeners = state.withLock { state in
      state.hasEnded = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.end() }
  }
}

/// A listening page, and its unsent events.
final class EventListener: Sendable {
  private struct State {
    var queue: EventQueue
    var isKeepAliveDue = false
    var hasEnded = false
    var waiter: CheckedContinuation<Void, Never>?

    var isReady: Bool { hasEnded || isKeepAliveDue || !queue.isEmpty }
  }

  private let boot: String
  private let state: Mutex<State>

  init(boot: String, missed: [ServiceEvent]) {
    self.boot = boot
    state = Mutex(State(queue: EventQueue(missed)))
  }

  func add(_ event: ServiceEvent) { change { $0.queue.add(event) } }

  func keepAlive() { change { $0.isKeepAliveDue = true } }

  func end() { change { $0.hasEnded = true } }

  /// Waits for the next bytes to send: all new events, or a keep-alive comment if there are none.
  /// Returns `nil` at the end.
  func next() async -> [UInt8]? {
    while true {
      if let bytes = take() { return bytes.isEmpty ? nil : bytes }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          guard !state.isReady else { return true }
          state.waiter = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  /// Returns the bytes to send: none at the end; `nil` if nothing is due.
  private func take() -> [UInt8]? {
    state.withLock { state in
      guard state.isReady else { return nil }
      guard !state.hasEnded else { return [] }
      state.isKeepAliveDue = false
      var bytes: [UInt8] = []
      while let event = state.queue.next() { bytes += event.text(boot: boot) }
      return bytes.isEmpty ? ServiceEvent.keepAlive : bytes
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiter = state.withLock { state in
      body(&state)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }
}
