// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The root package is known by its name, not by its folder's, which a clone may choose.
// A benchmark target's folder must lie in one that is called Benchmarks: that is this package's.
let package = Package(
  name: "PhotoSpotsBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "PhotoSpots", path: ".."),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    .target(
      name: "BenchmarkInputs",
      dependencies: [
        .product(name: "Interchange", package: "PhotoSpots"),
        .product(name: "Spatial", package: "PhotoSpots"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Inputs",
      swiftSettings: swiftSettings),
    .systemLibrary(
      name: "LibExifPeer",
      path: "Peers/LibExif",
      pkgConfig: "libexif"),
    .target(name: "CHeap", path: "Peers/CHeap"),
    // The same measurements as the peers make, and what they are given; see peers.sh.
    .executableTarget(
      name: "spatial-peer",
      dependencies: [
        "BenchmarkInputs", "CHeap",
        .product(name: "Spatial", package: "PhotoSpots"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Peers/SpatialPeer",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "library-peer",
      dependencies: [
        "BenchmarkInputs",
        .product(name: "PhotoLibrary", package: "PhotoSpots"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Peers/LibraryPeer",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "watcher-peer",
      dependencies: [
        "BenchmarkInputs",
        .product(name: "Interchange", package: "PhotoSpots"),
        .product(name: "LocationFeeds", package: "PhotoSpots"),
        .product(name: "PhotoLibrary", package: "PhotoSpots"),
        .product(name: "Spatial", package: "PhotoSpots"),
        .product(name: "SpotAlerts", package: "PhotoSpots"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Peers/WatcherPeer",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "SpatialBenchmarks",
      dependencies: [
        "BenchmarkInputs",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Spatial", package: "PhotoSpots"),
      ],
      path: "SpatialBenchmarks",
      swiftSettings: swiftSettings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "PhotoLibraryBenchmarks",
      dependencies: [
        "BenchmarkInputs",
        "LibExifPeer",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Interchange", package: "PhotoSpots"),
        .product(name: "PhotoLibrary", package: "PhotoSpots"),
        .product(name: "PhotoMetadata", package: "PhotoSpots"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "PhotoLibraryBenchmarks",
      swiftSettings: swiftSettings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "SpotAlertsBenchmarks",
      dependencies: [
        "BenchmarkInputs",
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Interchange", package: "PhotoSpots"),
        .product(name: "LocationFeeds", package: "PhotoSpots"),
        .product(name: "PhotoLibrary", package: "PhotoSpots"),
        .product(name: "Spatial", package: "PhotoSpots"),
        .product(name: "SpotAlerts", package: "PhotoSpots"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "SpotAlertsBenchmarks",
      swiftSettings: swiftSettings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
