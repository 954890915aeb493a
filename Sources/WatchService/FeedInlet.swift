public import FeedServer
import Synchronization

/// A feed into which a program hands messages that it took itself, from a server of its own say.
///
/// ```swift
/// let inlet = FeedInlet()
/// let feed = Feed(origin: .inlet(inlet), label: "phones", deviceName: "phones")
/// try watch.start([feed], access: access)
/// let isStored = await inlet.take(message)
/// ```
public final class FeedInlet: Hashable, Sendable {
  private let taking = Mutex<FeedServer.Taking?>(nil)

  /// Creates an inlet, which takes nothing until a watch reads it.
  public init() {}

  /// Hands in a message.
  ///
  /// - Parameter message: The message.
  /// - Returns: Whether its positions are stored; not where no watch is running, or where they
  ///   cannot be written.
  public func take(_ message: FeedServer.Message) async -> Bool {
    guard let taking = taking.withLock({ $0 }) else { return false }
    return await taking(message)
  }

  /// Begins to hand messages on; with `nil` it takes none any more.
  func connect(to taking: FeedServer.Taking?) { self.taking.withLock { $0 = taking } }

  /// Whether both are the same object.
  public static func == (left: FeedInlet, right: FeedInlet) -> Bool { left === right }

  /// Hashes what object it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
