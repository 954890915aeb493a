#if Postgres
  import ArgumentParser
  import CLibrary
  import PostgresStore
  import SystemPackage

  /// A worker, which updates the spots of a store.
  struct StoreWorker {
    let address: StoreAddress
    /// The owner to work for; `nil` for all.
    let ownerName: String?
    /// Whether to end when nothing is left to do.
    let isOnce: Bool
    /// Becomes readable when the process is asked to stop.
    let interruption: FileDescriptor

    /// The interval in seconds between two checks for marked cells.
    private static let interval = 1.0
    /// The longest time in seconds between two attempts to connect.
    private static let longestPause = 30.0

    /// Works until the process is asked to stop, or with ``isOnce`` until nothing is left to do.
    ///
    /// After an outage of the store, the work continues over a new connection.
    ///
    /// - Throws: `PostgresError` for permanent failures, and with ``isOnce`` for all.
    func run() throws {
      var pause = Self.interval
      while !Interruption.isRequested {
        do {
          var session = try Session(of: self)
          pause = Self.interval
          try session.run()
          return
        } catch let error as PostgresError {
          guard error.isPassing, !isOnce else { throw error }
          // Reported once for each outage.
          if pause == Self.interval { StandardError.writeLine("photospots: \(error)") }
          wait(pause)
          pause = min(2 * pause, Self.longestPause)
        }
      }
    }

    /// Waits for some seconds, or until the process is asked to stop.
    private func wait(_ seconds: Double) {
      var descriptor = pollfd(fd: interruption.rawValue, events: Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, CInt(saturating: seconds * 1000))
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

      mutating func run() throws {
        var total = SpotWork.Report()
        while !Interruption.isRequested {
          let pending = try work.pending().filter {
            !failed.contains($0.owner) && (only == nil || only == $0.owner)
          }
          var isBusy = false
          // One job for each owner in turn, so that a large library does not delay the others.
          for (owner, token) in pending where !Interruption.isRequested {
            if let report = try job(for: owner, token) {
              total.add(report)
              isBusy = true
            }
          }
          guard !isBusy else { continue }
          reportProgress(&total)
          if pending.isEmpty, worker.isOnce { break }
          worker.wait(StoreWorker.interval)
        }
        reportProgress(&total)
        if worker.isOnce, !failed.isEmpty { throw ExitCode.failure }
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
          StandardError.writeLine("photospots: owner \(owner) is skipped: \(error)")
          failed.insert(owner)
          return nil
        }
      }

      private func reportProgress(_ total: inout SpotWork.Report) {
        guard total.jobCount > 0 else { return }
        StandardError.note(
          """
          \(Count.text(total.cellCount)) cells with \(Count.text(total.photoCount)) photos: \
          \(Count.text(total.addedCount)) spots written, \(Count.text(total.removedCount)) removed
          """)
        total = SpotWork.Report()
      }
    }
  }
#endif
