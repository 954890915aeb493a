import Synchronization
import Testing

@testable import Storage

@Suite(.timeLimit(.minutes(30))) struct SharedWorkTests {
  /// A gate that blocks work until it is opened.
  private final class Gate: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func pass() async { for await _ in stream {} }
  }

  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }
    func append(_ entry: String) { entries.withLock { $0.append(entry) } }
  }

  private let gate = Gate()
  private let log = Log()

  private func order(
    _ key: String, _ work: SharedWork<String, String>
  ) -> Task<String, Never> {
    Task { [gate, log] in
      let outcome = await work.order(key) {
        log.append(key)
        await gate.pass()
        return "\(key)!"
      }
      return switch outcome {
      case .done(let value): value
      case .busy: "busy"
      case .cancelled: "cancelled"
      }
    }
  }

  /// Waits until the given number of callers are waiting for their results.
  private func wait(for count: Int, _ work: SharedWork<String, String>) async {
    while work.orderCount != count { await Task.yield() }
  }

  @Test func `concurrent orders with the same key share one run`() async {
    let work = SharedWork<String, String>(atOnce: 1, maximumWaiting: 1)
    let orders = (0..<5).map { _ in order("a", work) }
    await wait(for: 5, work)
    gate.open()
    for order in orders { #expect(await order.value == "a!") }
    #expect(log.all == ["a"])
    #expect(await order("a", work).value == "a!")
    #expect(log.all == ["a", "a"])
  }

  @Test func `limits concurrent work, queues some orders and rejects the rest as busy`() async {
    let work = SharedWork<String, String>(atOnce: 2, maximumWaiting: 3)
    var orders: [Task<String, Never>] = []
    for (number, key) in ["a", "b", "c", "d", "e"].enumerated() {
      orders.append(order(key, work))
      await wait(for: number + 1, work)
    }
    #expect(await order("f", work).value == "busy")
    while log.all.count < 2 { await Task.yield() }
    #expect(Set(log.all) == ["a", "b"])
    gate.open()
    for (order, key) in zip(orders, ["a", "b", "c", "d", "e"]) {
      #expect(await order.value == "\(key)!")
    }
    #expect(Set(log.all.dropFirst(2)) == ["c", "d", "e"])
    #expect(await order("f", work).value == "f!")
  }

  @Test func `a cancelled order leaves the queue`() async {
    let work = SharedWork<String, String>(atOnce: 1, maximumWaiting: 2)
    let first = order("a", work)
    await wait(for: 1, work)
    let (one, other) = (order("b", work), order("c", work))
    await wait(for: 3, work)
    one.cancel()
    #expect(await one.value == "cancelled")
    // There is capacity again.
    let last = order("d", work)
    await wait(for: 3, work)
    gate.open()
    #expect(await [first.value, other.value, last.value] == ["a!", "c!", "d!"])
    #expect(!log.all.contains("b"))
  }

  @Test func `queued work stays until all of its orders are cancelled`() async {
    let work = SharedWork<String, String>(atOnce: 1, maximumWaiting: 2)
    let first = order("a", work)
    await wait(for: 1, work)
    let (one, other) = (order("b", work), order("b", work))
    await wait(for: 3, work)
    one.cancel()
    #expect(await one.value == "cancelled")
    gate.open()
    #expect(await [first.value, other.value] == ["a!", "b!"])
  }

  @Test func `an order from a cancelled task does not run`() async {
    let work = SharedWork<String, String>(atOnce: 1, maximumWaiting: 2)
    let first = order("a", work)
    await wait(for: 1, work)
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      if case .cancelled = await work.order("c", { "c" }) { return true }
      return false
    }
    #expect(await cancelled.value)
    gate.open()
    #expect(await first.value == "a!")
  }
}
