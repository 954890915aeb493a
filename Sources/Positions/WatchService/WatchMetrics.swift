package import CivilTime
package import Encodings
import LocationFeeds
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
        guard let arrival = device.lastArrival else { continue }
        family.sample(max(0, now.seconds(since: arrival)), ["device": device.name ?? ""])
      }
    }
    addReports(tally)
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

  /// Adds the numbers of reports by their ends, and the corrections of devices.
  private mutating func addReports(_ tally: WatchTally) {
    let others = tally.otherReports
    let counted =
      tally.devices.map { ($0.name ?? "", $0.reports) }
      + (others.received > 0 ? [("(others)", others)] : [])
    add(
      "photospots_reports_total", .counter,
      "Received reports, by device and end: accepted, withoutPosition, or the reason of a refusal."
    ) { family in
      for (name, reports) in counted {
        family.sample(reports.accepted, ["device": name, "end": "accepted"])
        family.sample(reports.withoutPosition, ["device": name, "end": "withoutPosition"])
        for reason in ReportRefusal.allCases {
          guard let count = reports.refused[reason] else { continue }
          family.sample(count, ["device": name, "end": reason.rawValue])
        }
      }
    }
    add(
      "photospots_clock_shift_seconds", .gauge,
      "Time by which a device's clock is ahead, which is taken off its reports, in seconds."
    ) { family in
      for device in tally.devices {
        family.sample(device.clockShiftSeconds, ["device": device.name ?? ""])
      }
    }
    add(
      "photospots_speed_factor", .gauge,
      "Factor by which a device's stated speeds are too high, which is taken off."
    ) { family in
      for device in tally.devices {
        family.sample(device.speedFactor, ["device": device.name ?? ""])
      }
    }
  }
}
