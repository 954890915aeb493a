import Benchmark
import BenchmarkInputs
import Spatial

/// Registers clustering after a change, beside ``registerClustering(_:)``: as many photos are
/// removed as are added, anywhere in the order of capture, at positions of others of the library
/// moved by up to 30 m.
func registerReclustering(_ size: BenchmarkSizes.Size) {
  for changes in [1, 100, 10_000] where changes <= size.count / 10 {
    Benchmark(
      "Clustering after \(changes) changes: what moves, \(size.name)",
      closure: { (_, change: Change) in blackHole(change.earlier.changes(by: change.clusterer)) },
      setup: { Change(positions: PhotoPositions(count: size.count).positions, count: changes) })
    Benchmark(
      "Clustering after \(changes) changes: the whole clustering, \(size.name)",
      closure: { (_, change: Change) in
        let moves = change.earlier.changes(by: change.clusterer)
        blackHole(change.earlier.clustering(after: moves))
      },
      setup: { Change(positions: PhotoPositions(count: size.count).positions, count: changes) })
  }
}

private struct Change {
  let clusterer = GreedyClusterer(radiusMeters: 15)
  let earlier: EarlierClusters

  init(positions: [Coordinate], count: Int) {
    var random = SeededGenerator(seed: 6)
    var removed: Set<Int> = []
    var added: [Int: Coordinate] = [:]
    while removed.count < count {
      removed.insert(Int.random(in: positions.indices, using: &random))
    }
    while added.count < count {
      let place = positions[Int.random(in: positions.indices, using: &random)]
      let meters = Double.random(in: 0...30, using: &random)
      added[Int.random(in: positions.indices, using: &random)] = place.moved(
        byMeters: meters, towardsRadians: random.bearing())
    }
    var (edited, newPlaces): ([Coordinate], [Int32]) = ([], [])
    for (place, position) in positions.enumerated() {
      if let new = added[place] { edited.append(new) }
      newPlaces.append(removed.contains(place) ? -1 : Int32(edited.count))
      if !removed.contains(place) { edited.append(position) }
    }
    let clustering = clusterer.clusters(of: positions)
    let anchors = (0..<clustering.count).map { positions[Int(clustering.anchor(of: $0))] }
    earlier = EarlierClusters(
      clustering, newPlaces: newPlaces, positions: edited, centers: SpatialIndex(anchors),
      slackMeters: 0)
  }
}
