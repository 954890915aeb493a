import SpotAlerts
import SpotWatcher
import Synchronization
import TestSupport

/// A receiver that is slow or fails occasionally, and counts the notifications it gets.
final class SoakNotifier: Notifier {
  let name: String
  /// The receiver that is always some deliveries ahead of this one.
  private let leader: SoakNotifier?
  private let failsEach: Int?
  private let state = Mutex((tries: 0, counts: [String: Int]()))

  private let progress = Observed(Progress())

  private struct Progress {
    var deliveries = 0
    var isOver = false
  }

  /// The number of deliveries by which a slow receiver is behind its leader.
  private static let lag = 10

  /// Creates a receiver. One with a leader is slow: it stays behind the leader until the end. If
  /// `failsEach` is given, one in that many attempts fails.
  init(_ name: String, behind leader: SoakNotifier? = nil, failsEach: Int? = nil) {
    self.name = name
    self.leader = leader
    self.failsEach = failsEach
  }

  /// The number of times each notification arrived, by its id.
  var counts: [String: Int] { state.withLock { $0.counts } }

  /// The number of attempts, including failed ones.
  var tries: Int { state.withLock { $0.tries } }

  /// Lets the slow receivers behind this one catch up.
  func finish() { progress.update { $0.isOver = true } }

  func deliver(_ alert: Alert) async -> DeliveryResult {
    if let leader {
      let goal = progress.value.deliveries + Self.lag
      await leader.progress.met { $0.isOver || $0.deliveries >= goal }
    }
    defer { progress.update { $0.deliveries += 1 } }
    return state.withLock { state in
      state.tries += 1
      if let failsEach, state.tries % failsEach == 0 { return .failed("out of order") }
      state.counts[alert.id, default: 0] += 1
      return .delivered
    }
  }
}
