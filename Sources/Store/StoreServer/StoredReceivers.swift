#if Postgres
  import CivilTime
  import Dispatch
  import PostgresStore
  import SpotAlerts
  import Synchronization

  /// The receivers of the alerts of a store's accounts.
  ///
  /// The receivers of watched owners are read every two seconds. Every minute, watches are started
  /// for owners whose alerts wait for a receiver although no process watches for them, as after the
  /// end of a server.
  final class StoredReceivers: Sendable {
    /// The maximum number of requests to receivers at the same time.
    private static let maximumRequestCount = 32
    /// The number of descriptors that these requests need at most.
    static let maximumDescriptorCount = 4 * maximumRequestCount
    private static let updateInterval = DispatchTimeInterval.seconds(2)
    private static let resumptionInterval = DispatchTimeInterval.seconds(60)

    private let pool: PostgresPool
    private let semaphore = RequestSemaphore(StoredReceivers.maximumRequestCount)
    private let report: @Sendable (PostgresError) -> Void
    private let updates = DispatchQueue(label: "photospots.receivers", qos: .utility)
    private let resumptions = DispatchQueue(label: "photospots.resumptions", qos: .utility)
    private let isStopping = Atomic(false)

    /// Creates the receivers, without reading them.
    ///
    /// - Parameters:
    ///   - pool: The connections to the store.
    ///   - report: Called with the error if the store could not be read, on any thread.
    init(_ pool: PostgresPool, report: @escaping @Sendable (PostgresError) -> Void) {
      (self.pool, self.report) = (pool, report)
    }

    /// Reads the receivers of an owner, and creates their notifiers.
    ///
    /// - Throws: `PostgresError`.
    func notifiers(of owner: StoreOwner) throws(PostgresError) -> [any Notifier] {
      notifiers(for: try receivers(of: owner))
    }

    private func receivers(of owner: StoreOwner) throws(PostgresError) -> [AccountReceiver] {
      try pool.read { connection throws(PostgresError) in
        try connection.act(for: owner.id)
        return try AccountReceiver.all(connection)
      }
    }

    private func notifiers(for receivers: [AccountReceiver]) -> [any Notifier] {
      receivers.map { AccountNotifier($0, semaphore) }
    }

    // MARK: - Changes

    /// Begins to follow changes, on threads of its own.
    func start(for watches: StoredWatches) {
      repeatedly(on: updates, every: Self.updateInterval) { [self] in update(watches) }
      repeatedly(on: resumptions, every: Self.resumptionInterval) { [self] in
        resume(watches, now: .now)
      }
    }

    /// Calls a closure now and after each interval, until ``stop()`` is called.
    private func repeatedly(
      on queue: DispatchQueue, every interval: DispatchTimeInterval,
      _ body: @escaping @Sendable () -> Void
    ) {
      queue.async { [self] in
        guard !isStopping.load(ordering: .relaxed) else { return }
        body()
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
          self?.repeatedly(on: queue, every: interval, body)
        }
      }
    }

    /// Stops, after waiting for the current statement.
    func stop() {
      isStopping.store(true, ordering: .relaxed)
      updates.sync {}
      resumptions.sync {}
    }

    /// Passes changed receivers to the running watches.
    func update(_ watches: StoredWatches) {
      do throws(PostgresError) {
        for (owner, watch) in watches.running {
          if isStopping.load(ordering: .relaxed) { return }
          guard let current = watch.notifiers else { continue }
          let receivers = try receivers(of: owner)
          let known = current.compactMap { ($0 as? AccountNotifier)?.receiver }
          if known != receivers { watch.replace(notifiers: notifiers(for: receivers)) }
        }
      } catch { report(error) }
    }

    /// Starts watches for owners whose alerts wait for a receiver, as long as there is room.
    func resume(_ watches: StoredWatches, now: Instant) {
      let start = now.advanced(bySeconds: -RetrySchedule().lifetimeSeconds)
      do throws(PostgresError) {
        let owners = try pool.read { connection throws(PostgresError) in
          try StoreOwner.all(connection)
        }
        for owner in owners where !watches.isWatched(owner) {
          if isStopping.load(ordering: .relaxed) { return }
          let isDue = try pool.read { connection throws(PostgresError) in
            try connection.act(for: owner.id)
            return try AccountReceiver.hasAbandonedDeliveries(since: start, at: now, connection)
          }
          if isDue, !watches.resume(owner) { return }
        }
      } catch { report(error) }
    }
  }
#endif
