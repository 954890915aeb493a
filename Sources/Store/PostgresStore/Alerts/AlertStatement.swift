#if Postgres
  /// The statements about devices, their records, and deliveries.
  ///
  /// If a transaction need not survive a crash of the server, the statement that locks its row also
  /// turns `synchronous_commit` off for the transaction, so that the commit returns before it is on
  /// disk (PostgreSQL 15 documentation, section 30.4). With Citus that applies to the node on which
  /// the setting is evaluated.
  enum AlertStatement: String, StoreStatement {
    // MARK: Devices

    case addDevice = """
      insert into device (owner, device) values ($1, $2) on conflict (owner, device) do nothing
      """
    case version = "select version from device where owner = $1 and device = $2"
    case records = """
      select number, body from alert
      where owner = $1 and device = $2 and number > $3 and time >= $4 order by number
      """
    /// Locks devices, for records that need not be durable. In the order of their names, so that
    /// two transactions do not wait for each other.
    case lock = """
      select device, version, last_notified, set_config('synchronous_commit', 'off', true)
      from device where owner = $1 and device = any($2) order by device for update
      """
    /// The same for durable records.
    case lockDurably = """
      select device, version, last_notified
      from device where owner = $1 and device = any($2) order by device for update
      """
    /// Notes the last records of locked devices, and their notifications. The condition on all
    /// names has the server use the index; with the join alone, it reads all devices of the owner.
    case advance = """
      update device
      set version = batch.version, last_notified = greatest(last_notified, batch.notified)
      from unnest($2::text[], $3::bigint[], $4::bigint[]) as batch (device, version, notified)
      where owner = $1 and device.device = any($2) and device.device = batch.device
      """
    case add = """
      insert into alert (owner, device, number, serial, recorded, time, body)
      select $1, device, number, serial, recorded, time, body
      from unnest(
        $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bytea[])
        as record (device, number, serial, recorded, time, body)
      """

    // MARK: Owners

    case addOwner = "insert into alerting (owner) values ($1) on conflict (owner) do nothing"
    case ownerVersion = "select version from alerting where owner = $1"
    /// Advances and locks an owner if its last alert is the known one.
    case advanceOwner = """
      update alerting set version = version + $3 where owner = $1 and version = $2
      """
    case ownerAlerts = """
      select serial, body from alert where owner = $1 and serial > $2 and time >= $3
      order by serial desc limit 1024
      """

    // MARK: Deliveries

    case deliver = """
      insert into delivery (owner, alert, notifier, device, number, queued, holder, lease)
      select $1, alert, notifier, device, number, queued, $2, queued + $3::bigint
      from unnest($4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])
        as waiting (alert, notifier, device, number, queued)
      on conflict (owner, alert, notifier) do update
      set device = excluded.device, number = excluded.number, queued = excluded.queued,
        next = null, tries = 0, begun = 0, state = 0, failure = null, holder = excluded.holder,
        lease = excluded.lease
      """
    /// The setting is read from a query, since Citus refuses it in `returning`.
    case begin = """
      with relaxed as (select set_config('synchronous_commit', 'off', true) as mode)
      update delivery set begun = begun + 1, begun_at = $5, lease = $6 from relaxed
      where owner = $1 and alert = $2 and notifier = $3 and holder = $4 and state = 0
        and mode = 'off'
      """
    case attempt = """
      with relaxed as (select set_config('synchronous_commit', 'off', true) as mode)
      update delivery set begun = 0, tries = $5, failure = $6, next = $7, lease = $8 from relaxed
      where owner = $1 and alert = $2 and notifier = $3 and holder = $4 and state = 0
        and mode = 'off'
      """
    case end = """
      update delivery set begun = 0, tries = $5, failure = $6, state = $7, ended = $8
      where owner = $1 and alert = $2 and notifier = $3 and holder = $4 and state = 0
      """
    case renew = """
      update delivery set lease = $3
      where owner = $1 and holder = $2 and state = 0 and alert = any($4)
      """
    case abandoned = """
      select alert, notifier, queued, tries, next, failure, begun, begun_at, device, number
      from delivery
      where owner = $1 and state = 0 and lease <= $2 and notifier = any($3)
      order by queued limit 200 for update skip locked
      """
    case claim = """
      update delivery set holder = $4, lease = $5
      where owner = $1 and alert = $2 and notifier = $3
      """
    case body = "select body from alert where owner = $1 and device = $2 and number = $3"
    case release = """
      update delivery set lease = 0 where owner = $1 and holder = $2 and state = 0
      """

    // MARK: History

    case history = """
      select body from alert where owner = $1 order by recorded, device, number
      """
    case deliveries = """
      select alert, notifier, tries, failure, next, begun, begun_at, state, ended
      from delivery where owner = $1 order by queued, alert, notifier
      """
    case forgetDeliveries = """
      delete from delivery where owner = $1 and queued < $2 and state <> 0
      """
    case forgetAlerts = "delete from alert where owner = $1 and recorded < $2"
  }
#endif
