import Interchange
import PhotoLibrary
import Storage
import SystemPackage

/// What `photospots benchmark` found.
struct BenchmarkReport {
  let folders: [FilePath]
  /// How many files were read at once.
  let jobs: Int
  /// How often the folders were indexed; the times are medians.
  let rounds: Int
  let files: Int
  /// Those of the files that have a position.
  let photos: Int
  let spots: Int
  let unreadable: Int
  /// Of reading the heads of the files for the first time, as far as nobody else did so before.
  let firstReadSeconds: Double
  /// Of reading them again.
  let readSeconds: Double
  /// Of a full index, with saving it.
  let indexSeconds: Double
  /// From the index file to spots that can be asked.
  let loadSeconds: Double
  let queries: [QuerySample.Times]

  /// How many times as long as reading the heads a full index takes.
  private var ratio: Double { readSeconds > 0 ? indexSeconds / readSeconds : 0 }

  private func filesPerSecond(_ seconds: Double) -> Double {
    seconds > 0 ? Double(files) / seconds : 0
  }

  // MARK: - Text

  /// A line for each figure.
  var text: String {
    var lines = [
      "\(files) file\(files == 1 ? "" : "s"), \(photos) with a position, "
        + "\(spots) spot\(spots == 1 ? "" : "s"); \(jobs) read at once, "
        + (rounds == 1 ? "1 round" : "medians of \(rounds) rounds"),
      rate("disk alone, first time", firstReadSeconds),
      rate("disk alone, again", readSeconds),
      rate("full index", indexSeconds)
        + "   \(Fixed.text(ratio, decimals: 1)) × the disk alone",
      line("load, ready to ask") + time(loadSeconds * 1e9),
    ]
    for times in queries {
      lines.append(
        line(name(times.question)) + time(times.medianNanoseconds)
          + " half of the time,\(time(times.slowNanoseconds)) in 99 of 100 searches")
    }
    if queries.isEmpty { lines.append("No photo has a position, so there is nothing to search.") }
    return lines.map { $0 + "\n" }.joined()
  }

  private func line(_ name: String) -> String { name.padded(to: 24) }

  private func rate(_ name: String, _ seconds: Double) -> String {
    line(name) + time(seconds * 1e9)
      + "\(Int(saturating: filesPerSecond(seconds)))"
      .leftPadded(to: 11)
      + " files/s"
  }

  private func name(_ question: QuerySample.Question) -> String {
    switch question {
    case .within(let meters): "spots within \(Distance.text(meters))"
    case .nearest(let count): "\(count) nearest spots"
    }
  }

  /// `850 ns`, `1.7 µs`, `12.0 ms`, `3.2 s`.
  private func time(_ nanoseconds: Double) -> String {
    let (amount, unit, decimals) =
      switch nanoseconds {
      case ..<999.5: (nanoseconds, "ns", 0)
      case ..<999_950: (nanoseconds / 1e3, "µs", 1)
      case ..<999_950_000: (nanoseconds / 1e6, "ms", 1)
      default: (nanoseconds / 1e9, "s", 1)
      }
    return "\(Fixed.text(amount, decimals: decimals)) \(unit)".leftPadded(to: 10)
  }

  // MARK: - JSON

  /// The same as an object of JSON.
  var json: [UInt8] {
    var writer = JSONWriter(layout: .indented)
    writer.object { writer in
      writer.member("version", PhotoSpotsVersion.current)
      writer.array("folders") { writer in
        for folder in folders { writer.string(name: folder.bytes) }
      }
      writer.member("jobs", jobs)
      writer.member("rounds", rounds)
      writer.member("files", files)
      writer.member("photos", photos)
      writer.member("spots", spots)
      writer.member("unreadable", unreadable)
      write("firstRead", firstReadSeconds, to: &writer)
      write("read", readSeconds, to: &writer)
      write("index", indexSeconds, to: &writer)
      writer.member("indexToRead", ratio)
      writer.member("loadSeconds", loadSeconds)
      writer.array("queries") { writer in
        for times in queries { write(times, to: &writer) }
      }
    }
    writer.newline()
    return writer.bytes
  }

  private func write(_ name: String, _ seconds: Double, to writer: inout JSONWriter) {
    writer.object(name) { writer in
      writer.member("seconds", seconds)
      writer.member("filesPerSecond", filesPerSecond(seconds))
    }
  }

  private func write(_ times: QuerySample.Times, to writer: inout JSONWriter) {
    writer.object { writer in
      switch times.question {
      case .within(let meters): writer.member("radiusMeters", meters)
      case .nearest(let count): writer.member("nearest", count)
      }
      writer.member("searches", times.count)
      writer.member("p50Nanoseconds", times.medianNanoseconds)
      writer.member("p99Nanoseconds", times.slowNanoseconds)
    }
  }
}
