import Upkeep

extension BenchmarkReport {
  /// The report as text, one line per figure.
  package var text: String {
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
}
