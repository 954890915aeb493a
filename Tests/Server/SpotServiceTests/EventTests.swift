import Encodings
import Testing

@testable import SpotService

@Suite struct EventTests {
  private func log(_ count: Int) -> EventLog {
    var log = EventLog(boot: "b7")
    for number in 0..<count {
      log.add(.alert) { $0.object { $0.member("n", number + 1) } }
    }
    return log
  }

  private func numbers(_ events: [ServiceEvent]) -> [Int] { events.map(\.number) }

  @Test func `an event is written as a server-sent event`() {
    var log = EventLog(boot: "b7")
    let event = log.add(.position, device: "phone") { writer in
      writer.object { $0.member("device", "a\nb") }
    }
    #expect(
      String(decoding: event.text(boot: log.boot), as: UTF8.self)
        == "id: b7-1\nevent: position\ndata: {\"device\":\"a\\nb\"}\n\n")
    let empty = log.add(.mutes)
    #expect(
      String(decoding: empty.text(boot: log.boot), as: UTF8.self)
        == "id: b7-2\nevent: mutes\ndata: {}\n\n")
    #expect(ServiceEvent.streamStart == Array("retry: 2000\n\n".utf8))
    #expect(ServiceEvent.keepAlive.first == UInt8(ascii: ":"))
  }

  @Test func `a reconnecting page gets exactly the events it missed`() {
    let log = log(10)
    #expect(numbers(log.missed(after: "b7-7")) == [8, 9, 10])
    #expect(numbers(log.missed(after: "b7-10")).isEmpty)
    #expect(numbers(log.missed(after: "b7-0")) == Array(1...10))
    let start = log.missed(after: nil)
    #expect(start.map(\.kind) == [.start] && numbers(start) == [10])
    #expect(numbers(EventLog(boot: "b7").missed(after: nil)) == [0])
  }

  @Test(
    arguments: [
      "", "b7", "b7-", "b8-3", "b7-11", "b7--1", "b7-3x", "7", "b7-99999999999999999999",
    ])
  func `an unknown event id gives a gap`(id: String) {
    let missed = log(10).missed(after: id)
    #expect(missed.map(\.kind) == [.gap])
    #expect(missed.map(\.number) == [10])
  }

  @Test func `the last 1,024 events are kept`() {
    let log = log(2000)
    #expect(numbers(log.missed(after: "b7-976")) == Array(977...2000))
    #expect(log.missed(after: "b7-975").map(\.kind) == [.gap])
    #expect(log.latest == 2000)
  }

  @Test func `only the latest position of a device is queued, in its new order`() {
    var log = EventLog(boot: "b")
    var queue = EventQueue()
    queue.add(log.add(.position, device: "a"))
    queue.add(log.add(.position, device: "b"))
    queue.add(log.add(.alert))
    queue.add(log.add(.position, device: "a"))
    queue.add(log.add(.position, device: nil))
    queue.add(log.add(.position, device: nil))
    var taken: [Int] = []
    while let event = queue.next() { taken.append(event.number) }
    #expect(taken == [2, 3, 4, 6])
    #expect(queue.isEmpty)
  }

  @Test func `a thousand positions of one device take one place in the queue`() {
    var log = EventLog(boot: "b")
    var queue = EventQueue()
    for _ in 0..<1000 { queue.add(log.add(.position, device: "a")) }
    #expect(queue.count == 1 && queue.next()?.number == 1000)
  }

  @Test func `a queue that overflows is replaced by a gap, and continues after it`() {
    var log = EventLog(boot: "b")
    var queue = EventQueue()
    for _ in 0..<64 { queue.add(log.add(.alert)) }
    #expect(queue.count == 64)
    queue.add(log.add(.alert))
    #expect(queue.count == 1)
    queue.add(log.add(.index))
    #expect(queue.next()?.kind == .gap)
    #expect(queue.next()?.number == 66)
    #expect(queue.next() == nil)
    // A client that returns with the id of the gap gets only the events after it.
    #expect(numbers(log.missed(after: "b-65")) == [66])
  }

  @Test func `missed events may exceed the queue's limit, and new events still queue`() {
    var log = log(500)
    var queue = EventQueue(log.missed(after: "b7-0"))
    for _ in 0..<64 { queue.add(log.add(.alert)) }
    #expect(queue.count == 564)
    queue.add(log.add(.alert))
    #expect(queue.count == 1)
  }
}
