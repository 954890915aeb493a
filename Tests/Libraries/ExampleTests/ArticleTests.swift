import SystemPackage
import TestSupport
import Testing

/// Compares the code in the documentation catalogs with the examples, which are compiled and run.
@Suite struct ArticleTests {
  private static let package = Repository.folder

  private static func text(of path: FilePath) throws -> String {
    String(decoding: try Corpus.contents(of: path), as: UTF8.self)
  }

  private static func examples() throws -> [String: String] {
    let folder = package.appending("Tests/Libraries/ExampleTests/Examples")
    return Dictionary(
      uniqueKeysWithValues: try Corpus.paths(under: folder).map { path in
        (path.lastComponent?.stem ?? "", try text(of: path))
      })
  }

  /// The Swift code blocks of an article.
  private static func code(in article: String) -> [String] {
    article.split(separator: "```swift\n").dropFirst().compactMap { rest in
      rest.firstRange(of: "```").map { String(rest[..<$0.lowerBound]) }
    }
  }

  private static func articles() -> [FilePath] {
    Corpus.paths(under: package.appending("Sources")).filter { path in
      path.extension == "md" && path.components.contains { $0.extension == "docc" }
    }
  }

  @Test func `every code block of an article is an example file, word for word`() throws {
    let examples = try Self.examples()
    var shown: Set<String> = []
    let articles = Self.articles()
    #expect(articles.count >= 8)
    for article in articles {
      let blocks = Self.code(in: try Self.text(of: article))
      #expect(!blocks.isEmpty, "\(article) has no example")
      for block in blocks {
        let name = examples.first { $0.value == block }?.key
        #expect(
          name != nil,
          "\(article) has code that is no file of Tests/Libraries/ExampleTests/Examples")
        if let name { shown.insert(name) }
      }
    }
    for name in examples.keys where !shown.contains(name) {
      Issue.record("no article shows the example \(name)")
    }
  }

  @Test func `code blocks are found in an article`() {
    let article = "# Title\n\n```swift\nlet a = 1\n```\n\nText\n\n```swift\nlet b = 2\n```\n"
    #expect(Self.code(in: article) == ["let a = 1\n", "let b = 2\n"])
  }
}
