#if Postgres
  extension StoreMigration {
    /// Devices, their alerts, and the deliveries of the alerts.
    static let alerts = StoreMigration(
      2, "devices and alerts", ownedTables: ["device", "alert", "delivery", "alerting"],
      [
        // A device. The row is its lock: appending a record requires the current `version`, the
        // number of the last record. A device without a name has an empty name; digests use a name
        // of one control character, which no device has.
        """
        create table device (
          owner bigint not null,
          device text not null,
          version bigint not null default 0,
          last_notified bigint,
          primary key (owner, device))
        """,
        // The lock on the alerts of all devices, for rules across devices.
        """
        create table alerting (
          owner bigint not null,
          version bigint not null default 0,
          primary key (owner))
        """,
        // A record of the journal. `serial` numbers the alerts of an owner for rules across
        // devices; `body` is the record as a line of JSON, in the format of journal files.
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
        // The delivery of an alert by a notifier. The delivering process holds a lease with a time
        // limit. `begun` counts tries without a recorded result; `state` is 0 for waiting, 1 for
        // delivered, 2 for expired, 3 for set aside.
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
