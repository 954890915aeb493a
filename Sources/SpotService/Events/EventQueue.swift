/// The events that a page has not taken yet.
///
/// Of positions of one device only the latest waits. Where more wait than may, all of them become
/// one gap, after which the page asks for everything again.
public struct EventQueue: Sendable {
  /// How many events may wait, beside those that a page missed before.
  public static let capacity = 64

  private var events: [ServiceEvent] = []
  private let limit: Int

  /// Creates a queue of the events that a page missed, however many.
  public init(_ missed: [ServiceEvent] = []) {
    events = missed
    limit = missed.count + Self.capacity
  }

  /// Whether nothing waits.
  public var isEmpty: Bool { events.isEmpty }
  /// How many events wait.
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

  /// Takes the next event.
  public mutating func next() -> ServiceEvent? { events.isEmpty ? nil : events.removeFirst() }
}
