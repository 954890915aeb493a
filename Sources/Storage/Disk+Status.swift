import CLibrary
package import SystemPackage

extension Disk {
  /// Returns a file's inode, size and modification time as text, which differs after a change;
  /// empty if the file does not exist.
  package static func generation(of path: FilePath) -> String {
    guard let status = try? status(of: target(of: path)) else { return "" }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    return "\(status.st_ino)-\(status.st_size)-\(modified.tv_sec).\(modified.tv_nsec)"
  }

  /// Whether only the owner can read and write a file.
  package static func isPrivate(_ path: FilePath) throws(Errno) -> Bool {
    guard let status = try status(of: target(of: path)) else { throw .noSuchFileOrDirectory }
    return status.st_mode & (S_IRWXG | S_IRWXO) == 0
  }

  /// Restricts reading and writing of a file to its owner; does nothing if the file is missing.
  package static func makePrivate(_ path: FilePath) throws(Errno) {
    guard path.withPlatformString({ chmod($0, S_IRUSR | S_IWUSR) }) == 0 else {
      guard errno != ENOENT else { return }
      throw Errno(rawValue: errno)
    }
  }

  /// Removes a file of this program if it exists.
  package static func removeOwn(_ path: FilePath) { remove(path) }
}
