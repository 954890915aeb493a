#if Postgres
  package import CivilTime

  /// A receiver of the alerts of an account.
  ///
  /// A receiver never changes; another one gets another number. Its secrets are stored as they are
  /// sent, since each server that watches for the owner needs them.
  package struct AccountReceiver: Hashable, Sendable {
    /// The number, unique among the owner's keys and receivers.
    package let number: Int32
    /// The kind, such as `ntfy`.
    package let kind: String
    /// The settings as a JSON object of texts.
    package let settings: [UInt8]
    /// The time when it was added.
    package let made: Instant

    /// The maximum number of receivers of an owner.
    package static let maximumCount = 8

    /// The name of its deliveries, such as `ntfy-3`.
    package var notifierName: String { Self.notifierName(kind, number) }

    private static func notifierName(_ kind: String, _ number: Int32) -> String {
      "\(kind)-\(number)"
    }

    /// Returns the receivers of the owner for whom a connection acts, in the order of their
    /// numbers.
    package static func all(
      _ connection: PostgresConnection
    ) throws(PostgresError) -> [AccountReceiver] {
      let rows = try connection.query(ReceiverStatement.all)
      var receivers: [AccountReceiver] = []
      for row in 0..<rows.count {
        receivers.append(
          AccountReceiver(
            number: try rows.int4(row, 0), kind: try rows.text(row, 1),
            settings: try rows.bytes(row, 2),
            made: Instant(millisecondsSince1970: try rows.int8(row, 3))))
      }
      return receivers
    }

    /// Adds a receiver.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - settings: The settings as a JSON object of texts.
    ///   - time: The current time.
    ///   - connection: A connection that acts for the owner.
    /// - Returns: The number; `nil` if the owner already has ``maximumCount`` receivers.
    /// - Throws: The server's error.
    package static func add(
      _ kind: String, settings: [UInt8], at time: Instant, _ connection: PostgresConnection
    ) throws(PostgresError) -> Int32? {
      try connection.transaction(tries: 3) { () throws(PostgresError) in
        let number = try AccountKey.nextNumber(connection)
        guard let number, try all(connection).count < maximumCount else { return nil }
        try connection.query(
          ReceiverStatement.add,
          [.int4(number), .text(kind), .bytes(settings), .int8(time.millisecondsSince1970)])
        return number
      }
    }

    /// Removes a receiver, and gives up the deliveries that wait for it.
    ///
    /// - Parameters:
    ///   - number: The number of the receiver; `nil` for all receivers of the owner.
    ///   - time: The current time.
    ///   - connection: A connection that acts for the owner.
    /// - Returns: The number of receivers that were removed.
    /// - Throws: The server's error.
    package static func remove(
      _ number: Int32?, at time: Instant, _ connection: PostgresConnection
    ) throws(PostgresError) -> Int {
      try connection.transaction(tries: 3) { () throws(PostgresError) in
        let removed = try all(connection).filter { number == nil || $0.number == number }
        for receiver in removed {
          try connection.query(ReceiverStatement.remove, [.int4(receiver.number)])
          try connection.query(
            ReceiverStatement.giveUp,
            [.text(receiver.notifierName), .int8(time.millisecondsSince1970)])
        }
        return removed.count
      }
    }

    /// Looks for alerts of the owner for whom a connection acts that wait for a receiver, although
    /// no process delivers them.
    ///
    /// - Parameters:
    ///   - start: The time of the oldest alert that is still delivered.
    ///   - time: The current time.
    ///   - connection: The connection.
    /// - Returns: Whether there are such alerts.
    /// - Throws: The server's error.
    package static func hasAbandonedDeliveries(
      since start: Instant, at time: Instant, _ connection: PostgresConnection
    ) throws(PostgresError) -> Bool {
      let rows = try connection.query(
        ReceiverStatement.abandoned,
        [.int8(time.millisecondsSince1970), .int8(start.millisecondsSince1970)])
      for row in 0..<rows.count {
        let name = notifierName(try rows.text(row, 1), try rows.int4(row, 2))
        if try rows.text(row, 0) == name { return true }
      }
      return false
    }
  }

  /// The statements about receivers of accounts.
  enum ReceiverStatement: String, StoreStatement {
    case all = "select number, kind, settings, made from receiver where owner = $1 order by number"
    case add = """
      insert into receiver (owner, number, kind, settings, made) values ($1, $2, $3, $4, $5)
      """
    case remove = "delete from receiver where owner = $1 and number = $2"
    case giveUp = """
      update delivery set begun = 0, state = 2, failure = 'the receiver was removed', ended = $3
      where owner = $1 and notifier = $2 and state = 0
      """
    /// The notifiers of waiting deliveries without a lease, each with all receivers.
    case abandoned = """
      select distinct delivery.notifier, receiver.kind, receiver.number
      from delivery join receiver on receiver.owner = $1
      where delivery.owner = $1 and state = 0 and lease <= $2 and queued >= $3
      """
  }
#endif
