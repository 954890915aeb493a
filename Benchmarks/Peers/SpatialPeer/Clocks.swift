#if canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Returns the time of a monotonic clock.
func nanoseconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

/// Returns a percentile by the nearest-rank method; 0 for an empty array.
func percentile(_ times: [Double], _ percent: Int) -> Double {
  guard !times.isEmpty else { return 0 }
  return times.sorted()[max((times.count * percent + 99) / 100, 1) - 1]
}
