import SpotAlerts
import SpotWatcher
import Synchronization

/// A receiver that is slow or fails occasionally, and counts the notifications it gets.
final class SoakNotifier: Notifier {
  let name: String
  private let milliseconds: Int
  private let failsEach: Int?
  private let state = Mutex((tries: 0, counts: [String: Int]()))

  /// Creates a receiver with a response time in milliseconds. If `failsEach` is given, one in that
  /// many attempts fails.
  init(_ name: String, milliseconds: Int = 0, failsEach: Int? = nil) {
    self.name = name
    self.milliseconds = milliseconds
    self.failsEach = failsEach
  }

  /// The number of times each notification arrived, by its id.
  var counts: [String: Int] { state.withLock { $0.counts } }

  /// The number of attempts, including failed ones.
  var tries: Int { state.withLock { $0.tries } }

  func deliver(_ alert: Alert) async -> DeliveryResult {
    if milliseconds > 0 { try? await Task.sleep(for: .milliseconds(milliseconds)) }
    return state.withLock { state in
      state.tries += 1
      if let failsEach, state.tries % failsEach == 0 { return .failed("out of order") }
      state.counts[alert.id, default: 0] += 1
      return .delivered
    }
  }
}
