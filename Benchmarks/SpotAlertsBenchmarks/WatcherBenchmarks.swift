import Benchmark
import BenchmarkInputs
import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotWatcher
import SystemPackage

/// Registers the benchmarks of decisions about fixes of walks past the spots of a library, with the
/// default settings and without a distance filter.
func registerWatcher(_ size: BenchmarkSizes.Size) {
  var everyFix = WatcherSettings()
  everyFix.distanceFilterMeters = 0
  for (name, settings) in [("a fix", WatcherSettings()), ("a fix, none filtered", everyFix)] {
    Benchmark(
      "Watcher: \(name), \(size.name)",
      configuration: .init(scalingFactor: .kilo),
      closure: { (benchmark, walker: Walker) in
        for _ in benchmark.scaledIterations { blackHole(walker.step()) }
      },
      setup: { try Walker(size, settings: settings) })
  }
}

/// An endless walk past photos, with the watcher that processes it.
private final class Walker {
  private static let start = Instant(secondsSince1970: 1_750_000_000)
  private var watcher: LocationWatcher
  private let steps: [Walks.Step]
  private let roundSeconds: Double
  private var count = 0

  init(_ size: BenchmarkSizes.Size, settings: WatcherSettings) throws {
    let positions = PhotoPositions(count: size.count).positions
    var folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.makeFile("index.json", head: IndexDocument.make(positions))
    let cache = PhotoIndexCache(path: folder.path.appending("index.json"))
    guard let index = try cache.load() else { throw Errno.noSuchFileOrDirectory }
    watcher = LocationWatcher(
      spots: SpotIndex(spots: index.spots(clusterRadius: settings.clusterRadiusMeters)),
      settings: settings)
    steps = Walks.make(60_000, past: positions)
    // A pause as between walks separates the last walk of a round from the first one of the next.
    roundSeconds = (steps.last?.seconds ?? 0) + 3600
  }

  func step() -> [WatcherDecision] {
    let (round, place) = count.quotientAndRemainder(dividingBy: steps.count)
    count += 1
    let step = steps[place]
    let time = Self.start.advanced(bySeconds: Double(round) * roundSeconds + step.seconds)
    let fix = LocationFix(
      time: time, latitude: step.position.latitude, longitude: step.position.longitude,
      horizontalAccuracyMeters: 5, speedMetersPerSecond: 1.4, device: "phone")
    return watcher.evaluate(fix, now: time, isLive: false)
  }
}
