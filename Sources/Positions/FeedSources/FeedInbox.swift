import Dispatch
public import LocationFeeds
import Synchronization
public import SystemPackage

/// Reads several sources concurrently, each on a thread of its own, and returns their chunks one at
/// a time.
///
/// ```swift
/// let inbox = try FeedInbox()
/// inbox.start(try FeedSource(following: "/var/log/gps.nmea"), as: 0)
/// inbox.start(try FeedSource(connectingTo: address), as: 1)
/// while case .item(let item) = try inbox.take(upTo: .seconds(1)) { handle(item) }
/// ```
///
/// A slow source, for example one that waits for a name server, does not delay the others. A fast
/// source blocks until its chunks are taken and their items released. The threads end with the
/// inbox.
public final class FeedInbox: Sendable {
  /// A chunk from a source.
  public struct Item: Sendable {
    /// The number of the source.
    public let source: Int
    /// The chunk, or the reason why the source cannot be read any further. Nothing follows an error
    /// or the end.
    public let chunk: Result<FeedChunk, FeedSourceError>
    /// Notifies the sender of a delivered chunk; `nil` for a chunk read from a source.
    fileprivate var receipt: Receipt?
    /// The room that a chunk read from a source takes in the inbox, until the item is released.
    fileprivate var room: Room?

    /// Whether the sender is waiting for ``finish(isTaken:)``.
    public var awaitsAnswer: Bool { receipt != nil }

    /// Notifies a waiting sender that the item was processed; does nothing for other items.
    ///
    /// - Parameter isTaken: Whether the item was accepted, so that the sender need not send it
    ///   again.
    public func finish(isTaken: Bool = true) { receipt?.sign(isTaken) }
  }

  /// The result of waiting for an item.
  public enum Taking: Sendable {
    /// The next item.
    case item(Item)
    /// Nothing arrived within the time limit, or ``FeedInbox/wake()`` was called.
    case idle
    /// The interruption was signalled.
    case interrupted
  }

  private let queue: FeedQueue

  /// Creates an inbox.
  ///
  /// - Throws: ``FeedSourceError/readFailed(_:)`` where the system has no more descriptors.
  public init() throws(FeedSourceError) {
    queue = try FeedQueue()
  }

  deinit { queue.stop() }

  /// Ends the threads. Chunks delivered afterwards are dropped.
  public func stop() { queue.stop() }

  /// Ends the current or next wait for an item, from any thread.
  package func wake() { queue.wake() }

  /// Starts reading a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - number: The number assigned to its items.
  public func start(_ source: consuming FeedSource, as number: Int) {
    let thread = FeedThread(source, number, queue)
    DispatchQueue(label: "photospots.feed").async { thread.run() }
  }

  /// Whether the inbox is stopped and drops further chunks.
  public var isStopped: Bool { queue.isStopped }

  /// Adds a chunk that a thread of the caller has read. Blocks while the inbox is full.
  ///
  /// - Parameters:
  ///   - chunk: The chunk; dropped if the inbox is stopped.
  ///   - number: The number assigned to the item.
  public func enqueue(_ chunk: FeedChunk, as number: Int) {
    queue.enqueue(Item(source: number, chunk: .success(chunk)))
  }

  /// Adds a chunk that was not read from a source, and waits until it is processed.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - number: The number assigned to the item.
  /// - Returns: Whether the item was accepted; false if the inbox is stopped before that.
  public func submit(_ chunk: FeedChunk, as number: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let receipt = Receipt(continuation)
      queue.add(Item(source: number, chunk: .success(chunk), receipt: receipt))
    }
  }

  /// Waits for an item and takes it. Items of one source are returned in its order.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait; zero returns at once.
  ///   - interruption: A descriptor that ends the wait by becoming readable; it takes precedence
  ///     over items.
  /// - Returns: The item, or the reason why there is none.
  /// - Throws: ``FeedSourceError/readFailed(_:)`` where the interruption is not open.
  public func take(
    upTo timeout: Duration, orUntil interruption: FileDescriptor? = nil
  ) throws(FeedSourceError) -> Taking {
    let wait = DescriptorWait(upTo: timeout, orUntil: interruption)
    do throws(Errno) {
      while true {
        switch try wait.wait(for: queue.signal) {
        case .interrupted: return .interrupted
        case .timedOut: return .idle
        case .ready: if let taking = queue.take() { return taking }
        }
      }
    } catch {
      throw .readFailed(error)
    }
  }
}

/// Resumes the sender of an item when the item is processed, or with `false` when it is discarded.
private final class Receipt: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Mutex(continuation)
  }

  deinit { sign(false) }

  func sign(_ isDone: Bool) { continuation.withLock { $0.take() }?.resume(returning: isDone) }
}

/// A place for an item of a source, which is given back at the end of its life.
private final class Room: Sendable {
  private let room: DispatchSemaphore

  /// Waits for a place.
  init(_ room: DispatchSemaphore) {
    room.wait()
    self.room = room
  }

  deinit { room.signal() }
}

/// The queue of chunks that were read and not taken yet.
private final class FeedQueue: Sendable {
  /// The number of unreleased items at which reading threads block.
  private static let capacity = 16

  private struct State {
    var items: [FeedInbox.Item] = []
    var isWoken = false
    var isStopped = false
  }

  private let state = Mutex(State())
  private let room: DispatchSemaphore
  private let wakeUp: Pipe
  private let end: Pipe

  init() throws(FeedSourceError) {
    wakeUp = try Pipe()
    end = try Pipe()
    // Raised afterwards, since a semaphore must not be destroyed with a value below its initial
    // one.
    room = DispatchSemaphore(value: 0)
    for _ in 0..<Self.capacity { room.signal() }
  }

  /// A descriptor that is readable while there are items.
  var signal: FileDescriptor { wakeUp.reading.descriptor }

  /// A descriptor that becomes readable when the threads must end.
  var stopSignal: FileDescriptor { end.reading.descriptor }

  var isStopped: Bool { state.withLock(\.isStopped) }

  /// Adds an item of a thread; blocks until there is room.
  func enqueue(_ item: FeedInbox.Item) {
    var item = item
    item.room = Room(room)
    add(item)
  }

  /// Adds an item at once, or drops it if the queue is stopped.
  func add(_ item: FeedInbox.Item) {
    let isFirst = state.withLock { state in
      guard !state.isStopped else { return false }
      state.items.append(item)
      return state.items.count == 1 && !state.isWoken
    }
    if isFirst { wakeUp.raise() }
  }

  /// Ends a wait for items.
  func wake() {
    let isFirst = state.withLock { state in
      guard !state.isStopped, !state.isWoken else { return false }
      state.isWoken = true
      return state.items.isEmpty
    }
    if isFirst { wakeUp.raise() }
  }

  func take() -> FeedInbox.Taking? {
    state.withLock { state in
      // Lowered within the lock, so that a concurrent add cannot raise it before.
      if state.isWoken {
        state.isWoken = false
        if state.items.isEmpty { wakeUp.lower() }
        return .idle
      }
      guard !state.items.isEmpty else { return nil }
      if state.items.count == 1 { wakeUp.lower() }
      return .item(state.items.removeFirst())
    }
  }

  /// Ends the threads, including those that wait for room, and drops the items.
  func stop() {
    let (wasStopped, dropped) = state.withLock { state in
      defer { state = State(isStopped: true) }
      return (state.isStopped, state.items)
    }
    guard !wasStopped else { return }
    // Outside of the lock, since dropping an item resumes its sender.
    _ = consume dropped
    end.raise()
    for _ in 0..<Self.capacity { room.signal() }
  }

  /// A pipe used as a flag that a wait for descriptors can observe.
  private struct Pipe {
    let reading: OpenFile
    private let writing: OpenFile

    init() throws(FeedSourceError) {
      do {
        let (readEnd, writeEnd) = try FileDescriptor.pipe()
        reading = OpenFile(readEnd, isOwned: true)
        writing = OpenFile(writeEnd, isOwned: true)
        for file in [reading, writing] { try file.setFlags() }
      } catch {
        throw .readFailed((error as? Errno) ?? .ioError)
      }
    }

    func raise() { _ = try? writing.descriptor.writeAll([1]) }

    func lower() {
      var byte: UInt8 = 0
      _ = try? withUnsafeMutableBytes(of: &byte) { try reading.descriptor.read(into: $0) }
    }
  }
}

/// Reads one source to its end.
private final class FeedThread: Sendable {
  private let source: Mutex<FeedSource?>
  private let number: Int
  private let queue: FeedQueue

  init(_ source: consuming FeedSource, _ number: Int, _ queue: FeedQueue) {
    self.source = Mutex(source)
    self.number = number
    self.queue = queue
  }

  func run() {
    guard var source = source.withLock({ $0.take() }) else { return }
    // The idle result is needed once after data, for a flush; until the next data a long time limit
    // suffices.
    var timeout = Duration.seconds(86_400)
    while true {
      let chunk: Result<FeedChunk, FeedSourceError>
      do throws(FeedSourceError) {
        chunk = .success(try source.read(upTo: timeout, orUntil: queue.stopSignal))
      } catch {
        chunk = .failure(error)
      }
      if chunk == .success(.interrupted) { return }
      queue.enqueue(FeedInbox.Item(source: number, chunk: chunk))
      switch chunk {
      case .success(.end), .failure: return
      case .success(.bytes), .success(.datagram): timeout = FeedReader.flushDelay
      case .success: timeout = .seconds(86_400)
      }
    }
  }
}
