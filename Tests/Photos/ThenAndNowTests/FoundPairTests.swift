import Testing

@testable import ThenAndNow

@Suite struct FoundPairTests {
  private static func pair(
    _ earlier: Int32, _ later: Int32, score: Double, years: Double, spot: Int = 0
  ) throws -> FoundPair {
    let verdict = try #require(
      PairVerdict(score: score, isLocked: true, dx: 0, dy: 0, turnDegrees: 0, zoom: 1))
    return FoundPair(
      spot: spot, earlier: earlier, later: later, years: years, view: 1, verdict: verdict)
  }

  @Test func `each later photo is listed once, with the oldest photo that matches about as well`()
    throws
  {
    let pairs = try [
      // Photo 2 matches photo 1 a little better than photo 0, which is older.
      Self.pair(0, 2, score: 0.84, years: 30), Self.pair(1, 2, score: 0.93, years: 10),
      // Photo 3 matches photo 0 much worse.
      Self.pair(0, 3, score: 0.40, years: 31), Self.pair(1, 3, score: 0.95, years: 11),
      Self.pair(4, 5, score: 0.95, years: 12, spot: 1),
    ]
    let listed = FoundPair.listed(of: pairs)
    #expect(listed.map { [$0.earlier, $0.later] } == [[4, 5], [1, 3], [0, 2]])
    #expect(FoundPair.listed(of: pairs.reversed()) == listed)
    #expect(FoundPair.listed(of: []).isEmpty)
  }

  @Test(
    arguments: [
      (true, 0.93, 0.31, true), (true, 0.2, 0.31, true), (true, 0.19, 0.44, false),
      (true, 0.01, 0.45, true), (false, 0.93, 0.9, false), (false, nil, 0.9, false),
    ] as [(Bool, Double?, Double, Bool)])
  func `distant photos show one view only if their likeness exceeds chance`(
    isLocked: Bool, score: Double?, alike: Double, isOneView: Bool
  ) {
    #expect(
      PairVerdict.isOneView(isLocked: isLocked, score: score, alike: alike) == isOneView)
  }

  @Test func `a well aligned photo at least a year later is a recreation`() throws {
    #expect(try Self.pair(0, 1, score: 0.75, years: 1).isRecreation)
    #expect(try !Self.pair(0, 1, score: 0.74, years: 30).isRecreation)
    #expect(try !Self.pair(0, 1, score: 1, years: 0.99).isRecreation)
  }

  @Test func `equally displayed scores are ordered by years`() throws {
    let pairs = try [
      Self.pair(0, 1, score: 0.904, years: 6), Self.pair(2, 3, score: 0.896, years: 20),
      Self.pair(4, 5, score: 0.92, years: 5),
    ]
    #expect(pairs.sorted { $0.isBetter(than: $1) }.map(\.later) == [5, 3, 1])
  }
}
