import Benchmark
import BenchmarkInputs

/// The metrics that include the number and size of reads, which are the same on every machine and
/// are compared with the folder `Thresholds`.
let readingMetrics: [BenchmarkMetric] = [
  .wallClock, .throughput, .peakMemoryResident, .readSyscalls, .readBytesLogical,
]

/// A tolerance of one percent, for the reads of the measurement itself.
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
