public import FeedServer
import Synchronization

/// A feed into which the program passes messages itself, for example from its own server.
///
/// ```swift
/// let inlet = FeedInlet()
/// let feed = Feed(origin: .inlet(inlet), label: "phones", deviceName: "phones")
/// try watch.start([feed], access: access)
/// let isStored = await inlet.take(message)
/// ```
public final class FeedInlet: Hashable, Sendable {
  private struct State {
    var taking: FeedServer.Taking?
    /// Whether a watch has read it or will never do so.
    var isSettled = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Creates an inlet, which accepts no messages until a watch reads it.
  public init() {}

  /// Passes a message to the watch.
  ///
  /// - Parameter message: The message.
  /// - Returns: Whether its positions are stored; false if no watch is running, or if they cannot
  ///   be written.
  public func take(_ message: FeedServer.Message) async -> Bool {
    guard let taking = state.withLock({ $0.taking }) else { return false }
    return await taking(message)
  }

  /// Waits until a watch reads the inlet for the first time.
  ///
  /// - Returns: Whether one reads it; false after ``close()``.
  package func isReady() async -> Bool {
    await withCheckedContinuation { continuation in
      let isSettled = state.withLock { state in
        if !state.isSettled { state.waiters.append(continuation) }
        return state.isSettled
      }
      if isSettled { continuation.resume() }
    }
    return state.withLock { $0.taking != nil }
  }

  /// Stops forwarding messages, also where no watch has read the inlet.
  package func close() { connect(to: nil) }

  /// Starts forwarding messages; with `nil`, stops.
  func connect(to taking: FeedServer.Taking?) {
    let waiters = state.withLock { state in
      state.taking = taking
      state.isSettled = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns whether both are the same object.
  public static func == (left: FeedInlet, right: FeedInlet) -> Bool { left === right }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
