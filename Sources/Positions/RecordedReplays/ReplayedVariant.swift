package import CivilTime
package import Encodings
import PhotoLibrary
package import SpotWatcher

/// The result of a replay with particular settings.
package struct ReplayedVariant {
  /// The settings as entered by the user, or the rule that is off: `without jumps`.
  package let name: String
  /// Whether the variant is the settings in force without a rule.
  package var isWithoutRule = false
  /// The days of the replay.
  package let days: [Replay.Day]
  /// If nothing fired, the rules without which notifications would have fired.
  package let silencingRules: [(rule: WatcherDecision.Kind, notificationCount: Int)]

  /// Creates a variant.
  ///
  /// - Parameters:
  ///   - name: The settings as entered, or the rule that is off.
  ///   - replay: The replay, which has ended.
  package init(name: String, _ replay: RelaxedReplay) {
    (self.name, days, silencingRules) = (name, replay.replay.days, replay.silencingRules)
  }

  /// The name as it begins a sentence: `with dwell=30s`, `without jumps`.
  package var phrase: String { isWithoutRule ? name : "with \(name)" }

  /// The visits of all days.
  package var visits: [Replay.Visit] { days.flatMap(\.visits) }

  /// Returns the number of visits that ended with a decision.
  package func count(_ kind: WatcherDecision.Kind) -> Int {
    days.reduce(0) { $0 + $1.visits.count { $0.decision.kind == kind } }
  }

  /// Returns the decisions with which visits ended, in the order in which the rules are checked.
  package static func kinds(_ variants: [ReplayedVariant]) -> [WatcherDecision.Kind] {
    WatcherDecision.Kind.allCases.filter { kind in variants.contains { $0.count(kind) > 0 } }
  }

  /// The identity of a visit across variants.
  package struct Key: Hashable {
    /// The day.
    package let date: CivilDateTime
    /// The device; `nil` without a name.
    package let device: String?
    /// The id of the spot.
    package let spotID: String
  }

  /// The visits, grouped by day and spot.
  package var visitsByKey: [Key: [Replay.Visit]] {
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
  package func write(to writer: inout JSONWriter) {
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
      writer.member("date", String(date.instant().iso8601.prefix(10)))
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
