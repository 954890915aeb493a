import SystemPackage
import TestSupport
import Testing

/// Checks the tree and the table of modules in ARCHITECTURE.md against Package.swift.
@Suite struct ModuleDiagramTests {
  private static func architecture() throws -> String {
    String(
      decoding: try Corpus.contents(of: Repository.folder.appending("ARCHITECTURE.md")),
      as: UTF8.self)
  }

  /// Draws the folders of `Sources` with their modules, and below them the other folders whose
  /// modules they use.
  private static func tree(of manifest: Manifest) -> String {
    let rooms = manifest.modules.reduce(into: [String]()) { rooms, module in
      if !rooms.contains(module.room) { rooms.append(module.room) }
    }
    return rooms.flatMap { room in
      let modules = manifest.modules.filter { $0.room == room }
      let used = Set(
        modules.flatMap(\.uses).compactMap { manifest.module($0)?.room }.filter { $0 != room })
      let names = modules.map(\.folder).joined(separator: " ")
      let lines = folded(names, to: 84).enumerated().map { index, part in
        (index == 0 ? room : "").padded(to: 11) + part
      }
      let uses = rooms.filter(used.contains).joined(separator: ", ")
      return used.isEmpty ? lines : lines + ["".padded(to: 11) + "uses " + uses]
    }.joined(separator: "\n")
  }

  /// Returns words in lines of at most the given number of characters.
  private static func folded(_ text: String, to width: Int) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  @Test func `the tree of modules in ARCHITECTURE.md matches Package.swift`() throws {
    let tree = Self.tree(of: try Manifest.ofRepository())
    #expect(
      try Self.architecture().contains("```text\n\(tree)\n```"),
      "ARCHITECTURE.md should have:\n\(tree)")
  }

  @Test func `the module table in ARCHITECTURE.md lists each module once`() throws {
    let text = try Self.architecture()
    let table = try #require(text.firstRange(of: "| Module | Holds |\n| --- | --- |\n"))
    let rows = text[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") }
    let names = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
    }
    // The two of Libraries are for other programs.
    let modules = try Manifest.ofRepository().modules.filter { $0.room != "Libraries" }
    #expect(names.sorted() == modules.map(\.folder).sorted())
  }

  @Test func `every folder of Sources and Tests is in the tree`() throws {
    let manifest = try Manifest.ofRepository()
    let folders = Set(
      Corpus.paths(under: Repository.sources).filter {
        ["swift", "c", "modulemap"].contains($0.extension)
      }.map { path in
        path.string.dropFirst(Repository.sources.string.count + 1).split(separator: "/").prefix(2)
          .joined(separator: "/")
      })
    #expect(folders == Set(manifest.modules.map { "\($0.room)/\($0.folder)" }))
  }

  @Test func `parses the modules of a manifest, and draws them`() {
    let manifest = Manifest(
      """
      static func system(_ name: String) -> Target {}
        targets: [
          .system("CLibExif", "libexif", apt: "libexif-dev", brew: "libexif"),
          .c("System/CMaps", exclude: ["make.py"]),
          .swift("Base/Storage", "CMaps SystemPackage", isStrict: true),
          .swift(
            "Program/photospots",
            \"\"\"
            Storage
            CLibExif
            \"\"\", name: "Program",
            isProgram: true),
          .tests("Base/StorageTests", "Storage"),
        ],
      """)
    #expect(manifest.modules.map(\.name) == ["CLibExif", "CMaps", "Storage", "Program"])
    #expect(
      manifest.reach(of: manifest.modules[3]) == ["CLibExif", "CMaps", "Storage", "SystemPackage"])
    #expect(
      Self.tree(of: manifest) == """
        System     CLibExif CMaps
        Base       Storage
                   uses System
        Program    photospots
                   uses System, Base
        """)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
