import CivilTime
package import PhotoLibrary
import Spatial

/// A sample of spatial queries at the user's own spots, identical in every run.
package struct QuerySample {
  /// A kind of query.
  package enum Question {
    case within(meters: Double)
    case nearest(Int)
  }

  /// The response times of a kind of query.
  package struct Times {
    /// The kind of query.
    package let question: Question
    /// The number of queries.
    package let count: Int
    /// The median response time.
    package let medianNanoseconds: Double
    /// The 99th percentile of the response times.
    package let slowNanoseconds: Double
  }

  private let spots: SpotIndex
  private let places: [Coordinate]

  private static let maximumQueries = 10_000
  /// The time in seconds after which no further queries are run: queries that match thousands of
  /// spots within 5 km are slow.
  private static let enoughSeconds = 2.0

  /// Chooses query positions among the spots, pseudorandomly from a fixed seed.
  package init(spots: SpotIndex) {
    self.spots = spots
    var generator = SplitMix64(state: 1)
    places = (0..<Self.maximumQueries).compactMap { _ in
      spots.spots.randomElement(using: &generator)?.coordinate
    }
  }

  /// Runs a query at each position.
  ///
  /// - Parameters:
  ///   - question: The query.
  ///   - check: Called after each query; throws an error to end.
  /// - Returns: The response times; `nil` if there are no spots.
  /// - Throws: The error of `check`.
  package func measure(_ question: Question, _ check: () throws -> Void) throws -> Times? {
    guard !places.isEmpty else { return nil }
    let clock = ContinuousClock()
    // The first hundred queries are run twice: the first time warms the processor's caches.
    for place in places.prefix(100) { _ = ask(question, at: place) }
    var times: [Double] = []
    let start = clock.now
    for place in places {
      let before = clock.now
      let answer = ask(question, at: place)
      let after = clock.now
      // The answer is kept alive until the time is taken, since releasing it takes time too.
      times.append(withExtendedLifetime(answer) { (after - before).seconds * 1e9 })
      if (after - start).seconds > Self.enoughSeconds { break }
      try check()
    }
    times.sort()
    return Times(
      question: question, count: times.count, medianNanoseconds: times[(times.count - 1) / 2],
      slowNanoseconds: times[(times.count * 99 + 99) / 100 - 1])
  }

  private func ask(_ question: Question, at place: Coordinate) -> [SpotIndex.Neighbor] {
    switch question {
    case .within(let meters): spots.spots(within: meters, of: place)
    case .nearest(let count): spots.nearest(count, to: place)
    }
  }
}

/// The generator SplitMix64 (S. Vigna, 2015).
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
