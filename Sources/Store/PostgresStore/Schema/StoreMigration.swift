#if Postgres
  /// A numbered step from one version of the tables to the next.
  ///
  /// Tables have plain columns and B-trees. No extension, advisory lock or notification is used, so
  /// the same tables work on Citus, and may work on CockroachDB and YugabyteDB.
  package struct StoreMigration: Sendable {
    /// The number, from 1 up without gaps.
    package let number: Int
    /// A short title, for people who inspect the database.
    package let title: String
    /// The created tables with rows of owners. The first column of the primary key is `owner`, a
    /// policy limits each session to the rows of its owner, and Citus distributes the tables by
    /// owner.
    package let ownedTables: [String]
    /// The created tables that list owners. Every node of Citus has a copy of them.
    package let sharedTables: [String]
    /// The data definition statements, without those for policies.
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

    /// The name of the policy of each owned table.
    static let policyName = "owner_rows"

    /// Returns the statements that create the policy of an owned table.
    ///
    /// A subquery reads the setting, once per statement and not once per new row. The policy
    /// applies even to the role that created the table. Only superusers and roles with `BYPASSRLS`
    /// bypass it (PostgreSQL 15 documentation, section 5.8).
    static func policy(of table: String) -> [String] {
      [
        "alter table \(table) enable row level security",
        "alter table \(table) force row level security",
        """
        create policy \(policyName) on \(table) \
        using (owner = (select nullif(current_setting('photospots.owner', true), '')::bigint))
        """,
      ]
    }
  }
#endif
