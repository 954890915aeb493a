// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// For the modules that hand memory to C.
let strictMemorySafety = swiftSettings + [.strictMemorySafety()]

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let httpTypes = Target.Dependency.product(
  name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["HTTPServer"]))
let hummingbird = Target.Dependency.product(
  name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["HTTPServer"]))
let logging = Target.Dependency.product(
  name: "Logging", package: "swift-log", condition: .when(traits: ["HTTPServer"]))
let nioCore = Target.Dependency.product(
  name: "NIOCore", package: "swift-nio", condition: .when(traits: ["HTTPServer"]))
let nioHTTPTypes = Target.Dependency.product(
  name: "NIOHTTPTypes", package: "swift-nio-extras", condition: .when(traits: ["HTTPServer"]))
let nioPosix = Target.Dependency.product(
  name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["HTTPServer"]))
let nioSSL = Target.Dependency.product(
  name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["HTTPServer"]))
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "PhotoSpots",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "photospots", targets: ["PhotoSpotsProgram"]),
    .library(name: "PhotoSpots", targets: ["PhotoSpots"]),
    .library(name: "PhotoSpotsFoundation", targets: ["PhotoSpotsFoundation"]),
    .library(name: "CivilTime", targets: ["CivilTime"]),
    .library(name: "Interchange", targets: ["Interchange"]),
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
      description: "Make pictures of HEIC and AVIF photos for browsers; needs libheif."),
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
    .systemLibrary(
      name: "CLibExif", pkgConfig: "libexif",
      providers: [.apt(["libexif-dev"]), .brew(["libexif"])]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CLibHeif", pkgConfig: "libheif",
      providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto",
      providers: [.apt(["libmosquitto-dev"]), .brew(["mosquitto"])]),
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CAllocator"),
    .target(name: "CCurl"),
    .target(name: "CSQLite"),
    .target(name: "CMapping"),
    .target(name: "CLibExifShims", dependencies: ["CLibExif"]),
    .target(name: "CLibJPEGShims", dependencies: ["CLibJPEG"]),

    .target(name: "CLibrary", swiftSettings: swiftSettings),
    .target(name: "CivilTime", swiftSettings: swiftSettings),
    .target(name: "Codecs", swiftSettings: swiftSettings),
    .target(name: "Interchange", dependencies: ["Codecs"], swiftSettings: swiftSettings),
    .target(
      name: "Storage", dependencies: ["CAllocator", "CLibrary", "CMapping", systemPackage],
      swiftSettings: swiftSettings),
    .target(
      name: "Caching", dependencies: ["Storage", systemPackage], swiftSettings: swiftSettings),
    .target(name: "Spatial", dependencies: ["CLibrary", "Codecs"], swiftSettings: swiftSettings),
    .target(name: "CGlyphs", exclude: ["glyphs.bin", "make-glyphs.py"]),
    .target(name: "CTowns", exclude: ["make-towns.py", "towns.bin"]),
    .target(
      name: "Towns", dependencies: ["CLibrary", "CTowns", "Spatial"], swiftSettings: swiftSettings),
    .target(
      name: "PhotoMetadata",
      dependencies: [
        "CivilTime", "CLibExif", "CLibExifShims", "CLibrary", "Codecs", "CZlib", "Interchange",
        "Spatial", systemPackage,
      ],
      swiftSettings: strictMemorySafety),
    .target(
      name: "PhotoLibrary",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "Interchange", "PhotoMetadata", "Spatial", "Storage",
        "Towns", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "KeptPlaces",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "Interchange", "PhotoLibrary", "Spatial", "Storage",
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "Thumbnails",
      dependencies: ["CLibJPEGShims", "CLibrary", "PhotoMetadata", systemPackage],
      swiftSettings: strictMemorySafety),
    .target(name: "Alignment", dependencies: ["CLibrary"], swiftSettings: swiftSettings),
    .target(
      name: "Diptychs", dependencies: ["CGlyphs", "CLibrary", "Thumbnails"],
      swiftSettings: swiftSettings),
    // Without libheif but with the trait HEIF.
    .target(
      name: "Pictures",
      dependencies: [
        "Alignment", "Caching", "CLibrary", "Diptychs", "PhotoMetadata", "Storage", "Thumbnails",
        systemPackage,
        .target(name: "CLibHeif", condition: .when(traits: ["HEIF"])),
      ],
      swiftSettings: strictMemorySafety),
    .target(
      name: "WebRequests", dependencies: ["CCurl", "Codecs", systemPackage],
      swiftSettings: strictMemorySafety),
    .target(
      name: "SQLiteFiles",
      dependencies: ["CLibrary", "Codecs", "CSQLite", "Storage", systemPackage],
      swiftSettings: strictMemorySafety),
    .target(
      name: "MapTiles",
      dependencies: [
        "Caching", "CivilTime", "CLibrary", "Codecs", "SQLiteFiles", "Storage", "WebRequests",
        systemPackage,
      ],
      swiftSettings: strictMemorySafety),
    .target(
      name: "RemoteLibraries",
      dependencies: [
        "Caching", "CivilTime", "Codecs", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial",
        "Storage", "WebRequests", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "PositionImport",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial",
        "SQLiteFiles", "Storage", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "LocationFeeds",
      dependencies: ["CivilTime", "Codecs", "Interchange", "Spatial", systemPackage],
      swiftSettings: swiftSettings),
    .target(
      name: "Geotagging", dependencies: ["CivilTime", "LocationFeeds", "Spatial"],
      swiftSettings: swiftSettings),
    .target(
      name: "FeedSources",
      dependencies: ["CivilTime", "CLibrary", "Interchange", "LocationFeeds", systemPackage],
      swiftSettings: swiftSettings),
    .target(
      name: "FeedServer",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "FeedSources", "LocationFeeds", httpTypes, hummingbird,
        logging, nioCore, nioHTTPTypes, nioPosix, systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "SpotWatcher",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary",
        "PhotoMetadata", "Spatial", systemPackage,
      ], swiftSettings: swiftSettings),
    .target(
      name: "SpotAlerts",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary",
        "PhotoMetadata", "Spatial", "SpotWatcher", "Storage", subprocess, systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "HomeAssistant",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "Spatial", "SpotAlerts", "SpotWatcher",
      ],
      swiftSettings: swiftSettings),
    // Empty without the trait MQTT.
    .target(
      name: "MQTTBroker",
      dependencies: [
        "CLibrary", "FeedSources", "HomeAssistant", "LocationFeeds", "SpotAlerts", "SpotWatcher",
        systemPackage,
        .target(name: "CMosquitto", condition: .when(traits: ["MQTT"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "WebNotifiers",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "Spatial", "SpotAlerts", "SpotWatcher",
        "WebRequests", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "WatchService",
      dependencies: [
        "CivilTime", "FeedServer", "FeedSources", "Interchange", "LocationFeeds", "MQTTBroker",
        "PhotoLibrary", "Spatial", "SpotAlerts", "SpotWatcher", "Storage", systemPackage,
      ],
      swiftSettings: swiftSettings),
    // Empty without the trait Postgres.
    .target(
      name: "PostgresStore",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary",
        "PhotoMetadata", "Spatial", "SpotAlerts", "SpotWatcher", "Storage", systemPackage,
        .target(name: "CPostgres", condition: .when(traits: ["Postgres"])),
      ],
      swiftSettings: strictMemorySafety),
    .target(
      name: "SpotExport",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
        "Spatial", "Storage", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "SpotMap",
      dependencies: [
        "CivilTime", "CLibrary", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "PlaceExchange",
      dependencies: ["CivilTime", "Codecs", "CZlib", "Interchange", "Spatial"],
      swiftSettings: strictMemorySafety),
    .target(
      name: "Recreations",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
        "Spatial", "Storage", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "ThenAndNow",
      dependencies: [
        "Alignment", "Caching", "CivilTime", "CLibrary", "Codecs", "Interchange", "PhotoLibrary",
        "PhotoMetadata", "Pictures", "Spatial", "Thumbnails", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "SpotService",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "KeptPlaces", "LocationFeeds", "PhotoLibrary",
        "PhotoMetadata", "Spatial", "SpotAlerts", "SpotMap", "SpotWatcher", "Storage", "Towns",
        systemPackage,
      ],
      exclude: ["openapi.json"], swiftSettings: swiftSettings),
    .target(name: "CPage", exclude: ["data", "files", "make-table.py"]),
    .target(
      name: "WebService",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "CPage", "CZlib", "FeedServer", "FeedSources",
        "Interchange", "SpotAlerts", "SpotService", httpTypes, hummingbird, nioCore, nioPosix,
        nioSSL, systemPackage,
      ],
      swiftSettings: strictMemorySafety),
    // Not named like its product: that would be the umbrella's name where the case of names is
    // ignored, as on most Macs.
    .executableTarget(
      name: "PhotoSpotsProgram",
      dependencies: [
        "Caching", "CivilTime", "CLibrary", "Codecs", "Diptychs", "FeedServer", "FeedSources",
        "Geotagging", "HomeAssistant", "Interchange", "KeptPlaces", "LocationFeeds", "MapTiles",
        "MQTTBroker", "PhotoLibrary", "PhotoMetadata", "Pictures", "PlaceExchange",
        "PositionImport", "PostgresStore", "Recreations", "RemoteLibraries", "Spatial",
        "SpotAlerts", "SpotExport", "SpotService", "SpotWatcher", "Storage", "ThenAndNow",
        "Thumbnails", "Towns", "WatchService", "WebNotifiers", "WebRequests", "WebService",
        argumentParser, subprocess, systemPackage,
      ],
      path: "Sources/photospots", swiftSettings: swiftSettings),

    // For other programs: the modules of the usual case by one import, and Foundation's types.
    .target(
      name: "PhotoSpots",
      dependencies: [
        "CivilTime", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "Spatial", "SpotAlerts",
        "SpotWatcher", systemPackage,
      ],
      path: "Sources/Umbrella", swiftSettings: swiftSettings),
    .target(
      name: "PhotoSpotsFoundation",
      dependencies: ["CivilTime", "LocationFeeds", "Spatial", systemPackage],
      path: "Sources/PhotoSpotsFoundation", swiftSettings: swiftSettings),

    // The program that draws the sample photos and records the sample walk.
    .target(
      name: "SampleDrawing",
      dependencies: [
        "CivilTime", "CLibExif", "CLibJPEGShims", "CLibrary", "Interchange", "LocationFeeds",
      ],
      path: "Samples/Drawing/SampleDrawing", swiftSettings: strictMemorySafety),
    .executableTarget(
      name: "draw-samples", dependencies: ["CLibrary", "SampleDrawing", systemPackage],
      path: "Samples/Drawing/draw-samples", swiftSettings: swiftSettings),

    .target(
      name: "TestSupport",
      dependencies: [
        "CivilTime", "CLibrary", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
        "PostgresStore", "Spatial", "Storage", systemPackage,
      ],
      path: "Tests/TestSupport", swiftSettings: swiftSettings),
    // Modelled traces with the alerts that a person wants, and the program that prints how the watcher fares in them.
    .target(name: "AllocationCounter", path: "Tests/AllocationCounter"),
    .target(
      name: "GoldenTraces",
      dependencies: [
        "CivilTime", "CLibrary", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "Spatial",
        "SpotAlerts", "SpotWatcher", "TestSupport", systemPackage,
      ],
      path: "Tests/Golden/Traces", swiftSettings: swiftSettings),
    .executableTarget(
      name: "golden-table", dependencies: ["GoldenTraces", "SpotWatcher"],
      path: "Tests/Golden/Table", swiftSettings: swiftSettings),
    // Measure a store and watches over it: Benchmarks/store.py. Empty without the trait Postgres.
    .executableTarget(
      name: "store-bench",
      dependencies: [
        "CLibrary", "Interchange", "PhotoLibrary", "PhotoMetadata", "PostgresStore", "Spatial",
        systemPackage,
      ],
      path: "Benchmarks/StoreBench", swiftSettings: swiftSettings),
    .executableTarget(
      name: "store-watch-bench",
      dependencies: [
        "CivilTime", "CLibrary", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "PostgresStore",
        "Spatial", "SpotAlerts", "SpotWatcher", "TestSupport", "WatchService", systemPackage,
      ],
      path: "Benchmarks/StoreWatch", swiftSettings: swiftSettings),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CivilTime", "CLibrary", "FeedServer", "FeedSources", "HomeAssistant", "Interchange",
        "KeptPlaces", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "Pictures",
        "PlaceExchange", "PositionImport", "Recreations", "RemoteLibraries", "Spatial",
        "SpotAlerts", "SpotWatcher", "Storage", "TestSupport", "Thumbnails", "WebNotifiers",
        "WebRequests", argumentParser, systemPackage,
      ],
      path: "Tests/FuzzTargets", swiftSettings: swiftSettings),
    .testTarget(
      name: "FuzzTargetTests",
      dependencies: ["FuzzTargets", "PhotoMetadata", "Spatial", "TestSupport", systemPackage],
      exclude: ["Regressions"], swiftSettings: swiftSettings),
    .testTarget(name: "CodecsTests", dependencies: ["Codecs"], swiftSettings: swiftSettings),
    .testTarget(
      name: "CivilTimeTests", dependencies: ["CivilTime", "Interchange", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "FeedSourcesTests",
      dependencies: ["CLibrary", "FeedSources", "LocationFeeds", "TestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "InterchangeTests", dependencies: ["Interchange", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpatialTests", dependencies: ["CLibrary", "Spatial", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "StorageTests", dependencies: ["CLibrary", "Storage", "TestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PhotoMetadataTests",
      dependencies: [
        "CivilTime", "CLibrary", "Interchange", "PhotoMetadata", "Spatial", "TestSupport",
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "CivilTime", "CLibrary", "Interchange", "PhotoLibrary", "PhotoMetadata",
        "PostgresStore", "Spatial", "Storage", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "RemoteLibrariesTests",
      dependencies: [
        "CivilTime", "Interchange", "PhotoLibrary", "PhotoMetadata", "RemoteLibraries", "Spatial",
        "TestSupport", "WebRequests", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "LocationFeedsTests",
      dependencies: [
        "CivilTime", "FeedSources", "Interchange", "LocationFeeds", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "FeedServerTests",
      dependencies: [
        "CLibrary", "FeedServer", "FeedSources", "LocationFeeds", "TestSupport", nioCore,
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "HomeAssistantTests",
      dependencies: [
        "CivilTime", "HomeAssistant", "Interchange", "LocationFeeds", "Spatial", "SpotAlerts",
        "SpotWatcher", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MQTTBrokerTests",
      dependencies: [
        "CivilTime", "CLibrary", "FeedSources", "HomeAssistant", "Interchange", "LocationFeeds",
        "MQTTBroker", "PhotoLibrary",
        "Spatial", "SpotAlerts", "SpotWatcher", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "KeptPlacesTests",
      dependencies: [
        "CivilTime", "CLibrary", "Interchange", "KeptPlaces", "PhotoLibrary", "Spatial", "Storage",
        "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "RecreationsTests",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary",
        "PhotoMetadata", "Recreations", "Spatial", "Storage", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpotServiceTests",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "KeptPlaces", "LocationFeeds", "PhotoLibrary",
        "PhotoMetadata", "Spatial",
        "SpotAlerts", "SpotService", "SpotWatcher", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "WebServiceTests",
      dependencies: [
        "CivilTime", "CLibrary", "CZlib", "FeedServer", "FeedSources", "Interchange",
        "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "Spatial", "SpotAlerts", "SpotService",
        "SpotWatcher", "TestSupport", "WebService", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpotMapTests",
      dependencies: [
        "CivilTime", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial", "SpotMap",
        "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpotExportTests",
      dependencies: [
        "CivilTime", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "Spatial",
        "SpotExport", "Storage", "TestSupport", systemPackage,
      ],
      exclude: ["Golden"], swiftSettings: swiftSettings),
    .testTarget(
      name: "PlaceExchangeTests",
      dependencies: [
        "CivilTime", "Codecs", "Interchange", "PlaceExchange", "Spatial", "TestSupport",
        systemPackage,
      ],
      exclude: ["Golden"], swiftSettings: swiftSettings),
    .testTarget(
      name: "PostgresStoreTests",
      dependencies: [
        "CivilTime", "CLibrary", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
        "PostgresStore", "Spatial", "SpotAlerts", "SpotWatcher", "Storage", "TestSupport",
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "TownsTests", dependencies: ["Spatial", "TestSupport", "Towns", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpotAlertsTests",
      dependencies: [
        "AllocationCounter", "CivilTime", "CLibrary", "FeedSources", "GoldenTraces",
        "HomeAssistant", "Interchange", "LocationFeeds", "MQTTBroker", "PhotoLibrary",
        "PhotoMetadata", "PostgresStore", "Spatial", "SpotAlerts",
        "SpotWatcher", "Storage", "TestSupport", "WebNotifiers", "WebRequests",
        systemPackage,
      ],
      exclude: ["Golden"], swiftSettings: swiftSettings),
    .testTarget(
      name: "CachingTests",
      dependencies: ["Caching", "CLibrary", "Storage", "TestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PicturesTests",
      dependencies: [
        "CLibrary", "Diptychs", "PhotoMetadata", "Pictures", "TestSupport", "Thumbnails",
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "GeotaggingTests",
      dependencies: ["CivilTime", "Geotagging", "LocationFeeds", "Spatial", "TestSupport"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "AlignmentTests",
      dependencies: ["Alignment", "Interchange", "TestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "DiptychsTests",
      dependencies: ["CLibrary", "Diptychs", "TestSupport", "Thumbnails"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ThenAndNowTests",
      dependencies: [
        "Alignment", "CivilTime", "PhotoLibrary", "Spatial", "TestSupport", "ThenAndNow",
        "Thumbnails", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PositionImportTests",
      dependencies: [
        "CivilTime", "PhotoLibrary", "PhotoMetadata", "PositionImport", "Spatial", "SQLiteFiles",
        "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MapTilesTests",
      dependencies: [
        "CivilTime", "CLibrary", "MapTiles", "TestSupport", "WebRequests", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ThumbnailsTests",
      dependencies: ["CLibrary", "PhotoMetadata", "TestSupport", "Thumbnails", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "WatchServiceTests",
      dependencies: [
        "CivilTime", "CLibrary", "FeedServer", "FeedSources", "Interchange", "LocationFeeds",
        "PhotoLibrary", "PhotoMetadata", "Spatial", "SpotAlerts", "SpotWatcher", "TestSupport",
        "WatchService", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "WebNotifiersTests",
      dependencies: [
        "CivilTime", "CLibrary", "Codecs", "LocationFeeds", "Spatial", "SpotAlerts", "SpotWatcher",
        "TestSupport", "WebNotifiers", "WebRequests", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ArchitectureTests",
      dependencies: ["TestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SamplesTests",
      dependencies: [
        "CivilTime", "CLibrary", "Interchange", "SampleDrawing", "Spatial", systemPackage,
      ],
      swiftSettings: swiftSettings),
    // The examples of the documentation: an article shows each file of Examples.
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "CivilTime", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "PhotoSpots",
        "PhotoSpotsFoundation", "Spatial", "SpotAlerts", "SpotWatcher", "TestSupport",
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PhotoSpotsFoundationTests",
      dependencies: [
        "CivilTime", "LocationFeeds", "PhotoSpotsFoundation", "Spatial", "TestSupport",
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "CivilTime", "CLibrary", "FeedServer", "FeedSources", "Interchange", "LocationFeeds",
        "PhotoLibrary", "PhotoMetadata", "PhotoSpotsProgram", "PostgresStore", "Spatial",
        "SpotAlerts", "SpotExport", "SpotService", "SpotWatcher", "Storage", "TestSupport",
        "Thumbnails", "WebService", argumentParser, subprocess, systemPackage,
      ],
      exclude: ["Tracks"], swiftSettings: swiftSettings),
  ],
  swiftLanguageModes: [.v6]
)

// The program that `make fuzz` builds. libFuzzer has the `main` of it, so no ordinary build may see it.
if Context.environment["PHOTOSPOTS_FUZZER"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzzer", dependencies: ["CLibrary", "FuzzTargets", systemPackage],
      path: "Tests/Fuzzer",
      swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]))
}
