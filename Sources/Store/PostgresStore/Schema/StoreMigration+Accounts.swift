#if Postgres
  extension StoreMigration {
    /// Keys of accounts, and states of libraries.
    static let accounts = StoreMigration(
      3, "keys of accounts", ownedTables: ["account_key", "library"],
      [
        // A key that an owner may use a server with. `kind` is 0 for the page and the API, and 1
        // for the positions of a device, whose name is `label`. `key_hash` and `session_hash` are
        // SHA-256 of the key and of its session cookie; the key itself is not stored.
        """
        create table account_key (
          owner bigint not null,
          number integer not null,
          kind smallint not null,
          label text not null,
          key_hash bytea not null,
          session_hash bytea not null,
          made bigint not null,
          primary key (owner, number))
        """,
        // The state of an owner's photos: a random number that each change replaces.
        """
        create table library (
          owner bigint not null,
          token bigint not null,
          primary key (owner))
        """,
      ])
  }
#endif
