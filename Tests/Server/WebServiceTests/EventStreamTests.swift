import Encodings
import SpotService
import SystemPackage
import TestSupport
import Testing

@testable import WebService

@Suite(.timeLimit(.minutes(30))) struct EventStreamTests {
  /// Reads events on a thread outside the server's tasks.
  private func next(_ reader: EventReader, _ count: Int = 1) async throws -> [[String]] {
    try await onThread { try (0..<count).map { _ in try reader.next() } }
  }

  private func open(_ bench: WebBench, after id: String? = nil) async throws -> EventReader {
    try await onThread { try bench.listen(after: id) }
  }

  @Test func `a stream begins with a retry time and its number, then events and comments follow`()
    async throws
  {
    let bench = try await WebBench()
    let reader = try await open(bench)
    #expect(reader.status == 200)
    #expect(
      try await next(reader, 2) == [["retry: 2000"], ["id: b-0", "event: start", "data: {}"]])
    bench.events.publish(.progress) { writer in
      writer.object { $0.member("folder", "a\nb") }
    }
    bench.events.publish(.mutes)
    #expect(
      try await next(reader, 2) == [
        ["id: b-1", "event: progress", #"data: {"folder":"a\nb"}"#],
        ["id: b-2", "event: mutes", "data: {}"],
      ])
    bench.events.keepAlive()
    #expect(try await onThread { try reader.nextLines() } == [": still here"])
    await bench.stop()
  }

  @Test func `a reconnecting page first gets the events after its Last-Event-ID, or a gap event`()
    async throws
  {
    let bench = try await WebBench()
    for _ in 0..<5 { bench.events.publish(.index) }
    let reader = try await open(bench, after: "b-2")
    bench.events.publish(.settings)
    let events = try await next(reader, 5)
    #expect(events.dropFirst().map(\.first) == ["id: b-3", "id: b-4", "id: b-5", "id: b-6"])
    let other = try await open(bench, after: "a-2")
    #expect(try await next(other, 2).last == ["id: b-6", "event: gap", "data: {}"])
    await bench.stop()
  }

  @Test func `stopping the server ends its event streams at once`() async throws {
    let bench = try await WebBench()
    let reader = try await open(bench)
    // Returns long before the grace period for requests is over: streams do not use it up.
    await bench.server.stop(grace: .seconds(600))
    try await onThread { try reader.readToEnd() }
    #expect(bench.events.listenerCount == 0)
    #expect(bench.events.join(after: nil) == nil)
  }

  @Test func `the number of event streams is limited, and a closed one frees its place`()
    async throws
  {
    let bench = try await WebBench()
    bench.events.limit(to: 2)
    var readers = [try await open(bench), try await open(bench)]
    let refused = try await bench.ask("/api/v1/events")
    #expect(refused.status == 503 && refused.problem == "busy")
    readers.removeLast()
    // Closing a page closes its connection, which the server notices without sending an event.
    await until { bench.events.listenerCount != 2 }
    let third = try await open(bench)
    #expect(third.status == 200)
    third.finishSending()
    await until { bench.events.listenerCount != 2 }
    #expect(readers.count == 1)
    await bench.stop()
  }

  @Test func `the limit of event streams is at most 1,000`() {
    let hub = EventHub(boot: "b")
    hub.limit(to: 5000)
    for _ in 0..<1000 { #expect(hub.join(after: nil) != nil) }
    #expect(hub.join(after: nil) == nil)
  }

  @Test func `a listener whose queue overflows gets a gap event instead of the missed events`()
    async throws
  {
    let hub = EventHub(boot: "b")
    let slow = try #require(hub.join(after: nil))
    for _ in 0...EventQueue.capacity { hub.publish(.alert) }
    let bytes = try #require(await slow.next())
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "id: b-\(EventQueue.capacity + 1)\nevent: gap\ndata: {}\n\n")
    hub.publish(.mutes)
    #expect(String(decoding: await slow.next() ?? [], as: UTF8.self).contains("event: mutes"))
  }

  @Test func `ending the hub wakes a waiting listener`() async throws {
    let hub = EventHub(boot: "b")
    let listener = try #require(hub.join(after: nil))
    // A new page gets the start of the stream; only after it does the listener wait.
    #expect(String(decoding: await listener.next() ?? [], as: UTF8.self).contains("event: start"))
    async let end = listener.next()
    hub.end()
    #expect(await end == nil)
    #expect(await listener.next() == nil)
  }
}
