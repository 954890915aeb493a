#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The sizes of benchmarks, as set in the environment.
package enum BenchmarkSizes {
  /// A number of photos, with its form in the names of benchmarks.
  package struct Size: Sendable {
    package let name: String
    package let count: Int
  }

  /// The numbers of photos: `PHOTOSPOTS_BENCHMARK_SIZES`, by default `10k,100k`.
  package static let photos = sizes(in: "PHOTOSPOTS_BENCHMARK_SIZES", default: "10k,100k")

  /// The numbers of files in the folder that is indexed: `PHOTOSPOTS_BENCHMARK_FILES`, by default
  /// `10k`.
  package static let files = sizes(in: "PHOTOSPOTS_BENCHMARK_FILES", default: "10k")

  private static func sizes(in variable: String, default standard: String) -> [Size] {
    let text = getenv(variable).map { String(cString: $0) } ?? standard
    return text.split(separator: ",").map { word in
      guard let count = count(word) else {
        errno = EINVAL
        perror("\(variable)=\(text): '\(word)' is no size; write 500, 10k or 1M, with commas")
        exit(64)
      }
      return Size(name: String(word), count: count)
    }
  }

  /// Parses `500`, `10k` or `1M`; `nil` for any other text, and for numbers outside 1...10 000 000.
  private static func count(_ word: Substring) -> Int? {
    let factor = word.hasSuffix("k") ? 1000 : word.hasSuffix("M") ? 1_000_000 : 1
    guard let number = Int(factor == 1 ? word : word.dropLast()), (1...10_000_000).contains(number),
      number * factor <= 10_000_000
    else { return nil }
    return number * factor
  }
}
