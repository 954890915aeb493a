import CLibrary

/// The descriptors of the process.
enum OpenFiles {
  /// The number of descriptors that the process may still open; `nil` if its limit is 4096 or more.
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
