/// Two photos of a spot that show one view, years apart.
package struct FoundPair: Hashable, Sendable {
  /// The place of the spot in its ``PhotoLibrary/SpotIndex/spots``.
  package let spot: Int
  /// The number of the earlier photo in the index.
  package let earlier: Int32
  /// The number of the later photo in the index.
  package let later: Int32
  /// The years between them.
  package let years: Double
  /// The number of the view among those of the spot, from 1.
  package let view: Int
  /// The alignment of the two.
  package let verdict: PairVerdict

  /// Creates a pair.
  package init(
    spot: Int, earlier: Int32, later: Int32, years: Double, view: Int, verdict: PairVerdict
  ) {
    (self.spot, self.earlier, self.later) = (spot, earlier, later)
    (self.years, self.view, self.verdict) = (years, view, verdict)
  }

  /// A picture that lies so well on another was taken for it.
  private static let recreatedPercent = 75
  /// Pictures taken sooner are of the same visit, or the next.
  private static let recreatedYears = 1.0
  /// Scores that differ by less say the same.
  private static let alikePercent = 10

  /// Whether the later photo is the earlier one taken again, by whatever camera: it lies well on it
  /// a year later or more.
  package var isRecreation: Bool {
    verdict.percent >= Self.recreatedPercent && years >= Self.recreatedYears
  }

  /// Whether this pair comes first: by the score, then by the years between.
  ///
  /// Pairs that are equal in both are in the order of their spots and photos.
  package func isBetter(than other: FoundPair) -> Bool {
    if verdict.percent != other.verdict.percent {
      return verdict.percent > other.verdict.percent
    }
    if years != other.years { return years > other.years }
    return (spot, earlier, later) < (other.spot, other.earlier, other.later)
  }

  /// The pairs that are listed of a spot's: each later photo once, with the oldest of the photos
  /// that it lies on as well as on any, or hardly less.
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
