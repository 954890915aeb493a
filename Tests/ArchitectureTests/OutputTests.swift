import SystemPackage
import TestSupport
import Testing

/// Holds all output to the few ways out that escape what a terminal would obey.
@Suite struct OutputTests {
  /// What writes to the standard descriptors, or names them.
  private static let waysOut = [
    "print", "debugPrint", "dump", "putchar", "puts", "printf", "vprintf", "fprintf", "dprintf",
    "fputs", "fwrite", "perror", "psignal", "stdout", "stderr", "standardOutput", "standardError",
    "STDOUT_FILENO", "STDERR_FILENO", "readLine",
    // The argument parser's own ways.
    "main", "exit(withError",
  ]

  /// Who may use which, and for what.
  private static let allowed: [String: Set<String>] = [
    // The ways out.
    "photospots/Terminal/StandardOutput.swift": [
      "standardOutput", "STDOUT_FILENO", "STDERR_FILENO",
    ],
    "photospots/Terminal/StandardError.swift": ["standardError", "STDERR_FILENO"],
    "SpotAlerts/Delivery/StandardOutputNotifier.swift": ["standardOutput"],
    // Asks whether the terminal is still there.
    "photospots/Terminal/Hangup.swift": ["STDERR_FILENO"],
    // The output of a hook.
    "SpotAlerts/Delivery/HookNotifier.swift": ["standardOutput"],
  ]

  private static var sources: FilePath {
    FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
      .appending("Sources")
  }

  /// The code of a file: no comments, no text in quotes.
  private static func code(_ text: String) -> String {
    var lines: [Substring] = []
    var isInText = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let parts = line.components(separatedBy: "\"\"\"")
      if parts > 1 { isInText.toggle() }
      lines.append(isInText || parts > 1 ? "" : line)
    }
    return lines.map { line in
      line.replacing(/"(?:[^"\\]|\\.)*"/, with: "").prefix(upToComment: "//")
    }.joined(separator: "\n")
  }

  /// The ways out that a file's code uses.
  private static func uses(in code: String) -> Set<String> {
    Set(
      waysOut.filter { way in
        code.ranges(of: way).contains { range in
          let before = code[..<range.lowerBound].last
          let after = code[range.upperBound...].first
          let isWord = { (character: Character?) in
            character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
          }
          guard !isWord(before), !isWord(after) else { return false }
          // Functions count where they are called.
          return isFunction(way) ? after == "(" : true
        }
      })
  }

  private static func isFunction(_ way: String) -> Bool {
    !way.contains("(") && !way.hasPrefix("std") && !way.hasPrefix("standard")
      && !way.hasSuffix("_FILENO")
  }

  @Test func `nothing goes to standard output or error but by the ways that escape`() throws {
    var used: [String: Set<String>] = [:]
    for path in Corpus.paths(under: Self.sources) where path.extension == "swift" {
      let file = String(path.string.dropFirst(Self.sources.string.count + 1))
      let text = String(decoding: try Corpus.contents(of: path), as: UTF8.self)
      let uses = Self.uses(in: Self.code(text))
      for way in uses.subtracting(Self.allowed[file] ?? []).sorted() {
        Issue.record("\(file) uses \(way); write by StandardOutput or StandardError")
      }
      used[file] = uses
    }
    // What is allowed is in use, or is not to be allowed.
    for (file, ways) in Self.allowed {
      #expect(used[file]?.isSuperset(of: ways) == true, "\(file)")
    }
  }

  @Test func `other ways out are found, and what only looks so is not`() {
    for line in [
      "print(x)", "  print(x, to: &y)", "debugPrint(x)", "fputs(text, stderr)", "f(stdout)",
      "FileDescriptor.standardError.writeAll(x)", "write(STDERR_FILENO, x, 1)", "main(arguments)",
      "Command.main()", "Swift.print(x)",
      "Self.exit(withError: error)", "x = \"//\"; print(x)",
    ] {
      #expect(!Self.uses(in: Self.code(line)).isEmpty, "\(line)")
    }
    for line in [
      "// print(x)", "/// Use print(x).", "let name = \"stdout\"", "blueprint(x)", "printable(x)",
      "let printer = 1", "text = \"\"\"\nprint(x)\n\"\"\"", "DispatchQueue.main",
    ] {
      #expect(Self.uses(in: Self.code(line)).isEmpty, "\(line)")
    }
  }
}

extension Substring {
  /// The number of parts between a separator.
  fileprivate func components(separatedBy separator: String) -> Int {
    ranges(of: separator).count + 1
  }
}

extension String {
  /// What comes before a comment.
  fileprivate func prefix(upToComment mark: String) -> String {
    firstRange(of: mark).map { String(self[..<$0.lowerBound]) } ?? self
  }
}

extension Substring {
  /// What comes before a comment.
  fileprivate func prefix(upToComment mark: String) -> String {
    String(self).prefix(upToComment: mark)
  }
}
