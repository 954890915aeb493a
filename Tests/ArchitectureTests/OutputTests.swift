import SystemPackage
import TestSupport
import Testing

/// Checks that all output goes through the few functions that escape control characters.
@Suite struct OutputTests {
  /// Functions and names that write to the standard descriptors.
  private static let waysOut = [
    "print", "debugPrint", "dump", "putchar", "puts", "printf", "vprintf", "fprintf", "dprintf",
    "fputs", "fwrite", "perror", "psignal", "stdout", "stderr", "standardOutput", "standardError",
    "STDOUT_FILENO", "STDERR_FILENO", "readLine",
    // Functions of the argument parser.
    "main", "exit(withError",
  ]

  private static let waysOutBytes = waysOut.map { Array($0.utf8) }

  /// The output functions that each file may use.
  private static let allowed: [String: Set<String>] = [
    // The output functions themselves.
    "Terminal/StandardOutput.swift": [
      "standardOutput", "STDOUT_FILENO", "STDERR_FILENO",
    ],
    "Terminal/StandardError.swift": ["standardError", "STDERR_FILENO"],
    "SpotAlerts/Delivery/StandardOutputNotifier.swift": ["standardOutput"],
    // Checks whether the terminal still exists.
    "Terminal/Hangup.swift": ["STDERR_FILENO"],
    // The output of openssl, and of a hook.
    "PageServer/Certificates/OpenSSL.swift": ["standardError", "standardOutput"],
    "SpotAlerts/Delivery/HookNotifier.swift": ["standardOutput"],
  ]

  /// Returns the code of the lines that may use an output function, without comments and string
  /// literals.
  private static func code(_ text: String) -> String {
    var lines: [Substring] = []
    var isInText = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let bytes = Array(line.utf8)
      let isEdge = !bytes.offsets(of: Array("\"\"\"".utf8)).isEmpty
      if isEdge { isInText.toggle() }
      lines.append(isInText || isEdge || !mayUse(bytes) ? "" : line)
    }
    return lines.map { line in
      line.replacing(/"(?:[^"\\]|\\.)*"/, with: "").prefix(upToComment: "//")
    }.joined(separator: "\n")
  }

  /// Returns the output functions that a file's code uses.
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
          // Functions count only where they are called.
          return isFunction(way) ? after == "(" : true
        }
      })
  }

  /// Returns whether a text contains one of the names as a word, perhaps in a comment.
  private static func mayUse(_ content: [UInt8]) -> Bool {
    let isWord = { (byte: UInt8) in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
    }
    return waysOutBytes.contains { way in
      content.offsets(of: way).contains { start in
        let end = start + way.count
        return !(start > 0 && isWord(content[start - 1]))
          && !(end < content.count && isWord(content[end]))
      }
    }
  }

  private static func isFunction(_ way: String) -> Bool {
    !way.contains("(") && !way.hasPrefix("std") && !way.hasPrefix("standard")
      && !way.hasSuffix("_FILENO")
  }

  @Test func `output is written only by functions that escape control characters`() throws {
    var used: [String: Set<String>] = [:]
    for path in Corpus.paths(under: Repository.sources) where path.extension == "swift" {
      let file = Repository.name(ofSource: path)
      let content = try Corpus.contents(of: path)
      guard Self.mayUse(content) else { continue }
      let uses = Self.uses(in: Self.code(String(decoding: content, as: UTF8.self)))
      for way in uses.subtracting(Self.allowed[file] ?? []).sorted() {
        Issue.record("\(file) uses \(way); write by StandardOutput or StandardError")
      }
      used[file] = uses
    }
    // Every exception in the table must be in use.
    for (file, ways) in Self.allowed {
      #expect(used[file]?.isSuperset(of: ways) == true, "\(file)")
    }
  }

  @Test func `finds calls of output functions, but not in comments, strings or longer names`() {
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

extension String {
  /// The text before a comment.
  fileprivate func prefix(upToComment mark: String) -> String {
    firstRange(of: mark).map { String(self[..<$0.lowerBound]) } ?? self
  }
}

extension Substring {
  /// The text before a comment.
  fileprivate func prefix(upToComment mark: String) -> String {
    String(self).prefix(upToComment: mark)
  }
}
