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

  @Test(arguments: Self.regressions)
  func `inputs that once failed pass`(name: String, path: FilePath) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name }, "no target \(name)")
    let input = try Corpus.contents(of: path)
    #expect(target.accepts(input))
    #expect(target.fault(in: input) == nil)
  }
}
