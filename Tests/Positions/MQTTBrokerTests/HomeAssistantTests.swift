#if MQTT
  import CLibrary
  import CivilTime
  import FeedSources
  import HomeAssistant
  import LocationFeeds
  import MQTTBroker
  import Spatial
  import SpotAlerts
  import SpotWatcher
  import Synchronization
  import SystemPackage
  import TestSupport
  import Testing

  /// The messages to Home Assistant through a real broker.
  @Suite(
    .enabled(if: MosquittoBroker.isInstalled, "\(MosquittoBroker.hint)"),
    .timeLimit(.minutes(30)))
  struct HomeAssistantPublisherTests {
    private let topics = HomeTopics(base: "photospots")!

    private func publisher(
      _ port: UInt16, picture: (@Sendable (FilePath) async -> [UInt8]?)? = { _ in [0xFF, 0xD8] },
      report: @escaping @Sendable (HomeAssistantPublisher.Event) -> Void = { _ in }
    ) -> HomeAssistantPublisher {
      var pace = ConnectionPace()
      pace.firstPause = .milliseconds(10)
      pace.longestPause = .milliseconds(50)
      return HomeAssistantPublisher(
        address: MQTTAddress(
          place: HostAndPort(host: "127.0.0.1", port: port), topic: topics.base),
        password: nil,
        board: HomeBoard(
          topics: topics, version: "1", page: nil, hasPictures: picture != nil),
        pace: pace, picture: picture, report: report)
    }

    private func surroundings(_ count: Int) throws -> HomeSurroundings {
      let place = try #require(Coordinate(latitude: 48.8584, longitude: 2.2945))
      return HomeSurroundings(
        spotCount: count,
        nearest: .init(
          id: "spot", name: "Paris", position: place, photoCount: 3, distanceMeters: 7))
    }

    private func alert(device: String? = "phone") throws -> Alert {
      let place = try #require(Coordinate(latitude: 48.8584, longitude: 2.2945))
      let spot = NotifiedSpot(
        id: "spot", coordinate: place, distanceMeters: 5, photoCount: 1, firstCaptured: nil,
        lastCaptured: nil, cover: "/photos/1.jpg")
      return Alert(
        .spot(
          SpotNotification(
            id: "abcdefghijklm", time: Instant(secondsSince1970: 1_795_176_000), device: device,
            distanceMeters: 5, bearingDegrees: 0, spot: spot, alsoNear: [],
            fix: LocationFix(
              time: nil, latitude: 48.8584, longitude: 2.2945, device: device))))
    }

    /// Returns all messages that a broker has retained, once they meet a condition.
    private func retained(
      _ port: UInt16, until isWhole: ([String: MQTTClient.Message]) -> Bool
    ) throws -> [String: MQTTClient.Message] {
      // Subscribes first, to get every message published after the list is complete.
      let follower = try MQTTClient(port)
      try follower.subscribe(to: "#")
      while true {
        let messages = try retained(port)
        if isWhole(messages) { return messages }
        var message = try follower.next()
        while message.isRetained || message.topic == "end" { message = try follower.next() }
      }
    }

    /// Returns all messages that a broker has retained.
    private func retained(_ port: UInt16) throws -> [String: MQTTClient.Message] {
      let client = try MQTTClient(port)
      try client.subscribe(to: "end")
      try client.subscribe(to: "#")
      try MQTTClient(port).publish("", to: "end")
      var messages: [String: MQTTClient.Message] = [:]
      while true {
        let message = try client.next()
        if message.topic == "end" { return messages }
        if message.isRetained { messages[message.topic] = message }
      }
    }

    @Test func `retained messages give a late subscriber discoveries, states and the last alert`()
      async throws
    {
      let port = try LoopbackListener.unusedPort()
      let broker = try MosquittoBroker(port)
      let publisher = publisher(port)
      publisher.start()
      publisher.note(try surroundings(3), of: "pho/ne")
      let listener = try MQTTClient(port)
      try listener.subscribe(to: "photospots/event")
      #expect(await publisher.deliver(try alert(device: "pho/ne")) == .delivered)
      let event = try listener.next(of: topics.events)
      #expect(!event.isRetained && event.text.hasPrefix(#"{"event_type":"enter","#))
      let messages = try retained(port) { $0.count == 6 }
      #expect(messages[topics.availability]?.text == "online")
      #expect(messages[topics.discovery] != nil)
      #expect(messages[topics.discovery(of: "pho/ne")]?.text.contains("Nearest spot") == true)
      let id = topics.objectID(of: "pho/ne").dropFirst("photospots__".count)
      #expect(
        messages["photospots/devices/\(id)/state"]?.text.hasPrefix(#"{"spots":3,"#) == true)
      #expect(messages["photospots/devices/\(id)/picture"]?.payload == [0xFF, 0xD8])
      #expect(messages["photospots/devices/\(id)/alert"]?.text.contains("abcdefghijklm") == true)
      publisher.stop(withinSeconds: 60)
      #expect(try retained(port)[topics.availability]?.text == "offline")
      guard case .failed = await publisher.deliver(try alert()) else {
        Issue.record("delivered after the end")
        return
      }
      _ = consume broker
    }

    @Test func `discoveries are published again after a birth message of Home Assistant`() throws {
      let port = try LoopbackListener.unusedPort()
      let broker = try MosquittoBroker(port)
      let publisher = publisher(port)
      publisher.note(try surroundings(1), of: "phone")
      publisher.start()
      defer { publisher.stop(withinSeconds: 60) }
      _ = try retained(port) { $0[topics.availability] != nil }
      let home = try MQTTClient(port)
      try home.subscribe(to: topics.everyDiscovery)
      for _ in 0..<2 { #expect(try home.next().isRetained) }
      // A retained birth message is from the past; a new one counts.
      try MQTTClient(port).publish("online", to: topics.birth)
      let again = try [home.next(), home.next()]
      #expect(again.map(\.topic) == [topics.discovery, topics.discovery(of: "phone")])
      #expect(again.allSatisfy { !$0.isRetained })
      _ = consume broker
    }

    @Test func `after a reconnection all state is published again, and the loss is reported`()
      async throws
    {
      let port = try LoopbackListener.unusedPort()
      let events = Mutex<[HomeAssistantPublisher.Event]>([])
      let publisher = publisher(port, report: { event in events.withLock { $0.append(event) } })
      publisher.note(try surroundings(1), of: "phone")
      guard case .failed(let reason) = await publisher.deliver(try alert()) else {
        Issue.record("delivered without a broker")
        return
      }
      #expect(!reason.isEmpty && !reason.contains("\(port)"))
      for _ in 0..<2 {
        let broker = try MosquittoBroker(port)
        let messages = try retained(port) { $0[topics.availability]?.text == "online" }
        #expect(messages[topics.discovery(of: "phone")] != nil)
        #expect(messages["photospots/devices/phone/state"] != nil)
        _ = consume broker
      }
      publisher.stop(withinSeconds: 60)
      let told = events.withLock { $0 }
      #expect(told.first == .connection(.lost(.unreachable(.connectionRefused))))
      #expect(told.contains(.connection(.regained)))
    }

    @Test func `the last will and a normal stop both set the availability to offline`() async throws
    {
      let broker = try LoopbackBroker()
      let publisher = publisher(broker.port)
      #expect(await publisher.deliver(try alert()) == .delivered)
      publisher.stop(withinSeconds: 60)
      let login = try #require(broker.logins.first)
      // MQTT 3.1.1, section 3.1.2.3: a clean session, and a will of quality of service 1 that is
      // retained.
      #expect(login[7] == 0b0010_1110)
      func text(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }
      // The client identifier follows; it is empty or generated (section 3.1.3).
      let nameEnd = 12 + Int(login[10]) << 8 + Int(login[11])
      #expect(login[nameEnd...] == text("photospots/status")[...] + text("offline"))
      #expect(broker.publications.last?.payload == "offline")
    }

    @Test func `removing a device clears its retained messages and leaves those of others`()
      async throws
    {
      let port = try LoopbackListener.unusedPort()
      let broker = try MosquittoBroker(port)
      let publisher = publisher(port)
      for name in ["phone", "watch"] {
        publisher.note(try surroundings(1), of: name)
        #expect(await publisher.deliver(try alert(device: name)) == .delivered)
      }
      publisher.stop(withinSeconds: 60)
      let other = "homeassistant/device/zigbee2mqtt_0x1/config"
      try MQTTClient(port).publish("{}", to: other, isRetained: true)
      let address = MQTTAddress(place: HostAndPort(host: "127.0.0.1", port: port), topic: "x")
      let discoveries = try HomeAssistantDiscoveries(at: address, password: nil, topics: topics)
      let messages = try discoveries.messages()
      #expect(
        messages.map(\.topic) == [
          topics.discovery, topics.discovery(of: "phone"), topics.discovery(of: "watch"),
        ])
      try discoveries.publish(topics.removal(ofDiscovery: topics.discovery(of: "phone")))
      let kept = try retained(port)
      #expect(!kept.keys.contains { $0.contains("phone") } && kept.count == 7)
      try discoveries.publish(messages.flatMap { topics.removal(ofDiscovery: $0.topic) })
      #expect(try Array(retained(port) { _ in true }.keys) == [other])
      _ = consume broker
    }
  }
#endif
