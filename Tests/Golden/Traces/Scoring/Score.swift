import CivilTime

/// How the alerts of a contestant compare with what was wanted.
public struct Score: Sendable {
  /// How many alerts were wanted.
  public private(set) var wanted = 0
  /// How many of them came, in time and to the right device.
  public private(set) var hits = 0
  /// How many alerts came that nobody asked for.
  public private(set) var falseAlerts = 0
  /// From the first moment of each wanted alert that came, in seconds.
  public private(set) var delays: [Double] = []
  /// How long all took together, in days.
  public private(set) var days = 0.0

  /// Creates the score of nothing.
  public init() {}

  /// Wanted alerts that did not come.
  public var missed: Int { wanted - hits }
  /// The share of the alerts that were wanted; 1 where there were none.
  public var precision: Double {
    hits + falseAlerts == 0 ? 1 : Double(hits) / Double(hits + falseAlerts)
  }
  /// The share of the wanted alerts that came; 1 where none was wanted.
  public var recall: Double { wanted == 0 ? 1 : Double(hits) / Double(wanted) }
  /// Alerts a day that nobody asked for.
  public var falseAlertsADay: Double { days == 0 ? 0 : Double(falseAlerts) / days }
  /// The middle of the delays; `nil` where there is none.
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

  /// Holds alerts to the labels of a trace; an alert is the first that fits of the wanted ones that
  /// are still open, those that are required before the tolerated.
  public init(of alerts: [Alert], in trace: Trace) {
    wanted = trace.wants.count(where: \.isRequired)
    days = trace.days
    var open = trace.wants.filter(\.isRequired) + trace.wants.filter { !$0.isRequired }
    for alert in alerts {
      let time = alert.time.seconds(since: trace.start)
      // A second of rounding and latency more.
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
