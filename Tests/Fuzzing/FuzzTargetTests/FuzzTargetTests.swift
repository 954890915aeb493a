import FuzzTargets
import SystemPackage
import TestSupport
import Testing

@Suite struct FuzzTargetTests {
  /// Inputs that once failed, in a folder per target and named after their effect.
  private static let regressions = Corpus.paths(
    under: FilePath(#filePath).removingLastComponent().appending("Regressions")
  ).map { (target: $0.removingLastComponent().lastComponent?.string ?? "", path: $0) }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `every fuzz target has seeds and finds no fault in them`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    #expect(!target.seeds.isEmpty)
    for seed in target.seeds {
      #expect(target.accepts(seed))
      #expect(target.fault(in: seed) == nil)
    }
  }

  /// The targets of feeds, which are fast enough to be tried here.
  private static let feeds = ["gzip", "fit", "google", "gpx", "owntracks", "ndjson", "nmea"]

  @Test(arguments: feeds) func `damaged feeds break no promise`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    var generator = SeededGenerator(seed: 1)
    for number in 0..<(Effort.isThorough ? 100_000 : 500) {
      let seed = target.seeds[number % target.seeds.count]
      let input = Damage.apply(to: seed, using: &generator)
      guard target.accepts(input) else { continue }
      #expect(target.fault(in: input) == nil, "input \(number)")
    }
  }

  @Test(arguments: Self.regressions)
  func `inputs that once failed pass`(name: String, path: FilePath) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name }, "no target \(name)")
    let input = try Corpus.contents(of: path)
    #expect(target.accepts(input))
    #expect(target.fault(in: input) == nil)
  }
}
