import GoldenTraces
import SpotWatcher

/// Prints the scores of the watcher and of simple alternatives in the modelled traces.
///
/// `golden-table [--traces] [--rules] [--variations] [--seeds N] [--only TEXT]`
enum GoldenTable {
  static func run(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    func value(of name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
    }
    let seeds = value(of: "--seeds").flatMap { UInt64($0) } ?? 10
    let only = value(of: "--only")
    let traces = Trace.all.filter { only.map($0.name.contains) ?? true }
    let players: [(String, Bench.Player)] = [
      ("naive radius", .naiveRadius), ("geofence", .geofence), ("75 % + 5 min", .overlap),
      ("photospots", .photospots(WatcherSettings())),
    ]
    let scores = players.map { _, player in
      traces.map { Bench.score(player, in: $0, seeds: 1...max(seeds, 1)) }
    }
    let ours = scores[scores.count - 1]
    print(padded("kind", 34) + "traces wanted missed  false  precision recall delay  a day")
    for kind in Trace.Kind.allCases {
      let places = traces.indices.filter { traces[$0].kind == kind }
      guard !places.isEmpty else { continue }
      row(kind.rawValue, places.count, sum(places.map { ours[$0] }))
      guard arguments.contains("--traces") else { continue }
      for place in places { row("  " + traces[place].name, 1, ours[place]) }
    }
    print("")
    for (player, scores) in zip(players, scores) { row(player.0, traces.count, sum(scores)) }
    for half in Trace.Half.allCases {
      let places = traces.indices.filter { traces[$0].half == half }
      row("photospots, half \(half.rawValue)", places.count, sum(places.map { ours[$0] }))
    }
    print("seeds 1–\(max(seeds, 1)); the halves are chosen by a hash of the traces' names")
    if arguments.contains("--rules") { rules(traces, 1...max(seeds, 1)) }
    if arguments.contains("--variations") {
      variations(traces, 1...max(seeds, 1), areTracesListed: arguments.contains("--traces"))
    }
  }

  /// Prints the scores with other receivers; with `--traces`, for each trace with more than two
  /// misses or false alerts in three runs.
  private static func variations(
    _ traces: [Trace], _ seeds: ClosedRange<UInt64>, areTracesListed: Bool
  ) {
    print("")
    for variation in Variation.all {
      let scores = traces.map {
        Bench.score(
          .photospots(WatcherSettings()), in: $0.varied(by: variation), seeds: seeds)
      }
      row(variation.name, traces.count, sum(scores))
      guard areTracesListed else { continue }
      for (trace, score) in zip(traces, scores)
      where 3 * (score.missed + score.falseAlerts) >= 2 * seeds.count {
        row("  " + trace.name, 1, score)
      }
    }
  }

  /// Prints the effect of each rule alone, and of all rules without it.
  private static func rules(_ traces: [Trace], _ seeds: ClosedRange<UInt64>) {
    func score(_ change: (inout WatcherSettings) -> Void) -> Score {
      var settings = WatcherSettings()
      change(&settings)
      return sum(traces.map { Bench.score(.photospots(settings), in: $0, seeds: seeds) })
    }
    let all = Set(WatcherRule.allCases)
    print("")
    row("no rule, no budget", traces.count, score { ($0.rulesOff, $0.dailyBudget) = (all, nil) })
    for rule in WatcherRule.allCases {
      row("\(rule.rawValue) alone", traces.count, score { $0.rulesOff = all.subtracting([rule]) })
    }
    for rule in WatcherRule.allCases {
      row("all but \(rule.rawValue)", traces.count, score { $0.rulesOff = [rule] })
    }
  }

  private static func sum(_ scores: [Score]) -> Score {
    scores.reduce(into: Score()) { $0.add($1) }
  }

  private static func row(_ name: String, _ traces: Int, _ score: Score) {
    print(
      padded(String(name.prefix(66)), 34) + number(Double(traces), 0, 6)
        + number(Double(score.wanted), 0, 7)
        + number(Double(score.missed), 0, 7) + number(Double(score.falseAlerts), 0, 7)
        + number(score.precision, 3, 11) + number(score.recall, 3, 7)
        + (score.medianDelay.map { number($0, 0, 6) } ?? "     –")
        + number(score.falseAlertsADay, 2, 7))
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }

  private static func number(_ value: Double, _ digits: Int, _ width: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((value * scale).rounded())
    var text = "\(whole)"
    if digits > 0 {
      while text.count <= digits { text = "0" + text }
      text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
    }
    return String(repeating: " ", count: max(width - text.count, 0)) + text
  }
}
