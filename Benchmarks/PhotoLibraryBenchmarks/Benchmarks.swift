import Benchmark
import BenchmarkInputs

/// How often and how much is read too, which is the same on every machine and held to what the
/// folder `Thresholds` says.
let readingMetrics: [BenchmarkMetric] = [
  .wallClock, .throughput, .peakMemoryResident, .readSyscalls, .readBytesLogical,
]

/// One percent more or less is what the measuring itself reads.
var readingThresholds: [BenchmarkMetric: BenchmarkThresholds] {
  let threshold = BenchmarkThresholds(relative: [.p90: 1])
  return [.readSyscalls: threshold, .readBytesLogical: threshold]
}

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration.metrics = [.wallClock, .throughput, .peakMemoryResident]
  Benchmark.defaultConfiguration.maxDuration = .seconds(2)
  for size in BenchmarkSizes.photos {
    registerCache(size)
    registerSpots(size)
    registerPlaces(size)
  }
  for size in BenchmarkSizes.files { registerIndexing(size) }
  registerMetadata()
}
