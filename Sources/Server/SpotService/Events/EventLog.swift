public import Encodings

/// The latest events, for pages that lost their connection.
public struct EventLog: Sendable {
  /// The maximum number of stored events.
  public static let capacity = 1024

  /// An identifier of this run of the program: letters and digits.
  public let boot: String
  /// The number of the latest event; zero before the first.
  public private(set) var latest = 0
  /// The stored events, the oldest first.
  private var events: [ServiceEvent] = []

  /// Creates an empty log.
  public init(boot: String) {
    self.boot = boot
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event.
  ///   - device: The device of a position.
  ///   - write: Writes the event's data, a JSON object.
  /// - Returns: The event, for the queues of all pages.
  /// - Throws: The error of `write`; no event is added then.
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

  /// Adds an event without data.
  @discardableResult
  public mutating func add(_ kind: ServiceEvent.Kind, device: String? = nil) -> ServiceEvent {
    add(kind, device: device) { $0.object { _ in } }
  }

  /// Returns the events that a page missed.
  ///
  /// - Parameter id: The id of the last event that the page received; `nil` for a new page, which
  ///   missed none.
  /// - Returns: The events after it, or only the start of a stream for a new page; only a gap where
  ///   the id is malformed, from another run of the program, or so old that events after it were
  ///   dropped.
  public func missed(after id: String?) -> [ServiceEvent] {
    guard let id else { return [unnumbered(.start)] }
    guard let number = number(of: id), number <= latest,
      number >= latest - events.count
    else { return [gap] }
    return Array(events.suffix(latest - number))
  }

  /// An event that reports missed events, up to the latest.
  public var gap: ServiceEvent { unnumbered(.gap) }

  /// Returns an event without data that has the number of the latest event.
  private func unnumbered(_ kind: ServiceEvent.Kind) -> ServiceEvent {
    ServiceEvent(kind: kind, number: latest, json: Array("{}".utf8), device: nil)
  }

  private func number(of id: String) -> Int? {
    guard id.hasPrefix(boot + "-") else { return nil }
    let digits = id.dropFirst(boot.count + 1)
    return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}
