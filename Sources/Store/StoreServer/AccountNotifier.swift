#if Postgres
  import PostgresStore
  import SpotAlerts

  /// Delivers the alerts of an account to one of its receivers.
  struct AccountNotifier: Notifier {
    /// The receiver.
    let receiver: AccountReceiver
    private let notifier: Result<any Notifier, AccountReceiver.Unusable>
    private let semaphore: RequestSemaphore

    /// The time limit of a request in seconds. It is short, since few requests of all
    /// accounts are sent at the same time.
    private static let limitSeconds = 10.0

    /// Creates a notifier. If the receiver cannot be used, it refuses all alerts.
    ///
    /// - Parameters:
    ///   - receiver: The receiver.
    ///   - semaphore: Limits the requests of all accounts.
    init(_ receiver: AccountReceiver, _ semaphore: RequestSemaphore) {
      (self.receiver, self.semaphore) = (receiver, semaphore)
      notifier = Result { () throws(AccountReceiver.Unusable) in
        try receiver.notifier(limitSeconds: Self.limitSeconds)
      }
    }

    var name: String { receiver.notifierName }

    func deliver(_ alert: Alert) async -> DeliveryResult {
      switch notifier {
      case .failure(let error): return .refused("\(error)")
      case .success(let notifier):
        guard await semaphore.acquire() else { return .failed("interrupted") }
        defer { semaphore.release() }
        return await notifier.deliver(alert)
      }
    }
  }
#endif
