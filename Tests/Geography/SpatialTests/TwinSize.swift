import CLibrary

/// The number of positions in brute-force comparisons that do not need all pairs: some thousands,
/// or the value of the environment variable `PHOTOSPOTS_TWIN_SIZE`. `make check` sets a million.
enum TwinSize {
  static let count: Int = {
    guard let text = getenv("PHOTOSPOTS_TWIN_SIZE").map({ String(cString: $0) }) else {
      return 3000
    }
    guard let count = Int(text), (1000...10_000_000).contains(count) else {
      preconditionFailure("PHOTOSPOTS_TWIN_SIZE=\(text): write a number from 1000 to 10000000")
    }
    return count
  }()
}
