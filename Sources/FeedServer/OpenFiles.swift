#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process's descriptors.
enum OpenFiles {
  /// How many more of them the process may open; `nil` where that is thousands.
  static var room: Int? {
    var limit = rlimit()
    #if canImport(Glibc)
      let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let status = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    guard status == 0, limit.rlim_cur < 4096 else { return nil }
    let count = CInt(limit.rlim_cur)
    return (0..<count).count { fcntl($0, F_GETFD) == -1 }
  }
}
