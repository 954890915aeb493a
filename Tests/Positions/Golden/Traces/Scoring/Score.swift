import CivilTime

/// A comparison of a contestant's alerts with the wanted ones.
public struct Score: Sendable {
  /// The number of wanted alerts.
  public private(set) var wanted = 0
  /// The number of wanted alerts given in time and to the right device.
  public private(set) var hits = 0
  /// The number of unwanted alerts.
  public private(set) var falseAlerts = 0
  /// The delays of the hits from the start of their periods, in seconds.
  public private(set) var delays: [Double] = []
  /// The total duration of the traces in days.
  public private(set) var days = 0.0

  /// Creates an empty score.
  public init() {}

  /// The number of wanted alerts that were not given.
  public var missed: Int { wanted - hits }
  /// The proportion of alerts that were wanted; 1 if there were none.
  public var precision: Double {
    hits + falseAlerts == 0 ? 1 : Double(hits) / Double(hits + falseAlerts)
  }
  /// The proportion of wanted alerts that were given; 1 if none was wanted.
  public var recall: Double { wanted == 0 ? 1 : Double(hits) / Double(wanted) }
  /// The number of unwanted alerts per day.
  public var falseAlertsADay: Double { days == 0 ? 0 : Double(falseAlerts) / days }
  /// The median delay; `nil` if there is none.
  public var medianDelay: Double? {
    delays.isEmpty ? nil : delays.sorted()[delays.count / 2]
  }

  /// Adds another score.
  public mutating func add(_ other: Score) {
    wanted += other.wanted
    hits += other.hits
    falseAlerts += other.falseAlerts
    delays += other.delays
    days += other.days
  }

  /// Compares alerts with the labels of a trace. Each alert is assigned to the first matching label
  /// that is still open, required ones before tolerated ones.
  public init(of alerts: [Alert], in trace: Trace) {
    wanted = trace.wants.count(where: \.isRequired)
    days = trace.days
    var open = trace.wants.filter(\.isRequired) + trace.wants.filter { !$0.isRequired }
    for alert in alerts {
      let time = alert.time.seconds(since: trace.start)
      // A tolerance of a second for rounding and latency.
      let match = open.firstIndex { want in
        want.start - 2 <= time && time <= want.end + 2
          && (want.device == nil || want.device == alert.device)
          && alert.spots.contains { want.spots.contains($0) }
      }
      guard let match else {
        falseAlerts += 1
        continue
      }
      let want = open.remove(at: match)
      guard want.isRequired else { continue }
      hits += 1
      delays.append(max(time - want.start, 0))
    }
  }
}
