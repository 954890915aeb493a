package import CivilTime
package import Interchange
import PhotoLibrary
package import SpotAlerts
import SpotWatcher

extension MetricsText {
  /// Adds the counters of a watch: fixes by device, decisions by kind, deliveries by notifier and
  /// result, pending deliveries, and responses to phones. They contain no positions.
  package mutating func add(_ session: WatchSession, _ replies: OwnTracksReplies, now: Instant) {
    let (tally, deliveries) = (session.tally, session.deliveries)
    add("photospots_fixes_total", .counter, "Positions that have come, by device.") { family in
      for device in tally.devices { family.sample(device.fixCount, ["device": device.name ?? ""]) }
      if tally.otherFixCount > 0 { family.sample(tally.otherFixCount, ["device": "(others)"]) }
    }
    add(
      "photospots_last_fix_age_seconds", .gauge,
      "How long ago a device was heard of last, by device."
    ) { family in
      for device in tally.devices {
        family.sample(
          max(0, now.seconds(since: device.lastArrival)), ["device": device.name ?? ""])
      }
    }
    add("photospots_decisions_total", .counter, "Decisions of the watch, by their kind.") {
      family in
      for kind in WatcherDecision.Kind.allCases {
        family.sample(tally.decisions[kind] ?? 0, ["decision": kind.rawValue])
      }
    }
    add(
      "photospots_deliveries_total", .counter,
      "Deliveries by notifier and result; failed are tries, of which others follow."
    ) { family in
      for delivery in deliveries {
        for (result, count) in [
          ("delivered", delivery.deliveredCount), ("failed", delivery.failedTryCount),
          ("expired", delivery.givenUpCount),
        ] {
          family.sample(count, ["notifier": delivery.notifier, "result": result])
        }
      }
    }
    add("photospots_queue_length", .gauge, "Alerts that wait to be delivered, by notifier.") {
      family in
      for delivery in deliveries {
        family.sample(delivery.waitingCount, ["notifier": delivery.notifier])
      }
    }
    add(
      "photospots_queue_oldest_age_seconds", .gauge,
      "How long the oldest alert has been waiting to be delivered, by notifier; 0 where none waits."
    ) { family in
      for delivery in deliveries {
        let age = delivery.oldestQueued.map { max(0, now.seconds(since: $0)) } ?? 0
        family.sample(age, ["notifier": delivery.notifier])
      }
    }
    add(
      "photospots_region_updates_total", .counter,
      "Answers that told a phone which regions to watch."
    ) { $0.sample(replies.updateCount) }
    add("photospots_spots", .gauge, "Spots that are watched.") { family in
      family.sample(session.spots.spots.count)
    }
  }
}
