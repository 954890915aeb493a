#if MQTT
  import CLibrary
  import CMosquitto
  import FeedSources
  import LocationFeeds
  import SystemPackage

  /// A connection to a broker, used by one thread. Only this file imports libmosquitto.
  final class BrokerConnection {
    /// A message received from the broker.
    struct Message {
      var topic: String
      var payload: [UInt8]
      /// Whether the payload is longer than a message may be, and left out.
      var isTooLong = false
    }

    /// A message that the broker publishes and retains if the connection breaks.
    struct Will {
      var topic: String
      var payload: [UInt8]
    }

    /// Whether the broker accepts messages, and has granted all subscriptions.
    private(set) var isReady = false
    /// The number of the message acknowledged last; zero before the first.
    private(set) var lastAcknowledged: CInt = 0
    private var acknowledgedNumbers: [CInt] = []

    private let client: OpaquePointer
    private let topics: [String]
    private let takesRetained: Bool
    /// The number of topics that the broker has granted.
    private var grantedCount = 0
    private var messages: [Message] = []
    private var outage: FeedOutage?

    /// Connects to a broker, and subscribes to topics once it answers.
    ///
    /// - Parameters:
    ///   - address: The broker and the user.
    ///   - password: The user's password.
    ///   - topics: The topics to subscribe to.
    ///   - takesRetained: Whether retained messages are accepted too.
    ///   - will: The message that the broker publishes if the connection breaks.
    /// - Throws: The error of connecting.
    init(
      to address: MQTTAddress, password: String?, reading topics: [String] = [],
      takesRetained: Bool = false, will: Will? = nil
    ) throws(FeedOutage) {
      mosquitto_lib_init()
      // Without a client id: a clean session needs none.
      guard let client = mosquitto_new(nil, true, nil) else { throw .broken(.noMemory) }
      self.client = client
      self.topics = topics
      self.takesRetained = takesRetained
      mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
      setCallbacks()
      if let user = address.user {
        try check(mosquitto_username_pw_set(client, user, password))
      }
      if let will {
        try check(
          mosquitto_will_set(
            client, will.topic, CInt(will.payload.count), will.payload, 1, true))
      }
      try check(mosquitto_connect(client, address.place.host, CInt(address.place.port), 60))
    }

    deinit {
      mosquitto_disconnect(client)
      mosquitto_destroy(client)
    }

    /// Processes network traffic for a time, or less if something arrives.
    ///
    /// - Throws: The reason why the connection ended.
    func wait(milliseconds: Int32) throws(FeedOutage) {
      let code = mosquitto_loop(client, milliseconds, 1)
      if let outage { throw outage }
      try check(code)
    }

    /// Returns the messages received since the last call.
    func takeMessages() -> [Message] {
      defer { messages = [] }
      return messages
    }

    /// Publishes a message with quality of service 1.
    ///
    /// - Parameters:
    ///   - payload: The content.
    ///   - topic: The topic, without wildcards.
    ///   - isRetained: Whether the broker keeps the message for later subscribers.
    /// - Returns: The number of the message. When the broker acknowledges it,
    ///   ``lastAcknowledged`` is set to it, and ``takeAcknowledgedNumbers()`` includes it.
    /// - Throws: The reason why the connection ended.
    @discardableResult
    func publish(
      _ payload: [UInt8], to topic: String, isRetained: Bool = false
    ) throws(FeedOutage) -> CInt {
      var number: CInt = 0
      try check(
        mosquitto_publish(client, &number, topic, CInt(payload.count), payload, 1, isRetained))
      return number
    }

    /// Returns the numbers of the messages acknowledged since the last call.
    func takeAcknowledgedNumbers() -> [CInt] {
      defer { acknowledgedNumbers = [] }
      return acknowledgedNumbers
    }

    private func check(_ code: CInt) throws(FeedOutage) {
      let error = Errno(rawValue: errno)
      switch mosq_err_t(code) {
      case MOSQ_ERR_SUCCESS: return
      case MOSQ_ERR_EAI: throw .unknownHost(String(cString: mosquitto_strerror(code)))
      case MOSQ_ERR_ERRNO: throw isReady ? .broken(error) : .unreachable(error)
      case MOSQ_ERR_CONN_REFUSED, MOSQ_ERR_AUTH: throw .refusedByBroker
      case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET: throw .notBroker
      default: throw .closed
      }
    }

    // MARK: - Callbacks

    private func setCallbacks() {
      mosquitto_connect_callback_set(client) { _, connection, code in
        BrokerConnection.from(connection)?.didConnect(code)
      }
      mosquitto_subscribe_callback_set(client) { _, connection, _, count, qualities in
        let isGranted = count == 1 && (qualities?.pointee).map { $0 < 0x80 } == true
        BrokerConnection.from(connection)?.didSubscribe(isGranted)
      }
      mosquitto_publish_callback_set(client) { _, connection, number in
        BrokerConnection.from(connection)?.didAcknowledge(number)
      }
      mosquitto_message_callback_set(client) { _, connection, message in
        guard let message = message?.pointee else { return }
        BrokerConnection.from(connection)?.take(message)
      }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> BrokerConnection? {
      pointer.map { Unmanaged<BrokerConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func didConnect(_ code: CInt) {
      guard code == 0 else {
        outage = .refusedByBroker
        return
      }
      isReady = topics.isEmpty
      for topic in topics
      where mosquitto_subscribe(client, nil, topic, 1) != MOSQ_ERR_SUCCESS.rawValue {
        outage = .refusedByBroker
      }
    }

    private func didSubscribe(_ isGranted: Bool) {
      guard isGranted else {
        outage = .refusedByBroker
        return
      }
      grantedCount += 1
      isReady = grantedCount == topics.count
    }

    private func didAcknowledge(_ number: CInt) {
      lastAcknowledged = number
      acknowledgedNumbers.append(number)
    }

    private func take(_ message: mosquitto_message) {
      guard takesRetained || !message.retain, let topic = message.topic else { return }
      let length = Int(message.payloadlen)
      let isTooLong = !(0...MQTTFeed.maximumLength).contains(length)
      // A discovery that is too long is not one of this program.
      if isTooLong, takesRetained { return }
      let payload = UnsafeRawBufferPointer(
        start: message.payload, count: isTooLong ? 0 : length)
      messages.append(
        Message(
          topic: String(cString: topic), payload: Array(payload), isTooLong: isTooLong))
    }
  }
#endif
