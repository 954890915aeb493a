public import SpotAlerts
import SpotWatcher

/// What Home Assistant is told, and when: a value that is told what happens, with the times, and
/// returns the messages to publish.
///
/// Discovery messages, states, the last alert and its picture are retained, so that Home Assistant
/// has them at once when it starts (home-assistant.io/integrations/sensor.mqtt); events are not,
/// since it passes over an event that it is told late (`event.py` of its MQTT integration). After
/// its birth message the discovery messages are published again, some seconds later, as its
/// documentation asks ("Birth and last will messages").
public struct HomeBoard: Sendable {
  /// A time on the monotonic clock.
  public typealias Time = ContinuousClock.Instant

  /// No more devices are told of: senders may invent some.
  public static let maximumDeviceCount = 64
  /// How often the distance to the nearest spot is told: every change is written to Home
  /// Assistant's history.
  static let interval = Duration.seconds(10)
  /// The longest delay after a birth message, in milliseconds.
  private static let maximumDelayMilliseconds: UInt64 = 4000

  /// The topics.
  public let topics: HomeTopics
  private let discovery: HomeDiscovery
  /// The ids of the devices that were told of, in order.
  private var ids: [String] = []
  private var known: [String: Device] = [:]
  private var hasToldLimit = false
  /// When the discovery messages are published again.
  private var discoveryTime: Time?

  private struct Device {
    /// As the feed calls it; two spellings that look the same are two devices, as their ids are.
    let name: String?
    var surroundings: HomeSurroundings?
    /// What was published last, and when.
    var published: (surroundings: HomeSurroundings, time: Time)?
    var lastAlert: Alert?
    var isAnnounced = false
  }

  /// Creates a board without devices.
  ///
  /// - Parameters:
  ///   - topics: The topics.
  ///   - version: The version of the program.
  ///   - page: The address of its page; `nil` where there is none for others.
  ///   - hasPictures: Whether pictures are published.
  public init(topics: HomeTopics, version: String, page: String?, hasPictures: Bool) {
    self.topics = topics
    discovery = HomeDiscovery(
      topics: topics,
      program: .init(version: version, page: page, hasPictures: hasPictures))
  }

  // MARK: - What happens

  /// Takes the spots around a device.
  ///
  /// - Returns: Whether the device is one too many, the first time that one is.
  public mutating func note(_ surroundings: HomeSurroundings, of device: String?) -> Bool {
    guard let id = add(device) else {
      defer { hasToldLimit = true }
      return !hasToldLimit
    }
    known[id]?.surroundings = surroundings
    return false
  }

  /// Takes an alert that was told before this run as the last of its device, where none is known.
  public mutating func restore(_ alert: Alert) {
    guard let notification = alert.notification, let id = add(notification.device),
      known[id]?.lastAlert == nil
    else { return }
    known[id]?.lastAlert = alert
  }

  /// Takes a message that came to ``HomeTopics/birth``.
  public mutating func didHear(_ payload: [UInt8], now: Time) {
    guard payload == Array("online".utf8) else { return }
    // The same for one installation, and different for several on a broker.
    var delay: UInt64 = 0
    for byte in topics.nodeID.utf8 { delay = delay &* 31 &+ UInt64(byte) }
    let milliseconds = 500 + delay % (Self.maximumDelayMilliseconds - 500)
    discoveryTime = discoveryTime ?? now + .milliseconds(Int64(milliseconds))
  }

  /// Adds a device where it is not known.
  ///
  /// - Returns: Its id; `nil` where there are too many.
  private mutating func add(_ device: String?) -> String? {
    let id = HomeTopics.id(of: device)
    if known[id] != nil { return id }
    guard ids.count < Self.maximumDeviceCount else { return nil }
    ids.append(id)
    known[id] = Device(name: device)
    return id
  }

  // MARK: - What is published

  /// What is published whenever a connection is made: everything, since a broker may have lost what
  /// it retained, and that it is current.
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

  /// What is to be published by now.
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
  ///   - picture: A JPEG file of its spot's cover; `nil` where there is none.
  /// - Returns: Events, and for a device its last alert and the picture of that.
  public mutating func messages(of alert: Alert, picture: [UInt8]?) -> [HomeMessage] {
    let event = alert.homeEvent
    var messages: [HomeMessage] = []
    if let notification = alert.notification, let id = add(notification.device) {
      if known[id]?.isAnnounced == false { messages += announcement(of: id) }
      known[id]?.lastAlert = alert
      if discovery.program.hasPictures {
        // None takes away that of the alert before.
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

  /// Whether states are kept current, which the broker says by itself when a connection breaks.
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
