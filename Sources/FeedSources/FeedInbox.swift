import Dispatch
public import LocationFeeds
import Synchronization
public import SystemPackage

/// Reads sources at once, each on a thread of its own, and gives what they give one after the
/// other.
///
/// ```swift
/// let inbox = try FeedInbox()
/// inbox.start(try FeedSource(following: "/var/log/gps.nmea"), as: 0)
/// inbox.start(try FeedSource(connectingTo: address), as: 1)
/// while case .item(let item) = try inbox.take(upTo: .seconds(1)) { handle(item) }
/// ```
///
/// A source that is slow, or waits for the answer of a server that looks up names, delays no other.
/// One that is fast waits for who takes. The threads end when the inbox does.
public final class FeedInbox: Sendable {
  /// What a source gave.
  public struct Item: Sendable {
    /// The number of the source.
    public let source: Int
    /// What it gave, or why it cannot be read any further; nothing comes after that or after the
    /// end.
    public let chunk: Result<FeedChunk, FeedSourceError>
    /// Tells who delivered it; `nil` where a source gave it.
    fileprivate var receipt: Receipt?

    /// Whether its sender waits for ``finish(isTaken:)``.
    public var awaitsAnswer: Bool { receipt != nil }

    /// Tells the sender, if it waits for that, that the item was dealt with.
    ///
    /// - Parameter isTaken: Whether the sender need not send it again.
    public func finish(isTaken: Bool = true) { receipt?.sign(isTaken) }
  }

  /// What came of waiting for an item.
  public enum Taking: Sendable {
    /// The next item.
    case item(Item)
    /// Nothing came within the time.
    case idle
    /// The interruption was signalled.
    case interrupted
  }

  private let queue: FeedQueue

  /// Creates an inbox.
  ///
  /// - Throws: ``FeedSourceError/readFailed(_:)`` where the system gives no further descriptors.
  public init() throws(FeedSourceError) {
    queue = try FeedQueue()
  }

  deinit { queue.stop() }

  /// Ends the threads, and takes nothing that is delivered any more.
  public func stop() { queue.stop() }

  /// Begins to read a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - number: The number that its items get.
  public func start(_ source: consuming FeedSource, as number: Int) {
    let thread = FeedThread(source, number, queue)
    DispatchQueue(label: "photospots.feed").async { thread.run() }
  }

  /// Whether nothing is taken any more.
  public var isStopped: Bool { queue.isStopped }

  /// Hands in what a thread of the caller's own has read; waits while others have not been taken.
  ///
  /// - Parameters:
  ///   - chunk: What came; dropped once the inbox has ended.
  ///   - number: The number that the item gets.
  public func put(_ chunk: FeedChunk, as number: Int) {
    queue.put(Item(source: number, chunk: .success(chunk)))
  }

  /// Hands in what came otherwise than from a source that is read.
  ///
  /// - Parameters:
  ///   - chunk: What came.
  ///   - number: The number that the item gets.
  /// - Returns: Whether it was taken and dealt with, once that is known: not where the inbox ends
  ///   before.
  public func deliver(_ chunk: FeedChunk, as number: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let receipt = Receipt(continuation)
      queue.add(Item(source: number, chunk: .success(chunk), receipt: receipt))
    }
  }

  /// Waits for an item and takes it; those of one source come in its order.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; zero only looks.
  ///   - interruption: A descriptor that ends the wait as soon as it can be read; it wins over
  ///     items.
  /// - Returns: The item, or why there is none.
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
        case .ready: if let item = queue.take() { return .item(item) }
        }
      }
    } catch {
      throw .readFailed(error)
    }
  }
}

/// Resumes who waits for an item to be dealt with: when that is so, or when the item is gone.
private final class Receipt: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Mutex(continuation)
  }

  deinit { sign(false) }

  func sign(_ isDone: Bool) { continuation.withLock { $0.take() }?.resume(returning: isDone) }
}

/// What the threads have read and nobody has taken.
private final class FeedQueue: Sendable {
  /// How many items wait before the threads do.
  private static let capacity = 16

  private struct State {
    var items: [FeedInbox.Item] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let room: DispatchSemaphore
  private let wakeUp: Pipe
  private let end: Pipe

  init() throws(FeedSourceError) {
    wakeUp = try Pipe()
    end = try Pipe()
    // Raised afterwards, since a semaphore must not end below the value that it began with.
    room = DispatchSemaphore(value: 0)
    for _ in 0..<Self.capacity { room.signal() }
  }

  /// Readable while there are items.
  var signal: FileDescriptor { wakeUp.reading.descriptor }

  /// Readable when the threads are to end.
  var stopSignal: FileDescriptor { end.reading.descriptor }

  var isStopped: Bool { state.withLock(\.isStopped) }

  /// Adds an item of a thread, as soon as there is room.
  func put(_ item: FeedInbox.Item) {
    room.wait()
    add(item)
  }

  /// Adds an item at once; once the threads are to end, drops it.
  func add(_ item: FeedInbox.Item) {
    let isFirst = state.withLock { state in
      guard !state.isStopped else { return false }
      state.items.append(item)
      return state.items.count == 1
    }
    if isFirst { wakeUp.raise() }
  }

  func take() -> FeedInbox.Item? {
    let item: FeedInbox.Item? = state.withLock { state in
      guard !state.items.isEmpty else { return nil }
      // Lowered within the lock, so that who adds the next item raises it after that.
      if state.items.count == 1 { wakeUp.lower() }
      return state.items.removeFirst()
    }
    if let item, item.receipt == nil { room.signal() }
    return item
  }

  /// Ends the threads, also those that wait for room.
  func stop() {
    let (wasStopped, dropped) = state.withLock { state in
      defer { state = State(isStopped: true) }
      return (state.isStopped, state.items)
    }
    guard !wasStopped else { return }
    // Outside of the lock, since who waits for an item is told when it is gone.
    _ = consume dropped
    end.raise()
    for _ in 0..<Self.capacity { room.signal() }
  }

  /// A pipe that is a flag for those who wait for descriptors.
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
    // That nothing comes is told once, after something came.
    var timeout = Duration.seconds(86_400)
    while true {
      let chunk: Result<FeedChunk, FeedSourceError>
      do throws(FeedSourceError) {
        chunk = .success(try source.read(upTo: timeout, orUntil: queue.stopSignal))
      } catch {
        chunk = .failure(error)
      }
      if chunk == .success(.interrupted) { return }
      queue.put(FeedInbox.Item(source: number, chunk: chunk))
      switch chunk {
      case .success(.end), .failure: return
      case .success(.bytes), .success(.datagram): timeout = FeedReader.flushDelay
      case .success: timeout = .seconds(86_400)
      }
    }
  }
}
