#if Postgres
  import CivilTime
  package import SpotAlerts
  import Synchronization

  /// A pool of connections to a store, each used by one thread at a time.
  ///
  /// Connections are created on demand, and replaced after they broke. After a failed attempt to
  /// connect, the next one follows a pause that doubles with each failure, from 0.1 s to 5 s; calls
  /// that need a new connection during the pause fail immediately with the same error.
  package final class PostgresPool: Sendable {
    private final class Slot: Sendable {
      let connection = Mutex<PostgresConnection?>(nil)
    }

    private struct Outage {
      let failure: PostgresError
      let pauseSeconds: Double
      let retry: Instant
    }

    private let address: StoreAddress
    private let deadlines: PostgresConnection.Deadlines
    private let clock: any DeliveryClock
    private let slots: [Slot]
    private let outage = Mutex<Outage?>(nil)
    private let waiting = Mutex(0)
    private let maximumWaitingCount: Int

    private static let pauses = 0.1...5.0

    /// Creates a pool without connections.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - maximumCount: The maximum number of connections, at least 1.
    ///   - maximumWaitingCount: The maximum number of callers that wait for a connection.
    ///   - deadlines: The deadlines of each connection.
    ///   - clock: The machine's clock.
    package init(
      _ address: StoreAddress, maximumCount: Int, maximumWaitingCount: Int = 64,
      deadlines: PostgresConnection.Deadlines = PostgresConnection.Deadlines(
        connectSeconds: 5, statementMilliseconds: 20_000, silenceMilliseconds: 10_000),
      clock: any DeliveryClock = SystemClock()
    ) {
      precondition(maximumCount >= 1)
      self.maximumWaitingCount = maximumWaitingCount
      self.address = address
      self.deadlines = deadlines
      self.clock = clock
      slots = (0..<maximumCount).map { _ in Slot() }
    }

    /// The number of callers that wait for a free connection.
    package var waitingCount: Int { waiting.withLock { $0 } }

    /// Calls a closure with a connection, after waiting for one if all are in use. Fails at once if
    /// too many callers are waiting.
    ///
    /// The closure must only read: if it fails because an existing connection broke, it is called
    /// again with a new one.
    ///
    /// - Throws: The error of the closure; the error of connecting if no connection can be made.
    package func read<Value>(
      _ body: (PostgresConnection) throws(PostgresError) -> sending Value
    ) throws(PostgresError) -> sending Value {
      // The first free one, so that no more connections are created than are used at once.
      for slot in slots {
        let found: Value?? = try slot.connection.withLockIfAvailable {
          connection throws(PostgresError) in
          Optional.some(try read(&connection, body))
        }
        if case .some(.some(let value)) = found { return value }
      }
      try waiting.withLock { count throws(PostgresError) in
        guard count < maximumWaitingCount else {
          throw PostgresError(.exhausted, "all connections to the store are in use")
        }
        count += 1
      }
      defer { waiting.withLock { $0 -= 1 } }
      let slot = slots.randomElement() ?? slots[0]
      return try slot.connection.withLock { connection throws(PostgresError) in
        try read(&connection, body)
      }
    }

    private func read<Value>(
      _ slot: inout sending PostgresConnection?,
      _ body: (PostgresConnection) throws(PostgresError) -> sending Value
    ) throws(PostgresError) -> sending Value {
      if let connection = slot {
        do throws(PostgresError) {
          return try body(connection)
        } catch {
          guard error.kind == .unreachable || !connection.isAlive else { throw error }
          slot = nil
        }
      }
      let connection = try connect()
      do throws(PostgresError) {
        let value = try body(connection)
        slot = connection
        return value
      } catch {
        if error.kind != .unreachable, connection.isAlive { slot = connection }
        throw error
      }
    }

    private func connect() throws(PostgresError) -> PostgresConnection {
      let now = clock.now()
      if let outage = outage.withLock({ $0 }) {
        let wait = outage.retry.seconds(since: now)
        // A longer wait means that the clock was set back.
        if wait > 0, wait <= Self.pauses.upperBound { throw outage.failure }
      }
      do throws(PostgresError) {
        let connection = try PostgresConnection(address, deadlines: deadlines)
        try StoreSchema.verify(connection)
        outage.withLock { $0 = nil }
        return connection
      } catch {
        outage.withLock { outage in
          let pause =
            outage.map { min(2 * $0.pauseSeconds, Self.pauses.upperBound) }
            ?? Self.pauses.lowerBound
          outage = Outage(
            failure: error, pauseSeconds: pause,
            retry: clock.now().advanced(bySeconds: pause))
        }
        throw error
      }
    }
  }
#endif
