#if Postgres
  import Encodings

  /// A failure of a database, or of the connection to it.
  ///
  /// The description says what to do; it contains no values of rows and no password.
  package struct PostgresError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failures that callers distinguish.
    package enum Kind: Hashable, Sendable {
      /// The connection failed or broke; a new one may work later.
      case unreachable
      /// The server refuses the user, or access to the rows.
      case refused
      /// The transaction conflicted with another one; it may be tried again at once.
      case conflict
      /// A statement took longer than its deadline.
      case late
      /// A row with the same key already exists.
      case duplicate
      /// The server has no connections, memory or disk space left.
      case exhausted
      /// The server is read-only, like a replica.
      case readOnly
      /// The database has no tables of PhotoSpots.
      case noSchema
      /// The tables are of an earlier version.
      case olderSchema
      /// The tables are of a later version.
      case newerSchema
      /// Some tables are spread over the nodes of Citus, and others are not.
      case partlyDistributed
      /// A result does not have the expected form.
      case malformed
      /// Any other failure.
      case failed
    }

    /// The kind of failure.
    package let kind: Kind
    /// The SQLSTATE (PostgreSQL 15 documentation, appendix A); empty if the server gave none.
    package let state: String
    /// The message of the server or of libpq, in one line.
    package let message: String

    /// Creates an error.
    package init(_ kind: Kind, state: String = "", _ message: String) {
      self.kind = kind
      self.state = state
      self.message = message
    }

    /// Creates an error from a message of libpq, cut to 500 characters.
    ///
    /// Without an SQLSTATE, the error is that of a failed connection.
    init(state: String?, message: String) {
      let words = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      self.init(
        Self.kind(ofState: state ?? ""), state: state ?? "", String(words.prefix(500)))
    }

    /// Creates an error for an unexpected result.
    static func malformed(_ reason: String) -> PostgresError { PostgresError(.malformed, reason) }

    /// Returns the kind of an SQLSTATE, by the whole code or else by its class, the first two
    /// characters.
    private static func kind(ofState state: String) -> Kind {
      switch state {
      case "": .unreachable
      case "57P01", "57P02", "57P03", "57P05": .unreachable
      case "40001", "40P01", "55P03": .conflict
      case "57014", "25P03", "25P04": .late
      case "23505": .duplicate
      case "25006": .readOnly
      case "42P01": .noSchema
      case "42501", "3D000": .refused
      default:
        switch state.prefix(2) {
        case "08": .unreachable
        case "28": .refused
        case "40": .conflict
        case "53": .exhausted
        default: .failed
        }
      }
    }

    /// Whether the same operation may succeed later: the server is unavailable, slow, read-only or
    /// out of resources, or another transaction was in conflict.
    package var isPassing: Bool {
      switch kind {
      case .unreachable, .conflict, .late, .exhausted, .readOnly: true
      default: false
      }
    }

    /// A sentence with the failure and what to do.
    package var description: String {
      switch kind {
      case .unreachable: "the store cannot be reached: \(message)"
      case .refused: "the store refuses the request: \(message)"
      case .conflict: "another program changed the same rows of the store: \(message)"
      case .late: "the store did not answer in time: \(message)"
      case .duplicate: "the store already has this entry: \(message)"
      case .exhausted: "the store is out of disk space, memory or connections: \(message)"
      case .readOnly: "the store is read-only, like a replica: use the primary database"
      case .noSchema:
        "the database has no tables of PhotoSpots: create them with 'photospots store migrate URL'"
      case .olderSchema, .newerSchema, .partlyDistributed: message
      case .malformed: "the store gave an invalid answer: \(message)"
      case .failed: "the store failed: \(message)\(state.isEmpty ? "" : " (\(state))")"
      }
    }
  }
#endif
