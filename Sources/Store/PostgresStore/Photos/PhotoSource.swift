#if Postgres
  /// An index file on some machine that sends its photos to a store.
  ///
  /// An owner may have several sources. Each adds and removes only its own photos.
  package struct PhotoSource: Hashable, Sendable {
    /// The number of the source in the rows of photos.
    let number: Int32
    /// The name for people.
    package let name: String

    /// The reasons why an index cannot be a source.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
      /// Another index has sent photos under the same name.
      case taken(String)

      /// A sentence that says what to do.
      package var description: String {
        switch self {
        case .taken(let name):
          """
          another index has already sent photos as the source '\(name)': choose another name with \
          --source NAME, or replace the photos of that index with --take-over
          """
        }
      }
    }

    /// Returns the source of an index, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - name: The name of a new source, a text for which ``StoreOwner/isName(_:)`` holds.
    ///   - token: The number that identifies the index, independently of the name.
    ///   - takesOver: Whether the index replaces another one with the same name.
    ///   - connection: A connection that acts for the owner.
    /// - Returns: The source; a failure if another index has the name and is not replaced.
    /// - Throws: `PostgresError`.
    package static func find(
      named name: String, token: Int64, takesOver: Bool, _ connection: PostgresConnection
    ) throws(PostgresError) -> Result<PhotoSource, Problem> {
      try connection.transaction(tries: 3) { () throws(PostgresError) in
        // Without the lock, two sources that are added at the same time could get the same number.
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
          throw .malformed("a new source cannot be found")
        }
        return .success(made)
      }
    }
  }
#endif
