import SystemPackage
import TestSupport

extension FuzzTarget {
  /// How much of a real file is taken: what is short is searched through fast.
  private static let headLength = 8 * 1024

  /// Real files for a target, where there is a corpus, cut off where they are long.
  public func realFiles() throws -> [[UInt8]] {
    guard let corpus = Corpus.folder else { return [] }
    let isFeed = Self.feeds.contains { $0.name == name }
    let ending = ["xmp": "xmp", "takeout": "json"][name]
    guard magic != nil || isFeed || ending != nil else { return [] }
    return try Corpus.paths(under: corpus.appending(isFeed ? "feeds" : "photos"))
      .filter { ending == nil || $0.extension?.lowercased() == ending }
      .map { Array(try Corpus.contents(of: $0).prefix(isFeed ? 1024 : Self.headLength)) }
      .filter(accepts)
  }
}
