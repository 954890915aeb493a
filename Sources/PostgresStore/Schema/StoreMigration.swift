#if Postgres
  /// A numbered step from one form of the tables to the next.
  ///
  /// Tables have plain columns and B-trees. No extension, advisory lock or notification is used, so
  /// the same tables work on Citus, and may work on CockroachDB and YugabyteDB.
  package struct StoreMigration: Sendable {
    /// The number, from 1 up without gaps.
    package let number: Int
    /// A few words for those who look into the database.
    package let title: String
    /// Tables that are created here and belong to owners. The first column of the primary key is
    /// `owner`, a policy lets each session see the rows of its owner alone, and Citus spreads them
    /// over its nodes by owner.
    package let ownedTables: [String]
    /// Tables that are created here and that list owners, of which every node of Citus has a copy.
    package let sharedTables: [String]
    /// The statements of the data definition language, without those for policies.
    let statements: [String]

    init(
      _ number: Int, _ title: String, ownedTables: [String], sharedTables: [String] = [],
      _ statements: [String]
    ) {
      self.number = number
      self.title = title
      self.ownedTables = ownedTables
      self.sharedTables = sharedTables
      self.statements = statements
    }

    /// The statements that give an owned table its policy.
    ///
    /// Even the role that created the table is held to it. Only superusers and roles with
    /// `BYPASSRLS` are not (PostgreSQL 15 documentation, section 5.8).
    static func policy(of table: String) -> [String] {
      [
        "alter table \(table) enable row level security",
        "alter table \(table) force row level security",
        """
        create policy owner_rows on \(table) \
        using (owner = nullif(current_setting('photospots.owner', true), '')::bigint)
        """,
      ]
    }
  }
#endif
