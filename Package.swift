// swift-tools-version: 6.2
import PackageDescription

/// The settings of every module.
let moduleSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The products of other packages, and the trait with which they are needed.
let products: [String: (package: String, trait: String?)] = [
  "ArgumentParser": ("swift-argument-parser", nil),
  "HTTPTypes": ("swift-http-types", "HTTPServer"),
  "HummingbirdCore": ("hummingbird", "HTTPServer"),
  "Logging": ("swift-log", "HTTPServer"),
  "NIOCore": ("swift-nio", "HTTPServer"),
  "NIOHTTP1": ("swift-nio", "HTTPServer"),
  "NIOHTTPTypes": ("swift-nio-extras", "HTTPServer"),
  "NIOPosix": ("swift-nio", "HTTPServer"),
  "NIOSSL": ("swift-nio-ssl", "HTTPServer"),
  "Subprocess": ("swift-subprocess", nil),
  "SystemPackage": ("swift-system", nil),
]

/// The libraries that are needed only with a trait.
let traitsOfLibraries = ["CMosquitto": "MQTT", "CPostgres": "Postgres"]

extension Target.Dependency {
  /// Returns the dependencies with names, which white space separates. A module has its dependencies'
  /// dependencies too, which are not repeated.
  static func named(_ names: String) -> [Target.Dependency] {
    names.split(whereSeparator: \.isWhitespace).map(String.init).map { name in
      guard let (package, trait) = products[name] else {
        return .target(
          name: name, condition: traitsOfLibraries[name].flatMap { .when(traits: [$0]) })
      }
      return .product(
        name: name, package: package, condition: trait.flatMap { .when(traits: [$0]) })
    }
  }
}

extension Target {
  /// Returns a library of the system, in `Sources/System`.
  static func system(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
    .systemLibrary(
      name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
      providers: [.apt([apt]), .brew([brew])])
  }

  /// Returns a module of C in a folder of `Sources`, with its dependencies.
  static func c(
    _ path: String, _ uses: String = "", name: String? = nil, exclude: [String] = []
  ) -> Target {
    .target(
      name: name ?? lastName(path), dependencies: .named(uses), path: "Sources/\(path)",
      exclude: exclude)
  }

  /// Returns a module of Swift in a folder of `Sources`, with its dependencies.
  ///
  /// - Parameters:
  ///   - path: The path below `Sources`.
  ///   - uses: The dependencies.
  ///   - name: The name of the module if it is not the last component of the path.
  ///   - exclude: Files that are no sources.
  ///   - isProgram: Whether it is a program.
  ///   - isStrict: Whether it hands memory to C, and is checked for memory safety.
  /// - Returns: The module.
  static func swift(
    _ path: String, _ uses: String = "", name: String? = nil, exclude: [String] = [],
    isProgram: Bool = false, isStrict: Bool = false
  ) -> Target {
    .other("Sources/\(path)", uses, name: name, exclude, isProgram, isStrict)
  }

  /// Returns a module that is not in `Sources`, such as support for tests.
  static func support(
    _ path: String, _ uses: String = "", name: String? = nil, isProgram: Bool = false,
    isStrict: Bool = false
  ) -> Target {
    .other(path, uses, name: name, [], isProgram, isStrict)
  }

  private static func other(
    _ path: String, _ uses: String, name: String?, _ exclude: [String], _ isProgram: Bool,
    _ isStrict: Bool
  ) -> Target {
    let (name, settings) = (
      name ?? lastName(path), isStrict ? moduleSettings + [.strictMemorySafety()] : moduleSettings
    )
    return isProgram
      ? .executableTarget(
        name: name, dependencies: .named(uses), path: path, exclude: exclude,
        swiftSettings: settings)
      : .target(
        name: name, dependencies: .named(uses), path: path, exclude: exclude,
        swiftSettings: settings)
  }

  /// Returns the tests in a folder of `Tests`, with their dependencies.
  static func tests(_ path: String, _ uses: String, exclude: [String] = []) -> Target {
    .testTarget(
      name: lastName(path), dependencies: .named(uses), path: "Tests/\(path)", exclude: exclude,
      swiftSettings: moduleSettings)
  }

  private static func lastName(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }
}

extension [Target.Dependency] {
  static func named(_ names: String) -> [Target.Dependency] { Target.Dependency.named(names) }
}

let package = Package(
  name: "PhotoSpots",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "photospots", targets: ["PhotoSpotsProgram"]),
    .library(name: "PhotoSpots", targets: ["PhotoSpots"]),
    .library(name: "PhotoSpotsFoundation", targets: ["PhotoSpotsFoundation"]),
    .library(name: "CivilTime", targets: ["CivilTime"]),
    .library(name: "Encodings", targets: ["Encodings"]),
    .library(name: "Spatial", targets: ["Spatial"]),
    .library(name: "PhotoMetadata", targets: ["PhotoMetadata"]),
    .library(name: "PhotoLibrary", targets: ["PhotoLibrary"]),
    .library(name: "KeptPlaces", targets: ["KeptPlaces"]),
    .library(name: "LocationFeeds", targets: ["LocationFeeds"]),
    .library(name: "FeedSources", targets: ["FeedSources"]),
    .library(name: "FeedServer", targets: ["FeedServer"]),
    .library(name: "SpotWatcher", targets: ["SpotWatcher"]),
    .library(name: "SpotAlerts", targets: ["SpotAlerts"]),
    .library(name: "MQTTBroker", targets: ["MQTTBroker"]),
    .library(name: "WebNotifiers", targets: ["WebNotifiers"]),
    .library(name: "WatchService", targets: ["WatchService"]),
    .library(name: "SpotExport", targets: ["SpotExport"]),
    .library(name: "WebService", targets: ["WebService"]),
  ],
  traits: [
    .trait(
      name: "HTTPServer",
      description: "Take positions that phones send by HTTP; 'make demo' builds without it."),
    .trait(
      name: "MQTT",
      description: "Read positions from an MQTT broker and publish to one; needs libmosquitto."),
    .trait(
      name: "HEIF",
      description: "Without effect: libheif is used where it is installed."),
    .trait(
      name: "Postgres",
      description: "Keep libraries of many people in PostgreSQL; needs libpq."),
    .default(enabledTraits: ["HTTPServer"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0", traits: []),
  ],
  targets: [
    .system("CLibExif", "libexif", apt: "libexif-dev", brew: "libexif"),
    .system("CLibJPEG", "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
    .system("CMosquitto", "libmosquitto", apt: "libmosquitto-dev", brew: "mosquitto"),
    .system("CPostgres", "libpq", apt: "libpq-dev", brew: "libpq"),
    .system("CLibSQLite", "sqlite3", apt: "libsqlite3-dev", brew: "sqlite"),
    .system("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
    .c("System/CAllocator"),
    .c("System/CBrotli", "CLoading"),
    .c("System/CCurl", "CLoading"),
    .c("System/CHEIF", "CLoading"),
    .c("System/CGlyphs", exclude: ["glyphs.bin", "make-glyphs.py"]),
    .c("System/CLibExifShims", "CLibExif"),
    .c("System/CLibJPEGShims", "CLibJPEG"),
    .c("System/CLoading"),
    .c("System/CMapping"),
    .c("System/COpening"),
    .c("System/CSQLite", "CLibSQLite"),
    .c("System/CSandbox"),
    .c(
      "System/CTowns",
      exclude: ["make-towns.py", "other-names.bin", "towns.bin", "villages.bin"]),

    .swift("Base/CLibrary"),
    .swift("Base/Compression", "CBrotli CZlib", isStrict: true),
    .swift("Base/Encodings"),
    .swift("Base/CivilTime", "CLibrary"),
    .swift("Base/Storage", "CAllocator CLibrary CMapping COpening Encodings SystemPackage"),
    .swift("Base/ProcessControl", "CivilTime SystemPackage"),
    .swift("Base/HTTPClient", "CCurl Encodings SystemPackage", isStrict: true),
    .swift("Base/SQLiteFiles", "CSQLite Encodings Storage", isStrict: true),

    .swift("Geography/Spatial", "CLibrary Encodings"),
    .swift("Geography/Towns", "CTowns Spatial"),
    .swift("Geography/GeoDocuments", "CivilTime Compression Spatial", isStrict: true),

    .swift(
      "Photos/PhotoMetadata", "CHEIF CivilTime CLibExifShims Compression Spatial Storage",
      isStrict: true),
    .swift("Photos/PhotoLibrary", "PhotoMetadata Towns"),
    .swift("Photos/RemoteLibraries", "HTTPClient PhotoLibrary"),
    .swift("Photos/PositionImport", "PhotoLibrary SQLiteFiles"),
    .swift("Photos/Geotagging", "LocationFeeds"),
    .swift(
      "Photos/Pictures",
      "Alignment CGlyphs CHEIF CLibJPEGShims CSandbox PhotoMetadata",
      isStrict: true),
    .swift("Photos/Alignment", "CLibrary"),
    .swift("Photos/ThenAndNow", "PhotoLibrary Pictures"),
    .swift("Photos/Recreations", "LocationFeeds PhotoLibrary"),
    .swift("Photos/IndexUpdates", "FeedSources Geotagging ProcessControl RemoteLibraries"),
    .swift("Photos/SpotExport", "GeoDocuments LocationFeeds PhotoLibrary"),

    .swift("Places/KeptPlaces", "PhotoLibrary"),
    .swift("Places/PlaceTransfer", "KeptPlaces GeoDocuments ProcessControl"),

    .swift("Positions/LocationFeeds", "CivilTime Spatial SystemPackage"),
    .swift("Positions/FeedSources", "Compression LocationFeeds"),
    .swift("Positions/SpotWatcher", "LocationFeeds PhotoLibrary"),
    .swift("Positions/SpotAlerts", "SpotWatcher Subprocess"),
    .swift("Positions/WebNotifiers", "HTTPClient SpotAlerts"),
    .swift("Positions/HomeAssistant", "SpotAlerts"),
    // Connects to nothing without the trait MQTT.
    .swift("Positions/MQTTBroker", "CMosquitto FeedSources HomeAssistant"),
    .swift("Positions/WatchService", "FeedServer MQTTBroker"),
    .swift("Positions/RecordedReplays", "FeedSources ProcessControl SpotAlerts"),

    .swift(
      "Server/FeedServer",
      "FeedSources HTTPTypes HummingbirdCore Logging NIOCore NIOHTTP1 NIOHTTPTypes NIOPosix"),
    .swift("Server/SpotMap", "PhotoLibrary"),
    .swift("Server/MapTiles", "CivilTime HTTPClient SQLiteFiles", isStrict: true),
    .swift(
      "Server/SpotService", "GeoDocuments PlaceTransfer SpotAlerts SpotMap",
      exclude: ["openapi.json"]),
    .swift("Server/WebService", "CPage FeedServer NIOSSL SpotService", isStrict: true),
    .swift(
      "Server/PageServer",
      "IndexUpdates Pictures ProgramSettings Recreations WatchService WebService"),
    .c("Server/Page", name: "CPage", exclude: ["data", "files", "make-table.py"]),

    // Empty without the trait Postgres.
    .swift("Store/PostgresStore", "CPostgres SpotAlerts", isStrict: true),
    .swift("Store/StoreServer", "PageServer PostgresStore"),

    // Not named like the type inside it.
    .swift(
      "Program/Settings",
      "FeedServer Geotagging HomeAssistant MapTiles RemoteLibraries WebNotifiers",
      name: "ProgramSettings"),
    .swift("Program/Upkeep", "StoreServer"),
    // The texts of results, which tests read without starting a program.
    .swift(
      "Program/Terminal",
      "ArgumentParser PositionImport RecordedReplays SpotExport ThenAndNow Upkeep",
      name: "TerminalOutput"),
    // Not named like its product: that would be the umbrella's name where the case of names is
    // ignored, as on most Macs.
    .swift(
      "Program/photospots", "PlaceTransfer TerminalOutput", name: "PhotoSpotsProgram",
      isProgram: true),

    // For other programs: the modules of the usual case by one import, and Foundation's types.
    .swift("Libraries/PhotoSpots", "SpotAlerts"),
    .swift("Libraries/PhotoSpotsFoundation", "LocationFeeds"),

    // The program that draws the sample photos and records the sample walk.
    .support(
      "Samples/Drawing/SampleDrawing", "CLibExif CLibJPEGShims LocationFeeds", isStrict: true),
    .support("Samples/Drawing/draw-samples", "SampleDrawing", isProgram: true),
    // Measure a store and watches over it: Benchmarks/store.py. Empty without the trait Postgres.
    .support("Benchmarks/StoreBench", "PostgresStore", name: "store-bench", isProgram: true),
    .support(
      "Benchmarks/StoreWatch",
      "StoreSupport WatchService",
      name: "store-watch-bench",
      isProgram: true),

    .support("Tests/Support/TestSupport", "CLibSQLite LocationFeeds PhotoLibrary"),
    .support("Tests/Support/StoreSupport", "PostgresStore TestSupport"),
    .support("Tests/Support/ProcessSupport", "CLibrary Subprocess"),
    .support("Tests/Support/ServiceSupport", "SpotService TestSupport"),
    .support("Tests/Support/AllocationCounter"),
    // Spots, devices and scenes for the tests of a watch.
    .support("Tests/Positions/Scenes", "SpotWatcher TestSupport", name: "WatchScenes"),
    // Modelled traces with the alerts that a person wants, and the program that prints how the watcher
    // fares in them.
    .support(
      "Tests/Positions/Golden/Traces", "Encodings SpotAlerts TestSupport", name: "GoldenTraces"),
    .support("Tests/Positions/Golden/Table", "GoldenTraces", name: "golden-table", isProgram: true),
    .support(
      "Tests/Fuzzing/FuzzTargets",
      """
      FeedSources GeoDocuments KeptPlaces PositionImport ProgramSettings Recreations TestSupport
      ThenAndNow
      """),
    // Tries what a confined process must not be able to do, for PictureWorkerTests.
    .executableTarget(
      name: "sandbox-probe", dependencies: ["CSandbox"], path: "Tests/Program/SandboxProbe"),

    .tests("Base/CivilTimeTests", "CivilTime TestSupport"),
    .tests("Base/CompressionTests", "Compression TestSupport"),
    .tests("Base/EncodingsTests", "Encodings TestSupport", exclude: ["Golden"]),
    .tests("Base/StorageTests", "Storage TestSupport"),
    .tests("Geography/GeoDocumentsTests", "GeoDocuments TestSupport", exclude: ["Golden"]),
    .tests("Geography/SpatialTests", "Spatial TestSupport"),
    .tests("Geography/TownsTests", "TestSupport Towns"),
    .tests("Photos/AlignmentTests", "Alignment TestSupport"),
    .tests("Photos/GeotaggingTests", "Geotagging TestSupport"),
    // Its contract of sources of spots is also for those in a database.
    .tests("Photos/PhotoLibraryTests", "PhotoLibrary StoreSupport TestSupport"),
    .tests("Photos/PhotoMetadataTests", "PhotoMetadata TestSupport"),
    .tests("Photos/PicturesTests", "Pictures TestSupport"),
    .tests("Photos/PositionImportTests", "PositionImport TestSupport"),
    .tests("Photos/RecreationsTests", "Recreations TestSupport"),
    .tests("Photos/RemoteLibrariesTests", "RemoteLibraries TestSupport"),
    .tests("Photos/SpotExportTests", "SpotExport TestSupport", exclude: ["Golden"]),
    .tests("Photos/ThenAndNowTests", "TestSupport ThenAndNow"),
    .tests("Places/KeptPlacesTests", "KeptPlaces TestSupport"),
    .tests("Places/PlaceTransferTests", "PlaceTransfer TestSupport"),
    .tests("Positions/FeedSourcesTests", "Compression FeedSources TestSupport"),
    .tests("Positions/HomeAssistantTests", "HomeAssistant TestSupport"),
    .tests("Positions/LocationFeedsTests", "FeedSources LocationFeeds TestSupport"),
    .tests("Positions/MQTTBrokerTests", "MQTTBroker TestSupport"),
    .tests(
      "Positions/SpotAlertsTests",
      "GoldenTraces MQTTBroker SpotAlerts StoreSupport WatchScenes WebNotifiers"),
    .tests(
      "Positions/SpotWatcherTests", "AllocationCounter SpotWatcher TestSupport WatchScenes",
      exclude: ["Golden"]),
    .tests("Positions/WatchServiceTests", "TestSupport WatchService"),
    .tests("Positions/WebNotifiersTests", "TestSupport WebNotifiers"),
    .tests("Server/FeedServerTests", "FeedServer TestSupport"),
    .tests("Server/MapTilesTests", "MapTiles TestSupport"),
    .tests("Server/SpotMapTests", "SpotMap TestSupport"),
    .tests("Server/SpotServiceTests", "ServiceSupport"),
    .tests("Server/WebServiceTests", "ServiceSupport WebService"),
    .tests("Server/PageServerTests", "PageServer ServiceSupport"),
    .tests("Store/PostgresStoreTests", "PostgresStore StoreSupport"),
    .tests("Store/StoreServerTests", "ProcessSupport StoreServer StoreSupport"),
    .tests("Program/SettingsTests", "ProgramSettings TestSupport"),
    .tests(
      "Program/CommandTests", "PhotoSpotsProgram ProcessSupport StoreSupport", exclude: ["Tracks"]),
    .tests("Libraries/ExampleTests", "PhotoSpots PhotoSpotsFoundation TestSupport"),
    .tests("Libraries/PhotoSpotsFoundationTests", "PhotoSpotsFoundation TestSupport"),
    .tests("Fuzzing/FuzzTargetTests", "FuzzTargets", exclude: ["Regressions"]),
    .tests("ArchitectureTests", "TestSupport"),
    .tests("SamplesTests", "SampleDrawing"),
  ],
  swiftLanguageModes: [.v6]
)

// One test target and what it needs, so that an edit is tested without building the rest: `make test-of`.
if let name = Context.environment["PHOTOSPOTS_TEST_TARGET"] {
  var needed: Set<String> = []
  var open = [name]
  while let next = open.popLast() {
    guard needed.insert(next).inserted else { continue }
    let uses = package.targets.first { $0.name == next }?.dependencies ?? []
    for case .targetItem(let name, _) in uses { open.append(name) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}

// The build of `.ci/run`, whose tests and programs run in less time than a debug build's. Each module needs longer to compile.
if Context.environment["PHOTOSPOTS_OPTIMIZED"] != nil {
  for target in package.targets
  where target.type != .system && target.path?.hasPrefix("Sources/") == true {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
  }
}

// The program that `make fuzz` builds. libFuzzer has the `main` of it, so no ordinary build may see it.
if Context.environment["PHOTOSPOTS_FUZZER"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzzer", dependencies: .named("FuzzTargets"), path: "Tests/Fuzzing/Fuzzer",
      swiftSettings: moduleSettings + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
}
