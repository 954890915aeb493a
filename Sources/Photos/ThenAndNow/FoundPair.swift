/// Two photos of a spot that show the same view, years apart.
package struct FoundPair: Hashable, Sendable {
  /// The index of the spot in ``PhotoLibrary/SpotIndex/spots``.
  package let spot: Int
  /// The number of the earlier photo in the index.
  package let earlier: Int32
  /// The number of the later photo in the index.
  package let later: Int32
  /// The years between them.
  package let years: Double
  /// The number of the view within the spot, from 1.
  package let view: Int
  /// The result of comparing the two photos.
  package let verdict: PairVerdict

  /// Creates a pair.
  package init(
    spot: Int, earlier: Int32, later: Int32, years: Double, view: Int, verdict: PairVerdict
  ) {
    (self.spot, self.earlier, self.later) = (spot, earlier, later)
    (self.years, self.view, self.verdict) = (years, view, verdict)
  }

  /// The minimum score of a recreation, in percent.
  private static let recreatedPercent = 75
  /// The minimum number of years of a recreation; photos closer in time are from the same or the
  /// next visit.
  private static let recreatedYears = 1.0
  /// The difference in score, in percent, below which two scores count as equal.
  private static let alikePercent = 10

  /// Whether the later photo is a recreation of the earlier one, with any camera: their alignment
  /// is good, and at least a year is between them.
  package var isRecreation: Bool {
    verdict.percent >= Self.recreatedPercent && years >= Self.recreatedYears
  }

  /// Returns whether this pair is listed before another: by score, then by the years between the
  /// photos, then by spot and photos.
  package func isBetter(than other: FoundPair) -> Bool {
    if verdict.percent != other.verdict.percent {
      return verdict.percent > other.verdict.percent
    }
    if years != other.years { return years > other.years }
    return (spot, earlier, later) < (other.spot, other.earlier, other.later)
  }

  /// Returns the pairs of a spot to list: each later photo once, with the oldest of the earlier
  /// photos whose score is within 10 percent of the best.
  package static func listed(of pairs: [FoundPair]) -> [FoundPair] {
    Dictionary(grouping: pairs, by: \.later).values.compactMap { pairs in
      let best = pairs.map(\.verdict.percent).max() ?? 0
      return pairs.filter { $0.verdict.percent > best - Self.alikePercent }
        .max { one, other in
          one.years != other.years ? one.years < other.years : other.isBetter(than: one)
        }
    }.sorted { $0.isBetter(than: $1) }
  }
}
