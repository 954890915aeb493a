#if MQTT
  import CLibrary
  import CMosquitto
  import FeedSources
  import LocationFeeds
  import SystemPackage

  /// A connection to a broker, used by one thread; libmosquitto is known to this file alone.
  final class BrokerConnection {
    /// A message that was published while the connection was there.
    struct Message {
      var topic: String
      var payload: [UInt8]
    }

    /// What a connection is for.
    enum Purpose {
      /// To read what is published to its topic.
      case reading
      /// To publish to it.
      case publishing
    }

    /// Whether the broker passes messages on, or takes them.
    private(set) var isReady = false
    /// The number of the message that the broker has taken last; zero before the first.
    private(set) var takenMessage: CInt = 0

    private let client: OpaquePointer
    private let topic: String
    private let purpose: Purpose
    private var messages: [Message] = []
    private var outage: FeedOutage?

    /// Connects; to read, it asks for the topic once the broker answers.
    ///
    /// - Throws: Why there is no connection.
    init(
      to address: MQTTAddress, password: String?, for purpose: Purpose
    ) throws(FeedOutage) {
      mosquitto_lib_init()
      // Without a name of its own: a clean session needs none.
      guard let client = mosquitto_new(nil, true, nil) else { throw .broken(.noMemory) }
      self.client = client
      topic = address.topic
      self.purpose = purpose
      mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
      setCallbacks()
      if let user = address.user {
        try check(mosquitto_username_pw_set(client, user, password))
      }
      try check(mosquitto_connect(client, address.place.host, CInt(address.place.port), 60))
    }

    deinit {
      mosquitto_disconnect(client)
      mosquitto_destroy(client)
    }

    /// Lets the connection work for some time, less where something comes.
    ///
    /// - Throws: Why the connection is over.
    func wait(milliseconds: Int32) throws(FeedOutage) {
      let code = mosquitto_loop(client, milliseconds, 1)
      if let outage { throw outage }
      try check(code)
    }

    /// Takes what has come.
    func takeMessages() -> [Message] {
      defer { messages = [] }
      return messages
    }

    /// Publishes a message, which the broker does not keep for later subscribers.
    ///
    /// - Returns: Its number, which ``takenMessage`` is once the broker has it.
    /// - Throws: Why the connection is over.
    func publish(_ payload: [UInt8]) throws(FeedOutage) -> CInt {
      var number: CInt = 0
      try check(
        mosquitto_publish(client, &number, topic, CInt(payload.count), payload, 1, false))
      return number
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

    // MARK: - What the broker says

    private func setCallbacks() {
      mosquitto_connect_callback_set(client) { _, connection, code in
        BrokerConnection.from(connection)?.didConnect(code)
      }
      mosquitto_subscribe_callback_set(client) { _, connection, _, count, qualities in
        let isGranted = count == 1 && (qualities?.pointee).map { $0 < 0x80 } == true
        BrokerConnection.from(connection)?.didSubscribe(isGranted)
      }
      mosquitto_publish_callback_set(client) { _, connection, number in
        BrokerConnection.from(connection)?.takenMessage = number
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
      switch purpose {
      case .publishing: isReady = true
      case .reading:
        if mosquitto_subscribe(client, nil, topic, 1) != MOSQ_ERR_SUCCESS.rawValue {
          outage = .refusedByBroker
        }
      }
    }

    private func didSubscribe(_ isGranted: Bool) {
      if isGranted { isReady = true } else { outage = .refusedByBroker }
    }

    private func take(_ message: mosquitto_message) {
      guard !message.retain, let topic = message.topic,
        (0...MQTTFeed.maximumLength).contains(Int(message.payloadlen))
      else { return }
      let payload = UnsafeRawBufferPointer(
        start: message.payload, count: Int(message.payloadlen))
      messages.append(Message(topic: String(cString: topic), payload: Array(payload)))
    }
  }
#endif
