import CivilTime
import Interchange
import PhotoLibrary
import SpotWatcher

/// The result of a replay with particular settings.
struct ReplayedVariant {
  /// The settings as entered by the user.
  let name: String
  let days: [Replay.Day]
  /// If nothing fired, the rules without which notifications would have fired.
  let silencingRules: [(rule: WatcherDecision.Kind, notificationCount: Int)]

  var visits: [Replay.Visit] { days.flatMap(\.visits) }

  /// Returns the number of visits that ended with a decision.
  func count(_ kind: WatcherDecision.Kind) -> Int {
    days.reduce(0) { $0 + $1.visits.count { $0.decision.kind == kind } }
  }

  /// Returns the decisions with which visits ended, in the order in which the rules are checked.
  static func kinds(_ variants: [ReplayedVariant]) -> [WatcherDecision.Kind] {
    WatcherDecision.Kind.allCases.filter { kind in variants.contains { $0.count(kind) > 0 } }
  }

  /// The identity of a visit across variants.
  struct Key: Hashable {
    let date: CivilDateTime
    let device: String?
    let spotID: String
  }

  /// The visits, grouped by day and spot.
  var visitsByKey: [Key: [Replay.Visit]] {
    var visits: [Key: [Replay.Visit]] = [:]
    for day in days {
      for visit in day.visits {
        let key = Key(date: day.date, device: visit.device, spotID: visit.spot.id)
        visits[key, default: []].append(visit)
      }
    }
    return visits
  }

  /// Writes the variant as a JSON object: `settings`, and `days` with `date`, `fixes`, `meters`,
  /// `passedOver` and `visits`, which have `entered`, `device`, `spot`, `fires` and the `decision`
  /// as `watch --explain` prints it.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("settings", name)
      writer.array("days") { writer in
        for day in days { day.write(to: &writer) }
      }
    }
  }
}

extension Replay.Day {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("date", ReplayText.date(date))
      writer.member("fixes", fixCount)
      writer.member("meters", (meters * 10).rounded() / 10)
      writer.object("passedOver") { writer in
        for kind in WatcherDecision.Kind.allCases { writer.member(kind.rawValue, passedOver[kind]) }
      }
      writer.array("visits") { writer in
        for visit in visits {
          writer.object { writer in
            writer.member("entered", visit.entered.iso8601)
            writer.member("device", visit.device)
            writer.member("spot", visit.spot.id)
            writer.member("fires", visit.didFire)
            writer.key("decision")
            visit.decision.write(to: &writer)
          }
        }
      }
    }
  }
}
