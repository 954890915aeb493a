import PhotoLibrary
public import SpotWatcher

/// The evaluation of contestants on traces.
public enum Bench {
  /// The contestants.
  public enum Player: Sendable {
    /// An alert at every entry into a circle of 100 m.
    case naiveRadius
    /// A geofence as in Traccar.
    case geofence
    /// Three quarters of the accuracy circle, and at least five minutes between alerts.
    case overlap
    /// This program.
    case photospots(WatcherSettings)
  }

  /// Returns the score of a contestant in a trace, added up over the noise of some seeds.
  public static func score(
    _ player: Player, in trace: Trace, seeds: ClosedRange<UInt64>
  ) -> Score {
    let spots = SpotIndex(spots: trace.spots)
    var sum = Score()
    for seed in seeds {
      let alerts: [Alert]
      switch player {
      case .naiveRadius: alerts = play(NaiveRadius(spots: spots), trace, seed)
      case .geofence: alerts = play(Geofence(spots: spots), trace, seed)
      case .overlap: alerts = play(Overlap(spots: spots), trace, seed)
      case .photospots(let settings):
        alerts = play(Watching(trace, spots: spots, settings: settings), trace, seed)
      }
      sum.add(Score(of: alerts, in: trace))
    }
    return sum
  }

  private static func play(_ contestant: some Contestant, _ trace: Trace, _ seed: UInt64) -> [Alert]
  {
    var contestant = contestant
    return trace.play(to: &contestant, seed: seed)
  }
}
