import SystemPackage
import TestSupport
import Testing

/// Checks the imports of every source file against the modules' design.
@Suite struct ImportTests {
  /// The modules that the files of each module may import. A module may also import those of the
  /// package's modules that its imports may import.
  private static let allowed: [String: Set<String>] = [
    "CLibrary": ["Darwin", "Glibc", "Musl"],
    "CivilTime": [],
    "Codecs": [],
    "Interchange": ["Codecs"],
    "Storage": ["CAllocator", "CLibrary", "CMapping", "Synchronization", "SystemPackage"],
    "Spatial": ["CLibrary", "Codecs"],
    "Towns": ["CLibrary", "CTowns", "Spatial"],
    "PhotoMetadata": [
      "CivilTime", "CLibExif", "CLibExifShims", "CLibrary", "Codecs", "CZlib", "Interchange",
      "Spatial", "SystemPackage",
    ],
    "PhotoLibrary": [
      "CivilTime", "CLibrary", "Codecs", "Interchange", "PhotoMetadata", "Spatial", "Storage",
      "Synchronization", "SystemPackage", "Towns",
    ],
    "KeptPlaces": [
      "CivilTime", "CLibrary", "Codecs", "Interchange", "PhotoLibrary", "Spatial", "Storage",
      "Synchronization", "SystemPackage",
    ],
    "LocationFeeds": ["CivilTime", "Codecs", "Interchange", "Spatial", "SystemPackage"],
    "FeedSources": [
      "CivilTime", "CLibrary", "Dispatch", "Interchange", "LocationFeeds", "Synchronization",
      "SystemPackage",
    ],
    "SpotWatcher": [
      "CivilTime", "CLibrary", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary",
      "PhotoMetadata", "Spatial", "SystemPackage",
    ],
    "FeedServer": [
      "CivilTime", "CLibrary", "Codecs", "FeedSources", "HTTPTypes", "HummingbirdCore",
      "Interchange", "LocationFeeds", "Logging", "NIOCore", "NIOHTTPTypes", "NIOPosix", "Spatial",
      "Synchronization", "SystemPackage",
    ],
    "HomeAssistant": [
      "CivilTime", "Codecs", "Interchange", "Spatial", "SpotAlerts", "SpotWatcher",
    ],
    "MQTTBroker": [
      "CivilTime", "CLibrary", "CMosquitto", "Dispatch", "FeedSources", "HomeAssistant",
      "LocationFeeds",
      "SpotAlerts", "SpotWatcher", "Synchronization", "SystemPackage",
    ],
    "SpotAlerts": [
      "CivilTime", "CLibrary", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary",
      "PhotoMetadata", "Spatial", "SpotWatcher", "Storage", "Subprocess", "Synchronization",
      "SystemPackage",
    ],
    "Thumbnails": ["CLibJPEGShims", "CLibrary", "PhotoMetadata", "SystemPackage"],
    "Alignment": ["CLibrary"],
    "Geotagging": ["CivilTime", "LocationFeeds", "Spatial"],
    "ThenAndNow": [
      "Alignment", "Caching", "CivilTime", "CLibrary", "Codecs", "Interchange", "PhotoLibrary",
      "PhotoMetadata", "Pictures", "Spatial", "Synchronization", "SystemPackage", "Thumbnails",
    ],
    "Caching": ["Dispatch", "Storage", "Synchronization", "SystemPackage"],
    "Pictures": [
      "Alignment", "Caching", "CLibHeif", "CLibrary", "Diptychs", "PhotoMetadata", "Storage",
      "SystemPackage", "Thumbnails",
    ],
    "Diptychs": ["CGlyphs", "CLibrary", "Thumbnails"],
    "WebRequests": ["CCurl", "Codecs", "Dispatch", "Synchronization", "SystemPackage"],
    "MapTiles": [
      "Caching", "CivilTime", "CLibrary", "Codecs", "SQLiteFiles", "Storage", "Synchronization",
      "SystemPackage", "WebRequests",
    ],
    "SQLiteFiles": ["CLibrary", "Codecs", "CSQLite", "Storage", "SystemPackage"],
    "PositionImport": [
      "CivilTime", "Codecs", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial",
      "SQLiteFiles", "Storage", "SystemPackage",
    ],
    "RemoteLibraries": [
      "Caching", "CivilTime", "Codecs", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial",
      "Storage", "Synchronization", "SystemPackage", "WebRequests",
    ],
    "WebNotifiers": [
      "CivilTime", "CLibrary", "Codecs", "Interchange", "Spatial", "SpotAlerts", "SpotWatcher",
      "SystemPackage", "WebRequests",
    ],
    "SpotExport": [
      "CivilTime", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
      "Spatial", "Storage", "SystemPackage",
    ],
    "SpotMap": [
      "CivilTime", "CLibrary", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial",
    ],
    "PlaceExchange": ["CivilTime", "Codecs", "CZlib", "Interchange", "Spatial"],
    "PostgresStore": [
      "CivilTime", "CLibrary", "Codecs", "CPostgres", "Interchange", "LocationFeeds",
      "PhotoLibrary", "PhotoMetadata", "Spatial", "SpotAlerts", "SpotWatcher", "Storage",
      "Synchronization", "SystemPackage",
    ],
    "Recreations": [
      "CivilTime", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
      "Spatial", "Storage", "Synchronization", "SystemPackage",
    ],
    "SpotService": [
      "CivilTime", "Codecs", "Interchange", "KeptPlaces", "LocationFeeds", "PhotoLibrary",
      "PhotoMetadata", "Spatial",
      "SpotAlerts", "SpotMap", "SpotWatcher", "Storage", "Synchronization", "SystemPackage",
      "Towns",
    ],
    "WebService": [
      "CivilTime", "CLibrary", "Codecs", "CPage", "CZlib", "FeedServer", "FeedSources", "HTTPTypes",
      "HummingbirdCore", "Interchange", "NIOCore", "NIOPosix", "NIOSSL", "SpotAlerts",
      "SpotService", "Synchronization", "SystemPackage",
    ],
    "WatchService": [
      "CivilTime", "Dispatch", "FeedServer", "FeedSources", "Interchange", "LocationFeeds",
      "MQTTBroker", "PhotoLibrary", "Spatial", "SpotAlerts", "SpotWatcher", "Storage",
      "Synchronization", "SystemPackage",
    ],
    "Umbrella": [
      "CivilTime", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "Spatial", "SpotAlerts",
      "SpotWatcher", "SystemPackage",
    ],
    "PhotoSpotsFoundation": [
      "CivilTime", "Foundation", "LocationFeeds", "Spatial", "SystemPackage",
    ],
    "photospots": [
      "ArgumentParser", "Caching", "CivilTime", "CLibrary", "Codecs", "Diptychs", "Dispatch",
      "FeedServer", "FeedSources", "Geotagging", "HomeAssistant", "Interchange", "KeptPlaces",
      "LocationFeeds", "MapTiles", "MQTTBroker", "PhotoLibrary", "PhotoMetadata", "Pictures",
      "PlaceExchange", "PositionImport", "PostgresStore", "Recreations", "RemoteLibraries",
      "Spatial", "SpotAlerts", "SpotExport", "SpotService", "SpotWatcher", "Storage", "Subprocess",
      "Synchronization",
      "SystemPackage", "ThenAndNow", "Thumbnails", "Towns", "WatchService", "WebNotifiers",
      "WebRequests", "WebService",
    ],
  ]

  /// A source file as a path below `Sources`, with its module and the modules that it imports.
  private typealias ImportingFile = (module: String, file: String, imported: [String])

  private static let files: Result<[ImportingFile], any Error> = Result { try imports() }

  private static func imports() throws -> [ImportingFile] {
    // This file is Tests/ArchitectureTests/ImportTests.swift.
    let package = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent()
    let sources = package.appending("Sources")
    return try Corpus.paths(under: sources).filter { $0.extension == "swift" }.map { path in
      let file = String(path.string.dropFirst(sources.string.count + 1))
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

  @Test func `every file imports only the modules allowed for its module`() throws {
    let files = try Self.files.get()
    #expect(files.count > 50)
    for (module, file, imported) in files {
      let allowed = try #require(Self.allowed[module], "\(file): a module that is not in the table")
      for name in imported where !allowed.contains(name) {
        Issue.record("\(file) imports \(name), which \(module) may not know")
      }
    }
  }

  @Test func `each C library and special-purpose package is imported only by its owner`() throws {
    let files = try Self.files.get()
    for library in [
      "CLibJPEGShims", "CMosquitto", "CCurl", "CGlyphs", "CPage", "CSQLite", "CLibHeif",
      "CPostgres",
    ] {
      #expect(files.filter { $0.imported.contains(library) }.count == 1, "\(library)")
    }
    // One file reads EXIF, and one writes it.
    #expect(
      Set(files.filter { $0.imported.contains("CLibExif") }.map(\.file)) == [
        "PhotoMetadata/ExifDecoder.swift", "PhotoMetadata/ExifEncoder.swift",
      ])
    // One file decompresses profiles, one compresses responses, and one does both for archives.
    #expect(
      Set(files.filter { $0.imported.contains("CZlib") }.map(\.file)) == [
        "PhotoMetadata/Containers/Inflate.swift", "PlaceExchange/Archive/Deflate.swift",
        "WebService/Gzip.swift",
      ])
    for (package, owners) in [
      ("Subprocess", ["SpotAlerts", "photospots"]), ("ArgumentParser", ["photospots"]),
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
