import Benchmark
import BenchmarkInputs
import Spatial

/// Registers the benchmarks of building the index and querying it. Each measurement of a query is a
/// single query, so that the percentiles are response times; the slowest tenth are queries at home.
func registerQueries(_ size: BenchmarkSizes.Size) {
  Benchmark(
    "Spatial index: build, \(size.name)",
    closure: { _, positions in blackHole(SpatialIndex(positions)) },
    setup: { PhotoPositions(count: size.count).positions })

  for (name, meters) in [("50 m", 50.0), ("200 m", 200), ("5 km", 5000)] {
    registerQuery("within \(name)", size) { index, place in
      blackHole(index.neighbors(within: meters, of: place))
    }
  }
  registerQuery("10 nearest", size) { index, place in blackHole(index.nearest(10, to: place)) }
  registerQuery("box of 0.02°", size) { index, place in
    let south = min(max(place.latitude - 0.01, -90), 89.98)
    let west = min(max(place.longitude - 0.01, -180), 179.98)
    guard
      let box = BoundingBox(south: south, west: west, north: south + 0.02, east: west + 0.02)
    else { fatalError("no box around \(place)") }
    blackHole(index.indices(in: box))
  }
}

private struct Queries {
  let index: SpatialIndex
  let places: [Coordinate]
}

private func registerQuery(
  _ name: String, _ size: BenchmarkSizes.Size,
  _ query: @escaping (SpatialIndex, Coordinate) -> Void
) {
  Benchmark(
    "Spatial index: \(name), \(size.name)",
    configuration: .init(timeUnits: .nanoseconds, warmupIterations: 100, maxIterations: 2000),
    closure: { (benchmark, state: Queries) in
      let place = state.places[benchmark.currentIteration % state.places.count]
      benchmark.startMeasurement()
      query(state.index, place)
      benchmark.stopMeasurement()
    },
    setup: {
      let positions = PhotoPositions(count: size.count).positions
      return Queries(
        index: SpatialIndex(positions), places: QueryPoints.make(10_000, over: positions))
    })
}
