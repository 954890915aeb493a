import PhotoLibrary
import Spatial

/// Searches at somebody's own spots, the same ones in every run.
struct QuerySample {
  /// What is asked.
  enum Question {
    case within(meters: Double)
    case nearest(Int)
  }

  /// How long the answers took.
  struct Times {
    let question: Question
    let count: Int
    /// Half of the answers took no longer.
    let medianNanoseconds: Double
    /// 99 of a hundred answers took no longer.
    let slowNanoseconds: Double
  }

  private let spots: SpotIndex
  private let places: [Coordinate]

  private static let mostQueries = 10_000
  /// After this many seconds there is no further query: spots by the thousand within a radius of 5
  /// km take their time.
  private static let enoughSeconds = 2.0

  /// Chooses places among the spots, by chance but always by the same.
  init(spots: SpotIndex) {
    self.spots = spots
    var generator = SplitMix64(state: 1)
    places = (0..<Self.mostQueries).compactMap { _ in
      spots.spots.randomElement(using: &generator)?.coordinate
    }
  }

  /// Asks a question at every place.
  ///
  /// - Returns: The times; `nil` where there are no spots.
  /// - Throws: A `Failure` where the process was asked to stop.
  func measure(_ question: Question) throws -> Times? {
    guard !places.isEmpty else { return nil }
    let clock = ContinuousClock()
    // The first hundred are asked twice, since they find the processor's caches empty.
    for place in places.prefix(100) { _ = ask(question, at: place) }
    var times: [Double] = []
    let start = clock.now
    for place in places {
      let before = clock.now
      let answer = ask(question, at: place)
      let after = clock.now
      // The answer is there until it is timed: to throw it away takes time too.
      times.append(withExtendedLifetime(answer) { (after - before).seconds * 1e9 })
      if (after - start).seconds > Self.enoughSeconds { break }
      try LibraryBenchmark.endIfInterrupted()
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

/// S. Vigna, "SplitMix64", 2015.
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
