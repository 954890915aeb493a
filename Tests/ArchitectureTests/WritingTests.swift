import SystemPackage
import TestSupport
import Testing

/// Checks that files are opened for writing in one place only: `Storage.Disk`, which does not
/// follow untrusted links or replace other programs' files.
@Suite struct WritingTests {
  /// Functions that open or create files for writing.
  private static let tokens = [
    "O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", ".writeOnly", ".readWrite", "fopen(",
    "freopen(", "creat(", "mkstemp(", "ofstream",
  ]

  /// Returns the functions in a line of source that open files for writing.
  private static func findings(in line: Substring) -> [String] {
    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    return tokens.filter { code.contains($0) }
  }

  @Test func `only Storage opens files for writing`() throws {
    let sources = Repository.sources
    for path in Corpus.paths(under: sources)
    where ["swift", "c", "h"].contains(path.extension) {
      let file = Repository.name(ofSource: path)
      if file.hasPrefix("Storage/") { continue }
      let content = try Corpus.contents(of: path)
      guard Self.tokens.contains(where: { !content.offsets(of: Array($0.utf8)).isEmpty }) else {
        continue
      }
      let text = String(decoding: content, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        for token in Self.findings(in: line) {
          Issue.record("\(file):\(number + 1): \(token); write files by way of Storage.Disk")
        }
      }
    }
  }

  @Test func `finds calls that open a file for writing, but not in comments`() {
    for line in [
      "let file = open(path, O_WRONLY | O_CREAT, 0o600)",
      "try FileDescriptor.open(path, .readWrite)", "  .open(path, .writeOnly, options: .append)",
      "FILE *file = fopen(path, \"w\");",
    ] {
      #expect(!Self.findings(in: line[...]).isEmpty, "\(line)")
    }
    for line in ["// O_RDWR", "open(path, O_RDONLY)", "try FileDescriptor.open(path, .readOnly)"] {
      #expect(Self.findings(in: line[...]).isEmpty, "\(line)")
    }
  }
}
