import SystemPackage
import TestSupport
import Testing

/// Checks the diagram and the table of modules in ARCHITECTURE.md against Package.swift.
@Suite struct ModuleDiagramTests {
  private static let package = FilePath(#filePath).removingLastComponent()
    .removingLastComponent().removingLastComponent()

  private static func text(_ name: String) throws -> String {
    String(decoding: try Corpus.contents(of: package.appending(name)), as: UTF8.self)
  }

  /// Returns the modules below `Sources` declared in Package.swift, with the package's modules that
  /// each depends on.
  private static func modules(in manifest: String) -> [String: Set<String>] {
    guard let start = manifest.firstRange(of: "\n  targets: ["),
      let end = manifest.firstRange(of: "\n  swiftLanguageModes")
    else { return [:] }
    let targets = manifest[start.upperBound..<end.lowerBound]
      // A dependency with a trait condition.
      .replacing(/\.target\(name: ("\w+"), condition:[^)]*\)\)/) { $0.1 }
      .replacing(/\.(systemLibrary|target|executableTarget|testTarget)\(/) { "\0\($0.1)(" }
      .split(separator: "\0").filter { !$0.hasPrefix("testTarget") }
    return targets.reduce(into: [:]) { modules, target in
      guard let named = target.firstMatch(of: /name: "(\w+)"/)?.1,
        let name = module(named, path: target.firstMatch(of: /path: "([^"]+)"/)?.1)
      else { return }
      let list = target.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
      modules[String(name)] = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
    }
  }

  /// The name in the diagram: that of the folder. `nil` for a module outside of `Sources`, and for
  /// the two that only other programs use.
  private static func module(_ name: Substring, path: Substring?) -> Substring? {
    guard !["PhotoSpots", "PhotoSpotsFoundation"].contains(name), let path else {
      return path == nil ? name : nil
    }
    return path.hasPrefix("Sources/") ? path.dropFirst("Sources/".count) : nil
  }

  /// Returns the row of a module: one more than the highest row of its dependencies.
  private static func row(of module: String, _ modules: [String: Set<String>]) -> Int {
    1 + ((modules[module] ?? []).map { row(of: $0, modules) }.max() ?? 0)
  }

  /// Returns all direct and indirect dependencies of a module, including itself.
  private static func reach(of module: String, _ modules: [String: Set<String>]) -> Set<String> {
    (modules[module] ?? []).reduce(into: [module]) { $0.formUnion(reach(of: $1, modules)) }
  }

  /// Draws the modules in rows and columns.
  private static func diagram(of modules: [String: Set<String>]) -> String {
    let names = modules.keys.sorted { $0.lowercased() < $1.lowercased() }
    func cells(isPhotos: Bool, isPositions: Bool) -> [Int: String] {
      let column = names.filter { name in
        let reach = reach(of: name, modules)
        return reach.contains("PhotoMetadata") == isPhotos
          && reach.contains("LocationFeeds") == isPositions
      }
      return Dictionary(grouping: column) { row(of: $0, modules) }
        .mapValues { $0.joined(separator: " ") }
    }
    let columns = [
      cells(isPhotos: true, isPositions: false), cells(isPhotos: true, isPositions: true),
      cells(isPhotos: false, isPositions: true),
    ]
    let titles = ["photos", "both", "positions"]
    let widths = zip(columns, titles).map { column, title in
      max(title.count, column.values.map(\.count).max() ?? 0)
    }
    func line(_ number: String, _ cells: [String]) -> String {
      let parts = zip(cells, widths).map { $0.padded(to: $1) }
      return trimmed(number.padded(to: 4) + parts.joined(separator: " │ "))
    }
    let rows = columns.flatMap(\.keys)
    var lines = [line("", titles)]
    let (lowest, highest) = (rows.min() ?? 0, rows.max() ?? 0)
    for number in (lowest...highest).reversed() {
      lines.append(line(String(number), columns.map { $0[number] ?? "" }))
    }
    lines.append("--- shared by both halves")
    for (number, list) in cells(isPhotos: false, isPositions: false).sorted(by: { $0.key > $1.key })
    {
      lines += folded(list, to: 96).enumerated().map { index, part in
        (index == 0 ? String(number) : "").padded(to: 4) + part
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
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

  @Test func `the module diagram in ARCHITECTURE.md matches Package.swift`() throws {
    let diagram = Self.diagram(of: Self.modules(in: try Self.text("Package.swift")))
    #expect(
      try Self.text("ARCHITECTURE.md").contains("```text\n\(diagram)\n```"),
      "ARCHITECTURE.md should have:\n\(diagram)")
  }

  @Test func `the module table in ARCHITECTURE.md lists each module once`() throws {
    let text = try Self.text("ARCHITECTURE.md")
    let table = try #require(text.firstRange(of: "| Module | Holds |\n| --- | --- |\n"))
    let rows = text[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") }
    let names = rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
    }
    #expect(names.sorted() == Self.modules(in: try Self.text("Package.swift")).keys.sorted())
  }

  @Test func `parses the targets and dependencies of a manifest, and draws them`() {
    let manifest = """
      let package = Package(
        targets: [
          .systemLibrary(
            name: "C", pkgConfig: "c", providers: [.apt(["c-dev"])]),
          .target(name: "LocationFeeds"),
          .target(
            name: "PhotoMetadata", dependencies: ["LocationFeeds", systemPackage, .target(name: "C", condition: .when(traits: ["T"]))],
            swiftSettings: settings),
          .target(name: "Support", path: "Tests/Support"),
          .executableTarget(name: "Program", path: "Sources/program"),
          .target(name: "PhotoSpots", path: "Sources/Umbrella"),
          .testTarget(name: "Tests", dependencies: ["PhotoMetadata"]),
        ],
        swiftLanguageModes: [.v6]
      )
      """
    let modules = Self.modules(in: manifest)
    #expect(
      modules == [
        "C": [], "LocationFeeds": [], "PhotoMetadata": ["C", "LocationFeeds"], "program": [],
      ])
    #expect(
      Self.diagram(of: modules) == """
            photos │ both          │ positions
        2          │ PhotoMetadata │
        1          │               │ LocationFeeds
        --- shared by both halves
        1   C program
        """)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
