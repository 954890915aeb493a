#if MQTT
  public import FeedSources
  public import HomeAssistant
  public import LocationFeeds

  /// The discoveries of an installation that a broker has retained, and their removal.
  public struct HomeAssistantDiscoveries {
    /// How long the broker sends nothing when it has sent everything, in milliseconds.
    private static let silenceMilliseconds: Int64 = 500
    /// No more messages are looked at, of other programs too.
    private static let maximumMessageCount = 100_000

    private let connection: BrokerConnection
    private let topics: HomeTopics
    private let limit: Duration

    /// Connects to a broker.
    ///
    /// - Parameters:
    ///   - address: The broker and the user.
    ///   - password: The user's password, where one is needed.
    ///   - topics: The topics of the installation.
    ///   - limitSeconds: How long the broker may take over each request.
    /// - Throws: Why there is no connection.
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
    /// - Throws: Why the connection is over.
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

    /// Publishes messages, and waits until the broker has them.
    ///
    /// - Throws: Why the connection is over.
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
        numbers.subtract(connection.takeTakenNumbers())
        guard start.duration(to: .now) < limit else { throw .closed }
      }
    }
  }
#endif
