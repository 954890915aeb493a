public import SpotAlerts
import SpotWatcher

/// Decides which messages are published to Home Assistant, and when. It is a pure value: events and
/// times are passed in, and the messages are returned.
///
/// Discovery messages, states, the last alert and its picture are retained, so that Home Assistant
/// has them as soon as it starts (home-assistant.io/integrations/sensor.mqtt). Events are not
/// retained, since Home Assistant ignores retained ones (`event.py` of its MQTT integration). Some
/// seconds after its birth message, the discovery messages are published again, as its
/// documentation asks ("Birth and last will messages").
public struct HomeBoard: Sendable {
  /// A time on the monotonic clock.
  public typealias Time = ContinuousClock.Instant

  /// The maximum number of devices that are published, since senders may make up names.
  public static let maximumDeviceCount = 64
  /// The minimum interval between two updates of the distance to the nearest spot. It is bounded
  /// because every change is written to Home Assistant's history.
  static let interval = Duration.seconds(10)
  /// The longest delay after a birth message, in milliseconds.
  private static let maximumDelayMilliseconds: UInt64 = 4000

  /// The topics.
  public let topics: HomeTopics
  private let discovery: HomeDiscovery
  /// The ids of the known devices, in the order of their addition.
  private var ids: [String] = []
  private var known: [String: Device] = [:]
  private var hasReportedLimit = false
  /// The time at which the discovery messages are published again.
  private var discoveryTime: Time?

  private struct Device {
    /// The name in the feed. Names that look the same but differ in their encoding are two devices,
    /// since their ids differ.
    let name: String?
    var surroundings: HomeSurroundings?
    /// The surroundings published last, and the time of that.
    var published: (surroundings: HomeSurroundings, time: Time)?
    var lastAlert: Alert?
    var isAnnounced = false
  }

  /// Creates a board without devices.
  ///
  /// - Parameters:
  ///   - topics: The topics.
  ///   - version: The version of the program.
  ///   - page: The address of the program's page; `nil` where it cannot be reached by others.
  ///   - hasPictures: Whether pictures are published.
  public init(topics: HomeTopics, version: String, page: String?, hasPictures: Bool) {
    self.topics = topics
    discovery = HomeDiscovery(
      topics: topics,
      program: .init(version: version, page: page, hasPictures: hasPictures))
  }

  // MARK: - Events

  /// Updates the spots around a device.
  ///
  /// - Returns: Whether the limit of devices was exceeded for the first time.
  public mutating func note(_ surroundings: HomeSurroundings, of device: String?) -> Bool {
    guard let id = add(device) else {
      defer { hasReportedLimit = true }
      return !hasReportedLimit
    }
    known[id]?.surroundings = surroundings
    return false
  }

  /// Sets an alert of an earlier run as the last one of its device, if none is known.
  public mutating func restore(_ alert: Alert) {
    guard let notification = alert.notification, let id = add(notification.device),
      known[id]?.lastAlert == nil
    else { return }
    known[id]?.lastAlert = alert
  }

  /// Handles a message received from ``HomeTopics/birth``.
  public mutating func didHear(_ payload: [UInt8], now: Time) {
    guard payload == Array("online".utf8) else { return }
    // The delay is derived from the id, so that installations on one broker have different delays.
    var delay: UInt64 = 0
    for byte in topics.nodeID.utf8 { delay = delay &* 31 &+ UInt64(byte) }
    let milliseconds = 500 + delay % (Self.maximumDelayMilliseconds - 500)
    discoveryTime = discoveryTime ?? now + .milliseconds(Int64(milliseconds))
  }

  /// Adds a device if it is unknown.
  ///
  /// - Returns: The device's id; `nil` where there are too many devices.
  private mutating func add(_ device: String?) -> String? {
    let id = HomeTopics.id(of: device)
    if known[id] != nil { return id }
    guard ids.count < Self.maximumDeviceCount else { return nil }
    ids.append(id)
    known[id] = Device(name: device)
    return id
  }

  // MARK: - Messages

  /// Returns the messages to publish after connecting: all of them, since the broker may have lost
  /// those it retained, and then the availability.
  public mutating func greeting(now: Time) -> [HomeMessage] {
    discoveryTime = nil
    var messages = [discovery.installation]
    for id in ids {
      messages += announcement(of: id)
      if let alert = known[id]?.lastAlert {
        messages.append(
          HomeMessage(topic: topics.topic("alert", ofID: id), payload: alert.homeState))
      }
      messages += state(of: id, now: now)
    }
    return messages + [availability(isOnline: true)]
  }

  /// Returns the messages that are due at a time.
  public mutating func messagesDue(now: Time) -> [HomeMessage] {
    var messages: [HomeMessage] = []
    if let time = discoveryTime, time <= now {
      discoveryTime = nil
      messages.append(discovery.installation)
      for id in ids { messages += announcement(of: id) }
    }
    for id in ids {
      guard let entry = known[id], let surroundings = entry.surroundings else { continue }
      if let published = entry.published {
        guard published.surroundings != surroundings else { continue }
        guard
          published.time + Self.interval <= now
            || surroundings.differsVisibly(from: published.surroundings)
        else { continue }
      }
      if !entry.isAnnounced { messages += announcement(of: id) }
      messages += state(of: id, now: now)
    }
    return messages
  }

  /// Returns the messages of an alert.
  ///
  /// - Parameters:
  ///   - alert: The alert.
  ///   - picture: A JPEG file of the spot's cover; `nil` where there is none.
  /// - Returns: The events; for an alert of a device also its last alert and picture.
  public mutating func messages(of alert: Alert, picture: [UInt8]?) -> [HomeMessage] {
    let event = alert.homeEvent
    var messages: [HomeMessage] = []
    if let notification = alert.notification, let id = add(notification.device) {
      if known[id]?.isAnnounced == false { messages += announcement(of: id) }
      known[id]?.lastAlert = alert
      if discovery.program.hasPictures {
        // An empty payload removes the picture of the alert before.
        messages.append(
          HomeMessage(topic: topics.topic("picture", ofID: id), payload: picture ?? []))
      }
      messages.append(
        HomeMessage(topic: topics.topic("alert", ofID: id), payload: alert.homeState))
      messages.append(
        HomeMessage(topic: topics.topic("event", ofID: id), payload: event, isRetained: false))
    }
    return messages + [HomeMessage(topic: topics.events, payload: event, isRetained: false)]
  }

  /// Returns the availability message, `online` or `offline`, by which Home Assistant shows the
  /// entities as available or not. The broker publishes `offline` if the connection breaks.
  public func availability(isOnline: Bool) -> HomeMessage {
    HomeMessage(
      topic: topics.availability, payload: Array((isOnline ? "online" : "offline").utf8))
  }

  private mutating func announcement(of id: String) -> [HomeMessage] {
    guard let device = known[id] else { return [] }
    known[id]?.isAnnounced = true
    return [discovery.device(device.name)]
  }

  private mutating func state(of id: String, now: Time) -> [HomeMessage] {
    guard let surroundings = known[id]?.surroundings else { return [] }
    known[id]?.published = (surroundings, now)
    return [HomeMessage(topic: topics.topic("state", ofID: id), payload: surroundings.payload)]
  }
}
