import BenchmarkInputs
import Spatial
import SystemPackage

#if canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Measures the index of PhotoSpots on files of points and queries, or makes such files.
func run(_ arguments: [String]) {
  do {
    switch arguments.first {
    case "generate" where arguments.count == 4:
      guard let count = Int(arguments[1]), count > 0 else { usage() }
      try generate(count, points: arguments[2], queries: arguments[3])
    case "measure" where (3...4).contains(arguments.count):
      var measurement = Measurement(
        points: try PlaceFile.read(arguments[1]), queries: try PlaceFile.read(arguments[2]),
        answers: arguments.count == 4 ? AnswerFile() : nil)
      measurement.run()
      if let answers = measurement.answers {
        try FileDescriptor.write(answers.text.utf8, to: arguments[3])
      }
    default: usage()
    }
  } catch {
    fail("\(error)", status: 66)
  }
}

private func usage() -> Never {
  fail(
    """
    usage: spatial-peer measure POINTS QUERIES [ANSWERS]
           spatial-peer generate COUNT POINTS QUERIES
    """, status: 64)
}

private func fail(_ message: String, status: Int32) -> Never {
  _ = try? FileDescriptor.standardError.writeAll((message + "\n").utf8)
  exit(status)
}

private func generate(_ count: Int, points: String, queries: String) throws {
  let photos = PhotoPositions(count: count).positions
  try PlaceFile.write(
    photos.enumerated().map { Place(coordinate: $1, third: Double($0)) }, to: points)
  try PlaceFile.write(
    QueryPoints.makeWithKinds(10_000, over: photos).map {
      Place(coordinate: $0.position, third: Double($0.kind))
    }, to: queries)
}
