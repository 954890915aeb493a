import CivilTime
import Encodings
import LocationFeeds
import Spatial
import SpotWatcher
import SystemPackage
import TestSupport
import Testing

@testable import HomeAssistant
@testable import SpotAlerts

private let topics = HomeTopics(base: "photospots")!
private let start = ContinuousClock.now

private func seconds(_ seconds: Int64) -> HomeBoard.Time {
  start + .milliseconds(seconds * 1000)
}

private func board(
  _ topics: HomeTopics = topics, page: String? = nil, hasPictures: Bool = true
) -> HomeBoard {
  HomeBoard(topics: topics, version: "1.2.3", page: page, hasPictures: hasPictures)
}

private func surroundings(
  _ count: Int = 2, _ name: String = "Arezzo", meters: Double = 41.6
) -> HomeSurroundings {
  HomeSurroundings(
    spotCount: count,
    nearest: .init(
      id: "47xjsbmtz9sp", name: name,
      position: Coordinate(latitude: 43.4633, longitude: 11.8796)!, photoCount: 14,
      distanceMeters: meters))
}

private func alert(
  device: String? = "phone", id: String = "abcdefghijklm", links: [AlertLink] = []
) -> Alert {
  let time = Instant(iso8601: "2026-11-20T12:00:00Z")!
  let place = Coordinate(latitude: -0.5, longitude: 2.2945)!
  return Alert(
    .spot(
      SpotNotification(
        id: id, time: time, device: device, distanceMeters: 120.2, bearingDegrees: 45,
        spot: NotifiedSpot(
          id: "a", coordinate: place, distanceMeters: 120.2, photoCount: 14, firstCaptured: nil,
          lastCaptured: nil, cover: "/photos/tower.jpg"),
        alsoNear: [],
        fix: LocationFix(time: time, latitude: -0.5, longitude: 2.2945, device: device),
        memory: SpotMemory(
          sinceLatest: nil, anniversary: nil, yearCount: 1, headingDegrees: nil, place: "Arezzo"))
    ), links: links)
}

private let digest = Alert(
  .digest(
    AlertDigest(
      start: Instant(iso8601: "2026-11-19T21:00:00Z")!,
      end: Instant(iso8601: "2026-11-20T21:00:00Z")!, utcOffsetMinutes: 0, firedCount: 1,
      fired: [.init(name: "Arezzo", count: 1)], keptBack: [], passedByCount: 0, passedBy: [])))

extension HomeMessage {
  fileprivate var text: String { String(decoding: payload, as: UTF8.self) }
}

/// Device names that a hostile sender may choose.
private let hostileNames: [String?] = [
  nil, "", "_none", "phone", "Phone", "pho ne", "a/b", "#", "+", "+/+", "/", "\u{0}", "\n", "\"",
  "\\", "{{ states('lock.door') }}", "💥", "e\u{301}", "é", "phone_", "__", "phone__alert",
  "</script>", "homeassistant/status", String(repeating: "x", count: 64),
  String(repeating: "x", count: 32), String(repeating: "x", count: 33),
]

@Suite struct HomeTopicsTests {
  @Test func `a plain name is its own id, and every other name gets a unique one`() {
    #expect(
      topics.discovery(of: "pixel-7") == "homeassistant/device/photospots__pixel-7/config")
    var generator = SeededGenerator(seed: 31)
    let scalars = Array("ab-_ /#+é💥".unicodeScalars)
    let random = (0..<2000).map { _ in
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 1...6, using: &generator)).map { _ in
            scalars.randomElement(using: &generator)!
          }))
    }
    // Canonically equivalent names are equal in Swift, but different for a sender.
    var ids: [String: [UInt8]?] = [:]
    for name in hostileNames + random {
      let id = topics.objectID(of: name)
      #expect(
        id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) },
        "\(String(reflecting: name)) \(id)")
      #expect(id.utf8.count < 80)
      let bytes = name.map { Array($0.utf8) }
      if let other = ids[id] { #expect(other == bytes, "\(id)") }
      ids[id] = bytes
    }
  }

  @Test func `two installations on one broker have different ids and topics`() throws {
    let bases = ["photospots", "home/photospots", "home-photospots", "a b", "photospots/devices"]
    let installations = try bases.map { try #require(HomeTopics(base: $0)) }
    #expect(Set(installations.map(\.nodeID)).count == bases.count)
    for one in installations {
      for other in installations where other != one {
        #expect(!one.isOwn(discovery: other.discovery))
        #expect(!one.isOwn(discovery: other.discovery(of: "phone")))
      }
      #expect(one.isOwn(discovery: one.discovery) && one.isOwn(discovery: one.discovery(of: nil)))
    }
  }

  @Test(arguments: ["", "/", "a/", "/a", "a//b", "a+", "#", "a b", "ä", "a\n"])
  func `rejects a discovery prefix that is not a valid topic`(text: String) {
    #expect(HomeTopics(prefix: text, base: "photospots") == nil)
  }

  @Test func `a custom prefix is used for discoveries and the birth message`() throws {
    let topics = try #require(HomeTopics(prefix: "my/ha_1", base: "photospots"))
    #expect(topics.discovery(of: "a") == "my/ha_1/device/photospots__a/config")
    #expect(topics.birth == "my/ha_1/status")
  }
}

@Suite struct HomeDiscoveryTests {
  @Test(arguments: [nil, "https://home.example:8090"])
  func `discovery messages conform to Home Assistant's documentation for any device name`(
    page: String?
  ) throws {
    for hasPictures in [true, false] {
      var board = board(page: page, hasPictures: hasPictures)
      for name in hostileNames { _ = board.note(surroundings(), of: name) }
      let messages = board.greeting(now: start).filter { $0.topic.hasSuffix("/config") }
      #expect(messages.count == Set(messages.map(\.topic)).count)
      #expect(messages.count == hostileNames.count + 1)
      var uniqueIDs: Set<String> = []
      for message in messages {
        #expect(message.isRetained)
        let tree = try JSONValue(message.payload)
        #expect(DiscoverySchema.faults(topic: message.topic, tree) == [], "\(message.topic)")
        for component in tree["components"]?.members.values.map(\.self) ?? [] {
          let id = try #require(component["unique_id"]?.text)
          #expect(uniqueIDs.insert(id).inserted, "\(id)")
        }
        #expect(tree["device"]?["configuration_url"]?.text == page)
        #expect((tree["components"]?["picture"] != nil) == (hasPictures && message != messages[0]))
      }
    }
  }

  @Test func `the schema checker of these tests finds faults`() throws {
    let right = board().messagesOfDevice()
    let text = String(decoding: right.payload, as: UTF8.self)
    for (old, new) in [
      (#""origin":"#, #""orgin":"#), (#""platform":"sensor""#, #""platform":"senor""#),
      (#""unique_id":"#, #""uniqueId":"#), (#""unit_of_measurement":"m","#, ""),
      (#""image_topic":"#, #""picture_topic":"#), (#""event_types":["enter"],"#, ""),
      ("photospots/devices/phone/state", "photospots/devices/+/state"),
      (#""identifiers":["photospots__phone"]"#, #""identifiers":[]"#),
    ] {
      #expect(text.contains(old), "\(old)")
      let tree = try JSONValue(Array(text.replacing(old, with: new).utf8))
      #expect(DiscoverySchema.faults(topic: right.topic, tree) != [], "\(new)")
    }
    let tree = try JSONValue(right.payload)
    #expect(DiscoverySchema.faults(topic: "homeassistant/device/a b/config", tree) != [])
  }

  @Test func `a device has sensors, an event and a picture, and belongs to the installation`()
    throws
  {
    let tree = try JSONValue(board().messagesOfDevice().payload)
    let components = try #require(tree["components"]?.members)
    #expect(
      components.mapValues { $0["platform"]?.text } == [
        "spots": "sensor", "nearest": "sensor", "distance": "sensor", "last_alert": "sensor",
        "alert": "event", "picture": "image",
      ])
    #expect(tree["device"]?["via_device"] == .string("photospots"))
    #expect(tree["device"]?["identifiers"] == .array([.string("photospots__phone")]))
    #expect(tree["origin"]?["sw_version"] == .string("1.2.3"))
    #expect(tree["availability"]?.elements.first?["topic"] == .string("photospots/status"))
  }
}

extension HomeBoard {
  /// The discovery message of a device that is called phone.
  fileprivate func messagesOfDevice() -> HomeMessage {
    var board = self
    _ = board.note(surroundings(), of: "phone")
    return board.greeting(now: start)[1]
  }
}

@Suite struct HomeBoardTests {
  @Test func `a new connection publishes everything retained, and online last`() {
    var board = board()
    _ = board.note(surroundings(), of: "phone")
    board.restore(alert())
    let messages = board.greeting(now: start)
    #expect(
      messages.map(\.topic) == [
        "homeassistant/device/photospots/config",
        "homeassistant/device/photospots__phone/config", "photospots/devices/phone/alert",
        "photospots/devices/phone/state", "photospots/status",
      ])
    #expect(messages.allSatisfy { $0.isRetained })
    #expect(messages.last?.text == "online")
    #expect(board.availability(isOnline: false).text == "offline")
    #expect(board.messagesDue(now: seconds(1000)).isEmpty)
    #expect(board.greeting(now: seconds(1001)) == messages)
  }

  @Test func `a device's state has the numbers that its templates read`() throws {
    #expect(
      String(decoding: surroundings().payload, as: UTF8.self) == """
        {"spots":2,"nearest":"Arezzo","distance":42,\
        "spot":{"id":"47xjsbmtz9sp","photos":14,"latitude":43.4633,"longitude":11.8796}}
        """)
    #expect(
      String(decoding: HomeSurroundings(spotCount: 0, nearest: nil).payload, as: UTF8.self)
        == #"{"spots":0,"nearest":null,"distance":null,"spot":{}}"#)
    for meters in [Double.nan, .infinity, 1e300] {
      #expect(throws: Never.self) { try JSONValue(surroundings(meters: meters).payload) }
    }
    let long = surroundings(1, String(repeating: "\u{1}\"é", count: 500))
    let name = try #require(JSONValue(long.payload)["nearest"]?.text)
    // "State max length is 255 characters" (developers.home-assistant.io/docs/core/entity).
    #expect(name.unicodeScalars.count <= 255)
    let templates = try JSONValue(board().messagesOfDevice().payload)["components"]?.members.values
      .filter { $0["state_topic"] == .string("photospots/devices/phone/state") }
      .compactMap { $0["value_template"]?.text?.dropFirst("{{ value_json.".count).dropLast(3) }
    let members = try JSONValue(surroundings().payload).members
    #expect(templates?.count == 3)
    for name in templates ?? [] { #expect(members[String(name)] != nil, "\(name)") }
  }

  @Test func `a new distance is published after a delay, and a new spot at once`() {
    var board = board()
    _ = board.note(surroundings(), of: "phone")
    #expect(board.messagesDue(now: seconds(0)).map(\.topic).count == 2)
    #expect(board.messagesDue(now: seconds(60)).isEmpty)
    _ = board.note(surroundings(meters: 30), of: "phone")
    #expect(board.messagesDue(now: seconds(60)).map(\.topic) == ["photospots/devices/phone/state"])
    _ = board.note(surroundings(meters: 20), of: "phone")
    _ = board.note(surroundings(meters: 10), of: "phone")
    #expect(board.messagesDue(now: seconds(61)).isEmpty)
    let late = board.messagesDue(now: seconds(70))
    #expect(late.count == 1 && late[0].text.contains(#""distance":10"#))
    for other in [surroundings(3), surroundings(3, "Siena")] {
      _ = board.note(other, of: "phone")
      #expect(board.messagesDue(now: seconds(71)).count == 1)
    }
  }

  @Test func `Home Assistant's birth message repeats the discoveries once, 5 s later`() {
    var board = board()
    for name in ["phone", "watch"] { _ = board.note(surroundings(), of: name) }
    _ = board.greeting(now: seconds(0))
    board.didHear(Array("offline".utf8), now: seconds(1))
    #expect(board.messagesDue(now: seconds(50)).isEmpty)
    board.didHear(Array("online".utf8), now: seconds(100))
    board.didHear(Array("online".utf8), now: seconds(100))
    #expect(board.messagesDue(now: seconds(100)).isEmpty)
    let messages = board.messagesDue(now: seconds(105))
    #expect(messages.count == 3 && messages.allSatisfy { $0.topic.hasSuffix("/config") })
    #expect(board.messagesDue(now: seconds(200)).isEmpty)
  }

  @Test func `an alert's event is not retained, but the last alert and its picture are`()
    throws
  {
    let links = [AlertLink(purpose: .mute, address: "https://home.example/mute")]
    var board = board()
    _ = board.note(surroundings(), of: "phone")
    _ = board.greeting(now: start)
    let messages = board.messages(of: alert(links: links), picture: [0xFF, 0xD8])
    #expect(
      messages.map(\.topic) == [
        "photospots/devices/phone/picture", "photospots/devices/phone/alert",
        "photospots/devices/phone/event", "photospots/event",
      ])
    #expect(messages.map(\.isRetained) == [true, true, false, false])
    #expect(messages[0].payload == [0xFF, 0xD8])
    #expect(
      messages[1].text == """
        {"id":"abcdefghijklm","time":"2026-11-20T12:00:00.000Z","device":"phone",\
        "title":"You took a photo here","text":"Arezzo, 120 m north-east: 14 photos.",\
        "place":"Arezzo","spot":"a","distance":120.2,"bearing":45,"photos":14,\
        "latitude":-0.5,"longitude":2.2945,"links":{"mute":"https://home.example/mute"}}
        """)
    #expect(messages[2].text == #"{"event_type":"enter","# + messages[1].text.dropFirst())
    #expect(messages[3].payload == messages[2].payload)
    // The picture of the previous alert must not be shown with the next one.
    #expect(board.messages(of: alert(), picture: nil)[0].payload.isEmpty)
    #expect(board.greeting(now: seconds(1)).map(\.topic).contains(messages[1].topic))
  }

  @Test func `a digest is an event of the installation`() throws {
    var board = board()
    let messages = board.messages(of: digest, picture: nil)
    #expect(messages.map(\.topic) == ["photospots/event"] && !messages[0].isRetained)
    let tree = try JSONValue(messages[0].payload)
    #expect(tree["event_type"] == .string("digest") && tree["text"]?.text?.isEmpty == false)
  }

  @Test func `every event has one of the types announced in its discovery`() throws {
    var board = board()
    let discoveries = board.greeting(now: start) + [board.messagesOfDevice()]
    for (alert, discovery) in [(alert(), 0), (digest, 0), (alert(), 1)] {
      let event = try JSONValue(alert.homeEvent)["event_type"]
      let discovery = discovery == 0 ? discoveries[0] : discoveries[discoveries.count - 1]
      let types = try JSONValue(discovery.payload)["components"]?["alert"]?["event_types"]
      #expect(types?.elements.contains(try #require(event)) == true)
    }
  }

  @Test func `a new device is announced before its alert`() {
    var board = board(hasPictures: false)
    let messages = board.messages(of: alert(device: "a/b"), picture: nil)
    #expect(messages.first?.topic == topics.discovery(of: "a/b"))
    #expect(!messages.contains { $0.topic.hasSuffix("/picture") })
  }

  @Test func `devices above the limit are ignored, which is reported once`() {
    var board = board()
    var told = 0
    for number in 0..<1000 where board.note(surroundings(), of: "device \(number)") { told += 1 }
    #expect(told == 1)
    #expect(board.greeting(now: start).count == 2 + 2 * HomeBoard.maximumDeviceCount)
    #expect(board.messages(of: alert(device: "new"), picture: nil).map(\.topic) == [topics.events])
    let isTold = board.note(surroundings(5), of: "device 3")
    #expect(!isTold)
    #expect(board.messagesDue(now: start).count == 1)
  }

  @Test func `the latest restored alert is shown`() {
    var board = board()
    board.restore(alert(id: "latest"))
    board.restore(alert(id: "earlier"))
    let state = board.greeting(now: start).first { $0.topic == "photospots/devices/phone/alert" }
    #expect(state?.text.contains("latest") == true)
  }

  @Test func `removing a device clears its retained topics and no others`() {
    var board = board()
    for name in hostileNames { _ = board.note(surroundings(), of: name) }
    var retained = Set(board.greeting(now: start).map(\.topic))
    for name in hostileNames {
      for message in board.messages(of: alert(device: name), picture: [1]) where message.isRetained
      { retained.insert(message.topic) }
    }
    let all = retained
    for name in hostileNames {
      let removal = topics.removal(ofDiscovery: topics.discovery(of: name))
      #expect(removal.allSatisfy { $0.payload.isEmpty && $0.isRetained })
      #expect(removal.count == 4 && all.isSuperset(of: removal.map(\.topic)))
      retained.subtract(removal.map(\.topic))
    }
    retained.subtract(topics.removal(ofDiscovery: topics.discovery).map(\.topic))
    #expect(retained.isEmpty)
    #expect(topics.removal(ofDiscovery: "homeassistant/device/zigbee__x/config").isEmpty)
    #expect(topics.removal(ofDiscovery: "homeassistant/device/photospots-x/config").isEmpty)
  }
}
