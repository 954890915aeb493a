import CivilTime

/// Chooses which photos of a spot are compared: a bounded number, however many there are.
///
/// The later photos of a spot take turns, one of each year before the second of any, those first
/// whose nearest earlier photo is nearest in position, direction and focal length. In its turn each
/// is compared with one earlier photo more, one of each year before the second of any, the nearest
/// first. Cameras that face more than 30° apart, and focal lengths that differ by more than 1.5
/// times, are never compared; what a photo does not say excludes nothing.
package struct PairChoice: Hashable, Sendable {
  /// Two photos, by their places among the candidates.
  package struct Pair: Hashable, Sendable {
    /// The earlier photo.
    package let earlier: Int
    /// The later photo.
    package let later: Int
    /// The years between them; see ``PairChoice/init(minimumYears:)``.
    package let years: Double
  }

  /// Of a spot with more photos, the same number of each year is looked at.
  static let mostPhotos = 1500
  /// The maximum number of a spot's photos that are compared.
  static let mostCompared = 80
  /// The maximum number of comparisons in a spot.
  static let mostPairs = 240
  /// The maximum number of earlier photos that a photo is compared with.
  private static let mostEarlier = 24

  private let minimumYears: Double

  /// Creates a choice of photos that lie so many years apart at least: whole years from a day to
  /// the same day of another year.
  package init(minimumYears: Double) { self.minimumYears = minimumYears }

  private struct Option {
    let pair: Pair
    let unlikeness: Double
  }

  /// Chooses pairs of some photos; in an order that depends on nothing but the photos.
  ///
  /// - Complexity: O(*m*²) for *m* photos, 1500 at most.
  package func pairs(of candidates: [PairCandidate]) -> [Pair] {
    let places = Self.considered(candidates)
    let options = places.indices.map { place in
      self.options(for: places[place], places[..<place], candidates)
    }.filter { !$0.isEmpty }
    let turns = Self.turns(options, candidates)
    var pairs: [Pair] = []
    var compared: Set<Int> = []
    for round in 0..<Self.mostEarlier {
      for turn in turns where round < turn.count {
        let pair = turn[round].pair
        let new = [pair.earlier, pair.later].count { !compared.contains($0) }
        guard compared.count + new <= Self.mostCompared else { continue }
        compared.formUnion([pair.earlier, pair.later])
        pairs.append(pair)
        if pairs.count == Self.mostPairs { return pairs }
      }
    }
    return pairs
  }

  /// The places of those that are looked at, the earliest first.
  private static func considered(_ candidates: [PairCandidate]) -> [Int] {
    let sorted = candidates.indices.sorted { one, other in
      let (left, right) = (candidates[one], candidates[other])
      if left.day != right.day { return left.day < right.day }
      return left.instant != right.instant ? left.instant < right.instant : one < other
    }
    guard sorted.count > mostPhotos else { return sorted }
    let years = Dictionary(grouping: sorted) { candidates[$0].day.year }
    var share = mostPhotos
    while share > 1, years.values.reduce(0, { $0 + min($1.count, share) }) > mostPhotos {
      share -= 1
    }
    let kept = Set(
      years.values.flatMap { year in
        (0..<min(year.count, share)).map { year[$0 * year.count / min(year.count, share)] }
      })
    return Array(sorted.filter { kept.contains($0) }.prefix(mostPhotos))
  }

  /// The earlier photos that one is compared with, the first first.
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
      year.sorted(by: Self.isNearer).prefix(Self.mostEarlier).enumerated().map { ($0, $1) }
    }
    return ranked.sorted { one, other in
      one.0 != other.0 ? one.0 < other.0 : Self.isNearer(one.1, other.1)
    }.prefix(Self.mostEarlier).map(\.1)
  }

  private static func isNearer(_ one: Option, _ other: Option) -> Bool {
    if one.unlikeness != other.unlikeness { return one.unlikeness < other.unlikeness }
    if one.pair.earlier != other.pair.earlier { return one.pair.earlier < other.pair.earlier }
    return one.pair.later < other.pair.later
  }

  /// The later photos' options in the order of the photos' turns.
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
