#if Postgres
  import CivilTime
  import FeedServer
  import PostgresStore
  import SpotAlerts
  import Synchronization
  import WatchService

  /// The watches of a server of a store, one for each owner whose devices send positions.
  ///
  /// A watch is started by the first message of its owner, or for alerts that wait for delivery. It
  /// is stopped when no message came for a while and all is delivered; earlier if another owner
  /// needs its place.
  final class StoredWatches: Sendable {
    /// Bounds of memory, connections and threads.
    struct Limits {
      /// The maximum number of owners that are watched at the same time.
      /// A watch takes a connection, of which a server of PostgreSQL has 100 by default. It also
      /// has a thread that waits, and libdispatch makes 255 such threads at most.
      var owners = 64
      /// The maximum number of messages of one owner that are processed at the same time.
      var messagesOfOwner = 16
      /// The time without a message after which a watch is stopped.
      var idle = Duration.seconds(600)
      /// The time without a message after which a watch may lose its place to another owner.
      var courtesy = Duration.seconds(60)

      /// The number of descriptors that a watch needs at most.
      static let descriptorsOfOwner = 8
    }

    /// Creates the watch of an owner, which reports its events to the closure. May block.
    typealias Making =
      @Sendable (StoreOwner, _ report: @escaping @Sendable (WatchEvent) -> Void) throws -> Watch

    private struct Entry {
      let watch: StoredWatch
      let owner: StoreOwner
      /// The number of messages that are being processed.
      var openCount = 0
      var lastUse: ContinuousClock.Instant
      /// The task that stops the watch.
      var stop: Task<Void, Never>?
    }

    private struct State {
      var entries: [OwnerID: Entry] = [:]
      var hasEnded = false
    }

    private let limits: Limits
    private let make: Making
    private let report: @Sendable (StoreOwner, WatchEvent) -> Void
    private let executor = ThreadExecutor(label: "photospots.watches")
    private let state = Mutex(State())

    /// Creates the set without watches.
    ///
    /// - Parameters:
    ///   - limits: The bounds.
    ///   - report: Receives the events of watches; called on any thread.
    ///   - make: Creates the watch of an owner.
    init(
      limits: Limits, report: @escaping @Sendable (StoreOwner, WatchEvent) -> Void,
      _ make: @escaping Making
    ) {
      (self.limits, self.report, self.make) = (limits, report, make)
    }

    /// The number of owners that are watched.
    var count: Int { state.withLock { $0.entries.count } }

    /// The watches with their owners, except those that are being stopped.
    var running: [(owner: StoreOwner, watch: StoredWatch)] {
      state.withLock { state in
        state.entries.values.filter { $0.stop == nil }.map { ($0.owner, $0.watch) }
      }
    }

    /// Whether there is a watch for an owner.
    func isWatched(_ owner: StoreOwner) -> Bool {
      state.withLock { $0.entries[owner.id] != nil }
    }

    /// Starts the watch of an owner without a message, unless there is one.
    ///
    /// - Returns: Whether there is a watch; false if too many owners are watched.
    func resume(_ owner: StoreOwner, now: ContinuousClock.Instant = .now) -> Bool {
      state.withLock { state in
        if state.entries[owner.id] != nil { return true }
        guard !state.hasEnded, state.entries.count < limits.owners else { return false }
        add(owner, now, &state).start()
        return true
      }
    }

    /// Passes a message to the watch of its owner.
    ///
    /// - Returns: Whether the decisions about all positions are stored; false if the store cannot
    ///   be reached, or too many owners are watched or too many messages of this one are being
    ///   processed.
    func take(
      _ message: FeedServer.Message, of owner: StoreOwner, now: ContinuousClock.Instant = .now
    ) async -> Bool {
      guard let watch = state.withLock({ enter(owner, now, &$0) }) else { return false }
      let isTaken = await watch.take(message)
      state.withLock { state in
        guard state.entries[owner.id]?.watch === watch else { return }
        state.entries[owner.id]?.openCount -= 1
        if watch.hasEnded { stop(owner.id, &state) }
      }
      return isTaken
    }

    /// Stops the watches that were not used for a while.
    func stopIdle(now: ContinuousClock.Instant = .now) {
      state.withLock { state in
        for (id, entry) in state.entries
        where isIdle(entry, for: limits.idle, now) && entry.watch.isDelivered { stop(id, &state) }
      }
    }

    /// Has all watches fetch their spots again, and apply changed settings.
    func readAgain() {
      for watch in state.withLock({ $0.entries.values.map(\.watch) }) { watch.readAgain() }
    }

    /// Stops all watches, after the deliveries that have begun; no further ones are made.
    func end() async {
      let stops = state.withLock { state in
        state.hasEnded = true
        for id in state.entries.keys { stop(id, &state) }
        return state.entries.values.compactMap(\.stop)
      }
      for stop in stops { await stop.value }
    }

    // MARK: - Under the lock

    /// Returns the watch of an owner, with one more open message; `nil` if there is no room.
    private func enter(
      _ owner: StoreOwner, _ now: ContinuousClock.Instant, _ state: inout State
    ) -> StoredWatch? {
      guard !state.hasEnded else { return nil }
      if let entry = state.entries[owner.id] {
        guard entry.stop == nil, entry.openCount < limits.messagesOfOwner else { return nil }
        // The owner was changed since.
        guard entry.owner == owner, !entry.watch.hasEnded else {
          stop(owner.id, &state)
          return nil
        }
      } else {
        guard state.entries.count < limits.owners else {
          makeRoom(now, &state)
          return nil
        }
        add(owner, now, &state)
      }
      state.entries[owner.id]?.openCount += 1
      state.entries[owner.id]?.lastUse = now
      return state.entries[owner.id]?.watch
    }

    /// Adds a watch of an owner, which is not started.
    @discardableResult
    private func add(
      _ owner: StoreOwner, _ now: ContinuousClock.Instant, _ state: inout State
    ) -> StoredWatch {
      let watch = StoredWatch(on: executor, report: { [report] in report(owner, $0) }) {
        [make] report in try make(owner, report)
      }
      state.entries[owner.id] = Entry(watch: watch, owner: owner, lastUse: now)
      return watch
    }

    /// Stops the least recently used idle watch, unless one is being stopped. Those with waiting
    /// deliveries come last: positions must be decided at once, and deliveries can be resumed.
    private func makeRoom(_ now: ContinuousClock.Instant, _ state: inout State) {
      guard state.entries.values.allSatisfy({ $0.stop == nil }) else { return }
      let idle = state.entries.filter { isIdle($0.value, for: limits.courtesy, now) }
      let delivered = idle.filter { $0.value.watch.isDelivered }
      let oldest = (delivered.isEmpty ? idle : delivered)
        .min { $0.value.lastUse < $1.value.lastUse }
      if let oldest { stop(oldest.key, &state) }
    }

    private func isIdle(
      _ entry: Entry, for duration: Duration, _ now: ContinuousClock.Instant
    ) -> Bool {
      entry.stop == nil && entry.openCount == 0 && now - entry.lastUse >= duration
    }

    /// Begins to stop a watch, whose place is free when it has stopped.
    private func stop(_ id: OwnerID, _ state: inout State) {
      guard let entry = state.entries[id], entry.stop == nil else { return }
      state.entries[id]?.stop = Task(executorPreference: executor) { [self] in
        await entry.watch.stop()
        self.state.withLock { $0.entries[id] = nil }
      }
    }
  }
#endif
