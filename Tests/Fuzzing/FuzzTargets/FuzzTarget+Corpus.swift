import SystemPackage
import TestSupport

extension FuzzTarget {
  /// The length to which real files are truncated: short inputs make fuzzing fast.
  private static let headLength = 8 * 1024

  /// Returns real files for a target if there is a corpus, truncated if they are long.
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
