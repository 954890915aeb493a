import CLibrary
package import SystemPackage

extension Disk {
  /// Returns a text that differs after each change of a file (inode, size and modification time);
  /// empty if there is no file.
  package static func generation(of path: FilePath) -> String {
    guard let status = try? status(of: target(of: path)) else { return "" }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    return "\(status.st_ino)-\(status.st_size)-\(modified.tv_sec).\(modified.tv_nsec)"
  }

  /// Whether nobody but its owner may read or write a file.
  package static func isPrivate(_ path: FilePath) throws(Errno) -> Bool {
    guard let status = try status(of: target(of: path)) else { throw .noSuchFileOrDirectory }
    return status.st_mode & (S_IRWXG | S_IRWXO) == 0
  }

  /// Takes everybody's right to read or write a file but its owner's; one that is missing stays so.
  package static func makePrivate(_ path: FilePath) throws(Errno) {
    guard path.withPlatformString({ chmod($0, S_IRUSR | S_IWUSR) }) == 0 else {
      guard errno != ENOENT else { return }
      throw Errno(rawValue: errno)
    }
  }

  /// Removes a file of the program's own, if it is there.
  package static func removeOwn(_ path: FilePath) { remove(path) }
}
