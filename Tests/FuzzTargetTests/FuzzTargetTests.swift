import FuzzTargets
import SystemPackage
import TestSupport
import Testing

@Suite struct FuzzTargetTests {
  /// The inputs that once broke something: in a folder for each target, named after what they do.
  private static let regressions = Corpus.paths(
    under: FilePath(#filePath).removingLastComponent().appending("Regressions")
  ).map { (target: $0.removingLastComponent().lastComponent?.string ?? "", path: $0) }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `every target has seeds of its own, and keeps its promises for them`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    #expect(!target.seeds.isEmpty)
    for seed in target.seeds {
      #expect(target.accepts(seed))
      #expect(target.fault(in: seed) == nil)
    }
  }

  @Test(arguments: Self.regressions)
  func `what once went wrong does not again`(name: String, path: FilePath) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name }, "no target \(name)")
    let input = try Corpus.contents(of: path)
    #expect(target.accepts(input))
    #expect(target.fault(in: input) == nil)
  }
}
