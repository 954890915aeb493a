public import Interchange

/// The last events, for pages that lost their connection.
public struct EventLog: Sendable {
  /// How many events are kept.
  public static let capacity = 1024

  /// What tells this run of the program from others: letters and digits.
  public let boot: String
  /// The number of the latest event; zero before the first.
  public private(set) var latest = 0
  /// The last events, the oldest first.
  private var events: [ServiceEvent] = []

  /// Creates a log without events.
  public init(boot: String) {
    self.boot = boot
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - kind: What happened.
  ///   - device: The device of a position.
  ///   - write: Writes the object that the page is told.
  /// - Returns: The event, for the queues of all pages.
  /// - Throws: What `write` throws; then there is no event.
  @discardableResult
  public mutating func add<E: Error>(
    _ kind: ServiceEvent.Kind, device: String? = nil,
    _ write: (inout JSONWriter) throws(E) -> Void
  ) throws(E) -> ServiceEvent {
    var writer = JSONWriter()
    try write(&writer)
    latest += 1
    let event = ServiceEvent(
      kind: kind, number: latest, json: writer.takeBytes(), device: device)
    if events.count == Self.capacity { events.removeFirst() }
    events.append(event)
    return event
  }

  /// Adds an event of which there is nothing more to tell.
  @discardableResult
  public mutating func add(_ kind: ServiceEvent.Kind, device: String? = nil) -> ServiceEvent {
    add(kind, device: device) { $0.object { _ in } }
  }

  /// The events that a page missed.
  ///
  /// - Parameter id: The id of the last event that it saw; `nil` for a page that saw none, which
  ///   missed nothing.
  /// - Returns: The events behind it; a gap alone where the id is of another run of the program, is
  ///   none, or is so old that some behind it are gone.
  public func missed(after id: String?) -> [ServiceEvent] {
    guard let id else { return [] }
    guard let number = number(of: id), number <= latest,
      number >= latest - events.count
    else { return [gap] }
    return Array(events.suffix(latest - number))
  }

  /// That events were missed, up to the latest.
  public var gap: ServiceEvent {
    ServiceEvent(kind: .gap, number: latest, json: Array("{}".utf8), device: nil)
  }

  private func number(of id: String) -> Int? {
    guard id.hasPrefix(boot + "-") else { return nil }
    let digits = id.dropFirst(boot.count + 1)
    return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}
