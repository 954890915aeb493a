import Alignment
import TestSupport
import Testing

@testable import ThenAndNow

/// The stored results of comparisons, with failing disks and manipulated files.
@Suite struct KeptFileTests {
  private static let names = ["abcdefghijkl2345", "zzzzzzzzzzzz7777", "aaaaaaaaaaaaaaaa"]

  private static func verdict(_ score: Double?, isLocked: Bool = true) throws -> PairVerdict {
    try #require(
      PairVerdict(
        score: score, isLocked: isLocked, dx: -0.125, dy: 0.0625, turnDegrees: 3.5, zoom: 1.25))
  }

  private static func known() throws -> KnownVerdicts {
    var known = KnownVerdicts()
    known.verdicts[.init(earlier: names[0], later: names[1])] = try verdict(0.93)
    known.verdicts[.init(earlier: names[2], later: names[1])] = try verdict(nil, isLocked: false)
    known.verdicts[.init(earlier: names[2], later: names[0])] = try verdict(0, isLocked: false)
    return known
  }

  @Test func `verdicts round-trip`() throws {
    let known = try Self.known()
    let read = try #require(KnownVerdicts(known.bytes))
    #expect(read.verdicts == known.verdicts)
    #expect(read.bytes == known.bytes)
    #expect(try #require(KnownVerdicts(KnownVerdicts().bytes)).verdicts.isEmpty)
  }

  @Test func `a damaged file of verdicts is rejected`() throws {
    let bytes = try Self.known().bytes
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(KnownVerdicts(damaged) == nil, "byte \(place)")
      #expect(KnownVerdicts(Array(bytes[..<place])) == nil, "\(place) bytes")
    }
    #expect(KnownVerdicts(bytes + [0]) == nil)
  }

  @Test(
    arguments: [
      (1.1, 0.1, 0.1, 1, 1), (-0.1, 0.1, 0.1, 1, 1), (.nan, 0.1, 0.1, 1, 1), (0.5, .nan, 0, 1, 1),
      (0.5, 0, .infinity, 1, 1), (0.5, 0, 0, 181, 1), (0.5, 0, 0, 1, 0), (0.5, 0, 0, 1, -1),
      (0.5, 0, 0, 1, 1e300), (0.5, 11, 0, 1, 1),
    ] as [(Double, Double, Double, Double, Double)])
  func `impossible numbers give no verdict`(
    score: Double, dx: Double, dy: Double, turn: Double, zoom: Double
  ) {
    #expect(
      PairVerdict(score: score, isLocked: true, dx: dx, dy: dy, turnDegrees: turn, zoom: zoom)
        == nil)
  }

  @Test func `a locked verdict requires a score`() {
    let verdict = PairVerdict(
      score: nil, isLocked: true, dx: 0, dy: 0, turnDegrees: 0, zoom: 1)
    #expect(verdict == nil)
  }

  @Test func `small pictures round-trip, and damaged ones are rejected`() throws {
    var random = SeededGenerator(seed: 3)
    for (width, height) in [(1, 1), (192, 144), (108, 192), (192, 1)] {
      let levels = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
      let picture = try #require(GreyPicture(width: width, height: height, levels: levels))
      let bytes = KeptPicture.bytes(of: picture)
      #expect(bytes.count <= KeptPicture.longestFile)
      #expect(KeptPicture.picture(bytes) == picture)
      for place in [0, 17, 18, 19, 20, bytes.count - 9, bytes.count - 1]
      where bytes.indices.contains(place) {
        var damaged = bytes
        damaged[place] ^= 1
        #expect(KeptPicture.picture(damaged) == nil, "byte \(place)")
        #expect(KeptPicture.picture(Array(bytes[..<place])) == nil)
      }
    }
    #expect(KeptPicture.picture([]) == nil)
  }
}
