#if MQTT
  import CLibrary
  import CivilTime
  import FeedSources
  import LocationFeeds
  import MQTTBroker
  import PhotoLibrary
  import Spatial
  import SpotAlerts
  import SpotWatcher
  import SystemPackage
  import TestSupport
  import Testing

  /// Positions through a real broker.
  @Suite(
    .enabled(if: MosquittoBroker.isInstalled, "\(MosquittoBroker.hint)"),
    .timeLimit(.minutes(30)))
  struct MQTTFeedTests {
    private var hasty: ConnectionPace {
      var pace = ConnectionPace()
      pace.firstPause = .milliseconds(10)
      pace.longestPause = .milliseconds(50)
      return pace
    }

    private func address(_ port: UInt16, user: String? = nil) -> MQTTAddress {
      MQTTAddress(user: user, place: HostAndPort(host: "127.0.0.1", port: port))
    }

    private func message(_ second: Int) -> String {
      #"{"_type":"location","tid":"ph","tst":\#(1_795_176_000 + second),"lat":48.5,"lon":2.5}"#
    }

    /// Returns the next item.
    private func next(_ inbox: FeedInbox, upTo timeout: Duration = .seconds(20)) throws
      -> FeedChunk?
    {
      guard case .item(let item) = try inbox.take(upTo: timeout) else { return nil }
      return try item.chunk.get()
    }

    /// Publishes a message once the feed has subscribed, and returns what the feed reads.
    private func publish(
      _ text: String, _ port: UInt16, through broker: MosquittoBroker, _ inbox: FeedInbox
    ) throws -> FeedChunk? {
      try broker.waitForSubscriptions()
      try MQTTClient(port).publish(text, to: "owntracks/jan/pixel")
      return try next(inbox)
    }

    @Test func `device names come from topics; retained messages and other topics are ignored`()
      throws
    {
      let port = try LoopbackListener.unusedPort()
      let broker = try MosquittoBroker(port)
      try MQTTClient(port).publish(message(0), to: "owntracks/jan/pixel", isRetained: true)
      let inbox = try FeedInbox()
      defer { inbox.stop() }
      MQTTFeed.start(address(port), password: nil, pace: hasty, into: inbox, as: 3)
      guard
        case .reports(let fixes, .owntracks, _) = try publish(
          message(1), port, through: broker, inbox)
      else {
        Issue.record("no report arrives")
        return
      }
      #expect(fixes.map(\.device) == ["jan/pixel"])
      #expect(fixes.first?.time?.millisecondsSince1970 == 1_795_176_001_000)
      // A message of another topic, an empty retained message, and an invalid message.
      let publisher = try MQTTClient(port)
      try publisher.publish(message(2), to: "owntracks/jan/pixel/event")
      try publisher.publish("", to: "owntracks/jan/pixel", isRetained: true)
      try publisher.publish("junk", to: "owntracks/jan/pixel")
      guard case .reports([], nil, let removal) = try next(inbox) else {
        Issue.record("the empty message is not counted")
        return
      }
      #expect(removal.withoutPosition == 1)
      #expect(removal.ends.counts.keys.map(\.device) == ["jan/pixel"])
      guard case .reports(let none, nil, let statistics) = try next(inbox) else {
        Issue.record("junk is not counted")
        return
      }
      #expect(none.isEmpty && statistics.badLines == 1)
      #expect(statistics.ends.count(of: .refused(.unreadable)) == 1)
      #expect(statistics.ends.counts.keys.map(\.device) == ["jan/pixel"])
      _ = consume broker
    }

    @Test func `the feed reconnects to an unreachable broker, both at the start and later`() throws
    {
      let port = try LoopbackListener.unusedPort()
      let inbox = try FeedInbox()
      defer { inbox.stop() }
      MQTTFeed.start(address(port), password: nil, pace: hasty, into: inbox, as: 0)
      #expect(try next(inbox) == .event(.lost(.unreachable(.connectionRefused))))
      for round in 0..<2 {
        let broker = try MosquittoBroker(port)
        // Failed attempts were reported each time their reason changed.
        var event = try next(inbox)
        while case .event(.lost) = event { event = try next(inbox) }
        #expect(event == .event(.regained))
        guard case .reports = try publish(message(round), port, through: broker, inbox) else {
          Issue.record("no report arrives")
          return
        }
        _ = consume broker
        guard case .event(.lost) = try next(inbox) else {
          Issue.record("the loss is not reported")
          return
        }
      }
    }

    /// Starts a broker that knows one user, jan, whose password is `right`.
    private func brokerWithPassword(
      _ port: UInt16, _ folder: TemporaryFolder
    ) throws -> MosquittoBroker {
      let passwords = folder.path("passwords").string
      #expect(system("mosquitto_passwd -b -c \(passwords) jan right > /dev/null 2>&1") == 0)
      try folder.write(
        "listener \(port) 127.0.0.1\nallow_anonymous false\npassword_file \(passwords)\nuser root\n",
        to: "mosquitto.conf")
      return try MosquittoBroker(port, ["-c", folder.path("mosquitto.conf").string])
    }

    @Test func `a broker accepts only the right password`() throws {
      let folder = TemporaryFolder()
      let port = try LoopbackListener.unusedPort()
      let broker = try brokerWithPassword(port, folder)
      for (password, isRight) in [("wrong", false), (nil, false), ("right", true)] {
        let inbox = try FeedInbox()
        MQTTFeed.start(
          address(port, user: "jan"), password: password, pace: hasty, into: inbox, as: 0)
        if isRight {
          let publisher = try MQTTClient(port, user: "jan", password: "right")
          try broker.waitForSubscriptions()
          try publisher.publish(message(0), to: "owntracks/jan/pixel")
          guard case .reports = try next(inbox) else {
            Issue.record("no report arrives")
            return
          }
        } else {
          #expect(try next(inbox) == .event(.lost(.refusedByBroker)))
        }
        inbox.stop()
      }
      _ = consume broker
    }

    @Test
    func `a notification reaches subscribers of its topic only with the right password`()
      async throws
    {
      let folder = TemporaryFolder()
      let port = try LoopbackListener.unusedPort()
      let broker = try brokerWithPassword(port, folder)
      var address = address(port, user: "jan")
      address.topic = "owntracks/jan/spots"
      let inbox = try FeedInbox()
      defer { inbox.stop() }
      MQTTFeed.start(address, password: "right", pace: hasty, into: inbox, as: 0)
      guard
        case .failed(let reason) = await MQTTNotifier(address: address, password: "wrong")
          .deliver(Alert(.spot(try notification)))
      else {
        Issue.record("accepted with the wrong password")
        return
      }
      #expect(reason.contains("refuses"))
      let notifier = MQTTNotifier(address: address, password: "right")
      try broker.waitForSubscriptions()
      #expect(await notifier.deliver(Alert(.spot(try notification))) == .delivered)
      // A notification is a message without a position.
      guard case .reports(_, _, let statistics) = try next(inbox) else {
        Issue.record("the notification does not arrive")
        return
      }
      #expect(statistics.badLines == 0 && statistics.withoutPosition == 1)
      _ = consume broker
    }

    /// A notification of any kind.
    private var notification: SpotNotification {
      get throws {
        let place = try #require(Coordinate(latitude: 48.8584, longitude: 2.2945))
        let spot = NotifiedSpot(
          id: "spot", coordinate: place, distanceMeters: 5, photoCount: 1, firstCaptured: nil,
          lastCaptured: nil, cover: "/photos/1.jpg")
        return SpotNotification(
          id: "abcdefghijklm", time: Instant(secondsSince1970: 1_795_176_000), device: nil,
          distanceMeters: 5, bearingDegrees: 0, spot: spot, alsoNear: [],
          fix: LocationFix(time: nil, latitude: 48.8584, longitude: 2.2945))
      }
    }

    @Test func `a server that does not answer as an MQTT broker is reported as such`() throws {
      let server = try LoopbackListener()
      let inbox = try FeedInbox()
      defer { inbox.stop() }
      var pace = hasty
      pace.patience = .milliseconds(300)
      MQTTFeed.start(address(server.port), password: nil, pace: pace, into: inbox, as: 0)
      let connection = try server.accept()
      #expect(try next(inbox) == .event(.lost(.notBroker)))
      _ = consume connection
    }
  }
#endif
