#if Postgres
  import PostgresStore
  import SpotAlerts

  /// Delivers the alerts of an account to one of its receivers.
  struct AccountNotifier: Notifier {
    /// The receiver.
    let receiver: AccountReceiver
    private let notifier: Result<any Notifier, AccountReceiver.Unusable>
    private let places: DeliveryPlaces

    /// The time limit of a request in seconds. It is short, since the requests of all accounts
    /// share few places.
    private static let limitSeconds = 10.0

    /// Creates a notifier. If the receiver cannot be used, it refuses all alerts.
    ///
    /// - Parameters:
    ///   - receiver: The receiver.
    ///   - places: The places for requests of all accounts.
    init(_ receiver: AccountReceiver, _ places: DeliveryPlaces) {
      (self.receiver, self.places) = (receiver, places)
      notifier = Result { () throws(AccountReceiver.Unusable) in
        try receiver.notifier(limitSeconds: Self.limitSeconds)
      }
    }

    var name: String { receiver.notifierName }

    func deliver(_ alert: Alert) async -> DeliveryResult {
      switch notifier {
      case .failure(let error): return .refused("\(error)")
      case .success(let notifier):
        guard await places.enter() else { return .failed("interrupted") }
        defer { places.leave() }
        return await notifier.deliver(alert)
      }
    }
  }
#endif
