import BenchmarkInputs
import CHeap
import Spatial

/// The same measurements and output lines as in `Benchmarks/Peers/peer.hpp`.
struct Measurement {
  let points: [Place]
  let queries: [Place]
  var answers: AnswerFile?
  /// The only operation to measure; `nil` for all.
  var only: String?

  /// An operation, with the maximum number of places, since large answers are slow.
  private struct Work: Sendable {
    let name: String
    let queries: Int
    let isCut: Bool
    let ask: @Sendable (SpatialIndex, Coordinate) -> [SpatialIndex.Neighbor]

    static func within(_ meters: Double, _ name: String, queries: Int) -> Work {
      Work(name: name, queries: queries, isCut: false) { $0.neighbors(within: meters, of: $1) }
    }

    static let all = [
      within(50, "50 m", queries: 10_000),
      within(200, "200 m", queries: 3000),
      within(5000, "5 km", queries: 50),
      Work(name: "10 nearest", queries: 10_000, isCut: true) { $0.nearest(10, to: $1) },
    ]
  }

  private static let homeQueries = 3

  mutating func run() {
    let positions = points.map(\.coordinate)
    let heapBefore = heapBytes()
    let start = nanoseconds()
    let index = SpatialIndex(positions)
    line("build", "ms", (nanoseconds() - start) / 1e6)
    line(
      "index", "bytes a point",
      (Double(heapBytes()) - Double(heapBefore)) / Double(positions.count))
    for work in Work.all where work.name == only ?? work.name { measure(work, index) }
  }

  private mutating func measure(_ work: Work, _ index: SpatialIndex) {
    var (past, away, home): ([Double], [Double], [Double]) = ([], [], [])
    var results = 0
    // The first round warms the caches.
    for round in 0..<2 {
      var atHome = 0
      for (number, place) in queries.prefix(work.queries).enumerated() {
        if place.isHome {
          atHome += 1
          if atHome > Self.homeQueries { continue }
        }
        let before = nanoseconds()
        let found = work.ask(index, place.coordinate)
        let time = nanoseconds() - before
        if round == 0 {
          answers?.write(work.name, number, found, isCut: work.isCut)
          continue
        }
        if place.isHome { home.append(time) } else { away.append(time) }
        if place.isPastPhotos {
          past.append(time)
          results += found.count
        }
      }
    }
    line(work.name, "p50 past photos, ns", percentile(past, 50).rounded())
    line(work.name, "p99 without home, ns", percentile(away, 99).rounded())
    line(work.name, "p50 at home, ns", percentile(home, 50).rounded())
    line(work.name, "past photos, ns a result", past.reduce(0, +) / Double(max(results, 1)))
  }

  private func line(_ work: String, _ metric: String, _ value: Double) {
    print("\(work)\t\(metric)\t\(value)")
  }
}
