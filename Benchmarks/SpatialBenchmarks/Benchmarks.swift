import Benchmark
import BenchmarkInputs

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration.metrics = [.wallClock, .throughput, .peakMemoryResident]
  Benchmark.defaultConfiguration.maxDuration = .seconds(2)
  for size in BenchmarkSizes.photos {
    registerQueries(size)
    registerClustering(size)
  }
}
