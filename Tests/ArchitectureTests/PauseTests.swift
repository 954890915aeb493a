import SystemPackage
import TestSupport
import Testing

/// A pause followed by one look is a race: on a slow machine the look comes too early. Tests wait
/// for conditions, so a pause is part of a loop that checks one, or shows that nothing happens.
@Suite struct PauseTests {
  private struct Known {
    let count: Int
    let reason: String

    init(_ count: Int, _ reason: String) { (self.count, self.reason) = (count, reason) }
  }

  /// The pauses in the tests, and what they are for.
  private static let known: [String: Known] = [
    "Positions/WatchServiceTests/WatchLaneTests.swift": Known(
      2, "a journal held by the test; time in which nothing is answered"),
    "Program/CommandTests/FeedCommandTests.swift": Known(
      2, "a loop with a condition; a hook that the signal interrupts"),
    "Program/CommandTests/RivalWatchTests.swift": Known(
      4, "different moments of kills and crashes; the pace of fixes; a loop with a condition"),
    "Program/CommandTests/StoreServeTests.swift": Known(1, "a loop with a condition"),
    "Program/CommandTests/StoreWatchCommandTests.swift": Known(2, "loops with a condition"),
    "Program/CommandTests/WatchEndTests.swift": Known(1, "a slow receiver"),
    "Program/CommandTests/WatchingTests.swift": Known(
      1, "time in which photos stay away and nothing more is said"),
    "Server/Page/conftest.py": Known(2, "`until`; `let_pass`, which shows that nothing happens"),
    "Server/Page/server.py": Known(2, "`becomes`; a fix of another second"),
    "Server/Page/test_webkit.py": Known(2, "loops with a condition"),
    "Support/TestSupport/MosquittoBroker.swift": Known(1, "before another try"),
    "Support/TestSupport/Until.swift": Known(1, "a loop with a condition"),
  ]

  /// Returns whether a line of a test pauses for a time. Pauses of shells are no findings in loops
  /// on one line, and where they keep a process alive until it is ended.
  private static func pauses(_ line: Substring) -> Bool {
    if line.contains(#/usleep\(|nanosleep|Task\.sleep|Thread\.sleep|wait_for_timeout|time\.sleep/#)
    {
      return true
    }
    return line.contains(#/\bsleep \d/#) && !line.contains(#/\bsleep (99|1000)\b/#)
      && !line.contains(#/\b(while|until) .*; do .*\bsleep/#)
  }

  @Test(arguments: [
    ("usleep(1000)", true), ("try await Task.sleep(for: pause)", true),
    ("page.wait_for_timeout(400)", true), ("./hook & sleep 0.2; cat log", true),
    ("while kill -0 $pid; do sleep 0.05; done", false), ("sleep 1000 > feed & keeper=$!", false),
    ("func sleep(seconds: Double) async throws {}", false),
  ])
  func `pauses are found`(line: String, isPause: Bool) {
    #expect(Self.pauses(line[...]) == isPause, "\(line)")
  }

  @Test func `tests pause only in loops with a condition, and to show that nothing happens`() throws
  {
    let tests = Repository.folder.appending("Tests")
    var found: [String: Int] = [:]
    for path in Corpus.paths(under: tests) where ["swift", "py", "mjs"].contains(path.extension) {
      let file = String(path.string.dropFirst(tests.string.count + 1))
      if file.hasSuffix("PauseTests.swift") { continue }
      let content = try Corpus.contents(of: path)
      // Searching bytes takes a tenth of the time.
      guard content.contains(anyOf: ["sleep", "wait_for_timeout"]) else { continue }
      let text = String(decoding: content, as: UTF8.self)
      let count = text.split(separator: "\n").count(where: Self.pauses)
      if count > 0 { found[file] = count }
    }
    for (file, count) in found.sorted(by: { $0.key < $1.key })
    where count != Self.known[file]?.count {
      Issue.record(
        """
        \(file): \(count) pauses; wait for a condition (until, settle, becomes, GrowingFile), or \
        say in this test what the pause is for
        """)
    }
    #expect(Set(Self.known.keys).subtracting(found.keys).isEmpty)
  }

  /// A closed dialog goes back in the history, which the browser does later, and refuses whoever
  /// goes elsewhere meanwhile.
  @Test func `tests of the page go elsewhere only once its history has arrived`() throws {
    let tests = Repository.folder.appending("Tests/Server/Page")
    for path in Corpus.paths(under: tests)
    where path.lastComponent?.string.hasPrefix("test_") == true {
      let content = try Corpus.contents(of: path)
      guard content.contains(anyOf: [".goto(", ".reload("]) else { continue }
      let text = String(decoding: content, as: UTF8.self)
      for line in text.split(separator: "\n")
      where line.contains(#/\.(goto|reload)\(/#) {
        Issue.record("\(path): \(line); use go_to or reload of conftest.py")
      }
    }
  }
}
