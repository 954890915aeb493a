#if MQTT
  import SpotAlerts
  import Synchronization

  /// The result of a delivery, which is set once and waited for once.
  final class DeliveryEnding: Sendable {
    private struct State {
      var result: DeliveryResult?
      var waiting: CheckedContinuation<DeliveryResult, Never>?
    }

    private let state = Mutex(State())

    /// Whether the result is set.
    var isOver: Bool { state.withLock { $0.result != nil } }

    /// The result; waits until it is set.
    var result: DeliveryResult {
      get async {
        await withCheckedContinuation { continuation in
          let result = state.withLock { state in
            if state.result == nil { state.waiting = continuation }
            return state.result
          }
          if let result { continuation.resume(returning: result) }
        }
      }
    }

    /// Sets the result, unless it is set already.
    func end(_ result: DeliveryResult) {
      let waiting = state.withLock { state -> CheckedContinuation<DeliveryResult, Never>? in
        guard state.result == nil else { return nil }
        state.result = result
        return state.waiting.take()
      }
      waiting?.resume(returning: result)
    }
  }
#endif
