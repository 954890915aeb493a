import CLibrary
package import SystemPackage

extension Disk {
  /// Looks at a file, and returns its inode, size and modification time, which differ after a
  /// change. A symbolic link is followed.
  package static func generation(of path: FilePath) -> FileGeneration {
    let found: stat?
    do throws(Errno) { found = try status(of: target(of: path)) } catch { return .unknown(error) }
    guard let status = found else { return .absent }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    return .present("\(status.st_ino)-\(status.st_size)-\(modified.tv_sec).\(modified.tv_nsec)")
  }

  /// Returns whether a folder has an entry of a name, which may be a link to nothing.
  ///
  /// - Throws: The system's error if that is unknown.
  package static func hasEntry(_ path: FilePath) throws(Errno) -> Bool {
    try status(of: path) != nil
  }

  /// Returns the folder to which a symbolic link leads, as a path without links; `nil` if the path
  /// is not a link to a folder.
  package static func folder(linkedFrom path: FilePath) -> FilePath? {
    guard let status = try? status(of: path), status.st_mode & S_IFMT == S_IFLNK,
      let resolved = path.withPlatformString({ realpath($0, nil) })
    else { return nil }
    defer { free(resolved) }
    let folder = FilePath(platformString: resolved)
    return isFolder(folder) ? folder : nil
  }

  /// Whether a file belongs to this user or to root, and only its owner can read and write it.
  package static func isPrivate(_ path: FilePath) throws(Errno) -> Bool {
    guard let status = try status(of: target(of: path)) else { throw .noSuchFileOrDirectory }
    return isPrivate(status)
  }

  /// Whether an open file belongs to this user or to root, and only its owner can read and write
  /// it.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - allowsGroupOfRoot: Whether the group of a file of root may read it, as is usual for the
  ///     keys of certificates.
  /// - Returns: Whether the file is private; `false` if its status cannot be read.
  package static func isPrivate(
    _ file: FileDescriptor, allowsGroupOfRoot: Bool = false
  ) -> Bool {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0 else { return false }
    if allowsGroupOfRoot, status.st_uid == 0 { status.st_mode &= ~S_IRGRP }
    return isPrivate(status)
  }

  private static func isPrivate(_ status: stat) -> Bool {
    (status.st_uid == geteuid() || status.st_uid == 0)
      && status.st_mode & (S_IRWXG | S_IRWXO) == 0
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
