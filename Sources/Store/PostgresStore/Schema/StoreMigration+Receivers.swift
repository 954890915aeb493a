#if Postgres
  extension StoreMigration {
    /// The receivers of owners' alerts.
    static let receivers = StoreMigration(
      4, "receivers of accounts", ownedTables: ["receiver"],
      [
        // A receiver of an owner's alerts. `number` is one of the numbers of the owner's keys.
        // `settings` is a JSON object of texts with names of settings: the address, and the secrets
        // as they are sent.
        """
        create table receiver (
          owner bigint not null,
          number integer not null,
          kind text not null,
          settings bytea not null,
          made bigint not null,
          primary key (owner, number))
        """
      ])
  }
#endif
