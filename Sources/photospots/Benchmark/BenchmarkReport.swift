import Interchange
import PhotoLibrary
import Storage
import SystemPackage

/// The results of `photospots benchmark`.
struct BenchmarkReport {
  let folders: [FilePath]
  /// The number of files read concurrently.
  let jobs: Int
  /// The number of times the folders were indexed. The times are medians over these rounds.
  let rounds: Int
  let files: Int
  /// The number of files that have a position.
  let photos: Int
  let spots: Int
  let unreadable: Int
  /// The time of reading the heads of the files for the first time. Parts of the files may already
  /// have been in the system's file cache.
  let firstReadSeconds: Double
  /// The time of reading the heads of the files again.
  let readSeconds: Double
  /// The time of a full index, including saving it.
  let indexSeconds: Double
  /// The time from opening the index file to a spot index that can be queried.
  let loadSeconds: Double
  let queries: [QuerySample.Times]

  /// The time of a full index divided by the time of reading the heads of the files.
  private var ratio: Double { readSeconds > 0 ? indexSeconds / readSeconds : 0 }

  private func filesPerSecond(_ seconds: Double) -> Double {
    seconds > 0 ? Double(files) / seconds : 0
  }

  // MARK: - Text

  /// The report as text, one line per figure.
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

  /// Formats a duration, for example `850 ns`, `1.7 µs`, `12.0 ms` or `3.2 s`.
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

  /// The report as a JSON object.
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
