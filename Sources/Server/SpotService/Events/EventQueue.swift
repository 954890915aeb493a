/// The events waiting to be sent to a page.
///
/// Of the positions of one device, only the latest waits. If too many events wait, all of them are
/// replaced by one gap, after which the page requests everything again.
public struct EventQueue: Sendable {
  /// The maximum number of waiting events, in addition to those that the page missed before.
  public static let capacity = 64

  private var events: [ServiceEvent] = []
  private let limit: Int

  /// Creates a queue with the events that a page missed, regardless of their number.
  public init(_ missed: [ServiceEvent] = []) {
    events = missed
    limit = missed.count + Self.capacity
  }

  /// Whether no events are waiting.
  public var isEmpty: Bool { events.isEmpty }
  /// The number of waiting events.
  public var count: Int { events.count }

  /// Adds an event.
  public mutating func add(_ event: ServiceEvent) {
    if event.kind == .position,
      let known = events.lastIndex(where: { $0.kind == .position && $0.device == event.device })
    {
      events.remove(at: known)
    }
    events.append(event)
    guard events.count > limit else { return }
    events = [
      ServiceEvent(kind: .gap, number: event.number, json: Array("{}".utf8), device: nil)
    ]
  }

  /// Removes and returns the next event; `nil` where there is none.
  public mutating func next() -> ServiceEvent? { events.isEmpty ? nil : events.removeFirst() }
}
