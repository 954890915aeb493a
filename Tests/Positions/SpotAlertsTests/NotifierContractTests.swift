import CLibrary
import CivilTime
import Encodings
import HTTPClient
import Storage
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchScenes
import WebNotifiers

@testable import SpotAlerts
@testable import SpotWatcher

#if MQTT
  import FeedSources
  import HomeAssistant
  import MQTTBroker
#endif

/// A kind of notifier, with access to the texts its receiver gets.
private struct Subject: CustomTestStringConvertible, Sendable {
  /// The behavior of a receiver.
  enum Receiver: Sendable {
    case working
    /// Fails the first time, and works from then on.
    case failingOnce
    /// Rejects all messages.
    case refusing
    /// Never responds.
    case stuck
    /// Sends an endless response.
    case endless
  }

  /// A notifier, with the texts its receiver has got so far.
  struct Connected {
    let notifier: any Notifier
    let received: () -> [String]
  }

  let testDescription: String
  /// Returns the text that the receiver gets for an alert.
  let text: @Sendable (Alert) -> String
  /// The behaviors possible for a receiver of this kind, besides working.
  let behaviours: [Receiver]
  /// Creates a notifier with a timeout in seconds.
  let connect: @Sendable (Receiver, FilePath, _ limitSeconds: Double) throws -> Connected

  #if MQTT
    static let all = [output, hook, webhook, ntfy, gotify, apprise, mqtt, homeAssistant]
  #else
    static let all = [output, hook, webhook, ntfy, gotify, apprise]
  #endif
  static func all(that behave: Receiver) -> [Subject] {
    all.filter { $0.behaviours.contains(behave) }
  }

  private static func lines(_ path: FilePath) -> [String] {
    String(decoding: readFile(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func json(_ alert: Alert) -> String {
    String(decoding: alert.ndjson.dropLast(), as: UTF8.self)
  }

  /// Returns the text that the receiver gets for a notification.
  func text(of notification: SpotNotification) -> String { text(Alert(.spot(notification))) }

  /// A pipe's reader, such as a pager, may be slow and cannot reject output.
  private static let output = Subject(
    testDescription: "standard output", text: json, behaviours: [.failingOnce],
    connect: { receiver, folder, _ in
      let received = folder.appending("received")
      let file = try FileDescriptor.open(
        received, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
      let descriptor =
        try receiver == .failingOnce ? FileDescriptor.open("/dev/full", .writeOnly) : file
      let notifier = StandardOutputNotifier(descriptor: descriptor, format: .ndjson)
      guard receiver == .failingOnce else {
        return Connected(notifier: notifier) { lines(received) }
      }
      return Connected(
        notifier: Recovering(notifier) { dup2(file.rawValue, descriptor.rawValue) },
        received: { lines(received) })
    })

  private static let hook = Subject(
    testDescription: "hook", text: json, behaviours: [.failingOnce, .stuck, .endless],
    connect: { receiver, folder, limit in
      let received = folder.appending("received")
      let body =
        switch receiver {
        case .working, .refusing: "cat >> '\(received)'"
        case .failingOnce:
          "test -e '\(received)' || { : > '\(received)'; exit 3; }; cat >> '\(received)'"
        case .stuck: "sleep 1000"
        case .endless: "exec cat /dev/zero"
        }
      let notifier = HookNotifier(
        path: try script(body, in: folder), limitSeconds: limit, scratchFolder: folder)
      return Connected(notifier: notifier) { lines(received) }
    })

  private static let webhook = Subject(
    testDescription: "webhook", text: json,
    behaviours: [.failingOnce, .refusing, .stuck, .endless],
    connect: { receiver, _, limit in
      let server = try server(receiver)
      let address = try #require(WebAddress("http://127.0.0.1:\(server.port)/spots"))
      let notifier = WebhookNotifier(address: address, limitSeconds: limit)
      return Connected(notifier: Accompanied(notifier, by: server)) {
        server.requests.map { String(decoding: $0.body, as: UTF8.self) }
      }
    })

  private static let ntfy = Subject(
    testDescription: "ntfy", text: { "\($0.id) \($0.text)" },
    behaviours: [.failingOnce, .refusing, .stuck, .endless],
    connect: { receiver, _, limit in
      let server = try server(receiver)
      let topic = try #require(WebAddress("http://127.0.0.1:\(server.port)/spots"))
      let notifier = try #require(NtfyNotifier(topic: topic, limitSeconds: limit))
      return Connected(notifier: Accompanied(notifier, by: server)) {
        server.requests.map {
          "\($0.headers["x-sequence-id"] ?? "") \(String(decoding: $0.body, as: UTF8.self))"
        }
      }
    })

  private static let gotify = Subject(
    testDescription: "gotify", text: { message(title: $0.title, text: $0.text) },
    behaviours: [.failingOnce, .refusing, .stuck, .endless],
    connect: { receiver, _, limit in
      let server = try server(receiver)
      let address = try #require(WebAddress("http://127.0.0.1:\(server.port)"))
      let notifier = try #require(
        GotifyNotifier(server: address, token: "A", limitSeconds: limit))
      return Connected(notifier: Accompanied(notifier, by: server)) {
        server.requests.map { message($0.body, "title", "message") }
      }
    })

  private static let apprise = Subject(
    testDescription: "apprise", text: { message(title: $0.title, text: $0.text) },
    behaviours: [.failingOnce, .refusing, .stuck, .endless],
    connect: { receiver, _, limit in
      let server = try server(receiver)
      let address = try #require(WebAddress("http://127.0.0.1:\(server.port)/notify/spots"))
      let notifier = try #require(AppriseNotifier(address: address, limitSeconds: limit))
      return Connected(notifier: Accompanied(notifier, by: server)) {
        server.requests.map { request in
          // The last line of an alert about a spot is a link to the spot.
          var lines = message(request.body, "title", "body").split(separator: "\n")
          if lines.last?.hasPrefix("https://") == true { lines.removeLast() }
          return lines.joined(separator: "\n")
        }
      }
    })

  private static func message(title: String, text: String) -> String { "\(title)\n\(text)" }

  /// Returns the message in a JSON document with a title and a text.
  private static func message(_ body: [UInt8], _ title: String, _ text: String) -> String {
    var members: [String: String] = [:]
    var reader = JSONReader(body)
    try? reader.beginObject()
    while let key = try? reader.nextKey() {
      if key == title || key == text {
        members[key] = try? reader.string()
      } else {
        try? reader.skipValue()
      }
    }
    return message(title: members[title] ?? "", text: members[text] ?? "")
  }

  #if MQTT
    private static let mqtt = Subject(
      testDescription: "mqtt", text: json, behaviours: [.failingOnce, .stuck, .endless],
      connect: { receiver, _, limit in
        let broker = try LoopbackBroker(
          receiver == .failingOnce
            ? .refusingOnce
            : receiver == .stuck ? .silent : receiver == .endless ? .talking : .working
        )
        let place = HostAndPort(host: "127.0.0.1", port: broker.port)
        let notifier = MQTTNotifier(
          address: MQTTAddress(place: place, topic: "spots"), password: nil, limitSeconds: limit)
        return Connected(notifier: Accompanied(notifier, by: broker)) { broker.messages }
      })

    private static let homeAssistant = Subject(
      testDescription: "home-assistant",
      text: { String(decoding: $0.homeEvent, as: UTF8.self) },
      behaviours: [.failingOnce, .stuck, .endless],
      connect: { receiver, _, limit in
        let broker = try LoopbackBroker(
          receiver == .failingOnce
            ? .refusingOnce
            : receiver == .stuck ? .silent : receiver == .endless ? .talking : .working
        )
        let place = HostAndPort(host: "127.0.0.1", port: broker.port)
        let topics = try #require(HomeTopics(base: "spots"))
        var pace = ConnectionPace()
        pace.firstPause = .milliseconds(10)
        let publisher = HomeAssistantPublisher(
          address: MQTTAddress(place: place, topic: "spots"), password: nil,
          board: HomeBoard(topics: topics, version: "1", page: nil, hasPictures: false),
          pace: pace, limitSeconds: limit)
        return Connected(notifier: Accompanied(publisher, by: Ending(publisher, broker))) {
          broker.publications.filter { $0.topic == topics.events }.map(\.payload)
        }
      })
  #endif

  private static func server(_ receiver: Receiver) throws -> LoopbackServer {
    try LoopbackServer { number, _ in
      switch receiver {
      case .working: .status(200)
      case .failingOnce: .status(number == 0 ? 503 : 200)
      case .refusing: .status(410)
      case .stuck: .silence
      case .endless:
        .endless(
          beginning: "HTTP/1.1 200 OK\r\n",
          part: "X-More: \(String(repeating: "x", count: 1000))\r\n")
      }
    }
  }
}

#if MQTT
  /// Stops a publisher's thread before its broker.
  private final class Ending: Sendable {
    private let publisher: HomeAssistantPublisher
    private let broker: LoopbackBroker

    init(_ publisher: HomeAssistantPublisher, _ broker: LoopbackBroker) {
      (self.publisher, self.broker) = (publisher, broker)
    }

    deinit { publisher.stop() }
  }
#endif

/// A notifier that keeps its receiver alive.
private struct Accompanied: Notifier {
  private let base: any Notifier
  private let server: any Sendable

  init(_ base: any Notifier, by server: any Sendable) {
    self.base = base
    self.server = server
  }

  var name: String { base.name }

  func deliver(_ alert: Alert) async -> DeliveryResult {
    await base.deliver(alert)
  }
}

/// A notifier whose receiver is repaired after its first failure.
private struct Recovering: Notifier {
  private let base: any Notifier
  private let mend: @Sendable () -> Void

  init(_ base: any Notifier, mend: @escaping @Sendable () -> Void) {
    self.base = base
    self.mend = mend
  }

  var name: String { base.name }

  func deliver(_ alert: Alert) async -> DeliveryResult {
    let result = await base.deliver(alert)
    if result != .delivered { mend() }
    return result
  }
}

/// The contract of all notifiers, for all alerts and receivers.
@Suite(.timeLimit(.minutes(30))) struct NotifierContractTests {
  private let folder = TemporaryFolder()

  private func connect(
    _ subject: Subject, _ receiver: Subject.Receiver = .working, limitSeconds: Double = 30
  ) throws -> Subject.Connected {
    try subject.connect(receiver, folder.root, limitSeconds)
  }

  @Test(arguments: Subject.all)
  fileprivate func `delivers each notification once and complete`(subject: Subject) async throws {
    let connected = try connect(subject)
    let sent = (0..<5).map { notification(Double($0), also: ["b"]) }
    for notification in sent {
      #expect(await connected.notifier.deliver(notification) == .delivered)
    }
    #expect(connected.received() == sent.map(subject.text(of:)))
  }

  @Test(arguments: Subject.all)
  fileprivate func `delivers a digest in the language of the alert`(subject: Subject) async throws {
    let connected = try connect(subject)
    let digest = AlertDigest(
      start: noon.advanced(bySeconds: -86_400), end: noon, utcOffsetMinutes: 0, firedCount: 1,
      fired: [.init(name: "Arezzo", count: 1)], keptBack: [.init(kind: .quiet, count: 2)],
      passedByCount: 0, passedBy: [])
    let alert = Alert(.digest(digest), in: .spanish)
    #expect(await connected.notifier.deliver(alert) == .delivered)
    #expect(connected.received() == [subject.text(alert)])
    #expect(connected.received().first?.contains("1 aviso: Arezzo") == true)
  }

  @Test(arguments: Subject.all)
  fileprivate func `delivers a notification larger than a pipe's buffer completely`(
    subject: Subject
  ) async throws {
    let connected = try connect(subject)
    let large = notification(also: (0..<2000).map { "spot \($0)" })
    #expect(large.ndjson.count > 1 << 18)
    #expect(await connected.notifier.deliver(large) == .delivered)
    #expect(connected.received() == [subject.text(of: large)])
  }

  @Test(arguments: Subject.all(that: .failingOnce))
  fileprivate func `a failed delivery has a reason, and the next try delivers the same text`(
    subject: Subject
  ) async throws {
    let connected = try connect(subject, .failingOnce)
    guard case .failed(let reason) = await connected.notifier.deliver(notification()) else {
      Issue.record("not a failure")
      return
    }
    #expect(!reason.isEmpty)
    #expect(await connected.notifier.deliver(notification()) == .delivered)
    #expect(connected.received().last == subject.text(of: notification()))
    #expect(Set(connected.received()).count == 1)
  }

  @Test(arguments: Subject.all(that: .refusing))
  fileprivate func `a refusal by the receiver is reported as permanent`(subject: Subject)
    async throws
  {
    let connected = try connect(subject, .refusing)
    guard case .refused(let reason) = await connected.notifier.deliver(notification()) else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("410"))
  }

  @Test(arguments: Subject.all(that: .stuck))
  fileprivate func `a delivery fails when the receiver exceeds the time limit`(subject: Subject)
    async throws
  {
    let connected = try connect(subject, .stuck, limitSeconds: 0.2)
    guard case .failed(let reason) = await connected.notifier.deliver(notification()) else {
      Issue.record("delivered to a receiver that never responds")
      return
    }
    #expect(reason.contains("0.2 s"))
  }

  @Test(arguments: Subject.all(that: .endless))
  fileprivate func `a delivery fails when the response never ends`(subject: Subject) async throws {
    let connected = try connect(subject, .endless, limitSeconds: 1)
    guard case .failed = await connected.notifier.deliver(notification()) else {
      Issue.record("delivered although the response never ended")
      return
    }
  }

  @Test(arguments: Subject.all(that: .stuck))
  fileprivate func `a delivery ends when its task is cancelled`(subject: Subject) async throws {
    let connected = try connect(subject, .stuck)
    let task = Task { await connected.notifier.deliver(notification()) }
    task.cancel()
    guard case .failed = await task.value else {
      Issue.record("delivered to a receiver that never responds")
      return
    }
  }

  @Test fileprivate func `a stuck and a refusing notifier do not delay other notifiers`()
    async throws
  {
    let working = try Subject.all.map { subject in
      let folder = folder.root.appending(subject.testDescription)
      try Disk.createFolder(folder)
      return (subject, try subject.connect(.working, folder, 30))
    }
    // The time limit is longer than a busy machine needs for the other notifiers.
    let stuck = Named("stuck", try connect(Subject.all[2], .stuck, limitSeconds: 3600).notifier)
    let refusing = Named("refusing", try connect(Subject.all[3], .refusing).notifier)
    let (journal, _, _) = try Journal.open(in: folder.root, clusterRadiusMeters: 15, now: noon)
    let outbox = Outbox(
      journal: journal, notifiers: [stuck, refusing] + working.map(\.1.notifier),
      schedule: RetrySchedule(), clock: TestClock(), pending: [], report: { _ in })
    outbox.start()
    let sent = (0..<3).map { notification(Double($0)) }
    for notification in sent {
      let event = JournalEvent.fired(notification, notifiers: outbox.notifierNames)
      try journal.append([JournalRecord(recorded: noon, event: event)], isDurable: true)
      outbox.enqueue(.spot(notification), queued: noon)
    }
    for (subject, connected) in working {
      while connected.received().count < sent.count {
        try Task.checkCancellation()
        await Task.yield()
      }
      #expect(connected.received() == sent.map(subject.text(of:)))
    }
    while try WatchSession.history(in: folder.root).last?.deliveries[1].outcome != .expired(noon) {
      try Task.checkCancellation()
      await Task.yield()
    }
    await outbox.stop(graceSeconds: 0)
    let outcomes = try WatchSession.history(in: folder.root).map { $0.deliveries.map(\.outcome) }
    #expect(outcomes.allSatisfy { $0[0] == .pending(next: nil) && $0[1] == .expired(noon) })
  }
}

/// A notifier with a different name.
private struct Named: Notifier {
  let name: String
  private let base: any Notifier

  init(_ name: String, _ base: any Notifier) {
    self.name = name
    self.base = base
  }

  func deliver(_ alert: Alert) async -> DeliveryResult {
    await base.deliver(alert)
  }
}

@Suite struct StandardOutputNotifierTests {
  @Test func `a closed pipe is reported as closed, not as a failure`() async throws {
    let pipe = try FileDescriptor.pipe()
    let notifier = StandardOutputNotifier(descriptor: pipe.writeEnd, format: .text)
    #expect(await notifier.deliver(notification()) == .delivered)
    try pipe.readEnd.close()
    #expect(await notifier.deliver(notification()) == .closed)
  }

  @Test(.timeLimit(.minutes(30)))
  func `a delivery waits for a pausing reader until its task is cancelled`()
    async throws
  {
    let pipe = try FileDescriptor.pipe()
    _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, O_NONBLOCK)
    while (try? pipe.writeEnd.writeAll([UInt8](repeating: 0, count: 4096))) != nil {}
    _ = fcntl(pipe.writeEnd.rawValue, F_SETFL, 0)
    let notifier = StandardOutputNotifier(descriptor: pipe.writeEnd, format: .text)
    let task = Task { await notifier.deliver(notification()) }
    task.cancel()
    #expect(
      await task.value == .failed("interrupted before the line was written to standard output"))
  }

  @Test func `a line of text output contains no terminal control characters`() async throws {
    let pipe = try FileDescriptor.pipe()
    let notifier = StandardOutputNotifier(descriptor: pipe.writeEnd, format: .text)
    #expect(
      await notifier.deliver(notification(device: "a\u{1B}[31m\n\u{202E}é")) == .delivered)
    try pipe.writeEnd.close()
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = try buffer.withUnsafeMutableBytes { try pipe.readEnd.read(into: $0) }
    #expect(
      String(decoding: buffer[..<count], as: UTF8.self)
        == "a[31mé: 120 m north-east: 14 photos, 2016–2024. [a] (good fix, 5 m)\n"
    )
  }
}
