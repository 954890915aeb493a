import CLibrary

/// The descriptors of the process.
package enum OpenFiles {
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

  /// Raises the number of descriptors that the process may open, where it may do so itself.
  ///
  /// Many systems allow 1024 by themselves and far more to those that ask.
  package static func raiseLimit(to count: Int) {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
    setrlimit(resource, &limit)
  }
}
