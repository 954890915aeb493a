// swift-tools-version: 6.1
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let civilTime = Target.Dependency.product(name: "CivilTime", package: "PhotoSpots")
let encodings = Target.Dependency.product(name: "Encodings", package: "PhotoSpots")
let keptPlaces = Target.Dependency.product(name: "KeptPlaces", package: "PhotoSpots")
let locationFeeds = Target.Dependency.product(name: "LocationFeeds", package: "PhotoSpots")
let photoLibrary = Target.Dependency.product(name: "PhotoLibrary", package: "PhotoSpots")
let photoMetadata = Target.Dependency.product(name: "PhotoMetadata", package: "PhotoSpots")
let spatial = Target.Dependency.product(name: "Spatial", package: "PhotoSpots")
let spotWatcher = Target.Dependency.product(name: "SpotWatcher", package: "PhotoSpots")
let spotAlerts = Target.Dependency.product(name: "SpotAlerts", package: "PhotoSpots")
let benchmark = Target.Dependency.product(name: "Benchmark", package: "benchmark")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

// The root package is referred to by its name rather than its folder, since a clone may be in any
// folder. The folders of benchmark targets must be in a folder named Benchmarks, which is this
// package.
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
      dependencies: [civilTime, encodings, spatial, systemPackage],
      path: "Inputs",
      swiftSettings: swiftSettings),
    .systemLibrary(
      name: "LibExifPeer",
      path: "Peers/LibExif",
      pkgConfig: "libexif"),
    .target(name: "CHeap", path: "Peers/CHeap"),
    // The same measurements as those of the peers, and their input; see peers.sh.
    .executableTarget(
      name: "spatial-peer",
      dependencies: ["BenchmarkInputs", "CHeap", spatial, systemPackage],
      path: "Peers/SpatialPeer",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "library-peer",
      dependencies: ["BenchmarkInputs", photoLibrary, systemPackage],
      path: "Peers/LibraryPeer",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "watcher-peer",
      dependencies: [
        "BenchmarkInputs", civilTime, encodings, locationFeeds, photoLibrary, spatial,
        spotAlerts, spotWatcher, systemPackage,
      ],
      path: "Peers/WatcherPeer",
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "SpatialBenchmarks",
      dependencies: ["BenchmarkInputs", benchmark, spatial],
      path: "SpatialBenchmarks",
      swiftSettings: swiftSettings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "PhotoLibraryBenchmarks",
      dependencies: [
        "BenchmarkInputs", "LibExifPeer", benchmark, civilTime, encodings, keptPlaces,
        photoLibrary, photoMetadata, spatial, systemPackage,
      ],
      path: "PhotoLibraryBenchmarks",
      swiftSettings: swiftSettings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "SpotAlertsBenchmarks",
      dependencies: [
        "BenchmarkInputs", benchmark, civilTime, encodings, locationFeeds, photoLibrary,
        spatial, spotAlerts, spotWatcher, systemPackage,
      ],
      path: "SpotAlertsBenchmarks",
      swiftSettings: swiftSettings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
