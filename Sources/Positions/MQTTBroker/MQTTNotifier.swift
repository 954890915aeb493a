#if MQTT
  import Dispatch
  public import FeedSources
  import LocationFeeds
  public import SpotAlerts

  /// Publishes each alert as JSON to a topic of an MQTT broker.
  ///
  /// Messages have quality of service 1: an alert counts as delivered when the broker acknowledges
  /// it. They are not retained, since later subscribers need no alert about a place that was left.
  /// A broker also acknowledges messages that the user is not permitted to publish, as MQTT 3.1.1
  /// has no error response for them.
  public struct MQTTNotifier: Notifier {
    /// The notifier's name: `mqtt`.
    public let name = "mqtt"
    private let address: MQTTAddress
    private let password: String?
    private let limitSeconds: Double

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - address: The broker, user and topic; the topic has no wildcards.
    ///   - password: The user's password, if one is required.
    ///   - limitSeconds: The time limit, from connecting to the broker's acknowledgement.
    public init(address: MQTTAddress, password: String?, limitSeconds: Double = 30) {
      self.address = address
      self.password = password
      self.limitSeconds = limitSeconds
    }

    /// Publishes the alert over a connection of its own, since there are only a few alerts a day.
    public func deliver(_ alert: Alert) async -> DeliveryResult {
      let publication = Publication(
        address: address, password: password, payload: Array(alert.ndjson.dropLast()))
      // A thread of its own, since a host name look-up blocks, possibly beyond the time limit.
      DispatchQueue(label: "photospots.mqtt").async { publication.run() }
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + limitSeconds) {
        publication.end(.failed("the broker took longer than \(limitSeconds) s"))
      }
      return await withTaskCancellationHandler {
        await publication.result
      } onCancel: {
        publication.end(.failed("interrupted before the broker accepted it"))
      }
    }
  }

  /// The publication of one message. It ends once: by the broker's acknowledgement, the time limit,
  /// or cancellation.
  private final class Publication: Sendable {
    private let address: MQTTAddress
    private let password: String?
    private let payload: [UInt8]
    private let ending = DeliveryEnding()

    /// The interval in milliseconds between checks whether the delivery has ended.
    private static let intervalMilliseconds: Int32 = 100

    init(address: MQTTAddress, password: String?, payload: [UInt8]) {
      self.address = address
      self.password = password
      self.payload = payload
    }

    /// The result; waits until it is set.
    var result: DeliveryResult { get async { await ending.result } }

    /// Sets the result, unless it is set already.
    func end(_ result: DeliveryResult) { ending.end(result) }

    func run() {
      do throws(FeedOutage) {
        let connection = try BrokerConnection(to: address, password: password)
        var number: CInt?
        while !ending.isOver {
          try connection.wait(milliseconds: Self.intervalMilliseconds)
          if connection.isReady, number == nil {
            number = try connection.publish(payload, to: address.topic)
          }
          if let number, connection.lastAcknowledged == number { end(.delivered) }
        }
      } catch {
        end(.failed("\(error)"))
      }
    }
  }
#endif
