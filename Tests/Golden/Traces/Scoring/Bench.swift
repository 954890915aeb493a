import PhotoLibrary
public import SpotWatcher

/// Plays traces to contestants and adds up how they fare.
public enum Bench {
  /// Who decides.
  public enum Player: Sendable {
    /// An alert at every entry into 100 m.
    case naiveRadius
    /// A geofence as Traccar keeps them.
    case geofence
    /// Three quarters of the accuracy circle, and five minutes between alerts.
    case overlap
    /// This program.
    case photospots(WatcherSettings)
  }

  /// How a player fares in a trace, over the noise of some seeds.
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
