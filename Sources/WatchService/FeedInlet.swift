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
  private let taking = Mutex<FeedServer.Taking?>(nil)

  /// Creates an inlet, which accepts no messages until a watch reads it.
  public init() {}

  /// Passes a message to the watch.
  ///
  /// - Parameter message: The message.
  /// - Returns: Whether its positions are stored; false if no watch is running, or if they cannot
  ///   be written.
  public func take(_ message: FeedServer.Message) async -> Bool {
    guard let taking = taking.withLock({ $0 }) else { return false }
    return await taking(message)
  }

  /// Starts forwarding messages; with `nil`, stops.
  func connect(to taking: FeedServer.Taking?) { self.taking.withLock { $0 = taking } }

  /// Returns whether both are the same object.
  public static func == (left: FeedInlet, right: FeedInlet) -> Bool { left === right }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
