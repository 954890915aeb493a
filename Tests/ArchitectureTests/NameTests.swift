import SystemPackage
import TestSupport
import Testing

/// Checks how names are written for programs: the output must be acceptable to strict JSON parsers.
@Suite struct NameTests {
  /// The writers of the index, which may contain lone surrogates, since other programs do not read
  /// its names.
  private static let index = [
    "PhotoLibrary/PhotoIndex+JSON.swift", "PhotoLibrary/Tables/ColumnSchema.swift",
  ]

  @Test func `only the index has lone surrogates, and exports write paths as NameText`() throws {
    let sources = Repository.sources
    var isIndexSeen = false
    for path in Corpus.paths(under: sources) where path.extension == "swift" {
      let file = Repository.name(ofSource: path)
      let text = String(decoding: try Corpus.contents(of: path), as: UTF8.self)
      let isOwn = Self.index.contains(file) || file.hasPrefix("Encodings/")
      if Self.index.contains(file) { isIndexSeen = text.contains(".string(bytes:") }
      if !isOwn, text.contains(".string(bytes:") {
        Issue.record("\(file): write names by string(name:)")
      }
      if file.hasPrefix("SpotExport/"), text.contains("path.string") || text.contains("\\.string") {
        Issue.record("\(file): write names as NameText")
      }
    }
    #expect(isIndexSeen, "the search finds what it looks for")
  }
}
