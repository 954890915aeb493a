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
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "PhotoSpots",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "photospots", targets: ["photospots"]),
    .library(name: "Interchange", targets: ["Interchange"]),
    .library(name: "Spatial", targets: ["Spatial"]),
    .library(name: "PhotoMetadata", targets: ["PhotoMetadata"]),
    .library(name: "PhotoLibrary", targets: ["PhotoLibrary"]),
    .library(name: "LocationFeeds", targets: ["LocationFeeds"]),
    .library(name: "FeedServer", targets: ["FeedServer"]),
    .library(name: "MQTTBroker", targets: ["MQTTBroker"]),
    .library(name: "SpotAlerts", targets: ["SpotAlerts"]),
    .library(name: "SpotExport", targets: ["SpotExport"]),
    .library(name: "WebNotifiers", targets: ["WebNotifiers"]),
  ],
  traits: [
    .trait(
      name: "HTTPServer",
      description: "Take positions that phones send by HTTP; 'make demo' builds without it."),
    .trait(
      name: "MQTT",
      description: "Read positions from an MQTT broker and publish to one; needs libmosquitto."),
    .default(enabledTraits: ["HTTPServer"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
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
      name: "CMosquitto", pkgConfig: "libmosquitto",
      providers: [.apt(["libmosquitto-dev"]), .brew(["mosquitto"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CAllocator"),
    .target(name: "CCurl"),
    .target(name: "CMapping"),
    .target(name: "CLibExifShims", dependencies: ["CLibExif"]),
    .target(name: "CLibJPEGShims", dependencies: ["CLibJPEG"]),

    .target(name: "CLibrary", swiftSettings: swiftSettings),
    .target(name: "Codecs", swiftSettings: swiftSettings),
    .target(name: "Interchange", dependencies: ["Codecs"], swiftSettings: swiftSettings),
    .target(name: "Spatial", dependencies: ["CLibrary", "Codecs"], swiftSettings: swiftSettings),
    .target(
      name: "Storage", dependencies: ["CAllocator", "CLibrary", "CMapping", systemPackage],
      swiftSettings: swiftSettings),
    .target(
      name: "PhotoMetadata",
      dependencies: [
        "CLibExif", "CLibExifShims", "CLibrary", "Codecs", "CZlib", "Interchange", "Spatial",
        systemPackage,
      ],
      swiftSettings: strictMemorySafety),
    .target(
      name: "PhotoLibrary",
      dependencies: [
        "CLibrary", "Codecs", "Interchange", "PhotoMetadata", "Spatial", "Storage", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "LocationFeeds",
      dependencies: ["CLibrary", "Codecs", "Interchange", "Spatial", systemPackage],
      swiftSettings: swiftSettings),
    .target(
      name: "FeedServer",
      dependencies: [
        "CLibrary", "Codecs", "LocationFeeds", httpTypes, hummingbird, logging, nioCore,
        nioHTTPTypes, nioPosix, systemPackage,
      ],
      swiftSettings: swiftSettings),
    // Empty without the trait MQTT.
    .target(
      name: "MQTTBroker",
      dependencies: [
        "CLibrary", "LocationFeeds", "SpotAlerts", systemPackage,
        .target(name: "CMosquitto", condition: .when(traits: ["MQTT"])),
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "SpotAlerts",
      dependencies: [
        "CLibrary", "Codecs", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
        "Spatial", "Storage", subprocess, systemPackage,
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "Thumbnails",
      dependencies: ["CLibJPEGShims", "CLibrary", "PhotoMetadata", systemPackage],
      swiftSettings: strictMemorySafety),
    .target(
      name: "WebNotifiers",
      dependencies: [
        "CCurl", "CLibrary", "Codecs", "Interchange", "Spatial", "SpotAlerts", systemPackage,
      ],
      swiftSettings: strictMemorySafety),
    .target(
      name: "SpotExport",
      dependencies: [
        "Codecs", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial", "Storage",
        systemPackage,
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "photospots",
      dependencies: [
        "CLibrary", "FeedServer", "Interchange", "LocationFeeds", "MQTTBroker", "PhotoLibrary",
        "PhotoMetadata", "Spatial", "SpotAlerts", "SpotExport", "Storage", "Thumbnails",
        "WebNotifiers", argumentParser, systemPackage,
      ],
      swiftSettings: swiftSettings),

    // The program that draws the sample photos and records the sample walk.
    .target(
      name: "SampleDrawing",
      dependencies: ["CLibExif", "CLibJPEGShims", "CLibrary", "Interchange", "LocationFeeds"],
      path: "Samples/Drawing/SampleDrawing", swiftSettings: strictMemorySafety),
    .executableTarget(
      name: "draw-samples", dependencies: ["CLibrary", "SampleDrawing", systemPackage],
      path: "Samples/Drawing/draw-samples", swiftSettings: swiftSettings),

    .target(
      name: "TestSupport", dependencies: ["CLibrary", "LocationFeeds", systemPackage],
      path: "Tests/TestSupport", swiftSettings: swiftSettings),
    // Modelled traces with the alerts that a person wants, and the program that prints how the watcher fares in them.
    .target(
      name: "GoldenTraces",
      dependencies: [
        "CLibrary", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata", "Spatial",
        "SpotAlerts", "TestSupport", systemPackage,
      ],
      path: "Tests/Golden/Traces", swiftSettings: swiftSettings),
    .executableTarget(
      name: "golden-table", dependencies: ["GoldenTraces", "SpotAlerts"],
      path: "Tests/Golden/Table", swiftSettings: swiftSettings),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CLibrary", "FeedServer", "Interchange", "LocationFeeds", "PhotoLibrary", "PhotoMetadata",
        "Spatial", "SpotAlerts", "Storage", "TestSupport", "Thumbnails", "WebNotifiers",
        systemPackage,
      ],
      path: "Tests/FuzzTargets", swiftSettings: swiftSettings),
    .testTarget(
      name: "FuzzTargetTests",
      dependencies: ["FuzzTargets", "PhotoMetadata", "Spatial", "TestSupport", systemPackage],
      exclude: ["Regressions"], swiftSettings: swiftSettings),
    .testTarget(name: "CodecsTests", dependencies: ["Codecs"], swiftSettings: swiftSettings),
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
        "CLibrary", "Interchange", "PhotoMetadata", "Spatial", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "CLibrary", "Interchange", "PhotoLibrary", "PhotoMetadata", "Spatial", "Storage",
        "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "LocationFeedsTests",
      dependencies: ["CLibrary", "Interchange", "LocationFeeds", "TestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "FeedServerTests",
      dependencies: [
        "CLibrary", "FeedServer", "LocationFeeds", "TestSupport", nioCore, systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MQTTBrokerTests",
      dependencies: [
        "CLibrary", "Interchange", "LocationFeeds", "MQTTBroker", "PhotoLibrary", "Spatial",
        "SpotAlerts", "TestSupport", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SpotAlertsTests",
      dependencies: [
        "CLibrary", "GoldenTraces", "Interchange", "LocationFeeds", "MQTTBroker", "PhotoLibrary",
        "PhotoMetadata", "Spatial", "SpotAlerts", "Storage", "TestSupport", "WebNotifiers",
        systemPackage,
      ],
      exclude: ["Golden"], swiftSettings: swiftSettings),
    .testTarget(
      name: "ThumbnailsTests",
      dependencies: ["CLibrary", "PhotoMetadata", "TestSupport", "Thumbnails", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "WebNotifiersTests",
      dependencies: [
        "CLibrary", "Codecs", "Interchange", "LocationFeeds", "Spatial", "SpotAlerts",
        "TestSupport", "WebNotifiers", systemPackage,
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["TestSupport", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "SamplesTests",
      dependencies: ["CLibrary", "Interchange", "SampleDrawing", "Spatial", systemPackage],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "CLibrary", "Interchange", "photospots", "Storage", "TestSupport", argumentParser,
        subprocess, systemPackage,
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
