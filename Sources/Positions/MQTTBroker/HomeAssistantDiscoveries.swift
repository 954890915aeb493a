#if MQTT
  public import FeedSources
  public import HomeAssistant
  public import LocationFeeds

  /// The discovery messages of an installation that a broker has retained, and their removal.
  public struct HomeAssistantDiscoveries {
    /// The silence, in milliseconds, after which the broker is taken to have sent all retained
    /// messages.
    private static let silenceMilliseconds: Int64 = 500
    /// The maximum number of messages to read, those of other programs included.
    private static let maximumMessageCount = 100_000

    private let connection: BrokerConnection
    private let topics: HomeTopics
    private let limit: Duration

    /// Connects to a broker.
    ///
    /// - Parameters:
    ///   - address: The broker and the user.
    ///   - password: The user's password, if one is required.
    ///   - topics: The topics of the installation.
    ///   - limitSeconds: The time limit for each request to the broker.
    /// - Throws: The error of connecting.
    public init(
      at address: MQTTAddress, password: String?, topics: HomeTopics, limitSeconds: Double = 10
    ) throws(FeedOutage) {
      self.topics = topics
      limit = .seconds(saturating: limitSeconds)
      connection = try BrokerConnection(
        to: address, password: password, reading: [topics.everyDiscovery], takesRetained: true)
    }

    /// Reads the discovery messages of the installation, in the order of their topics.
    ///
    /// - Throws: The reason why the connection ended.
    public func messages() throws(FeedOutage) -> [HomeMessage] {
      let start = ContinuousClock.now
      var last = start
      var own: [String: [UInt8]] = [:]
      var count = 0
      while count < Self.maximumMessageCount, last.duration(to: .now) < limit {
        try connection.wait(milliseconds: 50)
        let messages = connection.takeMessages()
        if !messages.isEmpty { last = .now }
        count += messages.count
        for message in messages where topics.isOwn(discovery: message.topic) {
          own[message.topic] = message.payload.isEmpty ? nil : message.payload
        }
        if !connection.isReady {
          last = .now
          guard start.duration(to: last) < limit else { throw .notBroker }
        } else if last.duration(to: .now) >= .milliseconds(Self.silenceMilliseconds) {
          break
        }
      }
      return own.sorted { $0.key < $1.key }.map { HomeMessage(topic: $0.key, payload: $0.value) }
    }

    /// Publishes messages, and waits until the broker has acknowledged them.
    ///
    /// - Throws: The reason why the connection ended.
    public func publish(_ messages: [HomeMessage]) throws(FeedOutage) {
      var numbers: Set<CInt> = []
      for message in messages {
        numbers.insert(
          try connection.publish(
            message.payload, to: message.topic, isRetained: message.isRetained))
      }
      let start = ContinuousClock.now
      while !numbers.isEmpty {
        try connection.wait(milliseconds: 50)
        _ = connection.takeMessages()
        numbers.subtract(connection.takeAcknowledgedNumbers())
        guard start.duration(to: .now) < limit else { throw .closed }
      }
    }
  }
#endif
