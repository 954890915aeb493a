import CivilTime
package import LocationFeeds
package import PhotoLibrary
import SpotAlerts
package import SpotWatcher

/// A replay, and the same replay without each of the rules that can suppress every notification. If
/// nothing fires, their difference shows which rule is the cause.
package struct RelaxedReplay {
  /// The replay with all rules.
  package private(set) var replay: Replay
  private var relaxed: [(rule: WatcherDecision.Kind, replay: Replay)]

  /// Creates a replay over spots, by the rules of the settings.
  package init(spots: SpotIndex, settings: WatcherSettings) {
    let clock = LocalClock.machineNow
    replay = Replay(spots: spots, settings: settings, localClock: clock)
    relaxed = WatcherSettings.relaxableKinds.compactMap { kind in
      settings.relaxing(kind).map {
        (kind, Replay(spots: spots, settings: $0, localClock: clock))
      }
    }
  }

  /// Takes the next fix.
  package mutating func process(_ fix: LocationFix) {
    replay.process(fix)
    for index in relaxed.indices { relaxed[index].replay.process(fix) }
  }

  /// The rules without which notifications would have fired, each with their number; empty if
  /// anything fired.
  package var silencingRules: [(rule: WatcherDecision.Kind, notificationCount: Int)] {
    guard Self.count(.notify, in: replay) == 0 else { return [] }
    return relaxed.compactMap { rule, relaxed in
      guard Self.count(rule, in: replay) > 0 else { return nil }
      let count = Self.count(.notify, in: relaxed)
      return count > 0 ? (rule, count) : nil
    }
  }

  private static func count(_ kind: WatcherDecision.Kind, in replay: Replay) -> Int {
    replay.days.reduce(0) { $0 + $1.visits.count { $0.decision.kind == kind } }
  }
}
