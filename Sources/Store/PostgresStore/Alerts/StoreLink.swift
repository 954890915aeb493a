#if Postgres
  import CivilTime
  package import SpotAlerts
  import Synchronization

  /// A connection that acts for an owner, created on demand and replaced after it broke.
  ///
  /// After repeated failures, the next attempt to connect follows a pause that doubles with each
  /// failure, from 0.1 s to 5 s; calls during the pause fail immediately.
  package final class StoreLink: Sendable {
    private struct State {
      var connection: PostgresConnection?
      var failure: PostgresError?
      var pauseSeconds = 0.0
      var retry = Instant(millisecondsSince1970: .min)
      var isClosed = false
    }

    private let address: StoreAddress
    private let owner: OwnerID
    private let deadlines: PostgresConnection.Deadlines
    private let clock: any DeliveryClock
    private let state = Mutex(State())

    private static let pauses = 0.1...5.0

    /// Creates a link, without connecting.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - owner: The owner for whom the connection acts.
    ///   - deadlines: The time limits of the connection.
    ///   - clock: The machine's clock.
    package init(
      _ address: StoreAddress, owner: OwnerID,
      deadlines: PostgresConnection.Deadlines = PostgresConnection.Deadlines(
        connectSeconds: 5, statementMilliseconds: 20_000, silenceMilliseconds: 10_000),
      clock: any DeliveryClock = SystemClock()
    ) {
      self.address = address
      self.owner = owner
      self.deadlines = deadlines
      self.clock = clock
    }

    /// Calls a closure with the connection, after waiting for calls of other threads.
    ///
    /// - Throws: The error of the closure; the error of connecting if no connection can be made.
    package func with<Value>(
      _ body: (PostgresConnection) throws(PostgresError) -> sending Value
    ) throws(PostgresError) -> sending Value {
      try state.withLock { state throws(PostgresError) in
        let connection = try connect(&state)
        do throws(PostgresError) {
          return try body(connection)
        } catch {
          if !connection.isAlive {
            state.connection = nil
            fail(error, &state)
          }
          throw error
        }
      }
    }

    /// Whether the last attempt to use the store succeeded; true before the first one.
    package var isReachable: Bool { state.withLock { $0.failure == nil } }

    private func connect(_ state: inout State) throws(PostgresError) -> PostgresConnection {
      if let connection = state.connection { return connection }
      guard !state.isClosed else { throw PostgresError(.unreachable, "the connection is closed") }
      let now = clock.now()
      // A longer wait means that the clock was set back.
      let wait = state.retry.seconds(since: now)
      if let failure = state.failure, wait > 0, wait <= Self.pauses.upperBound { throw failure }
      do throws(PostgresError) {
        let connection = try PostgresConnection(address, deadlines: deadlines)
        try StoreSchema.verify(connection)
        try connection.useIndexes()
        try connection.act(for: owner)
        state.connection = connection
        (state.failure, state.pauseSeconds) = (nil, 0)
        return connection
      } catch {
        fail(error, &state)
        throw error
      }
    }

    private func fail(_ error: PostgresError, _ state: inout State) {
      state.failure = error
      // After the first failure a new connection is tried at once; pauses begin with the second.
      let last = state.pauseSeconds
      state.pauseSeconds =
        last == 0 ? Self.pauses.lowerBound : min(2 * last, Self.pauses.upperBound)
      state.retry = clock.now().advanced(bySeconds: last)
    }

    /// Closes the connection for good.
    package func close() {
      state.withLock { state in
        state.connection = nil
        state.isClosed = true
      }
    }
  }
#endif
