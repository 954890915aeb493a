import CivilTime

/// The selection of the pairs of photos of a spot to compare, whose number is limited.
///
/// Each later photo has a list of earlier photos to compare it with. In each round, each later
/// photo is compared with the next photo on its list. Within a year, photos are ranked by
/// similarity of position, direction and focal length. Both the lists and the later photos of a
/// round begin with the best photo of each year, followed by the second best of each year, and so
/// on.
///
/// Photos whose cameras point more than 30° apart, or whose focal lengths differ by a factor of
/// more than 1.5, are never compared. An unknown direction or focal length excludes nothing.
package struct PairChoice: Hashable, Sendable {
  /// A pair of photos, as indices of candidates.
  package struct Pair: Hashable, Sendable {
    /// The earlier photo.
    package let earlier: Int
    /// The later photo.
    package let later: Int
    /// The years between the photos; see ``PairChoice/init(minimumYears:)``.
    package let years: Double
  }

  /// The maximum number of photos considered per spot; of more, the same number is taken from each
  /// year.
  static let maximumPhotos = 1500
  /// The maximum number of distinct photos compared per spot.
  static let maximumCompared = 80
  /// The maximum number of comparisons per spot.
  static let maximumPairs = 240
  /// The maximum number of earlier photos that a photo is compared with.
  private static let maximumEarlier = 24

  private let minimumYears: Double

  /// Creates a selection with a minimum number of years between the photos of a pair, where a whole
  /// year is from a day to the same day of the next year.
  package init(minimumYears: Double) { self.minimumYears = minimumYears }

  private struct Option {
    let pair: Pair
    let unlikeness: Double
  }

  /// Returns the pairs to compare, in an order that depends only on the photos.
  ///
  /// - Complexity: O(*m*²) for *m* photos, of which at most 1500 are considered.
  package func pairs(of candidates: [PairCandidate]) -> [Pair] {
    let places = Self.considered(candidates)
    let options = places.indices.map { place in
      self.options(for: places[place], places[..<place], candidates)
    }.filter { !$0.isEmpty }
    let turns = Self.turns(options, candidates)
    var pairs: [Pair] = []
    var compared: Set<Int> = []
    for round in 0..<Self.maximumEarlier {
      for turn in turns where round < turn.count {
        let pair = turn[round].pair
        let new = [pair.earlier, pair.later].count { !compared.contains($0) }
        guard compared.count + new <= Self.maximumCompared else { continue }
        compared.formUnion([pair.earlier, pair.later])
        pairs.append(pair)
        if pairs.count == Self.maximumPairs { return pairs }
      }
    }
    return pairs
  }

  /// Returns the indices of the considered photos, in order of capture.
  private static func considered(_ candidates: [PairCandidate]) -> [Int] {
    let sorted = candidates.indices.sorted { one, other in
      let (left, right) = (candidates[one], candidates[other])
      if left.day != right.day { return left.day < right.day }
      return left.instant != right.instant ? left.instant < right.instant : one < other
    }
    guard sorted.count > maximumPhotos else { return sorted }
    let years = Dictionary(grouping: sorted) { candidates[$0].day.year }
    var share = maximumPhotos
    while share > 1, years.values.reduce(0, { $0 + min($1.count, share) }) > maximumPhotos {
      share -= 1
    }
    let kept = Set(
      years.values.flatMap { year in
        (0..<min(year.count, share)).map { year[$0 * year.count / min(year.count, share)] }
      })
    return Array(sorted.filter { kept.contains($0) }.prefix(maximumPhotos))
  }

  /// Returns the earlier photos to compare a photo with, in order of preference.
  private func options(
    for later: Int, _ earlier: ArraySlice<Int>, _ candidates: [PairCandidate]
  ) -> [Option] {
    var options: [Int: [Option]] = [:]
    for place in earlier {
      guard let years = candidates[later].years(since: candidates[place]), years >= minimumYears
      else { break }
      guard candidates[later].instant > candidates[place].instant,
        candidates[later].isWanted || candidates[place].isWanted,
        let unlikeness = candidates[later].unlikeness(to: candidates[place])
      else { continue }
      let pair = Pair(earlier: place, later: later, years: years)
      options[candidates[place].day.year, default: []].append(
        Option(pair: pair, unlikeness: unlikeness))
    }
    let ranked = options.values.flatMap { year in
      year.sorted(by: Self.isNearer).prefix(Self.maximumEarlier).enumerated().map { ($0, $1) }
    }
    return ranked.sorted { one, other in
      one.0 != other.0 ? one.0 < other.0 : Self.isNearer(one.1, other.1)
    }.prefix(Self.maximumEarlier).map(\.1)
  }

  private static func isNearer(_ one: Option, _ other: Option) -> Bool {
    if one.unlikeness != other.unlikeness { return one.unlikeness < other.unlikeness }
    if one.pair.earlier != other.pair.earlier { return one.pair.earlier < other.pair.earlier }
    return one.pair.later < other.pair.later
  }

  /// Returns the options of the later photos, in the order in which the photos take turns.
  private static func turns(
    _ options: [[Option]], _ candidates: [PairCandidate]
  ) -> [[Option]] {
    let years = Dictionary(grouping: options) { candidates[$0[0].pair.later].day.year }
    let ranked = years.values.flatMap { year in
      year.sorted { isNearer($0[0], $1[0]) }.enumerated().map { ($0, $1) }
    }
    return ranked.sorted { one, other in
      one.0 != other.0 ? one.0 < other.0 : isNearer(one.1[0], other.1[0])
    }.map(\.1)
  }
}
