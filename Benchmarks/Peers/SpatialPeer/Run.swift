import BenchmarkInputs
import Spatial
import SystemPackage

#if canImport(Musl)
  import Musl
#else
  import Glibc
#endif

private let usageText = """
  usage: spatial-peer generate LAYOUT COUNT POINTS     makes a file of points of a layout
         spatial-peer queries COUNT POINTS QUERIES     makes a file of places to ask from
         spatial-peer measure POINTS QUERIES [ANSWERS [WORK]]
                                                       measures the index, or only one work of it, and
                                                       writes what it answers
         spatial-peer check POINTS QUERIES COUNT       holds answers to those of full scans
         spatial-peer cluster POINTS [CLUSTERS]        measures the clustering, and writes it as int32
  """

/// Measures the index and the clustering of PhotoSpots on files of points and queries, or generates
/// such files.
func run(_ arguments: [String]) {
  do {
    switch (arguments.first, arguments.count) {
    case ("generate", 4):
      guard let layout = Layouts.named.first(where: { $0.name == arguments[1] }) else { usage() }
      try PlaceFile.write(layout.make(try count(arguments[2])), to: arguments[3])
    case ("queries", 4):
      let points = try PlaceFile.read(arguments[2]).map(\.coordinate)
      let queries = QueryPoints.makeWithKinds(try count(arguments[1]), over: points)
      try PlaceFile.write(
        queries.map { Place(coordinate: $0.position, third: Double($0.kind)) }, to: arguments[3])
    case ("measure", 3...5): try measure(Array(arguments.dropFirst()))
    case ("check", 4): try check(Array(arguments.dropFirst()))
    case ("cluster", 2...3): try cluster(Array(arguments.dropFirst()))
    default: usage()
    }
  } catch {
    fail("spatial-peer: \(error)", status: 66)
  }
}

private func usage() -> Never { fail(usageText, status: 64) }

private func fail(_ message: String, status: Int32) -> Never {
  _ = try? FileDescriptor.standardError.writeAll((message + "\n").utf8)
  exit(status)
}

private func count(_ text: String) throws -> Int {
  guard let count = Int(text), (1...100_000_000).contains(count) else { usage() }
  return count
}

private func measure(_ files: [String]) throws {
  var measurement = Measurement(
    points: try PlaceFile.read(files[0]), queries: try PlaceFile.read(files[1]),
    answers: files.count > 2 ? AnswerFile() : nil, only: files.count > 3 ? files[3] : nil)
  measurement.run()
  if let answers = measurement.answers {
    try FileDescriptor.write(answers.text.utf8, to: files[2])
  }
}

private func check(_ arguments: [String]) throws {
  let positions = try PlaceFile.read(arguments[0]).map(\.coordinate)
  var scans = FullScans(positions: positions, index: SpatialIndex(positions))
  scans.run(try PlaceFile.read(arguments[1]), count: try count(arguments[2]))
  print("check\tanswers\t\(scans.answers)")
  print("check\twrong\t\(scans.wrong)")
}

private func cluster(_ files: [String]) throws {
  let positions = try PlaceFile.read(files[0]).map(\.coordinate)
  let start = nanoseconds()
  let clustering = GreedyClusterer(radiusMeters: 15).clusters(of: positions)
  print("clusters\tms\t\((nanoseconds() - start) / 1e6)")
  print("clusters\tcount\t\(clustering.count)")
  if files.count == 2 {
    try clustering.clusters.map(\.littleEndian).withUnsafeBytes {
      try FileDescriptor.write($0, to: files[1])
    }
  }
}
