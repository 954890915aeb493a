#if Postgres
  import CivilTime
  import LocationFeeds
  import PhotoLibrary
  import Spatial
  import SpotAlerts
  import SpotWatcher
  import TestSupport

  /// Decisions of lanes and of one watcher in memory, compared device by device.
  ///
  /// The lanes finish each round before the clock moves on. With rules across devices, devices in
  /// different lanes meet the limits in an order of their own, unless one fix is decided at a time.
  extension WatchBench {
    private static let comparedRoundCount = 240

    private struct Comparison {
      let name: String
      let laneCount: Int
      var isAcrossDevices = true
      /// Whether each fix is decided before the next one is added.
      var isOneByOne = false
      var roundCount = comparedRoundCount

      var settings: WatcherSettings {
        var settings = WatcherSettings()
        guard !isAcrossDevices else { return settings }
        settings.maximumAlertsPerMinute = nil
        settings.rulesOff = [.devices]
        return settings
      }
    }

    /// Compares the decisions.
    func compareDecisions(index path: String) throws {
      let index = try Self.load(path)
      let spots = SpotIndex(index, clusterRadius: Self.clusterRadius)
      let comparisons = [
        Comparison(
          name: "rules of each device", laneCount: Self.laneCount, isAcrossDevices: false),
        Comparison(name: "default rules", laneCount: 1),
        Comparison(
          name: "default rules, one by one", laneCount: Self.laneCount, isOneByOne: true,
          roundCount: 90),
        Comparison(name: "default rules", laneCount: Self.laneCount),
      ]
      for seconds in [1.0, 5] {
        let rounds = Self.rounds(in: index, seconds: seconds)
        for comparison in comparisons { try compare(comparison, rounds, seconds, spots) }
        try countShuffled(rounds, seconds, spots)
      }
    }

    /// Decisions by device.
    private struct Decisions {
      var byDevice: [String?: [WatcherDecision]] = [:]

      mutating func add(_ decisions: [WatcherDecision]) {
        for decision in decisions { byDevice[decision.fix.device, default: []].append(decision) }
      }

      var alertCount: Int {
        byDevice.values.reduce(0) { $0 + $1.count { $0.notification != nil } }
      }
    }

    private func compare(
      _ comparison: Comparison, _ rounds: [[Coordinate]], _ seconds: Double, _ spots: SpotIndex
    ) throws {
      let (name, laneCount) = (comparison.name, comparison.laneCount)
      let start = try nextStart()
      let clock = ModelClock(start)
      let run = LaneRun(
        try session(laneCount: laneCount, clock: clock, settings: comparison.settings) {})
      run.session.start()
      var (decided, expected) = (Decisions(), Decisions())
      run.take = { decided.add($0) }
      var watcher = LocationWatcher(spots: spots, settings: comparison.settings)
      for number in 0..<comparison.roundCount {
        let time = start.advanced(bySeconds: Double(number) * seconds)
        clock.set(time)
        let fixes = Self.fixes(rounds[number], time, prefix: "\(name) \(laneCount) \(seconds) ")
        if comparison.isOneByOne {
          for fix in fixes {
            run.add([fix])
            run.wait()
          }
        } else {
          run.add(fixes)
        }
        run.finish()
        for fix in fixes { expected.add(watcher.evaluate(fix, now: time, isLive: true)) }
        expected.add(watcher.tick(now: time))
      }
      let different = expected.byDevice.keys.count {
        expected.byDevice[$0] != decided.byDevice[$0]
      }
      try report(
        """
        compare a fix per \(Int(seconds)) s, \(name), lanes: \(laneCount); \
        \(different) of \(expected.byDevice.count) devices with different decisions; \
        \(decided.alertCount) alerts, \(expected.alertCount) in memory
        """)
    }

    /// Counts the alerts of a watcher in memory whose devices send in another order each time.
    private func countShuffled(
      _ rounds: [[Coordinate]], _ seconds: Double, _ spots: SpotIndex
    ) throws {
      var watcher = LocationWatcher(spots: spots, settings: WatcherSettings())
      var generator = SeededGenerator(seed: 3)
      var alertCount = 0
      for number in 0..<Self.comparedRoundCount {
        let time = Self.start.advanced(bySeconds: Double(number) * seconds)
        let fixes = Self.fixes(rounds[number], time, prefix: "").shuffled(using: &generator)
        for fix in fixes {
          alertCount += watcher.evaluate(fix, now: time, isLive: true).count {
            $0.notification != nil
          }
        }
        alertCount += watcher.tick(now: time).count { $0.notification != nil }
      }
      try report(
        """
                a fix per \(Int(seconds)) s, default rules, in memory with devices in random order: \
        \(alertCount) alerts
        """)
    }
  }
#endif
