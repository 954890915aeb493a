#if Postgres
  import CivilTime
  package import PostgresStore
  package import ProcessControl

  /// A worker, which updates the spots of a store.
  package struct StoreWorker {
    private let address: StoreAddress
    private let ownerName: String?
    private let isOnce: Bool
    private let interruption: Interruption
    private let log: MessageLog
    private let report: (SpotWork.Report) -> Void

    /// The interval between two checks for marked cells.
    private static let interval = Duration.seconds(1)
    /// The longest time between two attempts to connect.
    private static let longestPause = Duration.seconds(30)

    /// Creates a worker; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - address: The store.
    ///   - ownerName: The owner to work for; `nil` for all.
    ///   - isOnce: Whether to end when nothing is left to do.
    ///   - interruption: Ends the work after the current job.
    ///   - log: Receives failures.
    ///   - report: Receives the changes of a round of jobs.
    package init(
      address: StoreAddress, ownerName: String?, isOnce: Bool, interruption: Interruption,
      log: MessageLog, report: @escaping (SpotWork.Report) -> Void
    ) {
      (self.address, self.ownerName, self.isOnce) = (address, ownerName, isOnce)
      (self.interruption, self.log, self.report) = (interruption, log, report)
    }

    /// Works until the process is asked to stop, or with ``isOnce`` until nothing is left to do.
    ///
    /// After an outage of the store, the work continues over a new connection.
    ///
    /// - Returns: Whether no owner was skipped because of a failure.
    /// - Throws: `PostgresError` for permanent failures, and with ``isOnce`` for all.
    package func run() throws -> Bool {
      var pause = Self.interval
      while !interruption.isRequested {
        do {
          var session = try Session(of: self)
          pause = Self.interval
          return try session.run()
        } catch let error as PostgresError {
          guard error.isPassing, !isOnce else { throw error }
          // Reported once for each outage.
          if pause == Self.interval { log.problem("\(error)") }
          _ = interruption.isRequested(within: pause)
          pause = min(pause * 2, Self.longestPause)
        }
      }
      return true
    }

    /// The work over one connection.
    private struct Session {
      let worker: StoreWorker
      let connection: PostgresConnection
      let work: SpotWork
      let only: OwnerID?
      /// Owners whose jobs failed permanently; they are skipped, so that the others are served.
      var failed: Set<OwnerID> = []

      init(of worker: StoreWorker) throws {
        self.worker = worker
        let connection = try PostgresConnection(worker.address, deadlines: .work)
        try StoreSchema.verify(connection)
        self.connection = connection
        only = try worker.ownerName.map { try StoreOwner.existing($0, connection).id }
        work = SpotWork(connection)
      }

      mutating func run() throws -> Bool {
        var total = SpotWork.Report()
        while !worker.interruption.isRequested {
          let pending = try work.pending().filter {
            !failed.contains($0.owner) && (only == nil || only == $0.owner)
          }
          var isBusy = false
          // One job for each owner in turn, so that a large library does not delay the others.
          for (owner, token) in pending where !worker.interruption.isRequested {
            if let report = try job(for: owner, token) {
              total.add(report)
              isBusy = true
            }
          }
          guard !isBusy else { continue }
          reportProgress(&total)
          if pending.isEmpty, worker.isOnce { break }
          _ = worker.interruption.isRequested(within: StoreWorker.interval)
        }
        reportProgress(&total)
        return failed.isEmpty
      }

      /// Does a job for an owner; returns `nil` if other workers have claimed all marked cells, or
      /// the owner is skipped from now on.
      private mutating func job(
        for owner: OwnerID, _ token: Int64
      ) throws(PostgresError) -> SpotWork.Report? {
        do throws(PostgresError) {
          try connection.act(for: owner)
          switch try work.doJob() {
          case .done(let report): return report
          case .othersAtWork: return nil
          case .upToDate:
            try work.finish(token)
            return SpotWork.Report()
          }
        } catch {
          if error.kind == .conflict { return SpotWork.Report() }
          guard !error.isPassing, connection.isAlive else { throw error }
          worker.log.problem("owner \(owner) is skipped: \(error)")
          failed.insert(owner)
          return nil
        }
      }

      private func reportProgress(_ total: inout SpotWork.Report) {
        guard total.jobCount > 0 else { return }
        worker.report(total)
        total = SpotWork.Report()
      }
    }
  }
#endif
