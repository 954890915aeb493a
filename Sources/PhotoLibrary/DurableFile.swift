package import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes files that are whole at every moment.
package enum DurableFile {
  /// Replaces a file in one step.
  ///
  /// The content goes to `name.new` in the same folder, then to the disk, then to the name, and the folder
  /// to the disk: a crash at any moment leaves the old file or the new one. The caller keeps others from
  /// writing the same file at the same time.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - permissions: The permissions of the new file.
  ///   - write: Writes the content to the file it is given.
  /// - Throws: The system's error, with the old file untouched and the new one removed; what `write`
  ///   throws.
  package static func replace(
    _ path: FilePath, permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead],
    write: (FileDescriptor) throws -> Void
  ) throws {
    var temporary = path
    temporary.removeLastComponent()
    temporary.append((path.lastComponent?.string ?? "") + ".new")
    do {
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
        permissions: permissions)
      try file.closeAfter {
        try write(file)
        try synchronize(file)
      }
      let isRenamed = temporary.withPlatformString { old in
        path.withPlatformString { new in rename(old, new) == 0 }
      }
      guard isRenamed else { throw Errno(rawValue: errno) }
      try synchronizeFolder(of: path)
    } catch {
      _ = temporary.withPlatformString { unlink($0) }
      throw error
    }
  }

  /// Brings what was written to a file onto the disk.
  package static func synchronize(_ file: FileDescriptor) throws(Errno) {
    guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Brings a file's name onto the disk.
  package static func synchronizeFolder(of path: FilePath) throws {
    let folder = try FileDescriptor.open(
      path.removingLastComponent().isEmpty ? "." : path.removingLastComponent(), .readOnly,
      options: [.directory, .closeOnExec])
    try folder.closeAfter { try synchronize(folder) }
  }

  /// Creates a folder and those above it where they are missing.
  package static func createFolder(
    _ path: FilePath, permissions: FilePermissions = [.ownerReadWriteExecute]
  ) throws(Errno) {
    var folder = FilePath(root: path.root, [])
    for component in path.components {
      folder.append(component)
      guard folder.withPlatformString({ mkdir($0, permissions.rawValue) }) != 0 else { continue }
      let error = Errno(rawValue: errno)
      // Some systems answer "read-only" or "permission denied" for a folder that is there.
      var status = stat()
      guard folder.withPlatformString({ stat($0, &status) }) == 0,
        status.st_mode & S_IFMT == S_IFDIR
      else { throw error }
    }
  }
}
