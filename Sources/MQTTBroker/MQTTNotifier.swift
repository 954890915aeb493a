#if MQTT
  import Dispatch
  public import FeedSources
  import LocationFeeds
  public import SpotAlerts

  /// Publishes each alert as JSON to a topic of an MQTT broker.
  ///
  /// With quality of service 1: it is delivered when the broker says that it has it. It is not
  /// retained, since who subscribes later need not hear of a place that was left. A broker that
  /// lets the user publish nothing to the topic takes it all the same: MQTT 3.1.1 has no answer for
  /// that.
  public struct MQTTNotifier: Notifier {
    /// `mqtt`.
    public let name = "mqtt"
    private let address: MQTTAddress
    private let password: String?
    private let limitSeconds: Double

    /// Creates a notifier.
    ///
    /// - Parameters:
    ///   - address: The broker, user and topic; the topic has no wildcards.
    ///   - password: The user's password, where one is needed.
    ///   - limitSeconds: How long the broker may take, from the connection to its answer.
    public init(address: MQTTAddress, password: String?, limitSeconds: Double = 30) {
      self.address = address
      self.password = password
      self.limitSeconds = limitSeconds
    }

    /// Publishes the alert, over a connection of its own: there are a few a day.
    public func deliver(_ alert: Alert) async -> DeliveryResult {
      let publication = Publication(
        address: address, password: password, payload: Array(alert.ndjson.dropLast()))
      // A thread of its own, since to look up a host blocks; and that may go on when nobody waits
      // any more.
      DispatchQueue(label: "photospots.mqtt").async { publication.run() }
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + limitSeconds) {
        publication.end(.failed("the broker took longer than \(limitSeconds) s"))
      }
      return await withTaskCancellationHandler {
        await publication.result
      } onCancel: {
        publication.end(.failed("interrupted before the broker took it"))
      }
    }
  }

  /// The publishing of one message, which ends once: with the broker's answer, too late, or
  /// interrupted.
  private final class Publication: Sendable {
    private let address: MQTTAddress
    private let password: String?
    private let payload: [UInt8]
    private let ending = DeliveryEnding()

    /// How long its end may go unnoticed, in milliseconds.
    private static let intervalMilliseconds: Int32 = 100

    init(address: MQTTAddress, password: String?, payload: [UInt8]) {
      self.address = address
      self.password = password
      self.payload = payload
    }

    /// How it ended, once it has.
    var result: DeliveryResult { get async { await ending.result } }

    /// Ends it, unless it has ended.
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
          if let number, connection.takenMessage == number { end(.delivered) }
        }
      } catch {
        end(.failed("\(error)"))
      }
    }
  }
#endif
