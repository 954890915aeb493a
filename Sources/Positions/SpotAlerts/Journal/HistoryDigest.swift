public import CivilTime
public import Encodings
public import SpotWatcher

/// A summary of the history in a period.
public struct HistoryDigest: Hashable, Sendable {
  /// The number of visits that a decision suppressed.
  public struct KeptBack: Hashable, Sendable {
    /// The decision.
    public let kind: WatcherDecision.Kind
    /// The number of visits.
    public let count: Int
  }

  /// The firings, earliest first.
  public let fired: [HistoryEntry]
  /// The decisions that suppressed visits, with the numbers of visits, in descending order.
  public let keptBack: [KeptBack]
  /// The last entries of spots that were approached once, did not fire in this period and are not
  /// muted, earliest first.
  public let passedBy: [HistoryEntry]

  /// Summarises the entries from a start to an end, which is not included.
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
    let firedIDs = Set(fired.flatMap { $0.notification?.spots.map(\.id) ?? [$0.spotID] })
    passedBy = visits.values.filter { visit in
      // Spots that fired before or that the user muted are not listed.
      visit.count == 1 && !firedIDs.contains(visit.entry.spotID)
        && ![.cooldown, .familiar, .sibling, .shared, .muted].contains(visit.entry.suppressedBy)
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
