/// A different receiver or transmission for the same journeys. The labels are unchanged, since they
/// depend only on the true movements.
public struct Variation: Sendable {
  /// The name of the difference.
  public let name: String
  let change: @Sendable (inout Receiver) -> Void

  /// Every variation.
  public static let all: [Variation] = [
    Variation(name: "a fix every second") { ($0.interval, $0.restingInterval) = (1, nil) },
    Variation(name: "a fix every 20 s") { $0.interval = max($0.interval, 20) },
    Variation(name: "a fix every minute") { $0.interval = max($0.interval, 60) },
    Variation(name: "no speed") { $0.reportsSpeed = false },
    Variation(name: "no accuracy") { $0.accuracy = nil },
    Variation(name: "no speed, no accuracy, every 20 s") {
      ($0.reportsSpeed, $0.accuracy, $0.interval) = (false, nil, max($0.interval, 20))
    },
    Variation(name: "twice the error, and it does not know") { $0.sigma *= 2 },
    Variation(name: "an error that stays for 5 min") { $0.correlation = 300 },
    Variation(name: "an error that is new each time") { $0.correlation = 1 },
    Variation(name: "an accuracy of 3 m, whatever the error") { $0.accuracy = 3 },
    Variation(name: "repeated and reordered") { ($0.duplicates, $0.overtaken) = (0.3, 0.3) },
    Variation(name: "20 s late") { $0.latency = 20 },
  ]
}

extension Trace {
  /// Returns the trace with other receivers.
  public func varied(by variation: Variation) -> Trace {
    var trace = self
    trace.changeReceivers(variation.change)
    return trace
  }
}
