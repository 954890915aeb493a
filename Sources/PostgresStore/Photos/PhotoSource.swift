#if Postgres
  /// An index on somebody's machine, whose photos a store has.
  ///
  /// An owner may have several sources. Each brings its own photos up to date, and leaves those of
  /// the others alone.
  package struct PhotoSource: Hashable, Sendable {
    /// The number in the rows of photos.
    let number: Int32
    /// The name for people.
    package let name: String

    /// The reasons why an index cannot be a source.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
      /// Another index has sent photos by the name.
      case taken(String)

      /// A sentence that says what to do.
      package var description: String {
        switch self {
        case .taken(let name):
          """
          the store has photos of another index by the name '\(name)': give this one another name by \
          --source NAME, or replace the photos of the other one by --take-over
          """
        }
      }
    }

    /// Looks the source of an index up, and creates it where there is none.
    ///
    /// - Parameters:
    ///   - name: The name of a new source, a text for which ``StoreOwner/isName(_:)`` holds.
    ///   - token: A number that the index is known by, whatever the name is.
    ///   - takesOver: Whether the index takes the place of another one of the name.
    ///   - connection: A connection that acts for the owner.
    /// - Returns: The source; a failure where another index has the name.
    /// - Throws: `PostgresError`.
    package static func find(
      named name: String, token: Int64, takesOver: Bool, _ connection: PostgresConnection
    ) throws(PostgresError) -> Result<PhotoSource, Problem> {
      try connection.transaction(tries: 3) { () throws(PostgresError) in
        // Two new sources would have one number.
        try connection.query(PhotoStatement.lockOwner)
        func known() throws(PostgresError) -> PhotoSource? {
          let rows = try connection.query(PhotoStatement.sourceOfToken, [.int8(token)])
          guard rows.count > 0 else { return nil }
          return PhotoSource(number: try rows.int4(0, 0), name: try rows.text(0, 1))
        }
        if let known = try known() { return .success(known) }
        if try connection.query(PhotoStatement.sourceNamed, [.text(name)]).count > 0 {
          guard takesOver else { return .failure(.taken(name)) }
          try connection.query(PhotoStatement.takeSourceOver, [.text(name), .int8(token)])
        } else {
          try connection.query(PhotoStatement.addSource, [.text(name), .int8(token)])
        }
        guard let made = try known() else {
          throw .malformed("a source that was just made is not there")
        }
        return .success(made)
      }
    }
  }
#endif
