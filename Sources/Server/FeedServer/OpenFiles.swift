import CLibrary

/// The file descriptors of the process.
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

  /// Raises the process's limit of open files to a number, as far as the system permits.
  ///
  /// Many systems have a default limit of 1024 and permit processes to raise it far beyond that.
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
