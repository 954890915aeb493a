import SystemPackage
import TestSupport
import Testing

/// Checks the imports of every source file against the modules' design.
@Suite struct ImportTests {
  /// The modules of the system that the files of a module may import, besides `Synchronization`.
  /// All others are dependencies in Package.swift.
  private static let systemModules: [String: Set<String>] = [
    "CLibrary": ["Darwin", "Glibc", "Musl"],
    "PhotoSpotsFoundation": ["Foundation"],
    "FeedSources": ["Dispatch"], "HTTPClient": ["Dispatch"], "MQTTBroker": ["Dispatch"],
    "Pictures": ["Dispatch"], "Storage": ["Dispatch"], "WatchService": ["Dispatch"],
    "IndexUpdates": ["Dispatch"], "PageServer": ["Dispatch"], "ProcessControl": ["Dispatch"],
    "StoreServer": ["Dispatch"], "Upkeep": ["Dispatch"], "Terminal": ["Dispatch"],
    "photospots": ["Dispatch"],
  ]

  /// A source file as a path below `Sources`, with its module and the modules that it imports.
  private typealias ImportingFile = (module: String, file: String, imported: [String])

  private static let files: Result<[ImportingFile], any Error> = Result { try imports() }

  private static func imports() throws -> [ImportingFile] {
    try Corpus.paths(under: Repository.sources).filter { $0.extension == "swift" }.map { path in
      let file = Repository.name(ofSource: path)
      let content = try Corpus.contents(of: path)
      let module = file.split(separator: "/").first.map(String.init) ?? ""
      let lines = content.offsets(of: Array("import ".utf8)).map { place in
        let start = content[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = content[place...].firstIndex(of: UInt8(ascii: "\n")) ?? content.count
        return String(decoding: content[start..<end], as: UTF8.self)
      }
      return (module, file, lines.compactMap { importedModule($0[...]) })
    }
  }

  /// Returns the module that a line imports: `public import struct Spatial.Coordinate` imports
  /// Spatial.
  private static func importedModule(_ line: Substring) -> String? {
    let words = line.prefix { $0 != "/" }.split(separator: " ")
    guard let place = words.firstIndex(of: "import"),
      words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) }),
      let module = words[(place + 1)...].first(where: { !kinds.contains($0) })
    else { return nil }
    return module.split(separator: ".").first.map(String.init)
  }

  private static let accessLevels: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<Substring> = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  @Test func `every file imports only what Package.swift lets its module depend on`() throws {
    let (files, manifest) = (try Self.files.get(), try Manifest.ofRepository())
    #expect(files.count > 50)
    let allowed = Dictionary(
      uniqueKeysWithValues: manifest.modules.map { module in
        let own = Self.systemModules[module.folder] ?? []
        return (module.folder, manifest.reach(of: module).union(own).union(["Synchronization"]))
      })
    for (module, file, imported) in files {
      let allowed = try #require(allowed[module], "\(file): a module that is not in Package.swift")
      for name in imported where !allowed.contains(name) {
        Issue.record("\(file) imports \(name), which \(module) may not know")
      }
    }
  }

  @Test func `each module of C is imported by one module of Swift`() throws {
    let files = try Self.files.get()
    // What C modules include; one module decodes HEIF, and another asks whether that is possible.
    let several: Set = ["CHEIF", "CLibJPEG", "CLibSQLite", "CLoading"]
    for module in try Manifest.ofRepository().modules
    where module.room == "System" && !several.contains(module.name) {
      let modules = Set(files.filter { $0.imported.contains(module.name) }.map(\.module))
      #expect(modules.count == 1, "\(module.name): \(modules)")
    }
    for library in [
      "CLibJPEGShims", "CMosquitto", "CCurl", "CGlyphs", "CPage", "CSQLite", "CPostgres",
    ] {
      #expect(files.filter { $0.imported.contains(library) }.count == 1, "\(library)")
    }
    // One file reads EXIF, and one writes it.
    #expect(
      Set(files.filter { $0.imported.contains("CLibExif") }.map(\.file)) == [
        "PhotoMetadata/ExifDecoder.swift", "PhotoMetadata/ExifEncoder.swift",
      ])
    for (package, owners) in [
      ("Subprocess", ["PageServer", "SpotAlerts", "photospots"]),
      ("ArgumentParser", ["Terminal", "photospots"]),
      ("HummingbirdCore", ["FeedServer", "WebService"]), ("NIOSSL", ["WebService"]),
    ] {
      let modules = Set(files.filter { $0.imported.contains(package) }.map(\.module))
      #expect(modules.isSubset(of: owners), "\(package)")
    }
  }

  @Test func `import lines are recognised in all their forms`() {
    for line in [
      "import Spatial", "public import Spatial", "  import Spatial",
      "@preconcurrency import Spatial",
      "@testable import Spatial", "internal import struct Spatial.Coordinate",
      "import Spatial // for",
      "package import Spatial",
    ] {
      #expect(Self.importedModule(line[...]) == "Spatial", "\(line)")
    }
    for line in ["// import Spatial", "/// import Spatial", "let text = import", "important", ""] {
      #expect(Self.importedModule(line[...]) == nil, "\(line)")
    }
  }
}
