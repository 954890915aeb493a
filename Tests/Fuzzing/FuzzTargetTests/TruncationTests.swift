import FuzzTargets
import PhotoMetadata
import Spatial
import TestSupport
import Testing

/// Truncated photos: an incomplete number must not be used.
@Suite struct TruncationTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func `a photo or sidecar truncated anywhere gives its position or none`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    for (number, seed) in target.seeds.enumerated() {
      guard let whole = Self.position(seed, name) else { continue }
      // In a quick test, different seeds are cut at different places.
      let (first, step) = Effort.isThorough ? (0, 1) : (number % 7, 7)
      let lengths = Self.lengths(seed.count)
      for length in stride(from: first, to: lengths.count, by: step).map({ lengths[$0] }) {
        guard let found = Self.position(Array(seed[..<length]), name) else { continue }
        let isSame = found.distance(to: whole) < 5
        #expect(isSame, "\(name), seed \(number), cut at \(length)")
      }
    }
  }

  @Test(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.skipMessage)))
  func `a real movie truncated within its position gives its position or none`() throws {
    var cuts = 0
    for (name, content) in try Corpus.photos() where Self.isMovie(name) {
      guard let whole = Self.position(content, name) else { continue }
      for length in Self.lengthsAtPositions(content) {
        cuts += 1
        guard let found = Self.position(Array(content[..<length]), name) else { continue }
        #expect(found.distance(to: whole) < 5, "\(name), cut at \(length)")
      }
    }
    #expect(cuts > 20)
  }

  private static func position(_ content: [UInt8], _ name: String) -> Coordinate? {
    var properties = PhotoProperties()
    switch name {
    case "xmp": properties.complete(.xmp, content)
    case "takeout": properties.complete(.takeout, content)
    default:
      var reader = MetadataReader()
      guard case .photo(let photo) = reader.read(content, claimsToBePhoto: true) else { return nil }
      properties = photo
    }
    return properties.coordinate
  }

  /// Returns every length for short content, and those near both ends for long content.
  private static func lengths(_ count: Int) -> [Int] {
    guard count > 6000 else { return Array(0..<count) }
    return Array(0..<2500) + Array(stride(from: 2500, to: count - 2500, by: 97))
      + Array((count - 2500)..<count)
  }

  private static func isMovie(_ name: String) -> Bool {
    ["mov", "mp4", "3gp", "m4v"].contains { name.lowercased().hasSuffix("." + $0) }
  }

  /// Returns the lengths that end in the text after the names of positions.
  private static func lengthsAtPositions(_ content: [UInt8]) -> [Int] {
    let names = ["xyz", "loci", "data", "ISO6709"].map { Array($0.utf8) }
    var lengths: Set<Int> = []
    for start in names.flatMap({ content.offsets(of: $0) }) {
      let step = Effort.isThorough ? 1 : 5
      lengths.formUnion(stride(from: start, to: min(start + 64, content.count), by: step))
    }
    return lengths.sorted()
  }
}
