import Benchmark
import BenchmarkInputs
import Spatial

/// Registers the benchmark of greedy clustering, with the default radius of 15 m.
func registerClustering(_ size: BenchmarkSizes.Size) {
  let layouts: [(name: String, make: (Int) -> [Coordinate])] = [
    ("a library", { PhotoPositions(count: $0).positions }),
    ("one place", Layouts.onePlace),
    ("one position", Layouts.identical),
    ("a line", Layouts.line),
    ("a pole", Layouts.pole),
    ("the globe", Layouts.uniform),
  ]
  for layout in layouts {
    Benchmark(
      "Clustering: \(layout.name), \(size.name)",
      closure: { _, positions in
        blackHole(GreedyClusterer(radiusMeters: 15).clusters(of: positions))
      },
      setup: { layout.make(size.count) })
  }
}
