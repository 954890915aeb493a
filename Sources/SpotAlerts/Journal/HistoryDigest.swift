public import CivilTime
public import Interchange
public import SpotWatcher

/// What happened at spots in a span of time, in sum.
public struct HistoryDigest: Hashable, Sendable {
  /// How many visits a decision kept back.
  public struct KeptBack: Hashable, Sendable {
    /// The decision.
    public let kind: WatcherDecision.Kind
    /// How many visits.
    public let count: Int
  }

  /// What fired, the earliest first.
  public let fired: [HistoryEntry]
  /// The decisions that kept visits back for good, and how many each, the most first.
  public let keptBack: [KeptBack]
  /// Spots that were come near, did not fire in this time, are not muted and were not come near
  /// again: the last entry of each, the earliest first.
  public let passedBy: [HistoryEntry]

  /// Sums up what happened from a time up to another, which is not included.
  public init(of history: [HistoryEntry], from start: Instant, until end: Instant) {
    let entries = history.filter { $0.time >= start && $0.time < end }
    fired = entries.filter { $0.kind == .notified }
    var counts: [WatcherDecision.Kind: Int] = [:]
    var visits: [String: (entry: HistoryEntry, count: Int)] = [:]
    for entry in entries where entry.kind != .notified && entry.kind != .waited {
      guard let kind = entry.suppressedBy else { continue }
      counts[kind, default: 0] += 1
      visits[entry.spotID] = (entry, (visits[entry.spotID]?.count ?? 0) + 1)
    }
    keptBack = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { KeptBack(kind: $0.key, count: $0.value) }
    let told = Set(fired.flatMap { $0.notification?.spots.map(\.id) ?? [$0.spotID] })
    passedBy = visits.values.filter { visit in
      // What fired before is no news, nor is what somebody muted.
      visit.count == 1 && !told.contains(visit.entry.spotID)
        && ![.cooldown, .sibling, .shared, .muted].contains(visit.entry.suppressedBy)
    }.map(\.entry).sorted { ($0.time, $0.spotID) < ($1.time, $1.spotID) }
  }
}

extension HistoryDigest {
  /// Writes the digest as a JSON object: `from`, `until`, `fired`, `keptBack` with `decision` and
  /// `count`, and `passedBy`; entries as those of the history.
  public func write(to writer: inout JSONWriter, from start: Instant, until end: Instant) {
    writer.object { writer in
      writer.member("from", start.iso8601)
      writer.member("until", end.iso8601)
      writer.array("fired") { writer in
        for entry in fired { entry.write(to: &writer) }
      }
      writer.array("keptBack") { writer in
        for kept in keptBack {
          writer.object { writer in
            writer.member("decision", kept.kind.rawValue)
            writer.member("count", kept.count)
          }
        }
      }
      writer.array("passedBy") { writer in
        for entry in passedBy { entry.write(to: &writer) }
      }
    }
  }
}
