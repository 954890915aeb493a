import SystemPackage
import TestSupport
import Testing

/// Checks which source files start programs. None of them starts a shell, which would evaluate
/// foreign text.
@Suite struct StartedProgramTests {
  private static let calls = [
    "posix_spawn(", "Subprocess.run(", "execv", "execl", " fork(", " system(", " popen(",
  ]

  /// The source files with such calls, and the programs that they start.
  private static let starters = [
    "CSandbox/CSandbox.c": "the program itself, as the worker for pictures",
    "PageServer/Certificates/OpenSSL.swift": "openssl, with arguments that are constants and paths",
    "SpotAlerts/Delivery/HookNotifier.swift": "the hook of the settings",
    "photospots/Serve/PageOpener.swift": "xdg-open or open",
  ]

  private static func findings(in line: Substring) -> [String] {
    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    return code.contains("case system(") ? [] : calls.filter { code.contains($0) }
  }

  @Test func `only hooks, the picture worker, openssl and the browser are started`() throws {
    var found: Set<String> = []
    for path in Corpus.paths(under: Repository.sources)
    where ["swift", "c", "h"].contains(path.extension) {
      let file = Repository.name(ofSource: path)
      let content = try Corpus.contents(of: path)
      guard content.contains(anyOf: Self.calls) else { continue }
      let text = String(decoding: content, as: UTF8.self)
      for line in text.split(separator: "\n") where !Self.findings(in: line).isEmpty {
        found.insert(file)
        #expect(Self.starters[file] != nil, "\(file): \(line)")
        #expect(!line.contains("/sh"), "\(file): \(line)")
      }
    }
    #expect(found == Set(Self.starters.keys))
  }

  @Test func `finds calls that start a program, but not in comments`() {
    #expect(Self.findings(in: "let one = try await Subprocess.run(") != [])
    #expect(Self.findings(in: "  execvp(path, words)") != [])
    #expect(Self.findings(in: "  // system(").isEmpty)
  }
}
