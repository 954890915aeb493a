import CivilTime
import GoldenTraces
import LocationFeeds
import Spatial
import SpotWatcher
import TestSupport
import Testing
import WatchScenes

/// The scores of the watcher in the modelled traces. Their labels were written before the rules,
/// and the parameters of the estimate were chosen on other walks, so neither half was tuned on.
/// `make golden` prints the table with all noise seeds and with simple alternatives.
@Suite struct GoldenTraceTests {
  /// The minimum scores of each half with default settings, and the recall of both. They may be
  /// raised when the rules improve, but never lowered.
  private enum Threshold {
    static let precision = 0.94
    static let recall = 0.985
    static let recallOfAll = 0.99
    static let falseAlertsADay = 0.08
  }

  @Test func `precision, recall and false alerts a day of each half meet their thresholds`() {
    // One after the other, since a trace that restarts its watch blocks a thread.
    var all = Score()
    for half in Trace.Half.allCases {
      var sum = Score()
      for trace in Trace.all where trace.half == half {
        sum.add(Bench.score(.photospots(WatcherSettings()), in: trace, seeds: Effort.seeds(2)))
      }
      #expect(sum.wanted > 40)
      #expect(sum.precision >= Threshold.precision, "\(half): \(sum.falseAlerts) false alerts")
      #expect(sum.recall >= Threshold.recall, "\(half): \(sum.missed) missed")
      #expect(sum.falseAlertsADay <= Threshold.falseAlertsADay, "\(half)")
      all.add(sum)
    }
    #expect(all.recall >= Threshold.recallOfAll, "\(all.missed) missed")
  }

  @Test func `the watcher is more precise than simple rivals and misses no more`() {
    let names = [
      "a walk past a spot", "a fast train past five spots", "four spots around a monument",
    ]
    func score(_ player: Bench.Player) -> Score {
      Trace.all.filter { names.contains($0.name) }.reduce(into: Score()) {
        $0.add(Bench.score(player, in: $1, seeds: Effort.seeds(2)))
      }
    }
    let ours = score(.photospots(WatcherSettings()))
    for rival in [Bench.Player.naiveRadius, .geofence, .overlap] {
      #expect(ours.precision > score(rival).precision)
      #expect(ours.missed <= score(rival).missed)
    }
  }

  @Test func `the traces cover every kind, with unique names and valid labels`() {
    #expect(Set(Trace.all.map(\.kind)) == Set(Trace.Kind.allCases))
    #expect(Set(Trace.all.map(\.name)).count == Trace.all.count)
    #expect(Trace.all.count >= 60)
    for trace in Trace.all {
      #expect(trace.wants.allSatisfy { $0.start < $0.end }, "\(trace.name)")
      #expect(trace.wants.allSatisfy { $0.spots.isSubset(of: trace.spotNames) }, "\(trace.name)")
    }
  }

  @Test func `a trace has the same fixes for the same seed, and others for another`() throws {
    let trace = try #require(Trace.all.first { $0.kind == .canyon })
    let fixes = trace.arrivals(seed: 7).map(\.fix)
    #expect(fixes.count > 100)
    #expect(fixes == trace.arrivals(seed: 7).map(\.fix))
    #expect(fixes != trace.arrivals(seed: 8).map(\.fix))
  }

  @Test func `the modelled receiver error has the intended size`() {
    var squares: [Double] = []
    let trace = Trace("rest", .walk) { trace in
      trace.spot("here", 0, 0)
      var me = Journey(from: Ground(0, 0))
      me.stay(minutes: 600)
      trace.add(me)
    }
    for seed in 1...5 {
      for arrival in trace.arrivals(seed: UInt64(seed)) {
        guard let position = arrival.fix.coordinate else { continue }
        let distance = position.distance(to: trace.origin)
        squares.append(distance * distance)
      }
    }
    // 5 m on each of two axes.
    let mean = squares.reduce(0, +) / Double(squares.count)
    #expect((40.0...60).contains(mean), "\(mean)")
  }

  @Test func `an alert counts as a hit once, for its device and within its time`() {
    let trace = Trace("labels", .walk) { trace in
      trace.spot("a", 0, 0)
      trace.spot("b", 500, 0)
      var me = Journey(from: Ground(-900, 0))
      me.walk(Ground(900, 0))
      trace.add(me)
      trace.want("a", from: 100, until: 200)
      trace.tolerate(anyOf: ["b"], from: 300, until: 400)
    }
    func alert(_ spot: String, _ seconds: Double, _ device: String? = "phone") -> Alert {
      Alert(time: trace.start.advanced(bySeconds: seconds), device: device, spots: [spot])
    }
    func score(_ alerts: Alert...) -> [Int] {
      let score = Score(of: alerts, in: trace)
      return [score.hits, score.missed, score.falseAlerts]
    }
    #expect(score() == [0, 1, 0])
    #expect(score(alert("a", 150)) == [1, 0, 0])
    #expect(score(alert("a", 150), alert("a", 160)) == [1, 0, 1])
    #expect(score(alert("a", 250)) == [0, 1, 1])
    #expect(score(alert("a", 150, "watch")) == [0, 1, 1])
    #expect(score(alert("b", 350)) == [0, 1, 0])
    #expect(score(alert("b", 450)) == [0, 1, 1])
    #expect(Score(of: [alert("a", 150)], in: trace).delays == [50])
  }
}
