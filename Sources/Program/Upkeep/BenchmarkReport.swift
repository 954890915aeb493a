import Encodings
import PhotoLibrary
import Storage
package import SystemPackage

/// The results of `photospots benchmark`.
package struct BenchmarkReport {
  /// The measured folders.
  package let folders: [FilePath]
  /// The number of files read concurrently.
  package let jobs: Int
  /// The number of times the folders were indexed. The times are medians over these rounds.
  package let rounds: Int
  /// The number of files.
  package let files: Int
  /// The number of files that have a position.
  package let photos: Int
  /// The number of spots.
  package let spots: Int
  /// The number of files and folders that cannot be read.
  package let unreadable: Int
  /// The time of reading the heads of the files for the first time. Parts of the files may already
  /// have been in the system's file cache.
  package let firstReadSeconds: Double
  /// The time of reading the heads of the files again.
  package let readSeconds: Double
  /// The time of a full index, including saving it.
  package let indexSeconds: Double
  /// The time from opening the index file to a spot index that can be queried.
  package let loadSeconds: Double
  /// The response times of searches; empty without spots.
  package let queries: [QuerySample.Times]

  /// The time of a full index divided by the time of reading the heads of the files.
  package var ratio: Double { readSeconds > 0 ? indexSeconds / readSeconds : 0 }

  /// Returns how many of the files are read per second.
  package func filesPerSecond(_ seconds: Double) -> Double {
    seconds > 0 ? Double(files) / seconds : 0
  }

  // MARK: - JSON

  /// The report as a JSON object.
  package var json: [UInt8] {
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
