import SystemPackage
import TestSupport
import Testing

/// Checks the links and the lengths of the repository's documents.
@Suite struct DocumentTests {
  private static let package = Repository.folder

  private static func text(_ name: String) throws -> String {
    String(decoding: try Corpus.contents(of: package.appending(name)), as: UTF8.self)
  }

  /// All Markdown files, as paths relative to the package.
  private static let documents = Corpus.paths(under: package)
    .filter { $0.extension == "md" && !$0.components.contains("node_modules") }
    .map { String($0.string.dropFirst(package.string.count + 1)) }

  /// Returns the lines of a document outside of code blocks, with inline code removed.
  private static func prose(_ text: String) -> [String] {
    var isCode = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      let isFence = line.hasPrefix("```")
      if isFence { isCode.toggle() }
      return isCode || isFence ? nil : String(line)
    }
  }

  /// The anchors of a document's headings, as GitHub names them.
  private static func anchors(_ text: String) -> Set<String> {
    Set(
      prose(text).filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" || $0 == " " }.lowercased()
          .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacing(" ", with: "-")
      })
  }

  /// The targets of the links in a text.
  private static func links(_ text: String) -> [String] {
    prose(text).flatMap { line -> [String] in
      // Regular expressions are slow in builds without optimization.
      guard !Array(line.utf8).offsets(of: Array("](".utf8)).isEmpty else { return [] }
      return line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }
  }

  /// Programs of plain `swift build` search for libraries in their own folder first.
  @Test func `no document builds a program that loads libraries from its own folder`() throws {
    let makefile = try Self.text("Makefile")
    let options = "--disable-local-rpath -Xlinker -z -Xlinker now"
    #expect(makefile.contains("\nHARDENED := $(if $(filter Linux,$(shell uname)),\(options))\n"))
    #expect(makefile.contains("\nLINKING := $(HARDENED) "))
    #expect(makefile.contains("\nFOR_TESTS := $(HARDENED) "))
    let builds = makefile.replacing("\\\n", with: " ").split(separator: "\n").filter { line in
      // Some lines only ask where the program is; the others build for tests and measurements.
      line.hasPrefix("\t") && line.contains("$(BUILD)")
        && ![
          "--build-tests", "--show-bin-path", "PHOTOSPOTS_FUZZER", "--package-path Benchmarks",
        ].contains { line.contains($0) }
    }
    #expect(builds.count == 10)
    for line in builds {
      let isHardened = ["HARDENED", "LINKING", "FOR_TESTS"].contains { line.contains(" $(\($0))") }
      #expect(isHardened, "\(line)")
    }
    let warning = "A program of plain `swift build` looks for its libraries in its own folder"
    for name in Self.documents where !name.hasPrefix("docs/decisions/") {
      for line in try Self.text(name).split(separator: "\n") where line.contains("swift build") {
        #expect(line.hasPrefix(warning), "\(name): \(line)")
      }
    }
  }

  @Test func `every relative link leads to an existing file and heading`() throws {
    let documents = Self.documents
    #expect(documents.contains("README.md") && documents.count > 20)
    for name in documents {
      for link in Self.links(try Self.text(name))
      where !link.contains("://") && !link.hasPrefix("mailto:") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = FilePath(name).removingLastComponent()
        let target =
          parts[0].isEmpty
          ? name : folder.pushing(FilePath(String(parts[0]))).lexicallyNormalized().string
        let path = Self.package.appending(target)
        guard (try? FileDescriptor.open(path, .readOnly).close()) != nil else {
          Issue.record("\(name): \(link) leads nowhere")
          continue
        }
        if parts.count == 2, target.hasSuffix(".md") {
          #expect(
            Self.anchors(try Self.text(target)).contains(String(parts[1])),
            "\(name): \(link) is no heading")
        }
      }
    }
  }

  @Test func `finds links and heading anchors, but none in code`() {
    let text = """
      # A `b`: C, d-e
      See [x](y.md#z) and `[no](code)`, ![p](q.jpg).
      ```
      [no](block) # no
      ```
      """
    #expect(Self.links(text) == ["y.md#z", "q.jpg"])
    #expect(Self.anchors(text) == ["a-b-c-d-e"])
  }

  @Test(arguments: [("ARCHITECTURE.md", 10_000), ("README.md", 8_000)])
  func `README.md and ARCHITECTURE.md stay within their size limits`(name: String, limit: Int)
    throws
  {
    #expect(try Self.text(name).utf8.count < limit)
  }

  @Test func `every decision has the standard headings and is listed in the index`() throws {
    let decisions = Self.documents.filter {
      $0.hasPrefix("docs/decisions/") && $0.last(of: "/").first?.isNumber == true
    }
    #expect(decisions.count > 20)
    let list = try Self.text("docs/decisions/README.md")
    for name in decisions {
      let headings = Self.prose(try Self.text(name)).filter { $0.hasPrefix("## ") }
      #expect(
        headings == ["## Context", "## Decision", "## Measured", "## What would change it"],
        "\(name)")
      #expect(list.contains("(\(name.last(of: "/")))"), "docs/decisions/README.md lacks \(name)")
    }
  }

  @Test func `every test suite named in docs/threats.md exists`() throws {
    let paths = Corpus.paths(under: Self.package.appending("Tests"))
      .filter { $0.extension == "swift" }
    let suites = try paths.reduce(into: Set<String>()) { suites, path in
      let content = try Corpus.contents(of: path)
      for start in content.offsets(of: Array("struct ".utf8)) {
        let name = content[start...].dropFirst(7).prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") }
        suites.insert(String(decoding: name, as: UTF8.self))
      }
    }
    let named = try Self.text("docs/threats.md").matches(of: /`(\w+Tests)`/).map { String($0.1) }
    #expect(named.count > 40)
    #expect(Set(named).subtracting(suites).sorted() == [])
  }
}

extension String {
  fileprivate func last(of separator: Character) -> Substring {
    split(separator: separator).last ?? ""
  }
}
