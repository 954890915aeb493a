#if Postgres
  extension StoreMigration {
    /// Devices, what happened to them, and how alerts were delivered.
    static let alerts = StoreMigration(
      2, "devices and alerts", ownedTables: ["device", "alert", "delivery", "alerting"],
      [
        // A device, whose row is the lock on what happens to it: who appends must know its
        // `version`, the number of its last record. A device without a name has the empty one, and
        // digests have the name of one control character, which no device has.
        """
        create table device (
          owner bigint not null,
          device text not null,
          version bigint not null default 0,
          last_notified bigint,
          primary key (owner, device))
        """,
        // The lock on the alerts of all devices, where a rule across devices is in force.
        """
        create table alerting (
          owner bigint not null,
          version bigint not null default 0,
          primary key (owner))
        """,
        // A record of what happened. `serial` numbers the alerts of an owner that rules across
        // devices look at; `body` is the record as a line of JSON, as journals in files have it.
        """
        create table alert (
          owner bigint not null,
          device text not null,
          number bigint not null,
          serial bigint,
          recorded bigint not null,
          time bigint not null,
          body bytea not null,
          primary key (owner, device, number))
        """,
        "create index alert_serial on alert (owner, serial) where serial is not null",
        // The delivery of an alert by a notifier. A process that delivers holds it by a lease that
        // ends at a time. `begun` counts tries that no process has said the end of; `state` is 0
        // while it waits, 1 delivered, 2 given up, 3 set aside.
        """
        create table delivery (
          owner bigint not null,
          alert text not null,
          notifier text not null,
          device text not null,
          number bigint not null,
          queued bigint not null,
          next bigint,
          tries bigint not null default 0,
          begun bigint not null default 0,
          begun_at bigint not null default 0,
          state smallint not null default 0,
          ended bigint not null default 0,
          failure text,
          holder bigint not null,
          lease bigint not null,
          primary key (owner, alert, notifier))
        """,
        "create index delivery_waiting on delivery (owner, lease) where state = 0",
      ])
  }
#endif
