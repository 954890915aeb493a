import CLibrary
import SystemPackage

private let usageText = """
  usage: store-bench cluster INDEX                         seconds for all spots of an index in one process
         store-bench upload STORE OWNER INDEX              sends the photos of an index
         store-bench work STORE OWNER                      makes the spots that are marked
         store-bench verify STORE OWNER INDEX POINTS       spots and answers that differ from the index's
         store-bench near STORE OWNER POINTS METRES        times of queries in a store
         store-bench postgis STORE OWNER POINTS METRES     times of the same queries by ST_DWithin

  Prints one line of JSON. POINTS are rows of three little-endian doubles, latitude and longitude first. STORE is an
  address of PostgreSQL on this machine. 'postgis' needs a table
  spot_geography(owner, id, cover, photo_count, place) with an index on place.
  """

/// Measures a store; `Benchmarks/store.py` says what with.
func run(_ arguments: [String]) {
  #if Postgres
    do {
      let text: String
      switch (arguments.first, arguments.count) {
      case ("cluster", 2): text = try StoreBench.cluster(arguments[1])
      case ("upload", 4):
        text = try StoreBench(arguments[1], owner: arguments[2]).upload(arguments[3])
      case ("work", 3): text = try StoreBench(arguments[1], owner: arguments[2]).work()
      case ("verify", 5):
        text = try StoreBench(arguments[1], owner: arguments[2])
          .verify(arguments[3], points: arguments[4])
      case ("near", 5), ("postgis", 5):
        guard let radius = Double(arguments[4]), radius >= 0 else { usage() }
        let bench = try StoreBench(arguments[1], owner: arguments[2])
        text =
          arguments[0] == "near"
          ? try bench.near(arguments[3], within: radius)
          : try bench.postGIS(arguments[3], within: radius)
      default: usage()
      }
      try FileDescriptor.standardOutput.writeAll((text + "\n").utf8)
    } catch {
      fail("store-bench: \(error)", status: 66)
    }
  #else
    fail("store-bench: build with --traits HTTPServer,Postgres", status: 69)
  #endif
}

private func usage() -> Never { fail(usageText, status: 64) }

private func fail(_ message: String, status: Int32) -> Never {
  _ = try? FileDescriptor.standardError.writeAll((message + "\n").utf8)
  exit(status)
}
