package import CivilTime
package import Encodings
import PhotoLibrary
package import SpotAlerts
import SpotWatcher

extension MetricsText {
  /// Adds the counters of a watch: fixes by device, decisions by kind, deliveries by notifier and
  /// result, pending deliveries, and responses to phones. They contain no positions.
  package mutating func add(_ session: WatchSession, _ replies: OwnTracksReplies, now: Instant) {
    let (tally, deliveries) = (session.tally, session.deliveries)
    add("photospots_fixes_total", .counter, "Received positions, by device.") { family in
      for device in tally.devices { family.sample(device.fixCount, ["device": device.name ?? ""]) }
      if tally.otherFixCount > 0 { family.sample(tally.otherFixCount, ["device": "(others)"]) }
    }
    add(
      "photospots_last_fix_age_seconds", .gauge,
      "Time since the last position of a device, in seconds."
    ) { family in
      for device in tally.devices {
        family.sample(
          max(0, now.seconds(since: device.lastArrival)), ["device": device.name ?? ""])
      }
    }
    add("photospots_decisions_total", .counter, "Decisions of the watch, by kind.") {
      family in
      for kind in WatcherDecision.Kind.allCases {
        family.sample(tally.decisions[kind] ?? 0, ["decision": kind.rawValue])
      }
    }
    add(
      "photospots_deliveries_total", .counter,
      "Deliveries by notifier and result; a failed delivery is tried again."
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
    add("photospots_queue_length", .gauge, "Alerts waiting for delivery, by notifier.") {
      family in
      for delivery in deliveries {
        family.sample(delivery.waitingCount, ["notifier": delivery.notifier])
      }
    }
    add(
      "photospots_queue_oldest_age_seconds", .gauge,
      "Waiting time of the oldest undelivered alert, by notifier, in seconds; 0 if there is none."
    ) { family in
      for delivery in deliveries {
        let age = delivery.oldestQueued.map { max(0, now.seconds(since: $0)) } ?? 0
        family.sample(age, ["notifier": delivery.notifier])
      }
    }
    add(
      "photospots_region_updates_total", .counter,
      "Responses that sent regions to a phone."
    ) { $0.sample(replies.updateCount) }
    // A watch over a store knows only the spots near its devices.
    guard let spots = session.allSpots else { return }
    add("photospots_spots", .gauge, "Watched spots.") { $0.sample(spots.spots.count) }
  }
}
